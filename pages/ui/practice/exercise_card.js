// One exercise: lists with fields in their blank cells, under each what is said of it, and a bar that
// fills; beside it what was solved. Python checks; the card holds the answers of its exercise and
// sends all of them each time, so that none is lost. Texts are inserted only through textContent.

const HINTS = 3;
// As many right exercises fill a square of the grid.
const FULL = 3;

export default function (component) {
  const { data, parentElement: root } = component;
  const card = kept(root, made);
  card.send = component.setStateValue;
  card.tell = component.setTriggerValue;
  card.data = data;
  // A press and its release meet the same button: what unfolds in between would move it.
  if (card.pressed) card.late = true;
  else draw(card);
  return hear(root, card.listeners);
}

function made(root) {
  const card = { root, of: "", pressed: false, late: false };
  const [side, main] = [make("aside", "side"), make("section", "card")];
  card.grid = make("table", "grid", "", { role: "grid", "aria-label": "What you can do" });
  card.tally = make("span");
  card.reset = button("Reset", "Empty the squares", () => card.tell("go", { do: "reset" }));
  side.append(make("h2", "", "What you can do"), card.grid, put(make("p", "small"), card.tally, card.reset));
  for (const part of ["title", "question", "how", "rules"]) card[part] = make(part === "title" ? "h2" : "p", part);
  card.lists = make("div", "lists", "", { "data-picture": "" });
  card.hint = button("", "", () => {
    card.blanks[card.at].asked += 1;
    give(card);
  });
  card.next = button("Next", "", () => {
    card.stepped = true;
    card.tell("go", { do: "next" });
  });
  card.done = make("strong", "done");
  card.told = make("div", "told");
  card.foot = put(make("div", "foot"), card.done, card.hint, card.next);
  card.status = make("p", "status", "", { role: "status" });
  main.append(card.title, card.question, card.how, card.lists, card.rules, card.status);
  root.append(put(make("div", "practice"), put(make("div", "page"), side, main)));
  root.addEventListener("pointerdown", () => { card.pressed = true; });
  const release = () => card.pressed && setTimeout(() => {
    card.pressed = false;
    if (card.late) draw(card);
  });
  card.listeners = [[window, "pointerup", release], [window, "pointercancel", release]];
  return card;
}

function draw(card) {
  card.late = false;
  const other = card.of && card.of !== String(card.data.of);
  if (card.of !== String(card.data.of)) build(card);
  const used = card.root.getRootNode().activeElement;
  const before = used?.getBoundingClientRect().top;
  update(card);
  const main = scroller();
  if (other) main.scrollTop = 0;
  else if (used === card.hint) for (const { lastChild } of [card.blanks[card.at].notes, card.told]) lastChild?.scrollIntoView({ block: "nearest" });
  // What unfolds above the field in use does not move it.
  else if (used?.isConnected) main.scrollTop += used.getBoundingClientRect().top - before;
  goOn(card);
  drawGrid(card);
}

// ---- the exercise

function build(card) {
  const { data } = card;
  card.of = String(data.of);
  for (const part of ["title", "question", "how", "rules"]) card[part].textContent = data[part];
  card.status.textContent = "";
  card.picked = [];
  card.swapped = "";
  card.blanks = data.blanks.map((blank, at) => newBlank(card, blank, at));
  card.drawn = data.lists.map((list) => newList(card, list));
  const asked = data.blanks.flatMap((blank, at) => (card.blanks[at].box?.parentNode ? [] : [outside(card, blank, at)]));
  card.lists.replaceChildren(...card.drawn.map(({ box }) => box), put(make("div", "asked"), ...asked, card.told, card.foot));
  card.spoken = 0;
  card.told.hidden = !data.swap && data.blanks[0].options.length > 0;
  card.at = Math.max(0, data.blanks.findIndex(({ right }) => !right));
  if (card.stepped) (card.blanks[card.at].field ?? card.next).focus({ preventScroll: true });
  card.stepped = false;
}

function newBlank(card, { label, letter, options, answer: text, hints }, at) {
  const blank = { text, asked: hints.length, said: "", options: new Map(), key: make("strong", "key"), notes: make("div", "notes") };
  if (options.length) return blank;
  const field = make("input", "", "", { "aria-label": label, autocomplete: "off", placeholder: letter });
  field.value = text;
  field.onfocus = () => {
    card.at = at;
    if (card.blanks[at].notes.firstChild) card.spoken = at;
    say(card);
    drawHint(card);
  };
  // Enter and leaving the field both check the answer.
  field.onchange = () => answer(card, at, field.value.trim());
  field.onkeydown = ({ key }) => { if (key === "Enter") card.entered = at; };
  return { ...blank, field, box: put(make("span", "field"), field, blank.key) };
}

