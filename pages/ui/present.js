// The keys of a presentation, and a class of the document, under which all its text is large.
const STEPS = { ArrowLeft: -1, PageUp: -1, ArrowRight: 1, PageDown: 1, Escape: 0 };

export default function ({ parentElement: root, setTriggerValue }) {
  const keys = kept(root, made);
  keys.send = (step) => setTriggerValue("step", step);
  const end = hear(root, [[document, "keydown", keys.press]]);
  document.documentElement.classList.add("presented");
  return () => {
    end();
    if (!root.isConnected) document.documentElement.classList.remove("presented");
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
