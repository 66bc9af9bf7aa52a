// The ranking as a list: drag, buttons, keys, undo and redo. Texts are inserted only through
// textContent. Each edit is sent as a numbered event and stays in the queue until Python has
// applied it, so that no fast edit is lost or applied twice. Rows are updated in place and never
// while a pointer is down: a press and its release always meet the same row.
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
  if (list.pressed) list.late = true;
  else draw(list);
  return hear(root, list.listeners);
}

function made(root) {
  const list = { root, rows: new Map(), pressed: false, lit: null };
  list.box = make("div", "list");
  list.ranked = make("ol", "ranked");
  list.below = make("li", "note");
  list.cutoff = make("li", "cutoff", "", { "aria-hidden": "true" });
  list.rest = make("ol", "rest");
  list.heading = make("li", "note", "not retrieved");
  list.others = make("li", "note");
  list.box.append(list.ranked, list.rest);
  list.frame = make("div", "frame");
  list.frame.append(list.box, newEdge(root));
  list.bar = make("div", "steps");
  list.steps = STEPS.map(([role, text, tooltip]) => {
    const step = tool(role, text, tooltip);
    step.onclick = () => step.ariaDisabled === "true" || send(list, { do: role });
    return step;
  });
  list.bar.append(...list.steps);
  list.status = make("p", "status", "", { role: "status" });
  root.append(list.frame, list.bar, list.status);

  list.box.onclick = (event) => onClick(list, event);
  list.box.onkeydown = (event) => onKey(list, event);
  list.box.onpointerover = (event) => {
    // After an edit another row may come to lie under a pointer that has not moved.
    const { clientX, clientY } = list.clicked ?? {};
    if (!(Math.hypot(event.clientX - clientX, event.clientY - clientY) < 2)) {
      light(list, rowAt(event));
    }
  };
  list.box.onpointerleave = () => light(list, null);
  list.box.addEventListener("focusin", (event) => light(list, rowAt(event)));
  list.box.addEventListener("focusout", () => light(list, null));
  list.box.onpointerdown = (event) => {
    if (event.button !== 0) return;
    list.pressed = true;
    if (event.target.closest(".handle") && !list.data.locked) drag(list, event);
  };
  // The click follows the release; only then may rows move.
  const release = () => list.pressed && setTimeout(() => released(list));
  list.listeners = [
    [window, "pointerup", release],
    [window, "pointercancel", release],
    // Released outside the window.
    [window, "pointermove", (event) => !event.buttons && release()],
    [window, SAME, ({ detail }) => showLit(list, detail?.id ?? null)],
    [document, "keydown", (event) => onShortcut(list, event)],
  ];
  list.wraps = new ResizeObserver(() => fit(list));
  return list;
}

function send(list, event) {
  if (list.data.locked) return;
  queue(list, event);
  drawSteps(list);
}

function released(list) {
  list.pressed = false;
  if (list.late) draw(list);
}

// ---- drawing

function draw(list) {
  const { root, data } = list;
  list.late = false;
  const held = root.getRootNode().activeElement;
  const byKey = held?.matches(":focus-visible");
  const said = held?.closest("li.row")?.ariaLabel;
  list.frame.hidden = !data.ranked;
  list.box.classList.toggle("locked", Boolean(data.locked));
  list.bar.hidden = Boolean(data.locked);
  const scrolled = list.box.scrollTop;
  const ranked = (data.ranked ?? []).map((row) => drawn(list, row));
  const rest = (data.rest ?? []).map((row) => drawn(list, row));
  if (data.cutoff) {
    // It keeps its room in a shorter list, so that nothing moves when the list reaches k.
    list.cutoff.textContent = `cutoff k = ${data.cutoff}`;
    list.cutoff.classList.toggle("hidden", data.cutoff > ranked.length);
    ranked.splice(data.cutoff, 0, list.cutoff);
  }
  const table = data.locked ? "" : ": use the table";
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
  drawSteps(list);
  if (held && root.contains(held)) keepFocus(list, held, byKey, said);
}

/** Put the nodes into their order; a node that is in its place is not touched. */
function arrange(parent, nodes) {
  nodes.forEach((node, at) => {
    if (parent.children[at] !== node) parent.insertBefore(node, parent.children[at] ?? null);
  });
  while (parent.children.length > nodes.length) parent.lastElementChild.remove();
}

