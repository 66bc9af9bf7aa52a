// The scores that tools give one ranking, on one line: a dot and a label for each score. Where several
// tools give it, their number is in the dot. A press on either picks the score. Texts are inserted
// only through textContent. Dots and labels travel to where they are now.
// Pixels: between labels, from the line to a label below it, a dot, a dot of several tools, and of the
// line for each letter of a label.
const [GAP, NEAR, DOT, MANY, LETTER] = [12, 30, 14, 18, 20];

export default function ({ data, parentElement, setTriggerValue }) {
  const view = kept(parentElement, made);
  const { line, nodes } = view;
  line.setAttribute("aria-label", data.words);
  view.axis.replaceChildren(...data.ticks.map(({ at, text }) => placed(make("span", "tick", text), at, text.length / 2)));
  const node = (key, name, tag = "span") => {
    if (!nodes.has(key)) nodes.set(key, make(tag, name));
    return nodes.get(key);
  };
  view.labels = data.scores.map(({ at, tools, value, now }) => {
    const pick = () => {
      setTriggerValue("picked", value === data.picked ? "" : value);
      // Where the screen is narrow, its reason is below it only when the line is at the top.
      if (innerWidth <= 640) reveal(line);
    };
    const picked = value === data.picked;
    const dot = placed(node(`dot ${tools[0]}`, "dot"), at);
    const many = tools.length > 1, high = many ? MANY : DOT;
    classes(dot, { now, picked });
    dot.textContent = many ? tools.length : "";
    dot.style.setProperty("--size", `${high}px`);
    dot.title = tools.join(", ");
    dot.onclick = pick;
    const label = placed(node(`label ${tools[0]}`, "label", "button"), at);
    label.onclick = pick;
    label.title = "Show the reason";
    label.ariaPressed = String(picked);
    const names = make("span");
    label.replaceChildren(make("b", "", value), names);
    return { label, names, lead: placed(node(`lead ${tools[0]}`, "lead"), at), at, tools, dot, high };
  });
  arrange(line, [view.axis, ...view.labels.flatMap(({ dot, label, lead }) => [dot, label, lead])]);
  lay(view);
}

function made(root) {
  const line = root.appendChild(make("div", "line", "", { role: "group", "data-picture": "" }));
  const view = { line, axis: line.appendChild(make("div", "axis")), nodes: new Map(), labels: [] };
  new ResizeObserver(() => lay(view)).observe(line);
  return view;
}

/** Place a node on the line, at least so many digits from both ends. */
function placed(node, at, half = 0) {
  node.style.left = `clamp(${half}ch, ${100 * at}%, 100% - ${half}ch)`;
  return node;
}

/** Put each label near its dots, above or below the line, over no other, and lead it to them. */
function lay({ line, axis, labels }) {
  const width = line.clientWidth;
  // A dot that would lie over the next one is above it.
  let next = null;
  for (const each of labels.toReversed()) {
    each.x = each.at * width;
    each.lift = next && next.x - each.x < (next.high + each.high) / 2 ? next.lift + next.high : 0;
    each.dot.style.setProperty("--lift", `${each.lift}px`);
    next = each;
  }
  // What is in the way on each side of the line: dots and ticks, then other labels.
  const sides = {
    up: labels.map(({ x, high, lift }) => ({ left: x - high / 2, wide: high, far: lift + high })),
    down: [{ left: 0, wide: width, far: NEAR - GAP }],
  };
  const words = new Range();
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
    const centred = Math.min(Math.max(0, each.x - each.wide / 2), width - each.wide);
    // Where another label is in the way, it is aside of that one or beyond it.
    const tries = Object.entries(sides).flatMap(([way, passed]) => {
      const aside = Math.max(centred, ...passed.filter(({ label }) => label).map(({ left, wide }) => left + wide + GAP));
      const from = way === "up" ? each.lift + each.high : -each.lift;
      return [centred, aside].filter((left) => left + each.wide <= width).map((left) => {
        const under = passed.filter((other) => other.left < left + each.wide + GAP && left < other.left + other.wide + GAP);
        const edge = GAP + Math.max(from, ...under.map(({ far }) => far));
        return { way, left, from, edge, cost: edge - from + Math.max(0, left - each.x) };
      });
    });
    Object.assign(each, tries.reduce((best, other) => (other.cost < best.cost ? other : best)));
    each.far = each.edge + each.label.offsetHeight;
    sides[each.way].push(each);
  }
  const [above, below] = [sides.up, sides.down].map((side) => Math.max(...side.map(({ far }) => far)));
  for (const each of labels) {
    const [dots, edge, far] = [each.from, each.edge, each.far].map((high) => above + (each.way === "up" ? -high : high));
    place(each, Math.min(edge, far), edge, dots);
  }
  axis.style.top = `${above}px`;
  line.style.setProperty("--above", `${above}px`);
  line.style.height = `${above + below + GAP}px`;
}

/** Put a label at a height, and a hairline from its edge to its dots. */
function place({ label, lead, x, left, wide }, top, edge, dots) {
  label.style.transform = `translate(${left - x}px, ${top}px)`;
  const aside = Math.min(Math.max(x, left + GAP), left + wide - GAP) - x;
  lead.style.top = `${dots}px`;
  lead.style.width = `${Math.hypot(aside, edge - dots)}px`;
  lead.style.transform = `rotate(${Math.atan2(edge - dots, aside)}rad)`;
}
