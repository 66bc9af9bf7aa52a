// The judge's desk: one document at a time. A grade is drawn at once and sent as a numbered event,
// which stays in the queue until Python has applied it, so that no fast key is lost or counted
// twice. Texts are inserted only through textContent.
const WORD = /[\p{L}\p{N}]+/gu;
const COMMON = new Set("the and for with from how what why who are can not you your out".split(" "));
const FIELDS = "input, textarea, select, [role=combobox], [role=listbox], [role=dialog], [role=menu]";
/** Words about a key, where there are keys. */
const key = (words) => (matchMedia("(pointer: coarse)").matches ? "" : ` (${words})`);
const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
const PARTS = { progress: "p", rest: "p", query: "h2", guideline: "p", title: "h3", about: "p", sizer: "div", legend: "p" };

export default function (component) {
  const { data, parentElement: root } = component;
  const desk = kept(root, made);
  const before = desk.data?.papers;
  receive(desk, component);
  const place = (id) => data.papers.findIndex((paper) => paper.id === id);
  if (!before) {
    // The page may draw the same desk anew in another place.
    const last = window.rankscopeDesk;
    if (last?.data.key === data.key) [desk.shown, desk.drafts] = [last.shown, last.drafts];
    // What led to another query is done.
    else WAITING.delete(last?.data.key);
    desk.at = Math.max(0, data.papers.findIndex((paper) => !paper.seen));
  }
  // In another order, or with more documents, the same one stays on the desk.
  if (place(desk.shown) >= 0) desk.at = place(desk.shown);
  if (desk.followed && !desk.queue.length) {
    // A step back or forward shows the document that it has changed.
    const changed = data.papers.findIndex((paper, at) => differs(paper, before?.[at]));
    if (changed >= 0) desk.at = changed;
    desk.followed = false;
  }
  if (data.at && data.asked !== desk.asked) {
    desk.at = Math.max(0, place(data.at));
    desk.chosen = true;
    if (before) desk.root.firstElementChild.scrollIntoView({ block: "center" });
  }
  desk.asked = data.asked;
  desk.at = Math.min(desk.at, Math.max(0, data.papers.length - 1));
  draw(desk);
  // While the page goes to another query, the desk before is still there: it must not hear keys.
  desk.left = false;
  window.rankscopeDesk = desk;
  return hear(root, [[document, "keydown", desk.onKey]]);
}

function differs(paper, old) {
  return old?.id === paper.id && (old.grade !== paper.grade || old.seen !== paper.seen || old.note !== paper.note);
}

function made(root) {
  const desk = { root, at: 0, asked: 0, shown: null, chosen: false, drafts: new Map() };
  for (const [part, tag] of Object.entries(PARTS)) desk[part] = make(tag, part);
  desk.score = make("div", "score", "", { role: "group", "aria-label": "What grades change", "data-picture": "" });
  desk.strip = make("div", "strip", "", { role: "group", "aria-label": "Documents" });
  desk.text = make("div", "text", "", { role: "region", "aria-label": "Text of the document" });
  for (const part of [desk.strip, desk.text]) part.onscroll = () => showMore(part);
  desk.door = button("Add texts (queries, documents)", "", () => queue(desk, { do: "texts" }));
  desk.grades = make("div", "grades", "", { role: "group", "aria-label": "Grade" });
  desk.note = make("input", "note", "", { "aria-label": "Note" });
  desk.note.placeholder = `Note${key("key n")}: why this grade`;
  desk.note.maxLength = 2000;
  desk.note.onkeydown = (event) => onNote(desk, event);
  desk.note.oninput = () => desk.drafts.set(desk.shown, desk.note.value);
  desk.note.onblur = () => keepNote(desk);
  desk.undo = button("", "", () => step(desk, "undo"));
  desk.redo = button("Redo", "Redo it (Ctrl+Y)", () => step(desk, "redo"));
  desk.on = button("", "Enter", () => leave(desk, "next"));
  desk.on.className = "on";
  desk.status = make("p", "status", "", { role: "status" });
  const head = put(make("div", "head"), desk.progress, desk.rest, desk.redo, desk.undo);
  const shown = put(make("div", "shown"), desk.title, desk.about, desk.text, desk.door);
  const card = put(make("article", "card"), desk.sizer, shown);
  const tools = put(make("div", "tools"), desk.grades, desk.note, desk.on);
  root.append(put(make("section", "desk"), desk.query, head, desk.guideline, desk.score, card, tools, desk.strip, desk.legend, desk.status));
  desk.onKey = (event) => onKey(desk, event);
  return desk;
}

