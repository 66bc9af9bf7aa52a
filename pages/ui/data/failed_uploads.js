// Says for each file that could not be uploaded why, and what to do. Streamlit marks such a file in
// its field, and says why only to who points at it.
const AGAIN = "Then choose the file again. What was loaded before stays.";
const WHY = [
  ["Network Error", `the connection to the server was cut. Check your network. ${AGAIN}`],
  ["status code 413", "it is larger than uploads may be. Cut rankings at a smaller depth. What was loaded before stays."],
  ["status code 507", `the server's disk is full. Ask whoever runs it to free its temporary folder. ${AGAIN}`],
  ["status code", `the server could not receive it. Choose the file again; if that fails, reload the page first. What was loaded before stays.`],
];

export default function ({ parentElement }) {
  const list = only(parentElement, "ul", "", "", { role: "alert" });
  const look = () => {
    const chips = [...document.querySelectorAll('[data-testid="stFileChip"][aria-invalid="true"]')];
    const texts = chips.map((chip) => {
      const name = chip.querySelector('[data-testid="stFileChipName"]')?.title ?? "A file";
      const said = chip.querySelector('[role="alert"]')?.textContent ?? "";
      const [, why] = WHY.find(([part]) => said.includes(part)) ?? [];
      return why ? `${name} was not uploaded: ${why}` : `${name} was not uploaded. ${said}`;
    });
    const shown = [...list.children].map((item) => item.textContent);
    if (texts.join("\n") === shown.join("\n")) return;
    list.replaceChildren(...texts.map((text) => make("li", "", text)));
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, {
    childList: true, subtree: true, attributes: true, attributeFilter: ["aria-invalid"],
  });
  look();
  return () => observer.disconnect();
}
