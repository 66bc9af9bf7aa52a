// Small lists from left to right: a pale bar for what a document is worth, a full one for what it
// earns at its rank. Texts are inserted only through textContent.
const UNJUDGED = 0.4; // of the height
const SOON = 300; // milliseconds

export default function ({ data, parentElement, setTriggerValue }) {
  const box = only(parentElement, "div", "glance", "", { "data-picture": "" });
  // Once the page is at its top, as each page opens.
  if (data.sought && !box.firstChild) setTimeout(() => box.scrollIntoView({ block: "center" }), SOON);
  const held = parentElement.activeElement?.dataset.id;
  const { lists, graded, wide, legend, name } = data;
  const most = Math.max(...lists.map(({ cells }) => cells?.length));
  const all = make("ul", graded ? "lists" : `cards ${wide ?? ""}`, "", name ? { "aria-label": name } : {});
  all.append(...lists.map((each) => put(make("li"), graded ? figure(each, most) : card(each, data, setTriggerValue))));
  box.replaceChildren(...(legend ? [meanings(legend, lists)] : []), all);
  if (held) box.querySelector(`[data-id="${held}"]`)?.focus({ preventScroll: true });
}

function card(each, { chosen, current, below }, open) {
  const made = button("", each.words, () => {
    open("opened", each.id);
    if (below && unseen(part(below))) reveal(part(below));
  });
  made.dataset.id = each.id;
  made.setAttribute("aria-pressed", String(each.id === chosen));
  const drawn = each.marks ? make("span", "marks", each.marks) : bars(each.cells, false, each.depth);
  const asks = each.asks ? [make("span", "", each.asks)] : [], words = make("span", "words", each.words);
  made.append(drawn, make("strong", "", each.title), ...asks, words);
  if (each.id === current) {
    made.setAttribute("aria-current", "true");
    words.prepend(make("b", "", "Open"), " · ");
  }
  return made;
}

/** What the bars of a card mean. */
function meanings(legend, lists) {
  const looks = [["earned", "what it earns"], ["worth", "what its grade could earn"], ["unjudged", "no grade"]];
  // Not every family has a measure that subtracts.
  if (lists.some(({ cells }) => cells?.some(({ lost }) => lost))) looks.push(["lost", "what it costs"]);
  return put(make("p", "key", legend), ...looks.map(([look, words]) => put(make("span"), make("i", look), words)));
}

/** A list with its grades below the bars, and the values of its readings. */
function figure(each, most) {
  const readings = each.values.map(([name, value]) => put(make("span", "reading", `${name} `), make("b", "", value)));
  const title = put(make("figcaption"), make("strong", "", each.title), ...readings);
  const drawn = bars(each.cells, true, each.depth);
  drawn.style.setProperty("--most", most);
  const made = put(make("figure"), title, drawn);
  if (each.more) made.append(make("span", "words", each.more));
  return made;
}

/** ``depth``: the last rank that counts, if not every rank does. */
function bars(cells, graded = false, depth = null) {
  const drawn = make("span", "bars");
  for (const { gain, earned, grade, place, lost } of cells) {
    const cell = make("span", ["cell", place ? "" : "missing", depth && place > depth ? "beyond" : ""].join(" "));
    const [worth, kept] = [make("i", grade === null ? "worth unjudged" : "worth"), make("i", lost ? "lost" : "earned")];
    worth.style.height = `${100 * (grade === null ? UNJUDGED : gain)}%`;
    kept.style.height = `${100 * (lost || earned)}%`;
    cell.append(put(make("span", "bar"), worth, kept));
    if (graded) cell.append(make("span", "grade", grade === null ? "?" : String(grade)));
    drawn.append(cell);
  }
  return drawn;
}
