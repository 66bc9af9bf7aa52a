// A card for each file that was read: judgments with a bar for each grade, rankings with their judged
// share; below them what was found. Texts are inserted only through textContent.

export default function ({ data, parentElement, setTriggerValue }) {
  const box = only(parentElement, "div", "read");
  const cards = make("ul", "cards", "", { "data-picture": "" });
  const remove = (at) => data.removable[at] ? [Object.assign(button("Remove", "It can be restored", () => setTriggerValue("removed", at)), { ariaLabel: `Remove ${data.cards[at].name}` })] : [];
  box.replaceChildren(put(cards, ...data.cards.map((each, at) => card(each, data.sides[each.name], remove(at)))), ...data.found.map(found));
}

function card({ what, name, size, dots, grades, judged, of, more }, side, remove) {
  const made = put(make("li"), ...remove, put(make("h3"), ...(side ? [make("b", `side ${side}`, side)] : []), name), make("p", "", `${what} · ${size}`));
  if (grades) {
    const rows = grades.map((each) => row(each, dots));
    made.append(put(make("table"), make("caption", "", "How many documents have each grade"), ...rows));
  }
  if (judged === 100) made.append(make("p", "", `All of ${of} judged`));
  else if (of) made.append(put(make("p", "share"), make("strong", "", `${judged.toFixed(1)} %`), ` of ${of} judged`), meter("bar", judged / 100, "div"));
  return put(made, make("p", "", more));
}

/** How many documents have a grade, with its dots. */
function row([grade, share, many, queries], dots) {
  const shown = put(make("span", "dots", "", { "aria-hidden": "true" }), ...(dots ? gradeDots(Number(grade), dots) : []));
  return put(make("tr"), put(make("th", "", "", { scope: "row" }), shown, grade), meter("bar", share / 100, "td"), make("td", "", many), make("td", "queries", queries));
}

/** What was found: the files and the sentence of each, and what to do; pressed, why. */
function found({ title, open, lines }) {
  if (!lines.length) return make("strong", "", title);
  const listed = lines.map(([files, said, todo, why]) => {
    const line = [make("strong", "", `${files}:`), ` ${said} ${todo} `];
    return put(make("li"), ...(why ? [put(make("details"), put(make("summary"), ...line, make("u", "", "Why")), make("p", "", why))] : line));
  });
  const made = put(make("details"), make("summary", "", title), put(make("ul"), ...listed));
  made.open = open;
  return made;
}
