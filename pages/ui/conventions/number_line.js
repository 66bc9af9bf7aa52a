// The scores that tools give one ranking, on one line: a dot for each tool, a label for each score.
// Texts are inserted only through textContent. Dots and labels travel to where they are now.
const [GAP, NEAR, DOT] = [12, 22, 16]; // pixels: between labels, from the line to a label, a dot

export default function ({ data, parentElement }) {
  const view = kept(parentElement, made);
  const { line, nodes } = view;
  line.setAttribute("aria-label", data.words);
  view.axis.replaceChildren(...data.ticks.map(({ at, text }) => placed(make("span", "tick", text), at)));
  const seen = new Set();
  const node = (key, name) => {
    if (!nodes.has(key)) nodes.set(key, line.appendChild(make("span", name)));
    seen.add(key);
    return nodes.get(key);
  };
  view.labels = data.scores.map(({ at, tools, value, now }) => {
    tools.forEach((tool, place) => {
      const dot = placed(node(`dot ${tool}`, "dot"), at);
      dot.classList.toggle("now", now);
      dot.style.setProperty("--place", place);
    });
    const label = placed(node(`label ${tools[0]}`, "label"), at);
    label.replaceChildren(make("b", "", value), make("span", "", tools.join(", ")));
    return { label, at, stack: tools.length };
  });
  for (const [key, each] of nodes) {
    if (seen.has(key)) continue;
    each.remove();
    nodes.delete(key);
  }
  arrange(view);
}

function made(root) {
  const line = make("div", "line", "", { role: "img", "data-picture": "" });
  const view = { line, axis: make("div", "axis"), nodes: new Map(), labels: [] };
  line.append(view.axis);
  root.append(line);
  new ResizeObserver(() => arrange(view)).observe(line);
  return view;
}

function placed(node, at) {
  node.style.left = `${100 * at}%`;
  return node;
}

/** Put the labels into rows above and below the line, none over another, and near their dots. */
function arrange({ line, axis, labels }) {
  const width = line.clientWidth;
  const rows = { up: [], down: [] };
  for (const each of labels) {
    const wide = each.label.offsetWidth;
    each.left = Math.min(Math.max(0, each.at * width - wide / 2), width - wide);
    const free = (row) => row.every((other) => each.left > other.left + other.label.offsetWidth + GAP || other.left > each.left + wide + GAP);
    const side = [["up", 0], ["down", 0], ["up", 1], ["down", 1], ["up", 2], ["down", 2], ["up", 3], ["down", 3]]
      .find(([way, at]) => free(rows[way][at] ?? [])) ?? ["down", rows.down.length];
    (rows[side[0]][side[1]] ??= []).push(each);
  }
  const high = (row) => Math.max(0, ...(row ?? []).map(({ label }) => label.offsetHeight));
  const stack = DOT * Math.max(1, ...labels.map((each) => each.stack));
  const above = stack + rows.up.reduce((all, row) => all + high(row) + GAP, 0);
  const tops = (way) => {
    let edge = way === "up" ? above - stack : above + NEAR;
    return rows[way].map((row) => {
      const top = way === "up" ? edge - high(row) : edge;
      edge = way === "up" ? top - GAP : top + high(row) + GAP;
      return top;
    });
  };
  let end = above + NEAR;
  for (const way of ["up", "down"]) {
    tops(way).forEach((top, at) => (rows[way][at] ?? []).forEach(({ label, left }) => {
      // Labels of a row stand on the side of the line.
      const y = way === "up" ? top + high(rows[way][at]) - label.offsetHeight : top;
      label.style.transform = `translate(${left - parseFloat(label.style.left) / 100 * width}px, ${y}px)`;
      end = Math.max(end, y + label.offsetHeight);
    }));
  }
  axis.style.top = `${above}px`;
  line.style.setProperty("--above", `${above}px`);
  line.style.height = `${end}px`;
}
