// Both rankings as cards in two columns. Texts are inserted only through textContent. Keys move the
// focus at once; the server hears of the selected document when the keys rest.
const REST = 200;

export default function (component) {
  const { data, parentElement, setStateValue } = component;
  const board = kept(parentElement, () => ({ timer: 0, goal: null }));
  if (board.data?.query !== data.query) {
    clearTimeout(board.timer);
    Object.assign(board, { timer: 0, goal: null });
  }
  board.data = data;
  if (!board.timer) board.picked = data.picked;
  board.send = (change) => {
    clearTimeout(board.timer);
    board.timer = 0;
    const { query, page, opened } = board.data;
    setStateValue("view", { query, page, opened, picked: board.picked, ...change });
  };
  draw(parentElement, board);
}

function draw(root, board) {
  const { data } = board;
  const held = root.activeElement?.closest?.("button")?.dataset;
  root.querySelector(".results")?.remove();

  const results = make("div", "results", "", { role: "group", "aria-label": "Results of both runs" });
  // Equal ranks are beside each other, until a card is open: it makes its own column longer alone.
  const box = make("div", data.opened ? "box" : "box even");
  const rows = Math.max(...data.sides.map((side) => side.cards.length));
  box.style.setProperty("--rows", rows + 1);
  box.append(...data.sides.map((side) => column(root, board, side)));
  root.append(put(results, box, pager(board)));

  if (board.goal && board.goal.page === data.page) {
    const { side, last } = board.goal;
    board.goal = null;
    const heads = headsOf(root, side);
    select(root, board, last ? heads.at(-1) : heads[0]);
  } else if (held?.id !== undefined) {
    find(root, held.side, held.id)?.focus({ preventScroll: true });
  } else if (held?.role) {
    root.querySelector(`[data-role="${held.role}"]`)?.focus({ preventScroll: true });
  }
  light(root, board);
}

function column(root, board, side) {
  const names = [make("span", "letter", side.name), make("span", "name", side.run)];
  const heading = put(make("h3", "run"), ...names, make("span", "score", side.score));
  heading.title = side.run;
  const list = make("ol", "cards", "", { role: "list", "aria-label": `Run ${side.name}` });
  list.append(...side.cards.map((card) => line(root, board, side, card)));
  return put(make("section", `side ${side.name}`), heading, side.cards.length ? list : make("p", "note", "No documents here."));
}

function line(root, board, side, card) {
  const [ofSide, ofId] = board.data.opened ?? [];
  const open = ofSide === side.name && ofId === card.id;
  const item = make("li", "card");
  item.dataset.id = card.id;

  const head = button("");
  head.className = "head";
  head.tabIndex = -1;
  Object.assign(head.dataset, { side: side.name, id: card.id });
  head.ariaExpanded = String(open);
  const grade = card.grade === "?" ? "unjudged" : `grade ${card.grade}`;
  const title = card.title.length ? card.title : [[card.label, false]];
  const name = title.map(([piece]) => piece).join("");
  head.ariaLabel = `Rank ${card.rank}, ${card.moved}, ${grade}${card.earned && `, earned ${card.earned}`}: ${name}`;
  const move = make("span", "move", card.move);
  move.title = card.moved;
  const badge = graded(card.grade, board.data.dots);
  badge.title = grade;
  const bar = make("span", "bar");
  bar.style.width = `${100 * card.share}%`;
  const earned = make("span", "earned", card.earned);
  earned.title = "Contribution to the score";
  earned.append(bar);
  const shown = pieces("span", "title", title);
  shown.title = name;
  head.append(make("span", "rank", String(card.rank)), move, badge, shown, earned);
  item.append(head);
  if (card.title.length) item.append(make("p", "id", card.label));
  if (open) item.append(whole(board.data.whole, name));
  else if (card.snippet.length) item.append(pieces("p", "snippet", card.snippet));

  item.onclick = (event) => {
    // Text of an open card can be marked with the mouse.
    if (event.target.closest(".whole")) return;
    board.picked = card.id;
    head.focus({ preventScroll: true });
    light(root, board);
    board.send({ opened: open ? null : [side.name, card.id] });
  };
  head.onkeydown = (event) => walk(event, root, board, head);
  return item;
}

function whole(data, name) {
  const region = make("div", "whole", "", { role: "region", "aria-label": `Full text: ${name}` });
  region.tabIndex = 0;
  region.append(
    data.text.length ? pieces("p", "text", data.text) : make("p", "note", "There is no text."),
  );
  if (data.fields.length) {
    const fields = data.fields.flatMap(([key, value]) => [make("dt", "", key), pieces("dd", "", value)]);
    region.append(put(make("dl", "fields"), ...fields));
  }
  return region;
}

function pager(board) {
  const { page, pages, range } = board.data;
  const bar = make("nav", "pager", "", { "aria-label": "Pages of results" });
  const turn = (role, label, to) => {
    const made = button(label, "", () => board.send({ page: to, opened: null }));
    made.className = "turn";
    made.dataset.role = role;
    made.disabled = to < 1 || to > pages;
    return made;
  };
  const shown = make("span", "range", range, { "aria-live": "polite" });
  const keys = make("span", "keys", "Keys: j and k or ↑ and ↓ move, Enter opens");
  return put(bar, turn("previous", "‹ Previous", page - 1), shown, turn("next", "Next ›", page + 1), keys);
}

const STEPS = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };
const ACROSS = ["h", "l", "ArrowLeft", "ArrowRight"];

function walk(event, root, board, head) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const heads = headsOf(root, head.dataset.side);
  const place = heads.indexOf(head);
  const step = STEPS[event.key];
  if (step) {
    const next = heads[place + step];
    const to = board.data.page + step;
    if (next) select(root, board, next);
    else if (to >= 1 && to <= board.data.pages) {
      board.goal = { page: to, side: head.dataset.side, last: step < 0 };
      board.send({ page: to, opened: null });
    }
  } else if (ACROSS.includes(event.key)) {
    const left = event.key === "h" || event.key === "ArrowLeft";
    const others = headsOf(root, left ? "A" : "B");
    const beside = others[Math.min(place, others.length - 1)];
    if (beside) select(root, board, beside);
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

function select(root, board, head) {
  if (!head) return;
  head.focus();
  board.picked = head.dataset.id;
  light(root, board);
  clearTimeout(board.timer);
  board.timer = setTimeout(() => board.send({}), REST);
}

// The picked document is lit in both columns; Tab leads to the card in focus, or to that document.
function light(root, board) {
  const heads = [...root.querySelectorAll(".head")];
  const isPicked = (head) => head.dataset.id === board.picked;
  heads.forEach((head) => {
    const card = head.closest(".card");
    card.classList.toggle("picked", isPicked(head));
    head.ariaCurrent = isPicked(head) || null;
    head.tabIndex = -1;
  });
  const first = heads.find((head) => head === root.activeElement) ?? heads.find(isPicked) ?? heads[0];
  if (first) first.tabIndex = 0;
}

function headsOf(root, side) {
  return [...root.querySelectorAll(".head")].filter((head) => head.dataset.side === side);
}

function find(root, side, id) {
  return headsOf(root, side).find((head) => head.dataset.id === id);
}

function pieces(tag, name, parts) {
  return put(make(tag, name), ...parts.map(([text, marked]) => make(marked ? "mark" : "span", "", text)));
}
