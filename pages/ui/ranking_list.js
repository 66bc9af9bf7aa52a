// The ranking as a list: drag, buttons, keys, undo and redo. Texts are inserted only through
// textContent. Each edit is sent as a numbered event and stays in the queue until Python has
// applied it, so that no fast edit is lost or applied twice. The order shown is Python's and the
// moves that wait, so that a row moves in the frame of the press; what it earns there is shown at
// once where its rank and its grade alone tell it, and else with Python's answer. Rows are updated
// in place and never while a pointer is down: a press and its release always meet the same row.
const BUTTONS = [
  ["tie", "=", "Same score as the document above"],
  ["less", "−", "Lower the grade"],
  ["more", "+", "Raise the grade"],
  ["up", "▲", "Move up"],
  ["down", "▼", "Move down"],
];
const STEPS = [
  ["undo", "Undo", "Undo the last edit (Ctrl+Z)"],
  ["redo", "Redo", "Redo the edit (Ctrl+Shift+Z)"],
  ["reset", "Reset", "Restore the original ranking"],
];

export default function (component) {
  const root = component.parentElement;
  const list = kept(root, made);
  receive(list, component);
  if (list.data.plays) play(list);
  if (list.pressed) list.late = true;
  else draw(list);
  return hear(root, list.listeners);
}

function made(root) {
  const list = { root, rows: new Map(), pressed: false, lit: null, moved: 0 };
  list.box = make("div", "list");
  list.ranked = make("ol", "ranked");
  list.below = make("li", "note");
  list.cutoff = make("li", "cutoff", "", { "aria-hidden": "true" });
  list.rest = make("ol", "rest");
  list.heading = make("li", "note", "not retrieved");
  list.others = make("li", "note");
  list.box.append(list.ranked, list.rest);
  list.bar = make("div", "steps");
  list.steps = STEPS.map(([role, text, tooltip]) => {
    const step = tool(role, text, tooltip);
    step.onclick = () => step.ariaDisabled === "true" || send(list, { do: role });
    return step;
  });
  list.hint = make("span", "hint");
  // Where rows have little room; see the style.
  list.grades = tool("grades", "Grades", "Show the buttons for grades and equal scores");
  list.grades.onclick = () => (list.grades.ariaPressed = String(list.box.classList.toggle("grading")));
  list.grades.ariaPressed = "false";
  list.bar.append(list.grades, list.hint, ...list.steps);
  list.status = make("p", "status", "", { role: "status" });
  root.append(list.bar, list.box, list.status);

  list.box.onclick = (event) => onClick(list, event);
  list.box.onkeydown = (event) => onKey(list, event);
  list.box.onpointerover = (event) => {
    // After an edit another row may come to lie under a pointer that has not moved.
    if (!list.clicked || !isNear(list.clicked, event)) light(list, idAt(event));
  };
  list.box.onpointerenter = () => show(list, null);
  list.box.onpointerleave = () => light(list, null);
  list.box.addEventListener("focusin", (event) => light(list, idAt(event)));
  list.box.addEventListener("focusout", () => light(list, null));
  list.box.onpointerdown = (event) => {
    if (event.button !== 0) return;
    // On a busy machine a press follows before rows have moved for the last one.
    clearTimeout(list.releasing);
    list.pressed = true;
    list.passing = areOnTheirWay(list, event);
    list.dropped = false;
    list.shows = null;
    // A finger that is not on the handle or the rank scrolls.
    const row = event.pointerType === "touch" ? event.target.closest(".handle, .rank") : idAt(event);
    if (row && !event.target.closest("button") && !list.data.locked) drag(list, event);
  };
  // The click follows the release; only then may rows move.
  const release = () => {
    if (list.pressed) list.releasing = setTimeout(() => released(list));
  };
  list.listeners = [
    [window, "pointerup", release],
    [window, "pointercancel", release],
    // Released outside the window.
    [window, "pointermove", (event) => {
      if (!event.buttons) release();
      if (!list.clicked || isNear(list.clicked, event)) return;
      list.clicked = null;
      const row = event.composedPath()[0].closest?.("li.row");
      if (row) light(list, row.dataset.id);
    }],
    [window, "wheel", () => (list.clicked = null)],
    [window, SAME, ({ detail }) => showLit(list, detail?.id ?? null)],
    [document, "keydown", (event) => onShortcut(list, event)],
  ];
  list.wraps = new ResizeObserver(() => fit(list));
  return list;
}

