// The judge's desk: one document at a time. A grade is drawn at once and sent as a numbered event,
// which stays in the queue until Python has applied it, so that no fast key is lost or counted
// twice. Texts are inserted only through textContent.
const desks = new WeakMap();
const FIELDS = "input, textarea, select, [role=combobox], [role=listbox], [role=dialog], [role=menu]";

export default function (component) {
  const { data, parentElement: root, setStateValue } = component;
  const desk = desks.get(root) ?? made(root);
  desks.set(root, desk);
  const before = desk.data?.papers;
  desk.data = data;
  desk.set = setStateValue;
  desk.queue = desk.queue.filter((event) => event.n > data.applied);
  desk.next = Math.max(desk.next, data.applied + 1);
  if (!before) desk.at = Math.max(0, data.papers.findIndex((paper) => !paper.seen));
  if (desk.followed && !desk.queue.length) {
    // A step back or forward shows the document that it has changed.
    const changed = data.papers.findIndex((paper, at) => differs(paper, before?.[at]));
    if (changed >= 0) desk.at = changed;
    desk.followed = false;
  }
  if (data.at !== desk.asked) {
    desk.asked = data.at;
    desk.at = Math.max(0, data.papers.findIndex((paper) => paper.id === data.at));
  }
  desk.at = Math.min(desk.at, Math.max(0, data.papers.length - 1));
  draw(desk);
  // While the page goes to another query, the desk before is still there: it must not hear keys.
  desk.left = false;
  window.rankscopeDesk = root;
  document.addEventListener("keydown", desk.onKey);
  return () => {
    // Streamlit cleans up before each drawing: until the next one, keys must be heard.
    if (!root.isConnected) document.removeEventListener("keydown", desk.onKey);
  };
}

function differs(paper, old) {
  return old?.id === paper.id && (old.grade !== paper.grade || old.seen !== paper.seen || old.note !== paper.note);
}

function made(root) {
  const desk = { root, queue: [], next: 1, at: 0, asked: "", shown: null };
  const box = make("section", "desk");
  desk.progress = make("p", "progress");
  desk.query = make("p", "query");
  desk.guideline = make("p", "guideline");
  desk.strip = make("div", "strip");
  desk.strip.setAttribute("role", "group");
  desk.strip.ariaLabel = "Documents";
  desk.title = make("p", "title");
  desk.about = make("p", "about");
  desk.text = make("div", "text");
  desk.text.tabIndex = 0;
  desk.text.setAttribute("role", "region");
  desk.text.ariaLabel = "Text of the document";
  desk.grades = make("div", "grades");
  desk.grades.setAttribute("role", "group");
  desk.grades.ariaLabel = "Grade";
  desk.note = make("input", "note");
  desk.note.placeholder = "Note (key n): why this grade";
  desk.note.ariaLabel = "Note";
  desk.note.maxLength = 2000;
  desk.note.onkeydown = (event) => onNote(desk, event);
  desk.bar = make("div", "bar");
  desk.back = button("‹ Previous", "Previous document (←)", () => go(desk, desk.at - 1));
  desk.forth = button("Next ›", "Next document (→)", () => go(desk, desk.at + 1));
  desk.undo = button("Undo", "Undo the last judgment (Ctrl+Z)", () => step(desk, "undo"));
  desk.redo = button("Redo", "Redo it (Ctrl+Shift+Z)", () => step(desk, "redo"));
  desk.on = button("", "Enter", () => {
    send(desk, { do: "next" });
    desk.left = true;
  });
  desk.on.className = "on";
  desk.bar.append(desk.progress, desk.on, desk.back, desk.forth, desk.undo, desk.redo);
  desk.status = make("p", "status");
  desk.status.setAttribute("role", "status");
  const card = make("article", "card");
  card.append(desk.title, desk.about, desk.text);
  // What is pressed comes before the text, so that a long text moves no button.
  const tools = make("div", "tools");
  tools.append(desk.grades, desk.note);
  box.append(desk.query, desk.guideline, desk.bar, desk.strip, tools, card, desk.status);
  root.append(box);
  desk.onKey = (event) => onKey(desk, event);
  return desk;
}

