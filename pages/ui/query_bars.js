// Every query as a bar: in bands by which run is better, or by the score of one run. Texts are inserted only through
// textContent. Arrow keys move the focus at once; the server hears of the query when they rest.
const REST = 150;
// The rows of both bands together until one is opened, and of either at least.
const ROOM = { page: [13, 6], projector: [32, 3], phone: [6, 2] };

export default function ({ data, parentElement, setTriggerValue }) {
  const view = kept(parentElement, made);
  view.send = setTriggerValue;
  if (!view.timer) view.picked = data.picked;
  const shown = JSON.stringify({ ...data, picked: "" });
  const drawn = [...view.box.querySelectorAll("[data-id]")].some(({ dataset }) => dataset.id === view.picked);
  view.data = data;
  // Where only another query is picked, the rows stay as they are.
  if (view.shown !== shown) view.kept.clear();
  if (view.shown !== shown || !drawn) draw(view);
  else light(view);
  view.shown = shown;
  return hear(parentElement, [[window, "resize", view.fit]]);
}

function made(root) {
  const view = { box: make("div", "queries", "", { role: "group", "data-picture": "" }), open: new Set(), kept: new Set(), timer: 0, fewer: 0 };
  view.box.onkeydown = (event) => walk(event, view);
  root.append(view.box);
  view.fit = () => fit(view);
  new ResizeObserver(view.fit).observe(view.box);
  return view;
}

/** A slide has as many rows as fit its screen, above its steps, until a band is opened. */
function fit(view) {
  if (view.data.place !== "projector" || view.open.size) return;
  const room = part("steps_of_panels")?.getBoundingClientRect().top;
  for (view.fewer = 0; view.fewer < 28; view.fewer += 1) {
    draw(view);
    if (view.box.getBoundingClientRect().bottom <= room) return;
  }
}

function draw(view) {
  const { data, box } = view;
  const focused = box.contains(box.getRootNode().activeElement) && box.getRootNode().activeElement.dataset.id;
  const whole = data.most - data.least || 1;
  // A picked row that was drawn stays: its place is not taken from those below.
  if (data.place === "page") view.kept.add(view.picked);
  // A bar of either side has room, even where all are on the other.
  const own = (view.own = data.place === "run");
  const zero = own ? 0 : Math.min(0.9, Math.max(0.1, -data.least / whole));
  view.zero = zero;
  view.unit = Math.min(data.most ? (1 - zero) / data.most : Infinity, data.least ? zero / -data.least : Infinity);
  box.style.cssText = `--zero: ${100 * zero}%; --free: ${zero}; --mean: ${(100 * (data.mean ?? 0)) / whole}%`;
  box.ariaLabel = own ? data.alt : `Every query, by its delta in ${data.measure}. ${data.alt}`;
  const sides = put(make("span", "sides"), make("b", "A", "A better"), make("b", "B", "B better"));
  const head = own ? make("p", "mean", data.alt) : put(make("div", "legend"), make("span", "", `${called(data, "B")} − ${called(data, "A")} in ${data.measure}`), sides);
  // Few rows fill the room that both lists take beside them.
  const few = data.bands.reduce((all, { size }) => all + size, 0) <= 10;
  classes(box, { few, own, large: data.place === "projector" });
  box.replaceChildren(head, ...data.bands.filter(({ size }) => size).map((band) => section(view, band)));
  light(view);
  if (focused) find(view, focused)?.focus({ preventScroll: true });
}

/** A slide has no sentence that says which run is which: there each has its name. */
function called({ place, names }, side) {
  return place === "page" ? side : names[side === "A" ? 0 : 1];
}

function section(view, band) {
  const rows = make("ol", "", "", { role: "list" });
  const few = seen(view, band), open = view.open.has(band.outcome);
  const title = make("h3", band.side, band.side && few ? `${called(view.data, band.side)} better on ${band.size.toLocaleString("en")}` : "");
  // Those that are equal have no bars to see, until they are asked for.
  if (!few) title.append(toggle(view, band, open));
  const drawn = band.rows.filter(({ id, place }) => open || place < few || view.kept.has(id));
  // Each gap says how many it leaves out; one is no longer than its words.
  const gap = (from, to) => {
    const one = to - from === 1 && band.rows.find(({ place }) => place === from);
    if ((few || open) && to > from) rows.append(one ? line(view, band, one) : more(view, band, from, to));
  };
  let next = 0;
  for (const row of drawn) {
    gap(next, row.place);
    rows.append(line(view, band, row));
    next = row.place + 1;
  }
  gap(next, band.size);
  return put(make("section"), ...(band.title ? [title] : []), rows);
}

