// A table: its first rows, and more on request, on a screen, a phone or paper. Texts are inserted through textContent.
const LONGEST = 8; // letters of a word that is not broken on a phone, and twice as many elsewhere
// Beside so many columns a phone has no room for sentences, which are then below them.
const FEW = 5;
const LINES = ["title", "words", "sentence"]; // what has a line of its own
const SOON = 500; // milliseconds
const HEADER = 60; // pixels
const LINE = 42; // letters of a sentence in one line of a wide screen
const SHORT = 10; // letters of a title in one line
const MOST = 7; // numbers side by side on a phone; more have two lines

export default function ({ data, parentElement, setTriggerValue }) {
  const sentences = data.columns.map((_, at) => at > 0 && data.rows.some((cells) => cells[at].length > 3 * LONGEST));
  const looks = data.numbers.map((number, at) => {
    if (number) return "number";
    // What a query or a document says is read with its name.
    return sentences[at] && sentences.length >= FEW ? data.columns[at] === "text" ? "words" : "sentence" : "";
  });
  // Beside so many columns a long name has a line of its own, except where few numbers are beside it.
  const crowded = sentences.length >= FEW && data.numbers.filter(Boolean).length >= FEW - 2;
  if (!looks[0] && crowded && data.rows.some(([name]) => name.length > LONGEST)) looks[0] = "title";
  // After a short id the words are the title.
  else if (looks.includes("words")) looks[looks.indexOf("words")] = "title";
  const inLine = looks.map((look, at) => look === "sentence" && data.rows.every((cells) => cells[at].length <= LINE));
  const head = put(make("thead"), row(data.columns.map(hyphenated), data.columns, "th", looks));
  [...head.rows[0].cells].forEach((cell, at) => {
    cell.title = data.meanings[at];
    // A few columns have room for longer words.
    const least = looks.length < FEW ? 1.5 * LONGEST : LONGEST;
    cell.style.cssText = `--word: ${word(data, at, least)}; --long: ${word(data, at, 2 * LONGEST)}`;
  });
  const body = put(make("tbody"), ...data.rows.map((cells, at) => row(cells, data.columns, "td", looks, data.lit[at])));
  for (const each of body.rows) inLine.forEach((is, at) => each.cells[at].classList.toggle("unbroken", is));
  const table = kept(parentElement, made);
  if (data.sorts) [...head.rows[0].cells].forEach((cell, at) => {
    if (looks[at] === "sentence") return;
    const [by, down] = data.by ?? [], signs = data.rows.map((cells) => cells[at][0]);
    // The largest change is first, or the largest number, or the first word.
    const falls = data.numbers[at] && (!signs.includes("−") || signs.includes("+"));
    if (at === by) cell.ariaSort = down ? "descending" : "ascending";
    const sort = () => setTriggerValue("pressed", { by: [at, at === by ? !down : falls] });
    cell.replaceChildren(button(cell.textContent, "", sort));
  });
  if (data.opens) [...body.rows].forEach((each, place) => {
    each.classList.toggle("picked", place === data.picked);
    // The button is for the keyboard; a press hits the whole row.
    const name = button(each.cells[0].textContent);
    name.ariaCurrent = place === data.picked;
    each.cells[0].firstChild.replaceChildren(name);
    each.addEventListener("click", () => {
      setTriggerValue("pressed", { row: place });
      if (!data.toggles || place !== data.picked) show(data.opens, table, each);
    });
  });
  // A phone has room for a few rows beside each other, and for many columns below each other.
  const numbers = looks.filter((look) => !LINES.includes(look)).length;
  // Names alone stand as well above the columns of their numbers.
  const named = !looks.slice(1).some((look) => LINES.includes(look)) && (!looks[0] || numbers > MOST);
  const turned = named && data.columns.length > FEW + 1 && data.rows.length <= FEW + 1;
  classes(table, { turned, picks: data.opens, told: !turned && looks.some((look) => LINES.includes(look)) });
  table.style.cssText = `--columns: ${looks.length}; --shares: ${shares(data, looks, numbers)}`;
  [...body.rows].forEach((each, at) => each.classList.toggle("rest", at >= data.first));
  const more = kept(table, () => table.parentElement.appendChild(make("div", "more"))), rest = data.rows.length - data.first;
  const many = (count) => count.toLocaleString("en");
  const fold = () => {
    const whole = table.classList.contains("whole");
    const left = data.more + (whole ? 0 : rest), next = whole ? Math.min(left, data.step) : rest;
    more.replaceChildren(make("span", "paper", data.more ? `… ${many(data.more)} more rows` : ""));
    if (left) more.append(button(`${many(next)} more${next < left ? ` of ${many(left)}` : ""}`, "", () => {
      if (whole) return setTriggerValue("pressed", { more: true });
      // What is above the new rows stays where it is, and not what is below them.
      const { style } = scroller();
      style.overflowAnchor = "none";
      setTimeout(() => { style.overflowAnchor = ""; }, SOON);
      table.classList.add("whole");
      fold();
      body.rows[data.first].querySelector("button")?.focus({ preventScroll: true });
    }));
    if (whole && rest) more.append(button("fewer", "", () => {
      table.classList.remove("whole");
      fold();
      reveal(table);
    }));
  };
  fold();
  const before = places(table);
  table.replaceChildren(head, body);
  for (const [texts, [each, top]] of places(table)) {
    const way = (before.get(texts)?.[1] ?? top) - top;
    if (way) travel(each, [{ translate: `0 ${way}px` }, { translate: "0" }]);
  }
}

