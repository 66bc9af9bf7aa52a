// In front of the script of every component; see inline.py.
function make(tag, name = "", text = "", attributes = {}) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** Return a node with these parts at its end. */
function put(node, ...parts) {
  node.append(...parts);
  return node;
}

/** The only element of a component, made at its first drawing. */
function only(root, ...how) {
  return kept(root, () => root.appendChild(make(...how)));
}

/** A shape of a picture, with these attributes. */
function svg(tag, attributes = {}) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** A bar that is full to a share of its length. */
function meter(name, share, tag = "span") {
  const full = make("i");
  full.style.width = `${100 * share}%`;
  return put(make(tag, name), full);
}

/** Put the nodes into their order; a node that is in its place is not touched. */
function arrange(parent, nodes) {
  nodes.forEach((node, at) => {
    if (parent.children[at] !== node) parent.insertBefore(node, parent.children[at] ?? null);
  });
  while (parent.children.length > nodes.length) parent.lastElementChild.remove();
}

/** Give a node those of these classes that it should have. */
function classes(node, should) {
  for (const [name, have] of Object.entries(should)) node.classList.toggle(name, Boolean(have));
}

function button(text, does, act) {
  const made = make("button", "", text);
  made.type = "button";
  if (does) made.title = does;
  made.onclick = act;
  return made;
}

/** A grade as dots: full ones, and outlined ones up to the most. */
function gradeDots(grade, most) {
  return ["●".repeat(grade), make("i", "", "○".repeat(most - grade))];
}

/** The dots of a grade up to the most; without one, and where there is no grade, its text. */
function graded(grade, most) {
  const shown = make("span", "grade");
  if (!most || grade === "?" || grade === "") shown.textContent = grade;
  else shown.append(...gradeDots(Number(grade), most));
  shown.classList.toggle("unjudged", grade === "?");
  return shown;
}

const KNOWN = new WeakMap();

/** What a component keeps between its drawings, made at the first one. */
function kept(root, made) {
  if (!KNOWN.has(root)) {
    KNOWN.set(root, made(root));
    // The page's style then ends the room that was kept for it.
    const { host } = root.getRootNode();
    if (host) host.dataset.drawn = "";
  }
  return KNOWN.get(root);
}

/** The views with events that wait, by key; each component has a script, and all have the window. */
const WAITING = (window.rankscopeWaiting ??= new Map());

/**
 * Take the data of a drawing; events stay queued until Python has applied them.
 * A session that follows the one to which they were sent says how far that one came, and gets the
 * others again. So does a view that is made anew: a server that has just started draws a page twice,
 * and between them nothing of it.
 */
function receive(view, { data, setStateValue }) {
  const last = view.data ? view : (WAITING.get(data.key) ?? view);
  const before = last.data?.session ?? data.session;
  const done = (session) => data.applied[session] ?? 0;
  const queue = (last.queue ?? []).filter((event) => event.n > done(before));
  const next = Math.max(last.next ?? 1, done(data.session) + 1);
  Object.assign(view, { data, queue, next, set: setStateValue });
  if (queue.length) WAITING.set(data.key, view);
  else WAITING.delete(data.key);
  if ((last !== view || before !== data.session) && queue.length) sendAll(view);
}

/** Send all events that Python has not applied yet, so that no fast one is lost. */
function queue(view, event) {
  view.queue.push({ n: view.next++, ...event });
  WAITING.set(view.data.key, view);
  sendAll(view);
}

function sendAll(view) {
  view.set("events", view.queue.map((event) => ({ ...event, to: view.data.session })));
}

/** Listen until the component is gone; return what ends it. */
function hear(root, listeners) {
  // A listener that is added again is not added twice.
  for (const [target, ...heard] of listeners) target.addEventListener(...heard);
  return () => {
    // Streamlit cleans up before each drawing, and draws only when it has asked for the module
    // again: until then the listeners stay, or a key that is pressed in between would be lost.
    if (root.isConnected) return;
    for (const [target, ...heard] of listeners) target.removeEventListener(...heard);
  };
}

const SAME = "rankscope:document";

/** Tell every view of the page which document is meant; null: none. */
function tell(id) {
  window.dispatchEvent(new CustomEvent(SAME, { detail: { id } }));
}

/** The document that an event is about; null: none. */
function idAt({ target }) {
  return target.closest("[data-id]")?.dataset.id ?? null;
}

/** Tell every view about the document of a box that is pointed at or has the focus. */
function telling(box) {
  let last = null;
  const point = (id) => id === last || tell(last = id);
  // What is scrolled under a pointer that rests is not pointed at.
  box.onpointermove = (event) => point(idAt(event));
  box.onpointerleave = () => point(null);
  box.addEventListener("focusin", (event) => tell(idAt(event)));
  box.addEventListener("focusout", () => tell(null));
}

const EARNED = "rankscope:earned";

/** Whether nothing may move. */
function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Whether something begins outside the upper three quarters of the screen, which the header is above. */
function unseen(node) {
  const { top } = node.getBoundingClientRect();
  return top < 60 || top > 0.75 * innerHeight;
}

// Where a narrow screen may break the long words of titles: at invisible hyphens.
const LONG_WORDS = ["contri\u00ADbution", "rele\u00ADvant", "preci\u00ADsion", "satis\u00ADfies", "ex\u00ADpected"];

/** A title that a narrow screen may break. */
function hyphenated(name) {
  return LONG_WORDS.reduce((all, word) => all.replace(word.replace("\u00AD", ""), word), name);
}

/** The part of the page that has a key in Python; null where it is not drawn. */
function part(key) {
  return document.querySelector(`.st-key-${key}`);
}

/** What scrolls the page. */
function scroller() {
  return document.querySelector('[data-testid="stMain"]');
}

/** Scroll to a part of the page. */
function reveal(node) {
  node?.scrollIntoView({ behavior: calm() ? "auto" : "smooth" });
}

/** Let something move for a moment, unless nothing may. */
function travel(node, frames) {
  if (!calm()) node.animate(frames, { duration: 250, easing: "cubic-bezier(.2,.7,.2,1)" });
}
