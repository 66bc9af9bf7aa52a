// The scores that tools give one ranking, on one line: a dot for each tool, a label for each score.
// A press on either picks the score. Texts are inserted only through textContent. Dots and labels travel to where they are now.
// Pixels: between labels, from the line to a label below it, a dot, from a dot to the one that lies
// on it, aside that are worth a further row, and of the line for each letter of a label.
const [GAP, NEAR, DOT, ON, FURTHER, LETTER] = [12, 30, 14, 9, 32, 20];

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
    const pick = () => {
      setStateValue("picked", value);
      // Where the screen is narrow, its reason is below it only when the line is at the top.
      if (innerWidth <= 640) reveal(line);
    };
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
  const words = new Range();
  const places = labels.flatMap((_, at) => [["up", at], ["down", at]]);
  for (const each of labels) {
    const names = each.tools.join(", ");
    const many = each.tools.length > 1 && names.length > width / LETTER;
    // The one that is asked for comes first, and is named.
    each.names.textContent = many ? `${each.tools[0]} and ${each.tools.length - 1} more` : names;
    // A label is as wide as its longest line.
    each.label.style.width = "";
    words.selectNodeContents(each.names);
    each.label.style.width = `${Math.ceil(words.getBoundingClientRect().width)}px`;
    each.wide = each.label.offsetWidth;
    each.x = each.at * width;
    const centred = Math.min(Math.max(0, each.x - each.wide / 2), width - each.wide);
    // Where another is in the way, it gives way a little, or is a row further from the line.
    let least = Infinity;
    for (const [way, at] of places) {
      const last = rows[way][at]?.at(-1);
      const left = last ? Math.max(centred, last.left + last.wide + GAP) : centred;
      const far = Math.max(0, left - each.x) + FURTHER * at;
      if (left + each.wide > width || far >= least) continue;
      [least, each.left, each.row] = [far, left, [way, at]];
    }
    const [way, at] = each.row;
    (rows[way][at] ??= []).push(each);
  }
  // Each label is as near to its dots as other dots and labels let it be.
  for (const each of labels) {
    each.dots.forEach((dot, place) => dot.style.setProperty("--place", place));
    each.high = DOT + ON * (each.dots.length - 1);
  }
  const stacks = labels.map(({ x, high }) => ({ left: x - DOT, wide: 2 * DOT, far: high }));
  const reach = { up: 0, down: 0 };
  for (const [way, passed] of [["up", stacks], ["down", [{ left: 0, wide: width, far: NEAR - GAP }]]]) {
    for (const each of rows[way].flat()) {
      const under = passed.filter(({ left, wide }) => left < each.left + each.wide && each.left < left + wide);
      each.edge = GAP + Math.max(...under.map(({ far }) => far), way === "up" ? each.high : 0);
      each.far = each.edge + each.label.offsetHeight;
      reach[way] = Math.max(reach[way], each.far);
      passed.push(each);
    }
  }
  for (const each of rows.up.flat()) place(each, reach.up - each.far, reach.up - each.edge, reach.up - each.high);
  for (const each of rows.down.flat()) place(each, reach.up + each.edge, reach.up + each.edge, reach.up);
  axis.style.top = `${reach.up}px`;
  line.style.setProperty("--above", `${reach.up}px`);
  line.style.height = `${reach.up + Math.max(NEAR, reach.down)}px`;
}

/** Put a label at a height, and a hairline from its edge to its dots. */
function place({ label, lead, x, left, wide }, top, edge, dots) {
  label.style.transform = `translate(${left - x}px, ${top}px)`;
  const aside = Math.min(Math.max(x, left + GAP), left + wide - GAP) - x;
  lead.style.top = `${dots}px`;
  lead.style.width = `${Math.hypot(aside, edge - dots)}px`;
  lead.style.transform = `rotate(${Math.atan2(edge - dots, aside)}rad)`;
}
