// Buttons that save a picture as PNG or SVG, without the server: one that Python has drawn, or a
// chart as the page draws it. The file has dark text on white in every theme, and says below the
// picture what its numbers are.
const GRID = "#e6eaf1", FONT = "12px sans-serif", LINE = 16, EDGE = 8, SHARP = 3;
const ARROW = "M12 4v11m-5-5 5 5 5-5M5 20h14";
// The parts of a chart that only answer to the pointer.
const UNSEEN = ".draglayer, .hoverlayer, .zoomlayer, .selectionlayer, .menulayer, .modebar";

export default function ({ data, parentElement }) {
  const saver = only(parentElement, "div");
  saver.className = data.svg ? "saver apart" : "saver";
  saver.replaceChildren(...(data.svg ? kinds(data, () => data.svg) : inCorner(data)));
}

function kinds(data, drawn) {
  return [["PNG", asImage], ["SVG", asText]].map(([kind, save]) => {
    const saver = button(kind, "", () => {
      const svg = drawn();
      if (svg) save(svg, `${data.file}.${kind.toLowerCase()}`);
    });
    if (data.svg) saver.ariaLabel = `${data.name} as ${kind}`;
    return saver;
  });
}

// A button in the corner of a chart, which opens the two.
function inCorner(data) {
  const opener = button("", `Save the chart: ${data.name}`);
  opener.append(put(svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }), svg("path", { d: ARROW })));
  opener.setAttribute("aria-label", opener.title);
  const menu = make("div", "", "", { popover: "auto" });
  menu.append(...kinds(data, () => {
    menu.hidePopover();
    const chart = document.querySelector(`.st-key-${data.chart} .js-plotly-plot`);
    return chart && picture(chart, data);
  }));
  opener.popoverTargetElement = menu;
  menu.addEventListener("beforetoggle", () => {
    const { left, top } = opener.getBoundingClientRect();
    Object.assign(menu.style, { left: `${left}px`, bottom: `${innerHeight - top}px` });
  });
  return [opener, menu];
}

// The chart as one SVG: its layers in their order, and the lines below.
function picture(chart, { title, alt, ink }) {
  const { width, height } = chart.getBoundingClientRect();
  const lines = wrapped(title, width - 2 * EDGE), whole = height + LINE * lines.length + EDGE;
  const made = svg("svg", { width, height: whole, viewBox: `0 0 ${width} ${whole}` });
  made.appendChild(svg("title")).textContent = title;
  made.appendChild(svg("desc")).textContent = alt;
  made.append(svg("rect", { width: "100%", height: "100%", fill: "#fff" }));
  for (const layer of chart.querySelectorAll(".main-svg")) made.append(...copied(layer).childNodes);
  made.querySelectorAll(UNSEEN).forEach((part) => part.remove());
  for (const line of made.querySelectorAll(".gridlayer path, .zerolinelayer path")) line.style.stroke = GRID;
  for (const ground of made.querySelectorAll(".legend .bg")) ground.style.fill = "none";
  // The text of a cell keeps the colour that can be read on it.
  for (const text of made.querySelectorAll("text")) {
    if (!text.closest(".heatmap-label") && isGrey(text.style.fill)) text.style.fill = ink;
  }
  lines.forEach((line, at) => {
    const text = svg("text", { x: EDGE, y: height + LINE * (at + 0.75), style: `font: ${FONT}` });
    text.style.fill = ink;
    made.appendChild(text).textContent = line;
  });
  return new XMLSerializer().serializeToString(made).replace(FORBIDDEN, "\ufffd");
}

// Each text keeps its width where the page's font is missing, as it is in an image.
function copied(layer) {
  const lines = (of) => [...of.querySelectorAll("text, tspan")].filter((text) => !text.childElementCount);
  const copy = layer.cloneNode(true), seen = lines(layer);
  lines(copy).forEach((line, at) => {
    const wide = seen[at].getComputedTextLength();
    if (wide) line.setAttribute("textLength", wide);
    line.setAttribute("lengthAdjust", "spacingAndGlyphs");
  });
  return copy;
}

// XML has no way to write these characters.
const FORBIDDEN = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function isGrey(colour) {
  const parts = (colour.match(/\d+/g) ?? [0]).slice(0, 3).map(Number);
  return Math.max(...parts) - Math.min(...parts) < 32;
}

function wrapped(words, width) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = FONT;
  const lines = [""];
  for (const word of words.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (pen.measureText(longer).width <= width || !lines.at(-1)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function asText(svg, name) {
  save(new Blob([svg], { type: "image/svg+xml" }), name);
}

function asImage(svg, name) {
  // The page's policy allows images of data: addresses, and none from elsewhere.
  const image = new Image();
  image.onload = () => {
    const canvas = make("canvas", "", "", { width: SHARP * image.width, height: SHARP * image.height });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save(blob, name), "image/png");
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}

function save(blob, name) {
  const link = make("a", "", "", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
