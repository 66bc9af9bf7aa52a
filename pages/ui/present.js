// The keys of a presentation, and a class of the document, under which all its text is large.
const heard = new WeakMap();
const STEPS = { ArrowLeft: -1, PageUp: -1, ArrowRight: 1, PageDown: 1, Escape: 0 };

export default function ({ parentElement: root, setTriggerValue }) {
  const keys = heard.get(root) ?? made();
  heard.set(root, keys);
  keys.send = (step) => setTriggerValue("step", step);
  // A listener that is added again is not added twice.
  document.addEventListener("keydown", keys.press);
  document.documentElement.classList.add("presented");
  return () => {
    // Streamlit cleans up before each drawing, and draws only when it has asked for this module
    // again: until then the listener stays, or a key that is pressed in between would be lost.
    if (root.isConnected) return;
    document.removeEventListener("keydown", keys.press);
    document.documentElement.classList.remove("presented");
  };
}

function made() {
  const keys = {};
  keys.press = (event) => {
    const typed = event.composedPath()[0].matches?.("input, textarea, [contenteditable]");
    if (!(event.key in STEPS) || event.defaultPrevented || (typed && event.key !== "Escape")) return;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    keys.send(STEPS[event.key]);
  };
  return keys;
}