/** A judge's own note: that of another judge is not taken over with a new grade. */
function own(desk, paper) {
  return paper.judge === desk.data.judge ? paper.note : "";
}

/** What is known of each document, with what is sent and not yet applied. */
function papers(desk) {
  const made = [];
  for (const event of desk.queue) {
    if (event.do === "judge") made.push(event);
    else if (event.do === "undo") made.pop();
  }
  const sent = new Map(made.map((event) => [event.id, event]));
  return desk.data.papers.map((paper) => {
    const event = sent.get(paper.id);
    if (!event) return paper;
    return { ...paper, grade: event.grade, seen: true, note: event.note, judge: desk.data.judge, others: [] };
  });
}

function draw(desk) {
  const { data } = desk;
  const all = papers(desk);
  const paper = all[desk.at];
  const seen = all.filter((each) => each.seen).length;
  const cannot = all.filter((each) => each.seen && each.grade === null).length;
  desk.query.textContent = data.query;
  desk.guideline.textContent = data.guideline;
  desk.guideline.hidden = !data.guideline;
  desk.progress.textContent = `${seen} of ${all.length} judged` + (cannot ? `, ${cannot} ×` : "");
  const left = data.left - seen + data.papers.filter((each) => each.seen).length;
  const over = seen === all.length, press = key("Enter") ? "Press Enter for" : "Go on to";
  const done = data.after ? `${press} the next query` : "All judged, in every query";
  classes(desk.rest, { over });
  desk.rest.textContent = over ? done : `${left.toLocaleString("en")} left in ${data.drawn ? "the queries drawn" : "all queries"}`;
  drawScore(desk);
  drawStrip(desk, all);
  const differ = all.some((each) => each.others.length);
  desk.legend.textContent = `– not judged · × ${differ ? "unclear · ≠ judges differ" : "cannot be graded · ✎ note"}`;
  const named = paper.title || paper.name;
  desk.title.textContent = named;
  desk.title.classList.toggle("id", !paper.title);
  const said = paper.seen && paper.judge ? `judged by ${paper.judge}` : "";
  const why = paper.note && paper.judge !== data.judge ? `note: ${paper.note}` : "";
  desk.about.textContent = [paper.title && paper.name, paper.where, said, ...paper.others, why].filter(Boolean).join(" · ");
  desk.text.replaceChildren(...marked(paper.text || "This document has no text.", data.query));
  desk.text.classList.toggle("none", !paper.text);
  desk.door.hidden = !data.door;
  const longest = (what) => all.reduce((most, each) => (each[what].length > most.length ? each[what] : most), "");
  desk.sizer.replaceChildren(make("b", "", longest("title") || "–"), make("span", "", longest("text") || "–"));
  // Only a text that scrolls is a place for the keyboard.
  desk.text.tabIndex = desk.text.scrollHeight > desk.text.clientHeight ? 0 : -1;
  if (desk.shown !== paper.id) desk.text.scrollTop = 0;
  showMore(desk.text);
  desk.shown = paper.id;
  desk.note.value = desk.drafts.get(paper.id) ?? own(desk, paper);
  drawGrades(desk, paper);
  desk.back = data.back && !data.undo && !desk.queue.length;
  desk.undo.textContent = desk.back ? "Back" : "Undo";
  desk.undo.title = `${desk.back ? "Back to the query before" : "Undo the last judgment of this query"} (Ctrl+Z)`;
  desk.undo.ariaDisabled = String(!(data.undo || desk.queue.length || desk.back));
  desk.redo.ariaDisabled = String(!data.redo);
  desk.redo.hidden = !data.redo;
  desk.on.hidden = seen < all.length || !data.after;
  desk.on.textContent = `Next query: ${data.after}${key("Enter")}`;
}