const HINT = "Drag, or ▲ ▼.";
// What has the order before a move that is under way waits for the answer.
const WAIT = ":is(.st-key-score_lines, .st-key-strip, .st-key-chart, .st-key-ledger_shown)";
const PLAYED = "rankscope:played";
const NEAR = 3; // pixels
const TRAVEL = 400; // milliseconds

function send(list, event) {
  if (list.data.locked) return;
  list.meant = event.id ?? list.meant;
  queue(list, event);
  if (list.pressed) list.late = true;
  // Not before the event is on its way: Python works while the rows are drawn.
  else list.frame ??= requestAnimationFrame(() => draw(list));
}

const MOVES = { up: (at) => at - 1, down: (at) => at + 1, move: (_, { value }) => value - 1 };

/** Return the rows after the moves that wait or are in hand, up to an edit only Python can make. */
function expected({ data, queue, shows }) {
  let ranked = [...(data.ranked ?? [])];
  let rest = [...(data.rest ?? [])];
  // The rows that a long list lacks are known to Python alone.
  const cut = data.below || data.unlisted;
  let known = data;
  for (const event of [...queue, ...(shows ? [shows] : [])]) {
    const row = [...ranked, ...rest].find(({ id }) => id === event.id);
    if (!MOVES[event.do] || !row || (cut && event.do !== "move")) break;
    const at = ranked.indexOf(row);
    const out = event.do === "move" ? event.value === null : event.do === "down" && at === ranked.length - 1;
    if (at < 0 && event.do === "down") continue;
    const to = at < 0 && event.do === "up" ? ranked.length : Math.max(0, MOVES[event.do](at, event));
    if (out ? isClosed(data) : to === at) continue;
    ranked = ranked.filter((each) => each !== row);
    rest = rest.filter((each) => each !== row);
    // What comes between equal scores is ordered by the convention.
    if (!out && ranked[to]?.tied) known = { ...data, shares: null };
    if (out) rest.unshift(row);
    else ranked.splice(to, 0, row);
  }
  return { ranked: ranked.map((row, at) => atRank(known, row, at + 1)), rest: rest.map((row) => atRank(known, row, null)) };
}

/** Whether a document can only change its rank, or nothing at all. */
function isClosed({ moves, locked, rest }) {
  return (moves || locked) && !rest?.length;
}

/** Return a row as it is at another rank. */
function atRank(data, row, place) {
  if (row.place === place) return row;
  const earned = data.shares && row.gain * (place ? (data.shares[place - 1] ?? 0) : 0);
  const known = data.shares ? { earned, value: earned ? (earned * data.most).toFixed(data.digits) : "0" } : { waits: true };
  return { ...row, place, tied: false, ...known };
}

function released(list) {
  list.pressed = false;
  if (list.late) draw(list);
}

// ---- drawing

