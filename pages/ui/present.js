// The keys of a presentation, and a class of the document, under which all its text is large.
export default function ({ setTriggerValue }) {
  const steps = { ArrowLeft: -1, PageUp: -1, ArrowRight: 1, PageDown: 1, Escape: 0 };
  const press = (event) => {
    const typed = event.composedPath()[0].matches?.("input, textarea, [contenteditable]");
    if (!(event.key in steps) || event.defaultPrevented || (typed && event.key !== "Escape")) return;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    setTriggerValue("step", steps[event.key]);
  };
  document.addEventListener("keydown", press);
  document.documentElement.classList.add("presented");
  return () => {
    document.removeEventListener("keydown", press);
    document.documentElement.classList.remove("presented");
  };
}
