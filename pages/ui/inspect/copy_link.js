// A button that copies a link, and the link as text beside it. The texts are set as values and
// through textContent only.
let last = null;

export default function ({ data, parentElement }) {
  const row = parentElement.querySelector(".row") ?? made(parentElement);
  const [button, status, field] = row.children;
  if (field.value !== data.link) status.textContent = "";
  button.textContent = data.label;
  button.classList.toggle("primary", data.primary);
  field.value = data.link;
  field.setAttribute("aria-label", `Link of “${data.label}”`);
  button.onclick = async () => {
    const copied = await copy(field);
    // Only the link that was copied last is in the clipboard.
    if (last) last.textContent = "";
    last = status;
    status.textContent = copied ? "Copied" : "Not copied: the link is selected, copy it yourself.";
  };
}

function made(root) {
  const row = document.createElement("div");
  row.className = "row";
  const [button, status, field] = ["button", "span", "input"].map((tag) => document.createElement(tag));
  button.type = "button";
  status.setAttribute("role", "status");
  field.readOnly = true;
  field.onfocus = () => field.select();
  row.append(button, status, field);
  root.append(row);
  return row;
}

async function copy(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    // Without https there is no clipboard, but a selected text can be copied.
    field.focus();
    field.select();
    return document.execCommand("copy");
  }
}