/** What is known of each document, with what is sent and not yet applied. */
function papers(desk) {
  const sent = new Map();
  for (const event of desk.queue) if (event.do === "judge") sent.set(event.id, event);
  return desk.data.papers.map((paper) => {
    const event = sent.get(paper.id);
    return event ? { ...paper, grade: event.grade, seen: true, note: event.note } : paper;
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
  desk.progress.textContent =
    `${seen} of ${all.length} judged` + (cannot ? `, ${cannot} of them cannot be graded` : "") +
    (seen === all.length && !data.after ? ". No other query has a document to judge." : "");
  drawStrip(desk, all);
  const named = paper.title || paper.name;
  desk.title.textContent = named;
  const said = paper.seen && paper.judge ? `judged by ${paper.judge}` : "";
  desk.about.textContent = [paper.title && paper.name, paper.where, said].filter(Boolean).join(" · ");
  desk.text.textContent = paper.text || "This document has no text.";
  desk.text.classList.toggle("none", !paper.text);
  if (desk.shown !== paper.id) {
    desk.note.value = paper.note;
    desk.text.scrollTop = 0;
  }
  desk.shown = paper.id;
  drawGrades(desk, paper);
  desk.back.disabled = desk.at === 0;
  desk.forth.disabled = desk.at === all.length - 1;
  desk.undo.ariaDisabled = String(!(data.undo || desk.queue.length));
  desk.redo.ariaDisabled = String(!data.redo);
  desk.on.hidden = seen < all.length || !data.after;
  desk.on.textContent = `Next query: ${data.after} (Enter)`;
}

function drawStrip(desk, all) {
  const squares = [...desk.strip.children];
  all.forEach((paper, at) => {
    const square = squares[at] ?? desk.strip.appendChild(button("", "", () => go(desk, at)));
    const graded = paper.grade === null ? (paper.seen ? "cannot be graded" : "not judged") : `grade ${paper.grade}`;
    square.className = "square";
    square.classList.toggle("seen", paper.seen);
    square.classList.toggle("at", at === desk.at);
    square.ariaCurrent = String(at === desk.at);
    square.textContent = paper.grade ?? (paper.seen ? "×" : "·");
    square.title = square.ariaLabel = `${at + 1}: ${paper.title || paper.name}, ${graded}`;
    square.tabIndex = at === desk.at ? 0 : -1;
  });
  squares.slice(all.length).forEach((each) => each.remove());
  desk.strip.children[desk.at]?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function drawGrades(desk, paper) {
  const values = [...desk.data.scale, null];
  const buttons = [...desk.grades.children];
  values.forEach((grade, at) => {
    const each = buttons[at] ?? desk.grades.appendChild(button("", "", () => judge(desk, each.grade)));
    each.grade = grade;
    each.textContent = grade === null ? "Cannot grade (u)" : String(grade);
    each.title = grade === null ? "The document cannot be graded (key u)" : `Grade ${grade}`;
    each.ariaPressed = String(paper.seen && paper.grade === grade);
  });
  buttons.slice(values.length).forEach((each) => each.remove());
}

// ---- what people do

function send(desk, event) {
  desk.queue.push({ n: desk.next++, ...event });
  desk.set("events", [...desk.queue]);
}

function judge(desk, grade) {
  const all = papers(desk);
  const { id, title, name } = all[desk.at];
  send(desk, { do: "judge", id, grade, note: desk.note.value.trim() });
  desk.status.textContent = `${title || name}: ${grade === null ? "cannot be graded" : `grade ${grade}`}`;
  const open = (paper) => !paper.seen && paper.id !== id;
  const later = all.findIndex((paper, at) => at > desk.at && open(paper));
  const any = later >= 0 ? later : all.findIndex(open);
  if (any >= 0) desk.at = any;
  draw(desk);
}

function step(desk, what) {
  if (desk[what].ariaDisabled === "true") return;
  desk.followed = true;
  send(desk, { do: what });
}

function go(desk, at) {
  if (at < 0 || at >= desk.data.papers.length) return;
  desk.at = at;
  draw(desk);
}

function onNote(desk, event) {
  if (event.key !== "Enter" && event.key !== "Escape") return;
  event.preventDefault();
  event.stopPropagation();
  const paper = papers(desk)[desk.at];
  const note = desk.note.value.trim();
  // Without a grade the note waits, and is kept with the grade.
  if (event.key === "Enter" && paper.seen && note !== paper.note) {
    send(desk, { do: "judge", id: paper.id, grade: paper.grade, note });
    draw(desk);
  }
  desk.note.blur();
}

/** The keys of the desk on the whole page; in a field they are the field's own. */
function onKey(desk, event) {
  const { key } = event;
  const target = event.composedPath()[0];
  if (desk.left || window.rankscopeDesk !== desk.root) return;
  if (!desk.root.isConnected || target.isContentEditable || target.closest?.(FIELDS)) return;
  if (document.querySelector('[role="dialog"]')) return;
  const control = event.ctrlKey || event.metaKey;
  if (control && !event.altKey && key.toLowerCase() === "z") step(desk, event.shiftKey ? "redo" : "undo");
  else if (control || event.altKey) return;
  else if (/^[0-9]$/.test(key) && desk.data.scale.includes(Number(key))) judge(desk, Number(key));
  else if (key === "u") judge(desk, null);
  else if (key === "n") desk.note.focus();
  else if (key === "ArrowLeft") go(desk, desk.at - 1);
  else if (key === "ArrowRight") go(desk, desk.at + 1);
  else if (key === "Enter" && !desk.on.hidden && !target.closest?.("button, a, summary")) desk.on.click();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function button(text, does, act) {
  const made = make("button", "", text);
  made.type = "button";
  made.title = does;
  made.onclick = act;
  return made;
}

function make(tag, name, text = "") {
  const made = document.createElement(tag);
  made.className = name;
  made.textContent = text;
  return made;
}