/** Return the blank that is in no cell: its name, and its field or its options. */
function outside(card, { label, options, letter }, at) {
  const { box: field, notes } = card.blanks[at];
  const box = make("div", "blank");
  const name = make("strong", "name", label.slice(letter.length).trim());
  const listed = card.data.lists.map(({ option }) => option);
  const others = options.filter((each) => !listed.includes(each));
  if (field) box.append(name, field, notes);
  else if (!card.data.swap) {
    // Where a list is the answer, the question above it has the name.
    const named = others.length === options.length ? [name] : [];
    box.append(put(make("div", "options", "", { role: "group", "aria-label": label }), ...named, ...others.map((each) => choice(card, at, each)), put(make("div", "slot"), notes)));
  }
  if (card.data.bars[at]) {
    Object.assign(card.blanks[at], newBar());
    box.append(put(make("div", "scale"), card.blanks[at].caption, card.blanks[at].bar));
  }
  return box;
}

function choice(card, at, option, text = option) {
  const each = button(text, "", () => answer(card, at, option));
  card.blanks[at].options.set(option, each);
  return each;
}

function newBar() {
  return { bar: make("div", "total", "", { "aria-hidden": "true" }), caption: make("div", "small") };
}

function fill(bar, parts, caption, text) {
  parts.forEach((percent, at) => { (bar.children[at] ?? bar.appendChild(make("i"))).style.width = `${percent}%`; });
  caption.textContent = text;
}

// ---- its lists

function newList(card, list) {
  const { columns, rows, rest, option, title } = list;
  const box = make("div", columns.includes("document") ? "list" : "list narrow");
  const table = make("table");
  const drawn = list.bar && newBar();
  const head = put(make("caption"), option ? choice(card, 0, option, title) : title);
  if (drawn) head.append(drawn.bar, put(make("div", "slot"), drawn.caption));
  const named = columns.map((name) => make("th", name === "document" ? "name" : "", name, { scope: "col" }));
  const body = make("tbody");
  const ranked = rows.map((cells, at) => {
    const row = rowOf(card, columns, cells);
    body.append(row);
    // The rows of a swap stay where they are: what is said of it is below the last.
    const blank = card.data.swap ? card.blanks[at - rows.length + 1] : card.blanks[Math.max(...cells.map((cell) => blankIn(card, cell)))];
    if (blank) body.append(put(make("tr", "reply"), put(make("td", "", "", { colspan: columns.length }), blank.field ? "" : blank.key, blank.notes)));
    if (card.data.swap) swappable(card, row, at + 1);
    if (cells[0] === "sum") row.className = "sum";
    return row;
  });
  table.append(head, put(make("thead"), put(make("tr"), ...named)), body, ...Object.entries(rest).map(([below, others]) => {
    const name = make("th", "", below, { colspan: columns.length, scope: "rowgroup" });
    const group = put(make("tbody", "rest"), put(make("tr"), name));
    for (const [document, grade] of others) {
      group.append(rowOf(card, columns, columns.map((each) => ({ document, grade })[each] ?? "")));
    }
    return group;
  }));
  box.append(table);
  if (option) table.onclick = (event) => event.target.closest("button") || answer(card, 0, option);
  return { box, ...drawn, ranked };
}

function blankIn({ data }, cell) {
  return data.blanks.findIndex(({ letter }) => letter && letter === cell);
}

function rowOf(card, columns, cells) {
  return put(make("tr"), ...cells.map((cell, at) => {
    const made = make(at ? "td" : "th", columns[at] === "document" ? "name" : "", "", at ? {} : { scope: "row" });
    const blank = blankIn(card, cell);
    if (blank >= 0) made.append(card.blanks[blank].box);
    else if (columns[at] === "grade" && cell && Number(cell) <= card.data.dots) {
      const shown = make("span", "dots", "", { "aria-hidden": "true" });
      made.append(put(shown, ...gradeDots(Number(cell), card.data.dots)), ` ${cell}`);
    }
    else made.textContent = cell;
    return made;
  }));
}

// ---- a swap

function swappable(card, row, rank) {
  const name = row.querySelector(".name");
  const each = button(name.textContent, "Swap this document with another", null);
  name.replaceChildren(each);
  row.dataset.rank = rank;
  row.onclick = () => {
    if (!card.dragged) pick(card, rank);
    card.dragged = false;
  };
  row.onpointerdown = (event) => {
    // A finger scrolls; it presses two rows instead.
    if (event.pointerType !== "touch" && event.button === 0) drag(card, row, rank, event);
  };
}

