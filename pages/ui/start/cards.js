// Ways into the app, each a button with a picture. Texts are inserted only through textContent.
const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT] = [280, 80];

export default function ({ data, parentElement, setTriggerValue }) {
  const box = parentElement.querySelector(".cards") ?? make("div", "cards");
  box.replaceChildren(...data.map((card) => {
    const made = button("", "", () => setTriggerValue("opened", card.name));
    const words = make("span", "words");
    words.append(make("strong", "", card.title), make("span", "", card.about));
    made.append(picture(card), words);
    return made;
  }));
  if (!box.isConnected) parentElement.append(box);
}

function picture({ slopes, line, words }) {
  const drawn = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" });
  if (slopes) drawn.append(...slopes.map((slope) => curve(slope, slopes.length)));
  if (line) drawn.append(draw("path", { d: `M10 ${HEIGHT / 2}H${WIDTH - 10}`, class: "axis" }), ...dots(line));
  if (words) {
    drawn.append(draw("rect", { x: 8, y: 8, width: WIDTH - 16, height: HEIGHT - 16, rx: 8, class: "sheet" }));
    drawn.append(label(words[0], 26, 34, "start", "large"), label(words[1], 26, 58, "start"));
  }
  return drawn;
}

function curve({ from, to, marked }, length) {
  const y = (rank) => 10 + ((rank - 1) * (HEIGHT - 20)) / (length - 1);
  const half = WIDTH / 2;
  const d = `M20 ${y(from)}C${half} ${y(from)} ${half} ${y(to)} ${WIDTH - 20} ${y(to)}`;
  return draw("path", { d, class: marked ? "slope marked" : "slope" });
}

/** The values on their line, from the lowest to the highest of them; labels above and below. */
function dots(values) {
  const all = values.map(({ at }) => at);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  return [...values].sort((one, other) => one.at - other.at).flatMap(({ name, at }, place) => {
    const x = 50 + ((WIDTH - 100) * (at - low)) / (high - low || 1);
    return [draw("circle", { cx: x, cy: HEIGHT / 2, r: 7, class: "dot" }), label(name, x, place % 2 ? 72 : 20, "middle")];
  });
}

function label(text, x, y, anchor, name = "") {
  const made = draw("text", { x, y, "text-anchor": anchor, class: name });
  made.textContent = text;
  return made;
}

function draw(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