/** The text in pieces, with the words of the query marked. */
function marked(text, query) {
  const stem = (word) => word.toLowerCase().replace(/s$/, "");
  const asked = new Set(query.match(WORD)?.map(stem).filter((word) => word.length > 2 && !COMMON.has(word)));
  return text.split(new RegExp(`(${WORD.source})`, "gu")).map((each) => (asked.has(stem(each)) ? make("mark", "", each) : each));
}

/** The query's score as a bar for the mean of the runs, or one for each; what changed, moves. */
function drawScore(desk) {
  const { rows = [], of, done } = desk.data.score;
  const before = [...desk.score.querySelectorAll(".track i")].map((each) => each.style.width);
  desk.score.hidden = !rows.length;
  const bars = rows.flatMap(({ side, name, score, share }, at) => {
    const track = meter("track", share), { style } = track.firstChild;
    track.hidden = share === null;
    style.background = side && `var(--run-${side.toLowerCase()})`;
    if (rows.length === before.length && before[at] !== style.width) travel(track.firstChild, [{ width: before[at] }, { width: style.width }]);
    return [make("span", "run", name), track, make("b", "number", score)];
  });
  desk.score.replaceChildren(make("p", "", of), ...bars, make("p", "done", done));
}

function drawStrip(desk, all) {
  const rows = [...desk.strip.children];
  all.forEach((paper, at) => {
    const row = rows[at] ?? desk.strip.appendChild(button("", "", () => go(desk, at)));
    const graded = paper.grade === null ? (paper.seen ? "cannot be graded" : "not judged") : `grade ${paper.grade}`;
    const { note, others } = paper;
    const signs = `${others.length ? "≠ " : ""}${note ? "✎ " : ""}`;
    const noted = `${others.length ? `, but ${others.join(", ")}` : ""}${note ? ", has a note" : ""}`;
    const named = paper.title || paper.name;
    classes(row, { paper: true, at: at === desk.at });
    row.ariaCurrent = String(at === desk.at);
    const mark = paper.grade === null ? [paper.seen ? "×" : "–"] : desk.data.dots ? gradeDots(paper.grade, desk.data.dots) : [String(paper.grade)];
    row.replaceChildren(make("span", "named", named), put(make("span", "dots", signs), ...mark));
    row.title = row.ariaLabel = `${at + 1}: ${named}, ${graded}${noted}`;
    row.tabIndex = at === desk.at ? 0 : -1;
  });
  rows.slice(all.length).forEach((each) => each.remove());
  // Only the list scrolls, never the page.
  const { offsetTop, offsetHeight } = desk.strip.children[desk.at] ?? desk.strip;
  const { scrollTop, clientHeight } = desk.strip;
  if (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight) desk.strip.scrollTop = offsetTop - clientHeight / 2;
  showMore(desk.strip);
}

/** Let the list, or the text, fade out where it goes on. */
function showMore(part) {
  part.classList.toggle("more", part.scrollHeight - part.scrollTop - part.clientHeight > 4);
}

function drawGrades(desk, paper) {
  const values = [...desk.data.scale, null];
  const buttons = [...desk.grades.children];
  values.forEach((grade, at) => {
    const each = buttons[at] ?? desk.grades.appendChild(button("", "", () => judge(desk, each.grade)));
    each.grade = grade;
    const meaning = grade === null ? "cannot be graded" : desk.data.meanings[at];
    each.replaceChildren(make("b", "", grade === null ? "u" : String(grade)), make("span", "", meaning));
    each.title = grade === null ? `The document cannot be graded${key("key u")}` : `Grade ${grade}`;
    each.ariaPressed = String(paper.seen && paper.grade === grade);
  });
  buttons.slice(values.length).forEach((each) => each.remove());
}

