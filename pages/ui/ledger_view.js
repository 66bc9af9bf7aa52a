// A score's arithmetic: sentences, and ledgers as tables. Parts of one document light up together,
// here and in every other view of the page, through an event of the window. Texts are inserted
// only through textContent.
const FEW = 8; // columns, whose titles need not be wrapped
const SHORT = 3; // letters of a name

export default function ({ data, parentElement, setTriggerValue }) {
  const view = kept(parentElement, made);
  view.pick = (id) => data.pick && setTriggerValue("picked", id === data.picked ? "" : id);
  view.key = data.key;
  view.ask = (word) => setTriggerValue("word", word);
  const focused = parentElement.activeElement?.dataset.row;
  const scrolled = [...view.tables.children].map((each) => each.scrollTop);
  drawScore(view, data.score);
  view.lines.replaceChildren(...data.lines.map(sentence));
  view.tables.replaceChildren(...data.tables.map((each, place) => table(each, place, data)));
  [...view.tables.children].forEach((each, place) => { each.scrollTop = scrolled[place] ?? 0; });
  if (focused) view.tables.querySelector(`[data-row="${focused}"]`)?.focus({ preventScroll: true });
  return hear(parentElement, [[window, SAME, view.light], [window, EARNED, view.foresee]]);
}

function made(root) {
  // The score is read out when it changes.
  const lines = make("div", "lines", "", { "aria-live": "polite" });
  const view = { lines, tables: make("div", "tables"), score: newScore() };
  // A list tells what its rows earn where they move to, before Python has scored them.
  view.foresee = ({ detail }) => {
    const { score } = view;
    if (detail.score !== view.key || !score.data?.chunks || score.data.number === null) return;
    const chunks = [...score.data.chunks.filter(({ id }) => id === null), ...detail.chunks];
    const sum = chunks.reduce((all, { earned }) => all + earned, 0);
    fill(score, chunks);
    count(score, sum / score.data.divisor);
    const ahead = Math.abs(sum / score.data.divisor - score.data.number) > 1e-9;
    // Which document loses, and the change, come with Python's answer.
    score.change.style.visibility = ahead ? "hidden" : "";
    caption(score, ahead ? told(score.data, chunks, sum) : score.data);
  };
  view.light = ({ detail }) => {
    for (const each of root.querySelectorAll("[data-id]")) {
      each.classList.toggle("lit", each.dataset.id === detail.id);
    }
  };
  for (const box of [view.score.box, view.lines, view.tables]) {
    listen(box, view);
    root.append(box);
  }
  return view;
}

function newScore() {
  const score = { box: make("div", "score"), chunks: new Map() };
  for (const name of ["measure", "value", "change", "earned"]) score[name] = make("span", name);
  score.lost = make("div", "notes", "", { "aria-live": "polite" });
  score.marks = make("div", "marks");
  score.bar = make("div", "total", "", { role: "img", "data-picture": "" });
  const head = put(make("div", "head"), score.value, score.measure, score.change, score.earned);
  score.box.append(head, score.marks, score.bar, score.lost);
  return score;
}

/** Return the words under the bar, as Python writes them, without the document that loses most. */
function told({ whole, digits, earned, lost, gap }, chunks, sum) {
  const [shown, best] = [sum, whole].map((each) => each.toFixed(digits));
  const parts = chunks.reduce((all, each) => all + Number(each.earned.toFixed(digits)), 0);
  const sign = parts.toFixed(digits) === shown ? "" : "≈ ";
  const lacks = (whole - sum).toFixed(digits);
  const near = (best - shown).toFixed(digits) === lacks ? "" : "≈ ";
  const rest = shown === best ? "nothing lost: no order is better" : gap.replace("{0}", near + lacks).replace("{1}", best);
  return { earned: earned && `${sign}${shown} of\u00a0${best}`, lost: lost && rest };
}

function caption(score, { earned, lost }) {
  score.earned.textContent = earned ?? "";
  // An id is not broken at its hyphens.
  score.lost.replaceChildren(...(lost ?? "").split(/(\S*-\S*)/).map((word, at) => (at % 2 ? make("span", "", word) : word)));
}

function drawScore({ score }, data) {
  const wasEmpty = score.data?.chunks?.length === 0;
  score.data = data;
  score.box.hidden = !data;
  if (!data) return;
  score.measure.textContent = data.measure;
  classes(score.box, { named: data.named, asked: data.number === null });
  score.change.textContent = data.change;
  score.change.style.visibility = "";
  caption(score, data);
  score.bar.hidden = !data.chunks;
  score.bar.ariaLabel = [`${data.measure} ${data.value}`, data.earned, data.lost].filter(Boolean).join("; ");
  classes(score.bar, { open: data.open, ruler: data.ruler });
  score.marks.replaceChildren(...((data.chunks && data.marks) ?? []).map(mark));
  // The hatching ends where an order of the documents does.
  score.bar.style.setProperty("--reach", `${(100 * (data.reach ?? data.whole)) / data.whole}%`);
  if (data.chunks) fill(score, data.chunks);
  if (wasEmpty) for (const chunk of score.bar.children) travel(chunk, [{ width: 0 }, {}]);
  count(score, data.number, data.value);
}

/** A place on the bar: its words above the bar, and a line down to its lower edge. */
function mark({ text, at }, place, { length }) {
  const made = make("span", at > 0.5 ? "mark late" : "mark", text);
  made.style.cssText = `left: ${100 * at}%; --lines: ${length - place}`;
  return made;
}

