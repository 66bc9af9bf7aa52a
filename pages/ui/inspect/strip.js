// The score by other measures; a click on one chooses it. Texts are inserted through textContent.
export default function ({ data, parentElement, setTriggerValue }) {
  const strip = parentElement.querySelector(".strip") ?? make("div", "strip");
  strip.setAttribute("role", "group");
  strip.setAttribute("aria-label", data.label);
  const held = parentElement.activeElement?.dataset.symbol;
  strip.replaceChildren(...data.measures.map((measure) => {
    const button = make("button", "");
    button.type = "button";
    button.title = measure.name;
    button.dataset.symbol = measure.symbol;
    button.setAttribute("aria-pressed", String(measure.chosen));
    button.append(make("span", "symbol", measure.symbol), " ", make("span", "", measure.score));
    button.onclick = () => setTriggerValue("chosen", measure.symbol);
    return button;
  }));
  if (!strip.isConnected) parentElement.append(strip);
  if (held) strip.querySelector(`[data-symbol="${held}"]`)?.focus();
}

function make(tag, name, text = "") {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.textContent = text;
  return made;
}