function draw(list, before = tops(list)) {
  const { root, data } = list;
  cancelAnimationFrame(list.frame);
  list.late = false;
  list.frame = null;
  const held = root.getRootNode().activeElement;
  const byKey = held?.matches(":focus-visible");
  const said = held?.closest("li.row")?.ariaLabel;
  list.box.hidden = !data.ranked;
  const { locked, moves, bare, pick: picks, hint, scored, ruler } = data;
  classes(list.box, { locked, moves, bare, picks, closed: isClosed(data), still: locked && hint, unscored: !scored, ruler });
  list.bar.hidden = Boolean(locked && !hint);
  const edited = drawSteps(list);
  list.grades.hidden = Boolean(moves || locked);
  // A table has no rows to drag.
  const turn = data.plays && !list.plays && !edited ? ` ${data.plays.then}` : "";
  list.hint.textContent = data.ranked ? (hint ?? (data.own ? "Your list." : HINT)) + turn : "";
  classes(list.hint, { keys: !hint, own: data.own, beside: hint && !locked });
  const scrolled = list.box.scrollTop;
  const [ranked, rest] = filled(list);
  if (data.cutoff) {
    // It keeps its room in a shorter list, so that nothing moves when the list reaches k.
    list.cutoff.textContent = `cutoff k = ${data.cutoff}`;
    list.cutoff.classList.toggle("hidden", data.cutoff > ranked.length);
    ranked.splice(data.cutoff, 0, list.cutoff);
  }
  const table = locked ? "" : ": use the table";
  if (data.below) ranked.push(more(list.below, `${data.below} more below${table}`));
  rest.unshift(list.heading);
  list.rest.classList.toggle("open", rest.length > 1);
  if (data.unlisted) rest.push(more(list.others, `${data.unlisted} more${table}`));
  arrange(list.ranked, ranked);
  arrange(list.rest, rest);
  for (const [id, { item, name }] of list.rows) {
    if (item.isConnected) continue;
    list.wraps.unobserve(name);
    list.rows.delete(id);
  }
  fit(list);
  list.box.scrollTop = scrolled;
  glide(list, before);
  if (held && root.contains(held)) keepFocus(list, held, byKey, said);
}

/** Return the nodes of the rows in the expected order, with what each earns there. */
function filled(list) {
  const { ranked, rest } = expected(list);
  foresee(list, ranked);
  return [ranked, rest].map((rows) => rows.map((row) => drawn(list, row)));
}

/** Tell the views of the score what the rows earn, if a move that waits has changed that. */
function foresee(list, ranked) {
  const { data, queue, shows, ahead } = list;
  list.ahead = Boolean(queue.length || shows);
  // On each of them: a class above would have the whole page styled anew.
  for (const node of document.querySelectorAll(WAIT)) node.dataset.ahead = list.ahead;
  // Where something is not listed, all that can earn has to be, whichever row leaves.
  if (!(ahead || list.ahead) || !data.shares || (data.below && data.shares.length >= data.ranked.length)) return;
  const chunks = (ranked.some(({ waits }) => waits) ? data.ranked : ranked).map(({ id, earned }) => ({ id, earned: earned * data.most }));
  window.dispatchEvent(new CustomEvent(EARNED, { detail: { score: data.score ?? "score", chunks } }));
}

/** Show once that rows move: one goes to another rank and comes back, unless somebody is faster. */
function play(list) {
  if (list.played) return;
  list.played = true;
  if (calm() || sessionStorage.getItem(PLAYED)) return;
  sessionStorage.setItem(PLAYED, "yes");
  const { id, rank } = list.data.plays;
  list.plays = true;
  const begin = () => list.box.matches(":hover, :focus-within") || show(list, { do: "move", id, value: rank });
  setTimeout(begin, 1200);
  setTimeout(() => {
    list.plays = false;
    if (list.pressed) list.late = true;
    else {
      list.shows = null;
      draw(list);
    }
  }, 2600);
}

function show(list, event) {
  if (list.shows === event || list.pressed) return;
  list.shows = event;
  list.meant = event?.id ?? list.meant;
  draw(list);
}

/** Return where the rows are drawn, moves under way included. */
function tops({ rows }) {
  return new Map([...rows].map(([id, { item }]) => [id, item.getBoundingClientRect().top]));
}

/** Let the rows travel from where they were, the one that is meant in front. */
function glide(list, before) {
  const { rows, meant } = list;
  // Moves under way end here: their rows would be measured where they pass, not where they go.
  for (const { item } of rows.values()) item.getAnimations().forEach((each) => each.cancel());
  const now = tops({ rows });
  for (const [id, { item }] of rows) {
    const by = (before.get(id) ?? now.get(id)) - now.get(id);
    const ends = [`translateY(${by}px)`, "none"];
    if (by) list.moved = performance.now();
    if (by) travel(item, ends.map((transform) => ({ transform, zIndex: Number(id === meant) })));
  }
}

