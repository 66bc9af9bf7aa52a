// The scores that tools give one ranking, on one line: a dot for each tool, a label for each score.
// A press on either picks the score. Texts are inserted only through textContent. Dots and labels travel to where they are now.
// Pixels: between labels, from the line to a label, a dot, from a label to its dots, and of the
// line for each letter of a label.
const [GAP, NEAR, DOT, ASIDE, LETTER] = [12, 30, 18, 32, 20];

export default function ({ data, parentElement, setStateValue }) {
  const view = kept(parentElement, made);
  const { line, nodes } = view;
  line.setAttribute("aria-label", data.words);
  view.axis.replaceChildren(...data.ticks.map(({ at, text }) => placed(make("span", "tick", text), at)));
  const seen = new Set();
  const node = (key, name, tag = "span") => {
    if (!nodes.has(key)) nodes.set(key, line.appendChild(make(tag, name)));
    seen.add(key);
    return nodes.get(key);
  };
  view.labels = data.scores.map(({ at, tools, value, now }) => {
    const pick = () => setStateValue("picked", value);
    const picked = value === data.picked;
    const dots = tools.map((tool) => {
      const dot = placed(node(`dot ${tool}`, "dot"), at);
      classes(dot, { now, picked });
      dot.title = tool;
      dot.onclick = pick;
      return dot;
    });
    const label = placed(node(`label ${tools[0]}`, "label", "button"), at);
    label.onclick = pick;
    label.title = "Show the reason";
    label.ariaPressed = String(picked);
    const names = make("span");
    label.replaceChildren(make("b", "", value), names);
    return { label, names, lead: placed(node(`lead ${tools[0]}`, "lead"), at), at, tools, dots };
  });
  for (const [key, each] of nodes) {
    if (seen.has(key)) continue;
    each.remove();
    nodes.delete(key);
  }
  lay(view);
}

function made(root) {
  const line = root.appendChild(make("div", "line", "", { role: "group", "data-picture": "" }));
  const view = { line, axis: line.appendChild(make("div", "axis")), nodes: new Map(), labels: [] };
  new ResizeObserver(() => lay(view)).observe(line);
  return view;
}

function placed(node, at) {
  node.style.left = `${100 * at}%`;
  return node;
}

/** Put the labels into rows above and below the line, none over another, each led to its dots. */
function lay({ line, axis, labels }) {
  const width = line.clientWidth;
  const rows = { up: [], down: [] };
  const places = labels.flatMap((_, at) => [["up", at], ["down", at]]);
  for (const each of labels) {
    const names = each.tools.join(", ");
    const many = each.tools.length > 1 && names.length > width / LETTER;
    // The one that is asked for comes first, and is named.
    each.names.textContent = many ? `${each.tools[0]} and ${each.tools.length - 1} more` : names;
    each.wide = each.label.offsetWidth;
    each.x = each.at * width;
    const centred = Math.min(Math.max(0, each.x - each.wide / 2), width - each.wide);
    // Where another is in the way, it gives way a little.
    const [way, at] = places.find(([way, at]) => {
      const last = rows[way][at]?.at(-1);
      each.left = last ? Math.max(centred, last.left + last.wide + GAP) : centred;
      return !last || (each.left <= each.x + ASIDE && each.left + each.wide <= width);
    });
    (rows[way][at] ??= []).push(each);
  }
  // Dots that would lie over others lie above them, and below them if led to from below.
  const laid = [];
  for (const each of [...rows.down, ...rows.up].flat()) {
    const under = laid.filter(({ x }) => Math.abs(x - each.x) < DOT - 4);
    each.base = Math.max(0, ...under.map(({ top }) => top));
    each.top = each.base + each.dots.length;
    each.dots.forEach((dot, place) => dot.style.setProperty("--place", each.base + place));
    laid.push(each);
  }
  const high = (row) => Math.max(...row.map(({ label }) => label.offsetHeight));
  const stack = DOT * Math.max(1, ...labels.map(({ top }) => top));
  const above = stack + rows.up.reduce((all, row) => all + high(row) + GAP, 0);
  let [top, end] = [above - stack, above + NEAR];
  for (const row of rows.up) {
    top -= high(row) + GAP;
    for (const each of row) place(each, top, top + each.label.offsetHeight, above - DOT * each.top);
  }
  for (const row of rows.down) {
    for (const each of row) place(each, end, end, above);
    end += high(row) + GAP;
  }
  axis.style.top = `${above}px`;
  line.style.setProperty("--above", `${above}px`);
  line.style.height = `${end}px`;
}

/** Put a label at a height, and a hairline from its edge to its dots. */
function place({ label, lead, x, left, wide }, top, edge, dots) {
  label.style.transform = `translate(${left - x}px, ${top}px)`;
  const aside = Math.min(Math.max(x, left + GAP), left + wide - GAP) - x;
  lead.style.top = `${dots}px`;
  lead.style.width = `${Math.hypot(aside, edge - dots)}px`;
  lead.style.transform = `rotate(${Math.atan2(edge - dots, aside)}rad)`;
}
