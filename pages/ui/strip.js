// The score by other measures; a click on one chooses it. Texts are inserted through textContent.
export default function ({ data, parentElement, setTriggerValue }) {
  const strip = only(parentElement, "div", "strip", "", { role: "group" });
  strip.setAttribute("aria-label", data.label);
  const held = parentElement.activeElement?.dataset.symbol;
  strip.replaceChildren(...data.measures.map((measure) => {
    // One that cannot be chosen is only shown.
    const choice = "chosen" in measure;
    const made = choice ? button("", measure.name, () => setTriggerValue("chosen", measure.symbol)) : make("div", "measure");
    made.title = measure.name;
    made.dataset.symbol = measure.symbol;
    if (choice) made.setAttribute("aria-pressed", String(measure.chosen));
    const bar = meter("bar", measure.share);
    bar.hidden = measure.share === null;
    return put(made, make("span", "symbol", measure.symbol), bar, make("span", "", measure.score));
  }));
  if (held) strip.querySelector(`[data-symbol="${held}"]`)?.focus();
}
