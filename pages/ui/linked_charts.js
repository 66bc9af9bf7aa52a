// Lights a document in the charts of the page when it is hovered elsewhere, and elsewhere when its
// mark in a chart is hovered. A mark of a document has the document's id as its customdata.
const heard = new WeakMap();

export default function ({ parentElement }) {
  return hear(parentElement, [[window, SAME, light], [window, "pointerover", seek]]);
}

function light({ detail }) {
  for (const chart of document.querySelectorAll(".js-plotly-plot")) {
    chart.querySelector(".lit")?.remove();
    const trace = chart.data?.find((each) => each.customdata?.includes(detail.id));
    if (trace) mark(chart, trace.x[trace.customdata.indexOf(detail.id)]);
  }
}

/** Draw a band over the height of the chart, as that of a picked document. */
function mark(chart, rank) {
  const { l, t, w, h } = chart._fullLayout._size;
  const [first, last] = chart._fullLayout.xaxis.range;
  const step = w / (last - first);
  const band = make("div", "lit");
  band.style.cssText = `position: absolute; left: ${l + (rank - 0.5 - first) * step}px; top: ${t}px;
    width: ${step}px; height: ${h}px; background: currentColor; opacity: 0.15; pointer-events: none;`;
  chart.querySelector(".svg-container").append(band);
}

function seek({ target }) {
  const chart = target.closest?.(".js-plotly-plot");
  // A chart that is drawn anew forgets its listeners, and gets another function for them.
  if (!chart?.on || heard.get(chart) === chart.on) return;
  heard.set(chart, chart.on);
  chart.on("plotly_hover", ({ points }) => tell(points.find((each) => each.customdata)?.customdata));
  chart.on("plotly_unhover", () => tell(null));
}
