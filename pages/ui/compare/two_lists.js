// One query under both runs: two lists joined by slopes, and the bars that sum to its delta. Texts
// are inserted only through textContent.
const SIDES = ["A", "B"];
const OF_ALL = "query_bars";
const TAIL = 7; // at most this many letters of a name's end are always seen

export default function ({ data, parentElement, setTriggerValue }) {
  const view = kept(parentElement, made);
  view.pick = (id) => id && setTriggerValue("picked", id);
  view.title.textContent = data.title;
  view.back.hidden = data.large || !part(OF_ALL);
  view.id.textContent = data.id;
  view.why.textContent = data.why && `Opened first: ${data.why}`;
  for (const line of ["scores", "sentence"]) {
    view[line].replaceChildren(...data[line].map(([kind, words]) => make(kind ? "b" : "span", kind, words)));
  }
  const { dots = 0 } = data.lists ?? {};
  const [a, b] = (data.lists?.sides ?? [[], []]).map((side) => side.filter(({ grade }) => grade === "?").length);
  const ungraded = a + b ? `, ? no grade${data.large ? "" : `: A ${a}, B ${b}`}` : "";
  view.dots.textContent = dots ? `${"●".repeat(dots)} = grade ${dots}${ungraded}` : "";
  view.sentence.hidden = !data.sentence.length;
  view.box.classList.toggle("large", data.large);
  view.lists.hidden = !data.lists;
  view.bars.hidden = !data.bars;
  if (data.lists) drawLists(view, data);
  if (data.bars) drawBars(view, data.bars);
  view.query = data.query;
  view.picked = data.picked;
  view.documents = new Map(data.lists?.sides.flat().map((each) => [each.id, each]));
  view.text.hidden = ![...view.documents.values()].some(({ title }) => title);
  view.light({ detail: { id: null } });
  return hear(parentElement, [[window, SAME, view.light]]);
}

function made(root) {
  const view = { box: make("div", "two"), title: make("h3", "title"), why: make("p", "why"), id: make("span", "id"), scores: make("span", "scores"), dots: make("span", "key") };
  view.sentence = make("p", "sentence", "", { "aria-live": "polite" });
  view.text = make("p", "text");
  view.names = SIDES.map((side) => make("b", side));
  view.lists = make("div", "lists", "", { role: "group", "data-picture": "" });
  view.columns = SIDES.map((side) => make("ol", side, "", { role: "list" }));
  view.below = SIDES.map((side) => make("span", `below ${side}`));
  view.links = svg("svg", { preserveAspectRatio: "none", "aria-hidden": "true" });
  view.bars = make("div", "bars", "", { role: "group", "aria-label": "What each document changes" });
  view.rows = new Map();
  view.back = button("↑ List of queries", "", () => reveal(part(OF_ALL)));
  view.back.className = "back";
  view.lists.append(...view.names, ...view.columns, view.links, ...view.below);
  const head = put(make("div", "heading"), view.back, view.why, view.title, put(make("span", "facts"), view.id, view.scores, view.dots));
  view.box.append(put(make("div", "top"), head, view.sentence, view.text), view.lists, view.bars);
  telling(view.box);
  view.box.onclick = (event) => view.pick(idAt(event));
  view.box.onkeydown = (event) => walk(event, view);
  view.light = ({ detail }) => {
    const { name, title } = view.documents.get(detail.id) ?? view.documents.get(view.picked) ?? {};
    view.text.replaceChildren(...(title ? [make("b", "", name), ` ${title}`] : []));
    for (const each of view.box.querySelectorAll("[data-id]")) {
      each.classList.toggle("lit", Boolean(detail.id) && each.dataset.id === detail.id);
      each.classList.toggle("picked", each.dataset.id === view.picked);
    }
  };
  root.append(view.box);
  return view;
}