function keepFocus(list, held, byKey, said) {
  const row = held.closest("li.row");
  // A moved node has lost the focus; scrolling to it would move the rows under a pointer.
  const target = row && held.matches(".without .tie, .first .up, .last .down") ? row : held;
  if (list.root.getRootNode().activeElement !== target) target.focus({ preventScroll: true });
  if (!row) return;
  if (byKey) row.scrollIntoView({ block: "nearest" });
  if (row.ariaLabel !== said) list.status.textContent = row.ariaLabel;
}

/** Draw the steps back, which give their room to the words above an unedited list, if it has any. */
function drawSteps(list) {
  const { queue, data } = list;
  const undone = queue.some((event) => event.do === "undo");
  const possible = [data.undo || queue.length, data.redo || undone, data.reset || queue.length];
  // A disabled button would lose the focus, and a press that comes before its edit is drawn.
  const edited = possible.some(Boolean);
  list.steps.forEach((step, at) => {
    step.hidden = Boolean(data.locked || (data.hint && !edited));
    step.ariaDisabled = String(!possible[at]);
    step.tabIndex = possible[at] ? 0 : -1;
  });
  return edited;
}

function more(note, hidden) {
  note.textContent = `… ${hidden}`;
  return note;
}

function drawn(list, row) {
  if (!list.rows.has(row.id)) list.rows.set(row.id, newRow(list, row.id));
  const { item, rank, name, grade, value, bar, buttons } = list.rows.get(row.id);
  const beyond = list.data.cutoff && row.place > list.data.cutoff;
  const picked = row.id === list.data.picked;
  // Nothing is above these, but the button keeps its room.
  const without = !(row.place > 1), first = row.place === 1;
  // Below the last one a document is out of the list, which is no step down.
  const last = !row.place || (!list.data.below && row.place === list.data.ranked.length);
  classes(item, { picked, beyond, without, first, last, lit: row.id === list.lit, waits: row.waits });
  const where = row.place ? `rank ${row.place}` : "not retrieved";
  const graded = row.grade === null ? "unjudged" : `grade ${row.grade}`;
  const notes = [where, graded, row.tied && "tied with the one above", beyond && "below the cutoff"];
  item.ariaLabel = [row.label, ...notes.filter(Boolean)].join(", ");
  item.ariaCurrent = String(picked);
  // The rank that is scored, after the convention has ordered equal scores.
  rank.textContent = row.place ?? "–";
  rank.title = row.tied ? "Same score as the document above; the convention orders them" : "";
  // What is written anew is laid out anew.
  if (name.title !== row.label) {
    const { label, words } = row;
    name.replaceChildren(...(words ? [make("b", "", label.slice(0, -words.length)), words] : [label]));
    name.title = label;
  }
  const { dots: most } = list.data;
  const dotted = most && row.grade !== null;
  const meaning = row.grade === null ? "unjudged" : `${graded}${most ? ` of ${most}` : ""}`;
  if (grade.title !== meaning) grade.replaceChildren(...(dotted ? gradeDots(row.grade, most) : [row.grade ?? "?"]));
  grade.title = meaning;
  grade.dataset.digit = dotted ? row.grade : "";
  classes(grade, { unjudged: row.grade === null, long: !dotted && grade.textContent.length > 4 });
  value.textContent = row.value;
  for (const [role, node] of Object.entries(buttons)) {
    node.ariaLabel = `${node.title}: ${row.label}`;
    if (role === "tie") node.ariaPressed = String(row.tied);
  }
  const whole = Math.max(row.gain, row.earned);
  bar.style.width = `${100 * whole}%`;
  bar.firstChild.style.width = `${whole ? (100 * row.earned) / whole : 0}%`;
  return item;
}

