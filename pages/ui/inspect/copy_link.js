// A button that copies a link, and the link as text beside it. The texts are set as values and
// through textContent only.
let last = null;

export default function ({ data, parentElement }) {
  const [copier, status, field] = kept(parentElement, made).children;
  if (field.value !== data.link) status.textContent = "";
  copier.textContent = data.label;
  copier.classList.toggle("primary", data.primary);
  field.value = data.link;
  field.setAttribute("aria-label", `Link of “${data.label}”`);
  copier.onclick = async () => {
    const copied = await copy(field);
    // Only the link that was copied last is in the clipboard.
    if (last) last.textContent = "";
    last = status;
    status.textContent = copied ? "Copied" : "Not copied: the link is selected, copy it yourself.";
  };
}

function made(root) {
  const field = make("input");
  field.readOnly = true;
  field.onfocus = () => field.select();
  return root.appendChild(put(make("div", "row"), button(""), make("span", "", "", { role: "status" }), field));
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
