// The ranking as a list: drag, arrow buttons, Alt+↑/↓, digits for grades. Texts are inserted only
// through textContent. Each edit is sent as a numbered event and stays in the queue until Python
// has applied it, so that no fast edit is lost or applied twice.
const lists = new WeakMap();

export default function (component) {
  const { data, parentElement, setStateValue } = component;
  let list = lists.get(parentElement);
  if (!list) {
    list = { queue: [], next: data.applied + 1, dragging: null };
    lists.set(parentElement, list);
  }
  list.data = data;
  list.queue = list.queue.filter((event) => event.n > data.applied);
  list.next = Math.max(list.next, data.applied + 1);

  list.send = (event) => {
    list.queue.push({ n: list.next++, ...event });
    setStateValue("events", [...list.queue]);
  };
  list.pick = (id) => setStateValue("picked", id);
  if (!list.dragging) draw(parentElement, list);
}

function draw(root, list) {
  const focused = root.activeElement?.closest?.("li")?.dataset.id;
  const held = root.activeElement?.dataset?.role;
  const old = root.querySelector(".list");
  const scrolled = old?.scrollTop ?? 0;
  old?.remove();
  const box = make("div", "list");
  const ranked = make("ol", "ranked");
  list.data.ranked.forEach((row, place) => ranked.append(line(root, list, row, place)));
  box.append(ranked);
  if (list.data.below) box.append(more(`${list.data.below} more below`));
  const rest = make("ol", list.data.rest.length ? "rest open" : "rest");
  rest.append(make("p", "note", "not retrieved"));
  list.data.rest.forEach((row) => rest.append(line(root, list, row, null)));
  if (list.data.unlisted) rest.append(more(`${list.data.unlisted} more`));
  box.append(rest);
  root.append(box);
  box.scrollTop = scrolled;
  if (focused !== undefined) {
    const item = [...box.querySelectorAll("li")].find((each) => each.dataset.id === focused);
    (item?.querySelector(`[data-role="${held}"]`) ?? item)?.focus();
  }
}

function more(hidden) {
  return make("p", "note", `… ${hidden}: use the table`);
}

function line(root, list, row, place) {
  const item = make("li", row.id === list.data.picked ? "row picked" : "row");
  item.dataset.id = row.id;
  item.tabIndex = 0;
  const where = place === null ? "not retrieved" : `rank ${place + 1}`;
  const grade = row.grade === null ? "unjudged" : `grade ${row.grade}`;
  item.setAttribute("aria-label", `${row.label}, ${where}, ${grade}`);

  const handle = make("span", "handle", "⠿");
  handle.setAttribute("aria-hidden", "true");
  handle.onpointerdown = (event) => drag(event, root, list, item, row);
  // The rank that is scored, after the convention has ordered equal scores.
  const rank = make("span", "rank", place === null ? "–" : String(place + 1));
  if (row.tied) rank.title = "Same score as the document above; the convention orders them";
  const name = make("span", "name", row.label);
  name.title = row.label;
  item.append(handle, rank, name);

  const ask = (what, value) => () => list.send({ do: what, id: row.id, value });
  if (place > 0) {
    const tie = button("tie", "=", "Same score as the document above", ask("tie"));
    tie.setAttribute("aria-pressed", String(row.tied));
    item.append(tie);
  }
  item.append(
    button("less", "−", "Lower the grade", ask("less")),
    make("span", row.grade === null ? "grade unjudged" : "grade", row.grade ?? "?"),
    button("more", "+", "Raise the grade", ask("more")),
    button("up", "▲", "Move up", ask("up")),
    button("down", "▼", "Move down", ask("down")),
  );

  const bar = make("span", "bar");
  bar.style.width = `${Math.max(0, row.share) * 100}%`;
  item.append(bar);

  const choose = () => list.pick(row.id === list.data.picked ? "" : row.id);
  item.onclick = (event) => !event.target.closest("button") && choose();
  item.onkeydown = (event) => {
    const key = event.key;
    if (event.altKey && key === "ArrowUp") ask("up")();
    else if (event.altKey && key === "ArrowDown") ask("down")();
    else if (event.altKey || event.ctrlKey || event.metaKey) return;
    else if (/^[0-9]$/.test(key)) ask("grade", Number(key))();
    else if (key === "?") ask("grade", null)();
    else if (key === "=") ask("tie")();
    else if (key === "ArrowUp") neighbour(root, item, -1);
    else if (key === "ArrowDown") neighbour(root, item, 1);
    else if (key === "Enter" && event.target === item) choose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return item;
}

function drag(event, root, list, item, row) {
  if (event.button !== 0) return;
  event.preventDefault();
  // The row itself moves only when it is dropped, because a moved node loses the pointer.
  const handle = event.currentTarget;
  const marker = make("div", "marker");
  const box = root.querySelector(".list");
  const ranked = root.querySelector(".ranked");
  const rest = root.querySelector(".rest");
  list.dragging = row.id;
  item.classList.add("dragged");
  rest.classList.add("open");
  handle.setPointerCapture(event.pointerId);
  handle.onpointermove = ({ clientY }) => {
    const { top, bottom } = box.getBoundingClientRect();
    if (clientY < top + 24) box.scrollTop -= 12;
    if (clientY > bottom - 24) box.scrollTop += 12;
    const target = clientY > rest.getBoundingClientRect().top ? rest : ranked;
    const below = [...target.querySelectorAll("li.row")].find((each) => {
      const { top, height } = each.getBoundingClientRect();
      return clientY < top + height / 2;
    });
    target.insertBefore(marker, below ?? null);
  };
  handle.onpointerup = handle.onpointercancel = (end) => {
    handle.onpointermove = handle.onpointerup = handle.onpointercancel = null;
    list.dragging = null;
    const target = marker.parentElement;
    const above = [...ranked.children].slice(0, [...ranked.children].indexOf(marker));
    const rank = above.filter((each) => each !== item).length + 1;
    const moved = target === ranked ? rank !== row.place : target && row.place;
    if (end.type === "pointerup" && moved) {
      list.send({ do: "move", id: row.id, value: target === ranked ? rank : null });
    }
    draw(root, list);
  };
}

function neighbour(root, item, step) {
  const all = [...root.querySelectorAll("li.row")];
  all[all.indexOf(item) + step]?.focus();
}

function button(role, text, label, act) {
  const made = make("button", role, text);
  made.type = "button";
  made.dataset.role = role;
  made.title = label;
  made.setAttribute("aria-label", label);
  made.onclick = act;
  return made;
}

function make(tag, name, text = "") {
  const made = document.createElement(tag);
  made.className = name;
  made.textContent = text;
  return made;
}