function pick(card, rank) {
  const { picked } = card;
  // What is solved stays swapped.
  if (card.data.blanks[0].right) return;
  if (picked.length === 2) picked.length = 0;
  if (picked.includes(rank)) picked.splice(picked.indexOf(rank), 1);
  else picked.push(rank);
  for (const row of card.drawn[0].ranked) {
    const on = picked.includes(Number(row.dataset.rank));
    classes(row, { picked: on, wrong: false });
    row.querySelector("button").ariaPressed = String(on);
  }
  if (picked.length < 2) return;
  const [low, high] = [...picked].sort((one, other) => one - other);
  answer(card, 0, `ranks ${low} and ${high}`);
}

function drag(card, row, rank, { clientY, pointerId }) {
  card.dragged = false;
  // What is solved stays swapped.
  if (card.data.blanks[0].right) return;
  const rows = card.drawn[0].ranked;
  const places = rows.map((each) => each.getBoundingClientRect());
  let onto = row;
  const move = (event) => {
    const by = event.clientY - clientY;
    if (!card.dragged && Math.abs(by) < 4) return;
    if (!card.dragged) row.setPointerCapture(pointerId);
    card.dragged = true;
    onto = rows[places.findLastIndex(({ top }) => event.clientY >= top)] ?? row;
    // The row below the held one goes to the place that is left.
    for (const each of rows) shift(each, each === onto ? row.offsetTop - each.offsetTop : 0);
    shift(row, by / (row.currentCSSZoom ?? 1));
    rows.forEach((each, at) => { each.firstChild.textContent = each === row ? rows.indexOf(onto) + 1 : each === onto ? rank : at + 1; });
    row.classList.add("held");
  };
  const end = () => {
    window.removeEventListener("pointermove", move);
    row.classList.remove("held");
    shift(row, onto.offsetTop - row.offsetTop);
    if (onto === row) return;
    card.swapped = "";
    card.picked = [rank];
    pick(card, Number(onto.dataset.rank));
  };
  window.addEventListener("pointermove", move);
  window.addEventListener("pointerup", end, { once: true });
}

function shift(row, by) {
  row.style.transform = by ? `translateY(${by}px)` : "";
}

/** Let the two rows of the right answer change places, and those of a wrong one come back. */
function showSwap(card, { answer: given, right, reply }) {
  if (!reply || card.swapped === given) return;
  card.swapped = given;
  const ranks = given.match(/\d+/g);
  const [one, other] = ranks.map((rank) => card.drawn[0].ranked[rank - 1]);
  [one.firstChild.textContent, other.firstChild.textContent] = right ? [...ranks].reverse() : ranks;
  const by = other.offsetTop - one.offsetTop;
  const timing = { duration: right ? 300 : 900, fill: right ? "forwards" : "none", easing: "ease-in-out" };
  for (const [row, y] of [[one, by], [other, -by]]) {
    const [home, there] = ["none", `translateY(${y}px)`];
    // Rows that were dragged are there already.
    const way = [row.style.transform || home, there, ...(right ? [] : [there, home])];
    shift(row, 0);
    row.classList.toggle("wrong", !right);
    // Where nothing may move, only the last place is shown.
    if (right || !calm()) row.animate({ transform: way }, { ...timing, duration: calm() ? 0 : timing.duration });
  }
}

// ---- replies

function update(card) {
  const { data } = card;
  data.blanks.forEach((blank, at) => {
    const drawn = card.blanks[at];
    const { field, options, bar, caption, key, notes, text } = drawn;
    key.textContent = blank.key.length && (field || data.swap) ? `= ${blank.key.join(" or ")}` : "";
    const checked = blank.answer === text;
    const sign = checked ? blank.sign : "";
    const wrong = sign === "✗" || sign === "?";
    if (field) {
      field.parentElement.dataset.sign = sign;
      field.ariaInvalid = String(wrong);
    }
    for (const [option, each] of options) {
      each.ariaPressed = String(text === option);
      classes(each, { key: blank.key.includes(option), wrong: wrong && text === option });
    }
    const lines = sign ? [note(sign, blank.reply)] : [];
    drawn.asked = Math.max(drawn.asked, blank.hints.length);
    if (!blank.right) blank.hints.forEach((hint, place) => lines.push(note(`Hint ${place + 1}`, hint)));
    if (bar) fill(bar, data.bars[at], caption, data.captions[at]);
    options.get(text)?.parentElement.querySelector(".slot").append(notes);
    const said = [blank.label, ...lines.map((each) => each.textContent)].join(" ");
    // Until the answer is checked, the room of the last reply stays.
    if (checked && drawn.said !== said) {
      drawn.said = said;
      if (lines.length) card.status.textContent = said;
      notes.replaceChildren(...lines);
      card.spoken = at;
      for (const each of [notes, card.told]) travel(each, { opacity: [0, 1] });
    }
    if (data.swap && sign) showSwap(card, blank);
  });
  say(card);
  data.lists.forEach((list, at) => {
    const { box, bar, caption, ranked } = card.drawn[at];
    // What is hidden is shown once all is right.
    ranked.forEach(({ lastChild: cell }, row) => { if (!cell.firstElementChild) cell.textContent = list.rows[row].at(-1); });
    if (!bar) return;
    fill(bar, list.bar, caption, list.caption);
    ranked.forEach((row, rank) => row.classList.toggle("counts", Boolean(list.counts[rank])));
    box.classList.toggle("chosen", card.blanks[0].text === list.option);
  });
  const right = data.blanks.filter((each) => each.right).length, all = right === data.blanks.length;
  card.done.textContent = all ? "All correct." : data.blanks[1] && data.blanks.some(({ sign }) => sign) ? `${right} of ${data.blanks.length} right` : "";
  card.next.classList.toggle("main", all);
  card.next.disabled = data.last;
  drawHint(card);
}

