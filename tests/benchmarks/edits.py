"""Time edits in a browser until the new score is shown: ``python -m tests.benchmarks.edits``.

A ranking of 20 documents is edited by keyboard, one edit after the other; each is timed inside the
page, from the key until the score moves, which here the browser can compute, and until Python's
answer is drawn. Before each, the same is timed in `floor.py`, the smallest such app, on a server
with the same options.
"""

import argparse
import random
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Browser, Page, sync_playwright

from metrics import TREC_EVAL
from metrics.editing.hand_ranking import Entry, HandRanking
from metrics.editing.ranking_link import pack
from metrics.teaching.samples import catalogue
from pages.ui.inspect.panels import TABS
from tests.benchmarks.comparing import STILL, launched
from tests.browser.conftest import PATIENCE, ROOT, serve

SMALLEST = ("--edits", "1", "--only", next(iter(TABS)))

# Presses a key on a row and, when nothing changes any more, resolves to the milliseconds until the
# score began to change and until the last of it and of the sentences about it had.
TIMED = """
([place, key, rest]) => new Promise((done, late) => {
  const roots = [...document.querySelectorAll('*')].map(e => e.shadowRoot).filter(Boolean);
  const texts = sought => [document, ...roots]
    .flatMap(root => [...root.querySelectorAll(sought)]).map(value => value.textContent).join();
  const shown = () => ['[data-testid="stMetricValue"], .score .value', '.lines'].map(texts);
  const list = roots.find(root => root.querySelector('li.row'));
  const row = list.querySelectorAll('li.row')[place];
  let was = shown();
  const start = performance.now(), due = texts('.lines') ? 2 : 1, changed = [];
  const timer = setTimeout(() => { watch.disconnect(); late('no new score'); }, 10000);
  let still, frame = null;
  const watch = new MutationObserver(() => frame ??= requestAnimationFrame(() => {
    frame = null;
    const now = shown(), time = performance.now() - start;
    if (now.every((text, at) => text === was[at])) return;
    now.forEach((text, at) => { if (text !== was[at]) changed.push([at, time]); });
    was = now;
    if (new Set(changed.map(([at]) => at)).size < due) return;
    clearTimeout(timer); clearTimeout(still);
    const first = changed.find(([at]) => at === 0)[1];
    still = setTimeout(() => { watch.disconnect(); done([first, changed.at(-1)[1]]); }, rest);
  }));
  for (const root of [document.body, ...roots]) {
    watch.observe(root, { subtree: true, childList: true, characterData: true });
  }
  row.dispatchEvent(new KeyboardEvent('keydown', { key, altKey: true, bubbles: true }));
})
"""
IDLE = "() => new Promise(done => requestIdleCallback(done))"
REST = 500
"""After so many milliseconds without a change an answer is whole; a number counts for less."""
DATA, DEPTH = "shop", 20
WARM = 5
"""At first so many edits are not counted, while caches fill."""
MOVED = range(4, 11)
"""The documents at these ranks are moved, where each move changes the score's four decimals; the
last one is unjudged."""


def ranking() -> HandRanking:
    """Return twenty documents of the sample, with distinct grades except for the last one."""
    dataset = catalogue()[DATA].load()
    query = dataset.qrels.queries[0]
    own = HandRanking.from_run(dataset.qrels, dataset.runs[0], query, TREC_EVAL).retrieved[:DEPTH]
    grades = [5.0 * grade for grade in random.Random(1).sample(range(DEPTH), DEPTH)]
    *judged, last = map(Entry, (entry.document for entry in own), grades)
    return HandRanking(query, (*judged, replace(last, grade=None)))


def move(draw: random.Random) -> tuple[int, str]:
    """Return the place of a document from 0, and the key that moves it by one rank."""
    return draw.choice(MOVED) - 1, draw.choice(("ArrowDown", "ArrowUp"))


def timed(page: Page, place: int, key: str) -> list[float]:
    """Return the milliseconds from a key on a row until the score moves, and to Python's answer."""
    found: list[float] = page.evaluate(TIMED, [place, key, REST])
    page.wait_for_selector(STILL)
    page.evaluate(IDLE)
    return found


def pairs(floor: Page, page: Page, edits: int) -> NDArray[np.float64]:
    """Return each edit's milliseconds as columns: the smallest app, and Rankscope's two."""
    draw = random.Random(2)
    found = [(timed(floor, 0, "")[0], *timed(page, *move(draw))) for _ in range(WARM + edits)]
    return np.array(found[WARM:])


def opened(browser: Browser, address: str) -> Page:
    """Open a page and wait until it is still."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    page.wait_for_selector("li.row")
    page.wait_for_selector(STILL)
    return page


@contextmanager
def smallest() -> Iterator[str]:
    """Serve `floor.py` with Rankscope's options, and give its address."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / ".streamlit", Path(folder, ".streamlit"))
        shutil.copy(Path(__file__).with_name("floor.py"), Path(folder, "app.py"))
        with contextmanager(serve)(Path(folder)) as address:
            yield address


def line(name: str, found: NDArray[np.float64]) -> str:
    """Return a row of the report: medians and 95th percentiles, and how far they are apart."""
    shown = [name]
    for quantile in (50, 95):
        floor, *ours = np.percentile(found, quantile, axis=0)
        shown += [f"{floor:.0f}", *(f"{each:.0f} ({each / floor:.1f} ×)" for each in ours)]
    return f"| {' | '.join(shown)} |"


HEAD = """
| open look | median ms: floor | moves | answer | p95 ms: floor | moves | answer |
|:--|--:|--:|--:|--:|--:|--:|"""


def main(argv: Sequence[str] | None = None) -> None:
    """Print the times for each closer look that can be open, and for all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=60)
    parser.add_argument("--only", nargs="+", choices=TABS, default=list(TABS))
    args = parser.parse_args(argv)
    with (
        sync_playwright() as playwright,
        launched(playwright) as browser,
        smallest() as least,
        contextmanager(serve)() as app,
    ):
        floor, every = opened(browser, least), []
        print(HEAD.strip())
        for look in args.only:
            shown = ranking()
            link = {"example": DATA, "query": shown.query, "k": DEPTH, "view": look}
            address = f"{app}/inspect_query?{urlencode(link | {'ranking': pack(shown)})}"
            page = opened(browser, address)
            every.append(pairs(floor, page, args.edits))
            print(line(look, every[-1]), flush=True)
            page.close()
        print(line("all", np.concatenate(every)))


if __name__ == "__main__":
    main()