// ---- what people do

function judge(desk, grade) {
  const all = papers(desk);
  const { id, title, name } = all[desk.at];
  queue(desk, { do: "judge", id, grade, note: desk.note.value.trim() });
  desk.drafts.delete(id);
  desk.status.textContent = `${title || name}: ${grade === null ? "cannot be graded" : `grade ${grade}`}`;
  const open = (paper) => !paper.seen && paper.id !== id;
  const later = all.findIndex((paper, at) => at > desk.at && open(paper));
  const any = later >= 0 ? later : all.findIndex(open);
  if (any >= 0) desk.at = any;
  desk.chosen = false;
  draw(desk);
}

/** Grade by a key, but a document that has a grade only when it was chosen: a key too many changes none. */
function byKey(desk, grade, target) {
  // A button elsewhere that has the focus would take the Enter that leads to the next query.
  if (!desk.root.contains(target)) target.blur?.();
  if (desk.chosen || !papers(desk)[desk.at].seen) judge(desk, grade);
  else desk.rest.textContent = desk.status.textContent = "Choose a document to change its grade.";
}

/** Go to another query: until it is there, no key is heard. */
function leave(desk, where) {
  queue(desk, { do: where });
  desk.left = true;
}

function step(desk, what) {
  if (what === "undo" && desk.back) return leave(desk, "back");
  if (desk[what].ariaDisabled === "true") {
    desk.rest.textContent = desk.status.textContent = `Nothing to ${what} in this query.`;
    return;
  }
  desk.chosen = true;
  const before = papers(desk);
  desk.followed = true;
  queue(desk, { do: what });
  // A judgment that was not applied yet is taken back at once.
  const changed = papers(desk).findIndex((paper, at) => differs(paper, before[at]));
  if (changed >= 0) desk.at = changed;
  draw(desk);
}

function go(desk, at) {
  if (at < 0 || at >= desk.data.papers.length) return;
  desk.chosen = true;
  desk.at = at;
  draw(desk);
}

function onNote(desk, event) {
  if (event.key !== "Enter" && event.key !== "Escape") return;
  event.preventDefault();
  event.stopPropagation();
  desk.note.blur();
}

/** Keep a note that was typed on a document that is judged; else it waits for the grade. */
function keepNote(desk) {
  const paper = papers(desk)[desk.at];
  const note = desk.note.value.trim();
  if (!desk.drafts.has(paper.id) || !paper.seen) return;
  desk.drafts.delete(paper.id);
  if (note !== own(desk, paper)) queue(desk, { do: "judge", id: paper.id, grade: paper.grade, note });
  draw(desk);
}

/** The keys of the desk on the whole page; in a field they are the field's own. */
function onKey(desk, event) {
  const { key } = event;
  const target = event.composedPath()[0];
  if (desk.left || window.rankscopeDesk !== desk) return;
  if (!desk.root.isConnected || target.isContentEditable || target.closest?.(FIELDS)) return;
  if (document.querySelector('[role="dialog"]')) return;
  const control = event.ctrlKey || event.metaKey;
  const letter = key.toLowerCase();
  if (control && !event.altKey && "zy".includes(letter)) step(desk, letter === "y" || event.shiftKey ? "redo" : "undo");
  else if (control || event.altKey) return;
  // A key that is held down grades one document.
  else if (event.repeat && /^[0-9u]$/.test(key)) return;
  else if (/^[0-9]$/.test(key) && desk.data.scale.includes(Number(key))) byKey(desk, Number(key), target);
  else if (key === "u") byKey(desk, null, target);
  else if (key === "n") desk.note.focus();
  // A long text that has the focus scrolls.
  else if (key in STEPS && !(target === desk.text && /Up|Down/.test(key))) go(desk, desk.at + STEPS[key]);
  else if (key === "Enter" && !desk.on.hidden && (target.closest?.(".grades, .strip") || !target.closest?.("button, a, summary"))) {
    desk.on.click();
  }
  else return;
  event.preventDefault();
  event.stopPropagation();
}