/** Show beside the steps what was said last, or of the field in use: on a wide page it moves nothing. */
function say({ told, data, blanks, spoken }) {
  const { key, notes } = blanks[spoken];
  told.dataset.letter = notes.firstChild ? data.blanks[spoken].letter : "";
  told.replaceChildren(...(data.swap ? [key, notes] : [notes]).map((each) => each.cloneNode(true)));
}

function note(sign, text) {
  return put(make("p"), make("strong", "", `${sign} `), text);
}

/** After Enter in a field: go to the next blank, once the answer is right. */
function goOn(card) {
  const { entered, data, blanks } = card;
  if (entered === undefined || data.blanks[entered].answer !== blanks[entered].text) return;
  card.entered = undefined;
  if (!data.blanks[entered].right || card.root.getRootNode().activeElement !== blanks[entered].field) return;
  const open = blanks.filter(({ field }, at) => field && !data.blanks[at].right);
  const next = open.find((each) => blanks.indexOf(each) > entered) ?? open[0];
  (next?.field ?? card.next).focus();
}

function answer(card, at, text) {
  card.blanks[at].text = text;
  card.at = at;
  give(card);
  update(card);
}

function give({ send, data, blanks }) {
  send("given", { of: data.of, answers: blanks.map(({ text }) => text), hints: blanks.map(({ asked }) => asked) });
}

function drawHint(card) {
  const { data, hint } = card;
  const blank = data.blanks[card.at];
  const { asked } = card.blanks[card.at];
  hint.hidden = data.blanks.every(({ right, key }) => right || key.length);
  hint.disabled = blank.right || asked >= HINTS;
  hint.textContent = `Hint ${Math.min(asked + 1, HINTS)} of ${HINTS}${blank.letter && ` to ${blank.letter}`}`;
}

// ---- what was solved

function drawGrid(card) {
  const { data, grid } = card;
  const [kind, level] = data.of;
  const active = card.root.getRootNode().activeElement;
  const held = grid.contains(active) && active.dataset.place;
  const head = put(make("tr"), make("td"), ...data.levels.map(([, title]) => make("th", "", title.split(" ")[0], { scope: "col", title })));
  const rows = data.kinds.map((each) => {
    const own = each.kind === kind;
    const name = make("th", own ? "own" : "", each.title, { scope: "row" });
    name.onclick = () => card.tell("go", { do: "open", kind: each.kind, level: data.levels[0][0] });
    return put(make("tr"), name, ...data.levels.map(([of, title], at) => square(card, each, of, title, each.counts[at], own && of === level)));
  });
  grid.replaceChildren(head, ...rows);
  if (held) grid.querySelector(`[data-place="${held}"]`).focus({ preventScroll: true });
  card.tally.textContent = data.tally ? `${data.tally} The link keeps it. ` : `${FULL} right at the first try fill a square; press one to begin.`;
  card.reset.hidden = !data.tally;
}

function square(card, { kind, title }, level, of, [right, tried], here) {
  const made = meter("square", Math.min(right, FULL) / FULL, "td");
  made.role = "gridcell";
  made.dataset.place = `${kind} ${level}`;
  made.ariaLabel = `${title}, ${of}: ${right} of ${tried} right`;
  made.title = tried ? made.ariaLabel : `${title}, ${of}`;
  made.ariaSelected = String(here);
  made.tabIndex = here ? 0 : -1;
  made.classList.toggle("tried", tried > right);
  const open = () => card.tell("go", { do: "open", kind, level });
  made.onclick = open;
  made.onkeydown = (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -card.data.levels.length, ArrowDown: card.data.levels.length }[event.key];
    const all = [...card.grid.querySelectorAll(".square")];
    if (step) all[all.indexOf(made) + step]?.focus();
    else if (event.key === "Enter" || event.key === " ") open();
    else return;
    event.preventDefault();
  };
  return made;
}
