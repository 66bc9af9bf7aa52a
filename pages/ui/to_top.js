// Scrolls to the top of a page that was reached from another page, where Streamlit keeps the
// position of the page before. The element itself takes no room.
const shown = new WeakMap();

export default function (component) {
  const { data, parentElement } = component;
  const host = parentElement.getRootNode().host ?? parentElement;
  const element = host.closest('[data-testid="stElementContainer"]');
  if (element) element.style.display = "none";
  const main = document.querySelector('[data-testid="stMain"]');
  if (main && data.visit > (shown.get(main) ?? 0)) main.scrollTo(0, 0);
  if (main) shown.set(main, data.visit);
}