/** Let the documents fill the bar, each with what it earns, in this order. */
function fill({ bar, chunks, data }, earning) {
  const nodes = earning.map(({ id, earned }) => {
    if (!chunks.has(id)) chunks.set(id, make("i", "chunk"));
    const chunk = chunks.get(id);
    if (id !== null) chunk.dataset.id = id;
    chunk.style.width = `${(100 * earned) / data.whole}%`;
    return chunk;
  });
  bar.classList.toggle("full", earning.reduce((all, { earned }) => all + earned, 0) > data.whole - 1e-9);
  // One that is new has not been anywhere, and does not travel.
  const before = new Map([...bar.children].map((node) => [node, node.offsetLeft]));
  for (const [id, chunk] of chunks) {
    if (!nodes.includes(chunk)) chunks.delete(id);
  }
  // Only what moves is moved: a node that is inserted again has no transition.
  arrange(bar, nodes);
  // All are measured before one is moved: each move would have the page laid out anew.
  const moved = [...before].map(([node, left]) => [node, left - node.offsetLeft]).filter(([, by]) => by);
  for (const [node, by] of moved) travel(node, [{ transform: `translateX(${by}px)` }, { transform: "none" }]);
}

const COUNTS = 100; // milliseconds: no longer than Python would take

/** Let the number run to where it is now. */
function count(score, to, value = to.toFixed(score.data.digits)) {
  cancelAnimationFrame(score.frame);
  const from = calm() || to === null ? to : (score.shown ?? to);
  score.shown = to;
  const start = performance.now();
  const step = (now) => {
    const part = from === to ? 1 : Math.min(1, Math.max(0, now - start) / COUNTS);
    score.value.textContent = part < 1 ? (from + (to - from) * part).toFixed(score.data.digits) : value;
    if (part < 1) score.frame = requestAnimationFrame(step);
  };
  step(start);
}

function listen(box, view) {
  telling(box);
  box.onclick = (event) => {
    if (event.target.dataset.word) view.ask(event.target.dataset.word);
    if (idAt(event) !== null) view.pick(idAt(event));
  };
  box.onkeydown = (event) => {
    const row = event.target.closest("tr[data-id]");
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!row || (!step && event.key !== "Enter")) return;
    event.preventDefault();
    if (!step) return view.pick(row.dataset.id);
    const rows = [...row.parentElement.children];
    rows[rows.indexOf(row) + step]?.focus();
  };
}

function sentence(parts) {
  const line = make("p", "line");
  for (const part of parts) {
    const shown = make(part.strong ? "strong" : "span", "");
    if (part.word) shown.append(...term(part.text, part.tooltip, part.word));
    else shown.textContent = part.text;
    if (part.document) {
      shown.dataset.id = part.document;
      shown.title = part.tooltip;
    }
    line.append(shown);
  }
  return line;
}

// A term, and its definition, which a click, a tap or Enter opens and Escape closes.
function term(name, meaning, word) {
  const shown = make("button", "term", name);
  const definition = make("span", "definition", `${meaning} `);
  const more = make("button", "", "Open the glossary");
  definition.popover = "auto";
  shown.popoverTargetElement = definition;
  more.dataset.word = word;
  return [shown, put(definition, more)];
}

function table(sheet, place, data) {
  const drawn = make("table", sheet.columns.length > FEW ? "" : "few");
  // A short name has room beside its numbers on a phone, too.
  const at = sheet.columns.findIndex(({ name }) => name === "document");
  classes(drawn, { short: sheet.rows.every(({ cells, words }) => !words && cells[at]?.length <= SHORT) });
  const title = make("caption", "");
  const name = put(make("strong"), ...term(sheet.measure, sheet.meaning, sheet.word));
  title.append(
    name, ` (${sheet.name}) = sum of the contributions ${sheet.equals}\u00a0`, make("strong", "", sheet.score),
  );
  const head = row(sheet.columns.map(({ name }) => hyphenated(name)), sheet.columns, "th");
  [...head.children].forEach((cell, at) => {
    cell.title = sheet.columns[at].meaning;
    cell.scope = "col";
  });
  const body = put(make("tbody"), ...sheet.rows.map((line, at) => bodyRow(line, sheet, data, `${place}-${at}`, at)));
  const foot = row(sheet.total, sheet.columns, "td");
  if (sheet.more) {
    const more = make("td", "more", `… ${sheet.more}`);
    more.colSpan = sheet.columns.length;
    body.append(put(make("tr"), more));
  }
  return put(make("figure", "sheet"), put(drawn, title, put(make("thead"), head), body, put(make("tfoot"), foot)));
}

function bodyRow(line, sheet, data, name, at) {
  const made = row(line.cells, sheet.columns, "td");
  if (line.id === null) return made;
  made.dataset.id = line.id;
  made.dataset.row = name;
  made.tabIndex = at ? -1 : 0;
  if (data.pick) made.classList.add("choice");
  if (line.id === data.picked) {
    made.classList.add("picked");
    made.setAttribute("aria-current", "true");
  }
  [...made.children].forEach((cell, column) => {
    if (sheet.columns[column].name !== "document") return;
    const parts = [make("span", "", line.cells[column]), make("span", "words", line.words)];
    cell.replaceChildren(put(make("div", "document"), ...parts));
    cell.title = [line.name, line.words].filter(Boolean).join("\n");
  });
  return made;
}

function row(texts, columns, tag) {
  return put(make("tr"), ...texts.map((text, at) => {
    const missing = text === "?" || text === "–";
    const several = text.includes(", ") ? "several" : "";
    const shown = columns[at].name === "document" ? "name" : missing ? "missing" : several;
    return make(tag, shown, text);
  }));
}
