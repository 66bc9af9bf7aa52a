// Scrolls to the top of a page that was reached from another page, where Streamlit keeps the
// position of the page before. Makes each choice of the user one entry of the browser's history,
// and reports the address that Back or Forward shows. Names and closes the menu of a narrow window.
// Says when a page goes on with a new session, and when a part of it did not arrive.
// While the page is printed, charts are as small as the paper, because Plotly draws them for the
// screen alone.
const shown = new WeakMap();
// Whether the user has done anything since the last entry of the history was made.
let acted = false;
// Where each address was left, the one that is shown, and where the page is held until it is drawn
// or the user moves it: at a height, or at a part.
const places = new Map();
let here = location.href, wanted = null;
// Such keys choose nothing, nor does what closes a list of options, Escape or a press beside it:
// what still follows from the choice before belongs to its entry.
const WALKING = ["Tab", "Shift", "Control", "Alt", "Meta"];
const presented = () => new URLSearchParams(location.search).has("present");
let steps = null;

export default function (component) {
  const { data, setTriggerValue } = component;
  const main = scroller();
  // Back and Forward have a place of their own.
  if (main && data.visit > (shown.get(main) ?? (data.sought ? -1 : 0)) && wanted === null) {
    main.scrollTo(0, 0);
    if (data.sought) seek(data.sought, 40);
    else setTimeout(begin, 500);
  }
  if (main) shown.set(main, data.visit);
  // The keys that scroll need no stop of their own on the way to the page.
  if (main) main.tabIndex = -1;
  lacking = data.lacking;
  listen();
  renew(data);
  const page = location.pathname;
  steps = () => {
    // To another page Streamlit goes by itself.
    if (location.pathname === page) setTriggerValue("address", location.search);
  };
}

// The focus was on a door that is gone: it goes to what the page begins with.
function begin() {
  if (document.activeElement !== document.body) return;
  const main = scroller();
  const first = main?.querySelector("textarea") ?? main?.querySelector("h1");
  if (first?.matches("h1")) first.tabIndex = -1;
  first?.focus({ preventScroll: true });
}

// The page was opened for one of its parts, which may be drawn later.
function seek(key, tries) {
  const found = part(key);
  if (!found) return tries && setTimeout(seek, 250, key, tries - 1);
  hold(found);
  if (key === "sought") found.querySelector("summary, textarea").focus({ preventScroll: true });
}

// What is drawn meanwhile moves the page.
function hold(goal) {
  wanted = goal;
  let moves = false;
  const again = (tries) => {
    if (wanted !== goal) return;
    if (goal instanceof Element) {
      const block = goal.offsetHeight > innerHeight / 2 ? "start" : "center";
      moves ||= unseen(goal);
      if (moves) goal.scrollIntoView({ block, behavior: "instant" });
    } else scroller()?.scrollTo({ top: goal, behavior: "instant" });
    const isIdle = document.querySelector(".stApp").dataset.testScriptState === "notRunning";
    if (tries) setTimeout(again, 100, tries - isIdle);
    else wanted = null;
  };
  again(20);
}

// Streamlit goes on with a new session without a word.
function renew({ session, renewed }) {
  const before = window.rankscopeSession;
  window.rankscopeSession = session;
  if (before !== undefined && before !== session) notify("renewed", renewed, "Close", (note) => note.remove());
}

// A part of Streamlit that did not arrive is not asked for again: its place shows an error for good.
let lacking = "";
const lack = () => notify("lacking", lacking, "Load again", () => location.reload());

function notify(kind, text, label, act) {
  const all = document.querySelector(".rankscope-notices") ?? make("div", "rankscope-notices");
  const note = make("div", kind, text, { role: "alert" });
  note.append(button(label, "", () => act(note)));
  all.querySelector(`.${kind}`)?.remove();
  all.append(note);
  document.body.append(all);
}

const PAPER = { width: 1047, height: 700 }; // pixels of an A4 page in landscape, see page.css