function newRow(list, id) {
  const item = make("li", "row");
  item.dataset.id = id;
  item.tabIndex = 0;
  const handle = make("span", "handle", "⠿");
  handle.ariaHidden = "true";
  const [rank, name, grade, value] = ["rank", "name", "grade", "value"].map((part) => make("span", part));
  const bar = meter("bar", 0);
  const buttons = {};
  for (const [role, text, does] of BUTTONS) {
    buttons[role] = tool(role, text, does);
    buttons[role].tabIndex = -1;
  }
  const { tie, less, more: raise, up, down } = buttons;
  const tools = put(make("span", "tools"), less, raise, grade, value, up, down);
  item.append(handle, rank, tie, name, tools, bar);
  list.wraps.observe(name);
  return { item, rank, name, grade, value, bar, buttons };
}

/** Make all rows as high as the highest title needs, so that moving one moves no other. */
function fit(list) {
  const names = [...list.rows.values()].map(({ name }) => name);
  const line = names.length ? parseFloat(getComputedStyle(names[0]).lineHeight) : 0;
  list.box.classList.toggle("tall", names.some((name) => name.offsetHeight > 1.5 * line));
}

// ---- what people do

/** Light a document in all views, of which this list is one. */
function light(list, id) {
  if (id !== list.lit) tell(id);
}

function showLit(list, id) {
  list.lit = id;
  for (const [document, { item }] of list.rows) item.classList.toggle("lit", document === id);
}

function pick(list, id) {
  if (!list.data.pick) return;
  list.set("picked", id === list.data.picked ? "" : id);
}

function onClick(list, event) {
  const id = idAt(event);
  const { clicked } = list;
  const { clientX, clientY, detail } = event;
  // While rows travel, a press hits one on its way, or begins on one and ends on another.
  const onTheirWay = list.passing || areOnTheirWay(list, event);
  const passing = clicked?.role in MOVES && isNear(clicked, event) && onTheirWay;
  list.passing = false;
  if (id === null && !passing) return;
  const role = passing ? clicked.role : event.target.closest("button")?.dataset.role;
  list.clicked = { clientX, clientY, detail, role };
  if (role) press(list, role, again(list, clicked, event, role) ?? id);
  else if (!list.dropped && !event.target.closest(".handle")) pick(list, id);
  list.dropped = false;
}

/** Whether rows travel at an event; on a busy machine they set out late. */
function areOnTheirWay({ moved, rows }, { timeStamp }) {
  const travels = (each) => !(each instanceof CSSTransition);
  return timeStamp - moved < TRAVEL || [...rows.values()].some(({ item }) => item.getAnimations().some(travels));
}

/** Do what a button does, and light the row that it is done to, until the pointer moves. */
function press(list, role, id) {
  // A key goes on with that row, too.
  list.rows.get(id).buttons[role].focus({ preventScroll: true });
  send(list, { do: role, id });
  light(list, id);
}

/** Return the document that a later press of the same button at the same spot means. */
function again({ meant, rows }, before, event, role) {
  // It has moved on from under a pointer that has stayed; a key has no spot.
  if (!before?.detail || !event.detail || !(role in MOVES)) return null;
  return before.role === role && isNear(before, event) && rows.has(meant) ? meant : null;
}

function isNear(one, other) {
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) < NEAR;
}

