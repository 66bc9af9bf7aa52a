// A table for paper and for phones. Texts are inserted through textContent.
const LONGEST = 12;

export default function ({ data, parentElement }) {
  const drawn = parentElement.querySelector("table") ?? document.createElement("table");
  const head = document.createElement("thead");
  head.append(row(data.columns, "th", data.numbers));
  [...head.rows[0].cells].forEach((cell, at) => cell.style.setProperty("--word", word(data, at)));
  const body = document.createElement("tbody");
  body.append(...data.rows.map((cells, at) => row(cells, "td", data.numbers, data.lit[at])));
  const more = document.createElement("caption");
  more.textContent = data.more;
  drawn.replaceChildren(...(data.more ? [more] : []), head, body);
  if (!drawn.isConnected) parentElement.append(drawn);
}

// The room of a column's longest word, in bold letters too; longer ids wrap.
function word({ columns, rows }, at) {
  const words = [columns, ...rows].flatMap((cells) => cells[at].split(/\s/));
  return `${1 + Math.min(LONGEST, Math.max(...words.map((each) => each.length)))}ch`;
}

function row(texts, tag, numbers, lit = []) {
  const made = document.createElement("tr");
  texts.forEach((text, at) => {
    const cell = document.createElement(tag);
    cell.textContent = text;
    cell.classList.toggle("number", numbers[at]);
    // Only the columns after the index can stand out.
    cell.classList.toggle("lit", lit[at - texts.length + lit.length] ?? false);
    made.append(cell);
  });
  return made;
}