function fit() {
  for (const chart of document.querySelectorAll(".js-plotly-plot")) {
    chart.style.zoom = Math.min(1, PAPER.width / chart.clientWidth, PAPER.height / chart.clientHeight);
  }
}

function unfit() {
  for (const chart of document.querySelectorAll(".js-plotly-plot")) chart.style.zoom = "";
}

// Tabs that a style puts below each other are walked with the arrows that show where they are.
function walk({ key, target }) {
  const turned = { ArrowDown: "ArrowRight", ArrowUp: "ArrowLeft" }[key];
  if (!turned || !target.closest?.('.st-key-room [role="tab"]')) return;
  target.dispatchEvent(new KeyboardEvent("keydown", { key: turned, bubbles: true }));
}

/** Plotly answers a tap with the mark that was under the pointer last: first the tapped one is. */
function hover({ touches: [{ target, clientX, clientY }] }) {
  if (target.closest?.(".js-plotly-plot")) target.dispatchEvent(new MouseEvent("mousemove", { bubbles: true, clientX, clientY }));
}

function listen() {
  if (window.rankscopeSteps) {
    window.rankscopeSteps.take = () => steps?.();
    return;
  }
  window.rankscopeSteps = { take: () => steps?.() };
  const act = ({ key, target }) => {
    const nothing = key === "Escape" ? !presented() : /^stMain|Block$/.test(target.dataset?.testid);
    if (nothing || WALKING.includes(key)) return;
    acted = true;
    places.set(here, scroller()?.scrollTop);
    wanted = null;
  };
  for (const kind of ["pointerdown", "keydown", "drop"]) addEventListener(kind, act, true);
  addEventListener("vite:preloadError", lack);
  // What failed before anybody listened has its error on the page by then.
  setTimeout(() => document.querySelector('[data-testid="stErrorElementStack"]') && lack(), 1000);
  addEventListener("keydown", walk);
  addEventListener("touchstart", hover, { capture: true, passive: true });
  addEventListener("beforeprint", fit);
  addEventListener("afterprint", unfit);
  addEventListener("wheel", () => (wanted = null), { passive: true });
  addEventListener("popstate", () => {
    acted = false;
    places.set(here, scroller()?.scrollTop);
    here = location.href;
    wanted = null;
    if (places.has(here)) hold(places.get(here));
    window.rankscopeSteps.take();
  });
  const header = document.querySelector('[data-testid="stHeader"]');
  if (header) new MutationObserver(nameMenu).observe(header, { childList: true, subtree: true });
  nameMenu();
  addEventListener("click", (event) => {
    if (event.target.closest?.('[data-testid="stSidebarNavLink"]')) closeMenu();
    // Who looks further down the page has made no step, so Back leads to the page before.
    const link = event.target.closest?.('a[href^="#"]'), place = document.getElementById(link?.hash.slice(1));
    if (!place) return;
    event.preventDefault();
    for (const old of document.querySelectorAll(".st-key-terms [aria-current]")) old.removeAttribute("aria-current");
    // A phone shows only the current theme.
    for (const each of [link, place]) each.setAttribute("aria-current", "true");
    if (unseen(place)) place.scrollIntoView();
  });
  // A page completes its address by itself when it is opened, a choice can change several
  // parameters, and a page is left in two entries: none of them is a step of the user.
  // A presentation is one step, however many panels it shows; who leaves it takes the step back.
  const push = history.pushState.bind(history);
  history.pushState = (state, title, address) => {
    const before = history.state?.before, next = new URL(address, location);
    if (acted && presented() && next.search === before) history.back();
    else if (acted && !presented() && next.href !== location.href) {
      push({ ...state, before: location.search }, title, address);
    } else history.replaceState({ ...state, before }, title, address);
    acted = false;
    here = location.href;
  };
}

function nameMenu() {
  const button = document.querySelector('[data-testid="stExpandSidebarButton"]');
  button?.setAttribute("aria-label", "Menu");
}

// Streamlit closes the menu only if the browser says that it is a phone's.
function closeMenu() {
  document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
}
