// A table for paper. Texts are inserted through textContent.
export default function ({ data, parentElement }) {
  const drawn = parentElement.querySelector("table") ?? document.createElement("table");
  const head = document.createElement("thead");
  head.append(row(data.columns, "th", data.numbers));
  const body = document.createElement("tbody");
  body.append(...data.rows.map((cells) => row(cells, "td", data.numbers)));
  const more = document.createElement("caption");
  more.textContent = data.more;
  drawn.replaceChildren(...(data.more ? [more] : []), head, body);
  if (!drawn.isConnected) parentElement.append(drawn);
}

function row(texts, tag, numbers) {
  const made = document.createElement("tr");
  texts.forEach((text, at) => {
    const cell = document.createElement(tag);
    cell.textContent = text;
    if (numbers[at]) cell.className = "number";
    made.append(cell);
  });
  return made;
}