// Each row with its height in the table, by its texts.
function places(table) {
  return new Map([...table.rows].map((each) => [each.textContent, [each, each.offsetTop]]));
}

// The table, in a box that scrolls sideways where it has to: else its heads stay in sight.
function made(root) {
  const box = make("div"), table = make("table");
  root.append(put(box, table));
  new ResizeObserver(() => box.classList.toggle("wide", table.offsetWidth > box.clientWidth)).observe(box);
  return table;
}

// The shares of a phone's width that the columns beside each other have: those of their texts.
function shares(data, looks, numbers) {
  const beside = Math.ceil(numbers / Math.ceil(numbers / MOST)), widths = Array(beside).fill(1);
  const columns = looks.flatMap((look, at) => (LINES.includes(look) ? [] : [at]));
  columns.forEach((at, place) => {
    const name = data.columns[at];
    const texts = [...(name.length > SHORT ? name.split(" ") : [name]), ...data.rows.map((cells) => cells[at])];
    const longest = Math.min(2 * SHORT, Math.max(...texts.map(({ length }) => length)));
    widths[place % beside] = Math.max(widths[place % beside], 2 + longest);
  });
  return widths.map((width) => `minmax(0, ${width}fr)`).join(" ");
}

// Scroll to the part of the page that shows a row.
function show(key, table, pressed) {
  const opened = part(key), beside = opened?.closest('[data-testid="stColumn"]');
  const stays = beside && getComputedStyle(beside).position === "sticky";
  // What it opens at the foot of a phone does not cover it.
  if (stays) pressed.scrollIntoView({ block: "nearest" });
  if (!opened || stays) return;
  // What is below the table may not be drawn yet, and needs room to be scrolled to.
  const isBelow = opened.getBoundingClientRect().top > table.getBoundingClientRect().bottom;
  if (!isBelow && !unseen(opened)) return;
  if (isBelow) {
    opened.style.minHeight = "80vh";
    setTimeout(() => {
      const { scrollTop } = scroller();
      opened.style.minHeight = "";
      // What the page lacks below is kept, or it would move.
      const lacks = scrollTop - scroller().scrollTop;
      if (lacks) opened.style.minHeight = `${opened.offsetHeight + lacks}px`;
      scroller().scrollTop = scrollTop;
    }, 4 * SOON);
  }
  offerBack(table);
  // What is beside a longer list may be at its end now: its column stands still.
  reveal(beside ?? opened);
  // What is drawn above it meanwhile moves it a little.
  const isNear = () => Math.abs(opened.getBoundingClientRect().top - HEADER) < 2 * HEADER;
  const again = setTimeout(() => isNear() && reveal(beside ?? opened), 3 * SOON);
  // Who goes on meanwhile is not taken back.
  for (const moves of ["pointerdown", "wheel", "touchmove", "keydown"]) {
    addEventListener(moves, () => clearTimeout(again), { once: true, capture: true });
  }
}

// A way back to where a row was pressed, until its table is seen again.
function offerBack(table) {
  // A table that stays beside another one has its place by that one.
  const { host } = table.getRootNode(), whole = scroller();
  const anchor = host.closest('[data-testid="stHorizontalBlock"]') ?? table;
  const pressed = anchor.getBoundingClientRect().top;
  // On a phone the way back lies over rows: those of the same tab need none.
  const seenIn = (innerWidth < 641 && host.closest('[role="tabpanel"]')) || table;
  const away = () => anchor.getBoundingClientRect().top - pressed;
  window.rankscopeBack?.remove();
  // At once: a long way that is drawn can be cut short by what is loaded on it.
  const back = button("↩ Back to the table", "", () => whole.scrollBy({ top: away(), behavior: "instant" }));
  window.rankscopeBack = back;
  back.className = "back";
  back.popover = "manual";
  table.after(back);
  let left = false;
  const watch = () => {
    const { top, bottom } = seenIn.getBoundingClientRect();
    const seen = top < innerHeight - HEADER && bottom > 2 * HEADER;
    if (!seen && !left) back.showPopover();
    if (seen && left) back.remove();
    left ||= !seen;
    if (!back.isConnected) whole.removeEventListener("scroll", watch);
  };
  whole.addEventListener("scroll", watch);
}

// The room of a column's longest word, in bold letters too; longer ids wrap.
function word({ columns, rows }, at, most) {
  const words = [columns, ...rows].flatMap((cells) => cells[at].split(/\s/));
  // A capital is wider than the digit that is the measure.
  const wide = (each) => Math.min(most, each.length + (each.match(/[A-Z@]/g) ?? []).length / 2);
  return `${1 + Math.max(...words.map(wide))}ch`;
}

function row(texts, columns, tag, looks, lit = []) {
  return put(make("tr"), ...texts.map((text, at) => {
    const cell = put(make(tag, looks[at]), make("span", "", text, { "data-column": columns[at] }));
    // Only the columns after the index can stand out.
    cell.classList.toggle("lit", lit[at - texts.length + lit.length] ?? false);
    return cell;
  }));
}