function keepFocus(list, held, byKey, said) {
  const row = held.closest("li.row");
  // A moved node has lost the focus; scrolling to it would move the rows under a pointer.
  const target = row && held.matches(".without .tie") ? row : held;
  if (list.root.getRootNode().activeElement !== target) target.focus({ preventScroll: true });
  if (!row) return;
  if (byKey) row.scrollIntoView({ block: "nearest" });
  if (row.ariaLabel !== said) list.status.textContent = row.ariaLabel;
}

function drawSteps(list) {
  const { queue, data } = list;
  const undone = queue.some((event) => event.do === "undo");
  const possible = [data.undo || queue.length, data.redo || undone, data.reset || queue.length];
  // A disabled button would lose the focus, and a press that comes before its edit is drawn.
  list.steps.forEach((step, at) => (step.ariaDisabled = String(!possible[at])));
}

function more(note, hidden) {
  note.textContent = `… ${hidden}`;
  return note;
}

function drawn(list, row) {
  if (!list.rows.has(row.id)) list.rows.set(row.id, newRow(list, row.id));
  const { item, rank, name, grade, share, buttons } = list.rows.get(row.id);
  const beyond = list.data.cutoff && row.place > list.data.cutoff;
  const picked = row.id === list.data.picked;
  item.className = "row";
  item.classList.toggle("picked", picked);
  item.classList.toggle("beyond", Boolean(beyond));
  item.classList.toggle("lit", row.id === list.lit);
  // Nothing is above these, but the button keeps its room.
  item.classList.toggle("without", !(row.place > 1));
  const where = row.place ? `rank ${row.place}` : "not retrieved";
  const graded = row.grade === null ? "unjudged" : `grade ${row.grade}`;
  const notes = [where, graded, row.tied && "tied with the one above", beyond && "below the cutoff"];
  item.ariaLabel = [row.label, ...notes.filter(Boolean)].join(", ");
  item.ariaCurrent = String(picked);
  // The rank that is scored, after the convention has ordered equal scores.
  rank.textContent = row.place ?? "–";
  rank.title = row.tied ? "Same score as the document above; the convention orders them" : "";
  name.textContent = name.title = row.label;
  grade.textContent = row.grade ?? "?";
  grade.classList.toggle("unjudged", row.grade === null);
  grade.classList.toggle("long", grade.textContent.length > 4);
  for (const [role, node] of Object.entries(buttons)) {
    node.ariaLabel = `${node.title}: ${row.label}`;
    if (role === "tie") node.ariaPressed = String(row.tied);
  }
  share.style.width = `${Math.max(0, row.share) * 100}%`;
  return item;
}

function newRow(list, id) {
  const item = make("li", "row");
  item.dataset.id = id;
  item.tabIndex = 0;
  const handle = make("span", "handle", "⠿");
  handle.ariaHidden = "true";
  const rank = make("span", "rank");
  const name = make("span", "name");
  const grade = make("span", "grade");
  const share = make("span", "share");
  const buttons = {};
  for (const [role, text, does] of BUTTONS) {
    buttons[role] = tool(role, text, does);
    buttons[role].tabIndex = -1;
  }
  const { tie, less, more: raise, up, down } = buttons;
  const tools = make("span", "tools");
  tools.append(tie, less, grade, raise, up, down);
  item.append(handle, rank, name, tools, share);
  list.wraps.observe(name);
  return { item, rank, name, grade, share, buttons };
}

/** Make all rows as high as the highest title needs, so that moving one moves no other. */
function fit(list) {
  const names = [...list.rows.values()].map(({ name }) => name);
  const line = names.length ? parseFloat(getComputedStyle(names[0]).lineHeight) : 0;
  list.box.classList.toggle("tall", names.some((name) => name.offsetHeight > 1.5 * line));
}

// ---- what people do

function rowAt(event) {
  return event.target.closest("li.row")?.dataset.id ?? null;
}

/** Light a document in all views, of which this list is one. */
function light(list, id) {
  if (id !== list.lit) tell(id);
}

function showLit(list, id) {
  list.lit = id;
  for (const [document, { item }] of list.rows) item.classList.toggle("lit", document === id);
}

function pick(list, id) {
  list.set("picked", id === list.data.picked ? "" : id);
}

function onClick(list, event) {
  const id = rowAt(event);
  if (id === null) return;
  const role = event.target.closest("button")?.dataset.role;
  list.clicked = event;
  if (role) send(list, { do: role, id });
  else if (!event.target.closest(".handle")) pick(list, id);
}