function onKey(list, event) {
  const { key, target } = event;
  const item = target.closest("li.row");
  if (!item) return;
  const id = item.dataset.id;
  const step = { ArrowUp: -1, ArrowDown: 1 }[key];
  // On a projector these keys turn the slides.
  const across = document.querySelector("html.presented") ? 0 : { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (event.altKey && step) send(list, { do: step < 0 ? "up" : "down", id });
  else if (event.altKey || event.ctrlKey || event.metaKey) return;
  else if (step) neighbour(list, target, step);
  else if (across) sibling(item, target, across);
  else if ((key === "Enter" || key === " ") && target === item) pick(list, id);
  else if (list.data.moves) return;
  else if (/^[0-9]$/.test(key)) send(list, { do: "grade", id, value: Number(key) });
  else if (key === "?") send(list, { do: "grade", id, value: null });
  else if (key === "=") send(list, { do: "tie", id });
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Undo and redo on the whole page; in a field the same keys are the field's own. */
function onShortcut(list, event) {
  if (list.data.locked) return;
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "z") return;
  const target = event.composedPath()[0];
  if (target.isContentEditable || target.matches?.("input, textarea, select")) return;
  event.preventDefault();
  list.steps[event.shiftKey ? 1 : 0].click();
}

function neighbour(list, from, step) {
  const all = [...list.box.querySelectorAll("li.row")];
  const next = all[all.indexOf(from.closest("li.row")) + step];
  const same = next?.querySelector(`[data-role="${from.dataset.role}"]`);
  (same?.checkVisibility({ visibilityProperty: true }) ? same : next)?.focus();
}

function sibling(item, from, step) {
  const stops = [item, ...item.querySelectorAll("button")].filter((each) =>
    each.checkVisibility({ visibilityProperty: true }),
  );
  stops[stops.indexOf(from) + step]?.focus();
}

/** Let a row follow the pointer; the others make room, and all show what a drop would earn. */
function drag(list, event) {
  const item = event.target.closest("li.row");
  const { box, rest } = list;
  const { id } = item.dataset;
  const ended = new AbortController();
  const own = [...list.ranked.querySelectorAll("li.row")];
  const from = own.indexOf(item);
  const slots = own.map((each) => each.offsetTop);
  const start = event.clientY + box.scrollTop;
  let to = from;
  // A fast pointer leaves the row before it has moved.
  item.setPointerCapture(event.pointerId);
  const move = ({ clientY }) => {
    if (!item.matches(".dragged") && Math.abs(clientY + box.scrollTop - start) < NEAR) return;
    if (!item.matches(".dragged")) {
      item.classList.add("dragged");
      if (!isClosed(list.data)) rest.classList.add("open");
    }
    const { top, bottom } = box.getBoundingClientRect();
    if (clientY < top + 24) box.scrollTop -= 12;
    if (clientY > bottom - 24) box.scrollTop += 12;
    const by = clientY + box.scrollTop - start;
    item.style.transform = `translateY(${by}px)`;
    const others = own.filter((each) => each !== item);
    const out = !isClosed(list.data) && clientY > rest.getBoundingClientRect().top;
    // A row gives way when the pointer has passed its nearer quarter.
    const y = clientY - box.getBoundingClientRect().top + box.scrollTop;
    const passed = (place) => y > slots[place] + item.offsetHeight * (place > from && from >= 0 ? 0.25 : 0.75);
    const next = out ? null : others.filter((each) => passed(own.indexOf(each))).length;
    if (next !== to) {
      to = next;
      list.shows = { do: "move", id, value: out ? null : to + 1 };
      filled(list);
    }
    rest.classList.toggle("target", out && from >= 0);
    const room = item.offsetHeight + 8;
    others.forEach((each, place) => {
      const now = slots[own.indexOf(each)];
      const index = to === null ? place : place + (place >= to ? 1 : 0);
      const then = slots[index] ?? slots[slots.length - 1] + room;
      each.style.transform = then === now ? "" : `translateY(${then - now}px)`;
    });
  };
  const end = ({ type }) => {
    ended.abort();
    if (!item.matches(".dragged")) return;
    const before = tops(list);
    item.classList.remove("dragged");
    rest.classList.remove("target");
    for (const { item: each } of list.rows.values()) each.style.transform = "";
    list.dropped = true;
    list.meant = id;
    const moved = type === "pointerup" && to !== from && !(to === null && from < 0);
    if (moved) queue(list, list.shows);
    list.shows = null;
    draw(list, before);
  };
  const until = { signal: ended.signal };
  item.addEventListener("pointermove", move, until);
  for (const name of ["pointerup", "pointercancel"]) item.addEventListener(name, end, until);
  // Escape means the row alone, not the presentation, too.
  const stop = (event) => event.key === "Escape" && (event.preventDefault(), end(event));
  window.addEventListener("keydown", stop, { ...until, capture: true });
}

function tool(role, text, does) {
  const made = button(text, does);
  made.className = made.dataset.role = role;
  return made;
}
