// Ways into the app, each a button with a picture. Texts are inserted only through textContent.
const [WIDTH, HEIGHT] = [280, 80];

export default function ({ data, parentElement, setTriggerValue }) {
  only(parentElement, "div", "cards").replaceChildren(...data.map((card) => {
    const words = put(make("span", "words"), make("strong", "", card.title), make("span", "", card.about));
    return put(button("", "", () => setTriggerValue("opened", card.title)), picture(card), words);
  }));
}

function picture({ slopes, line, words }) {
  const drawn = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" });
  if (slopes) drawn.append(...slopes.map((slope) => curve(slope, slopes.length)));
  if (line) drawn.append(svg("path", { d: `M10 ${HEIGHT / 2}H${WIDTH - 10}`, class: "axis" }), ...dots(line));
  if (words) {
    drawn.append(svg("rect", { x: 8, y: 8, width: WIDTH - 16, height: HEIGHT - 16, rx: 8, class: "sheet" }));
    drawn.append(label(words[0], 26, 34, "start", "large"), label(words[1], 26, 58, "start"));
  }
  return drawn;
}

function curve({ from, to, marked }, length) {
  const y = (rank) => 10 + ((rank - 1) * (HEIGHT - 20)) / (length - 1);
  const half = WIDTH / 2;
  const d = `M20 ${y(from)}C${half} ${y(from)} ${half} ${y(to)} ${WIDTH - 20} ${y(to)}`;
  return svg("path", { d, class: marked ? "slope marked" : "slope" });
}

/** The values on their line, from the lowest to the highest of them; labels above and below. */
function dots(values) {
  const all = values.map(({ at }) => at);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  return [...values].sort((one, other) => one.at - other.at).flatMap(({ name, at }, place) => {
    const x = 50 + ((WIDTH - 100) * (at - low)) / (high - low || 1);
    return [svg("circle", { cx: x, cy: HEIGHT / 2, r: 7, class: "dot" }), label(name, x, place % 2 ? 72 : 20, "middle")];
  });
}

function label(text, x, y, anchor, name = "") {
  const made = svg("text", { x, y, "text-anchor": anchor, class: name });
  made.textContent = text;
  return made;
}