function onKey(list, event) {
  const { key, target } = event;
  const item = target.closest("li.row");
  if (!item) return;
  const id = item.dataset.id;
  if (event.altKey && key === "ArrowUp") send(list, { do: "up", id });
  else if (event.altKey && key === "ArrowDown") send(list, { do: "down", id });
  else if (event.altKey || event.ctrlKey || event.metaKey) return;
  else if (/^[0-9]$/.test(key)) send(list, { do: "grade", id, value: Number(key) });
  else if (key === "?") send(list, { do: "grade", id, value: null });
  else if (key === "=") send(list, { do: "tie", id });
  else if (key === "ArrowUp") neighbour(list, target, -1);
  else if (key === "ArrowDown") neighbour(list, target, 1);
  else if (key === "ArrowLeft") sibling(item, target, -1);
  else if (key === "ArrowRight") sibling(item, target, 1);
  else if ((key === "Enter" || key === " ") && target === item) pick(list, id);
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

function drag(list, event) {
  event.preventDefault();
  // The row itself moves only when it is dropped, because a moved node loses the pointer.
  const { box, ranked, rest } = list;
  const handle = event.target.closest(".handle");
  const item = handle.closest("li.row");
  const marker = make("li", "marker");
  item.classList.add("dragged");
  rest.classList.add("open");
  handle.setPointerCapture(event.pointerId);
  handle.onpointermove = ({ clientY }) => {
    const { top, bottom } = box.getBoundingClientRect();
    if (clientY < top + 24) box.scrollTop -= 12;
    if (clientY > bottom - 24) box.scrollTop += 12;
    const target = clientY > rest.getBoundingClientRect().top ? rest : ranked;
    const below = [...target.querySelectorAll("li.row")].find((each) => {
      const { top, height } = each.getBoundingClientRect();
      return clientY < top + height / 2;
    });
    target.insertBefore(marker, below ?? null);
  };
  handle.onpointerup = handle.onpointercancel = (end) => {
    handle.onpointermove = handle.onpointerup = handle.onpointercancel = null;
    const target = marker.parentElement;
    const all = [...ranked.querySelectorAll("li.row, .marker")];
    const place = all.filter((each) => each !== marker).indexOf(item) + 1;
    const rank = all.filter((each) => each !== item).indexOf(marker) + 1;
    const moved = target === ranked ? rank !== place : target && place;
    marker.remove();
    item.classList.remove("dragged");
    rest.classList.toggle("open", list.data.rest.length > 0);
    if (end.type === "pointerup" && moved) {
      send(list, { do: "move", id: item.dataset.id, value: target === ranked ? rank : null });
    }
  };
}

/** Return the handle between the list and its neighbour, which gives long titles more room. */
function newEdge(root) {
  const column = root.getRootNode().host?.closest('[data-testid="stColumn"]');
  const edge = make("div", "edge", "", { role: "separator" });
  edge.hidden = !column;
  edge.title = edge.ariaLabel = "Width of the list: drag, or ← and →; double-click to reset";
  edge.ariaOrientation = "vertical";
  edge.tabIndex = 0;
  const percent = (x) => {
    const { left, width } = column.parentElement.getBoundingClientRect();
    return (100 * (x - left)) / width;
  };
  const now = () => percent(column.getBoundingClientRect().right);
  // The browser keeps the width while the page is drawn again. The neighbour takes the rest; below
  // each other, as on a phone, both take all.
  const widen = (share) => {
    column.style.flex = share && `1 1 ${Math.min(Math.max(share, 30), 70)}%`;
    column.nextElementSibling.style.flex = share && "1000 1 0";
    edge.ariaValueNow = Math.round(now());
  };
  edge.onpointerdown = (event) => {
    event.preventDefault();
    const grip = event.clientX - column.getBoundingClientRect().right;
    edge.setPointerCapture(event.pointerId);
    edge.onpointermove = ({ clientX }) => widen(percent(clientX - grip));
  };
  edge.onpointerup = edge.onpointercancel = () => (edge.onpointermove = null);
  edge.ondblclick = () => widen("");
  edge.onkeydown = ({ key }) => {
    const step = { ArrowLeft: -2, ArrowRight: 2 }[key];
    if (step) widen(now() + step);
  };
  if (column) edge.ariaValueNow = Math.round(now());
  return edge;
}

function tool(role, text, does) {
  const made = button(text, does);
  made.className = made.dataset.role = role;
  return made;
}