function toggle(view, band, open) {
  const made = button(`${band.title} ${open ? "▾" : "▸"}`, "", () => {
    if (!view.open.delete(band.outcome)) view.open.add(band.outcome);
    draw(view);
    view.box.querySelector("[aria-expanded]").focus({ preventScroll: true });
  });
  made.className = "toggle";
  made.ariaExpanded = String(open);
  return made;
}

/** How many rows of a band are seen before it is opened: the room that one lacks, another has. */
function seen(view, band) {
  if (view.own) return band.rows.length;
  if (!band.side) return 0;
  const [most, fewest] = ROOM[view.data.place === "page" && innerWidth <= 640 ? "phone" : view.data.place];
  const rows = most - view.fewer;
  const other = view.data.bands.find(({ side }) => side && side !== band.side).size;
  // A slide has of each as many of its rows as it has of all queries, so that it looks as it says.
  const of = [band.size, other][Number(band === view.data.bands[0])] / (band.size + other);
  const least = view.data.place === "page" ? fewest : Math.max(fewest, Math.round(rows * of));
  // The winner's come first, and have the room that is left.
  const few = band === view.data.bands[0] ? Math.max(fewest, rows - Math.min(other, least)) : Math.max(least, rows - other);
  // So few more rows take hardly more room than the words for them.
  const hidden = band.rows.slice(few).filter(({ id }) => !view.kept.has(id)).length;
  return band.size === band.rows.length && hidden < 3 ? band.rows.length : Math.min(band.rows.length, few);
}

function line(view, band, row) {
  const { own } = view;
  const made = button("", row.name, () => {
    pick(view, row.id);
    // The menu that this is in would cover the query; a click beside a menu closes it.
    if (own) setTimeout(() => document.body.click());
  });
  made.className = `row ${own ? "" : row.delta > 0 ? "B" : "A"}`;
  made.dataset.id = row.id;
  made.tabIndex = -1;
  const who = own ? "" : `, ${band.side ? `${band.side} better` : "equal"}`;
  made.ariaLabel = `${row.name}: ${row.value}${who}`;
  const length = Math.abs(row.delta) * view.unit;
  const from = row.delta > 0 ? view.zero : view.zero - length;
  made.style.setProperty("--free", from);
  const track = meter("track", length);
  track.firstChild.style.left = `${100 * from}%`;
  const name = put(make("span", "name"), make("span", "", row.name), make("span", "why", view.data.why[row.id]));
  return put(make("li"), put(made, name, track, make("span", "value", row.value)));
}

function more(view, band, from, to) {
  const open = () => {
    // What is not here is in the table of all queries.
    const row = band.rows.find(({ place }) => place === from);
    if (!row) return view.send("every", band.outcome);
    view.open.add(band.outcome);
    draw(view);
    find(view, row.id).focus({ preventScroll: true });
  };
  const words = `… ${(to - from).toLocaleString("en")} more`;
  // Of one run the lowest are here, and its menu finds any other.
  if (view.own) return put(make("li"), make("span", "more", words));
  const shown = button(words, "", open);
  shown.className = "more";
  shown.ariaLabel = `${band.title}: ${words}`;
  return put(make("li"), shown);
}

function walk(event, view) {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const rows = [...view.box.querySelectorAll(".row")];
  const next = rows[rows.indexOf(event.target) + step];
  if (!step || !rows.includes(event.target) || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  if (!next) return;
  next.focus();
  view.picked = next.dataset.id;
  light(view);
  clearTimeout(view.timer);
  view.timer = setTimeout(() => pick(view, view.picked), REST);
}

function pick(view, id) {
  clearTimeout(view.timer);
  view.timer = 0;
  view.picked = id;
  light(view);
  view.send("picked", id);
  // On a phone the lists of the query are below all bars.
  if (innerWidth <= 640) reveal(part("two_lists"));
}

/** The picked row is shaded, and Tab leads to it. */
function light(view) {
  const rows = [...view.box.querySelectorAll(".row")];
  for (const row of rows) {
    const is = row.dataset.id === view.picked;
    row.classList.toggle("picked", is);
    row.tabIndex = is ? 0 : -1;
    row.ariaCurrent = is || null;
  }
  if (rows.length && !rows.some(({ tabIndex }) => tabIndex === 0)) rows[0].tabIndex = 0;
}

function find(view, id) {
  return [...view.box.querySelectorAll(".row")].find(({ dataset }) => dataset.id === id);
}