function drawLists(view, { query, lists, large, picked, was }) {
  const other = view.query !== query;
  const deep = Math.max(1, ...lists.sides.flat().map(({ rank }) => rank));
  const height = deep + (lists.below.some(Boolean) ? 1.6 : 0);
  view.lists.style.setProperty("--rows", height);
  view.lists.ariaLabel = `Both lists. ${lists.alt}`;
  const first = new Map(lists.sides[0].map(({ id, rank }) => [id, rank]));
  SIDES.forEach((side, at) => {
    view.names[at].textContent = large ? lists.names[at] : `${side} ${lists.names[at]}`;
    view.names[at].title = lists.names[at];
    view.below[at].textContent = lists.below[at];
    const before = new Map([...view.columns[at].children].map((row) => [row.dataset.id, Number(row.dataset.rank)]));
    const rows = lists.sides[at].map((each) => line(side, each, lists.dots, each.id === picked ? was : null));
    view.columns[at].ariaLabel = `${side} ${lists.names[at]}`;
    view.columns[at].replaceChildren(...rows);
    if (rows.length) rows[0].firstChild.tabIndex = 0;
    else view.columns[at].append(make("li", "none", "no documents"));
    rows.forEach((row) => {
      // A query that is new begins with both lists in A's order; B's glides into its own.
      const { id, rank } = row.dataset;
      const from = other ? at && first.get(id) : before.get(id);
      if (from) travel(row, [{ transform: `translateY(calc(${from - rank} * var(--row)))` }, { transform: "none" }]);
      else if (at || !other) travel(row, [{ opacity: 0 }, { opacity: 1 }]);
    });
  });
  view.links.setAttribute("viewBox", `0 0 100 ${height}`);
  // What counts lies above what does not.
  const links = [...lists.links].sort((one, two) => Math.abs(one.weight) - Math.abs(two.weight));
  view.links.replaceChildren(...links.map((link) => slope(link, deep + 1.1)));
}

function slope({ id, A, B, weight }, below) {
  const [from, to] = [A, B].map((rank) => (rank === null ? below : rank - 0.5));
  const path = svg("path", { d: `M0 ${from} C50 ${from} 50 ${to} 100 ${to}`, class: weight > 0 ? "B" : weight < 0 ? "A" : "" });
  path.dataset.id = id;
  path.style.strokeWidth = `${0.09 + 0.3 * Math.abs(weight)}rem`;
  travel(path, [{ opacity: 0 }, { opacity: 1 }]);
  return path;
}

function line(side, { id, name, title, rank, grade }, dots, was) {
  const row = make("li"), head = button("", title ? `${name}\n${title}` : name, null);
  Object.assign(row.dataset, { id, rank });
  row.style.top = `calc(${rank - 1} * var(--row))`;
  head.tabIndex = -1;
  const said = grade === "" ? "" : grade === "?" ? ", unjudged" : `, grade ${grade}`;
  head.ariaLabel = `Rank ${rank}: ${name}${said}${was === null ? "" : `, before ${was}`}`;
  const place = make("span", "rank", String(rank)), parts = [ended(name), changed(was, grade, dots)];
  if (title) parts.splice(side === "A" ? 0 : 2, 0, make("span", "said", title));
  // The rank is beside its line.
  return put(row, put(head, ...(side === "A" ? [...parts, place] : [place, ...parts])));
}

/** A grade, or both in digits where another one is tried. */
function changed(was, grade, dots) {
  return was === null ? graded(grade, dots) : make("span", "grade changed", `${was} → ${grade}`);
}

/** An id that is cut in its middle where there is no room: ids alike begin alike. A title is not. */
function ended(name) {
  if (name.includes(" ")) return put(make("span", "name words"), make("span", "", name));
  if (name.length < 2 * TAIL) return make("span", "name", name);
  const made = make("span", "name", "", { role: "img", "aria-label": name });
  return put(made, make("span", "", name.slice(0, -TAIL)), make("span", "", name.slice(-TAIL)));
}

function drawBars(view, bars) {
  const ends = bars.flatMap(({ from, to }) => [from, to]);
  const low = Math.min(0, ...ends), whole = Math.max(0, ...ends) - low || 1;
  view.bars.style.setProperty("--zero", `${(-100 * low) / whole}%`);
  view.bars.replaceChildren(...bars.map(({ id, name, from, to, value }, at) => {
    const last = at === bars.length - 1;
    const row = make("div", last ? "bar together" : `bar ${to > from ? "B" : "A"}`);
    if (id) row.dataset.id = id;
    const label = ended(name), track = meter("track", Math.abs(to - from) / whole);
    label.title = name;
    track.firstChild.style.left = `${(100 * (Math.min(from, to) - low)) / whole}%`;
    return put(row, label, track, make("span", "value", value));
  }));
}

function walk(event, view) {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const across = { ArrowLeft: 0, ArrowRight: 1 }[event.key];
  const row = event.target.closest("li");
  if (!row || (step === undefined && across === undefined) || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const to = step ? row.parentElement.children[[...row.parentElement.children].indexOf(row) + step]
    : view.columns[across].children[Math.min(row.dataset.rank - 1, view.columns[across].children.length - 1)];
  const next = to?.querySelector("button");
  if (!next) return;
  event.target.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
