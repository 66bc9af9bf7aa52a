"""Time large runs in a browser: ``python -m tests.benchmarks.comparing``.

By default each run has 6,980 queries and 1,000 documents per query. The first line shows the time
to upload the files, to read them, and to draw the complete overview; the others are single
interactions, from the click to the finished page.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np
from playwright.sync_api import Browser, Locator, Page, Playwright, Response, sync_playwright
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.ui import state
from pages.ui.widgets import MORE
from tests.benchmarks.generate import FIRST_QUERY, SIZES, shaken, write
from tests.browser.conftest import FLAGS, NAMES, serve, settled, which

Action = Callable[[], None]

SMALLEST = ("--size", "tiny", "--times", "1")

# Tells when the server says that no run is under way: where a run is short, the page itself never
# says that it began.
STOPPED = """
const plain = WebSocket, stopped = 'BYTES';
window.WebSocket = class extends plain {
  constructor(...how) {
    super(...how);
    this.addEventListener('message', ({ data }) => {
      if (new Uint8Array(data).join() === stopped) window.dispatchEvent(new Event('stopped'));
    });
  }
};
""".replace("BYTES", ",".join(map(str, ForwardMsg(session_status_changed={}).SerializeToString())))
# Resolves to the milliseconds until the page has run and is still, two frames later.
ANSWERED = """
() => {
  const app = document.querySelector('[data-testid="stApp"]'), start = performance.now();
  window.answered = new Promise((done, late) => {
    const timer = setTimeout(() => late('no answer'), 60000);
    window.addEventListener('stopped', () => {
      const look = () => requestAnimationFrame(() => requestAnimationFrame(() => {
        if (app.dataset.testScriptState !== 'notRunning') return look();
        clearTimeout(timer);
        done(performance.now() - start);
      }));
      look();
    }, { once: true });
  });
}
"""

STILL = '[data-testid="stApp"][data-test-script-state="notRunning"]'
PRIMARY = '[data-testid="stBaseButton-primary"]'


def launched(playwright: Playwright) -> Browser:
    """Start the Chromium on the PATH."""
    program = next(filter(None, map(which, NAMES)), None)
    if program is None:
        raise SystemExit(f"No Chromium on the PATH (looked for {', '.join(NAMES)}).")
    return playwright.chromium.launch(executable_path=program, args=FLAGS)


def answered(page: Page, act: Action) -> float:
    """Return the milliseconds from an interaction to the finished page."""
    page.evaluate(ANSWERED)
    act()
    found: float = page.evaluate("() => window.answered")
    return found


def upload(page: Page, url: str, qrels: Path, runs: list[Path]) -> tuple[float, float, float]:
    """Return the seconds to upload the files, to read them, and to draw the whole overview."""
    page.goto(f"{url}/data")
    settled(page)
    carried = []
    page.on("response", lambda got: carried.append(time.perf_counter()) if _took(got) else None)
    start = time.perf_counter()
    page.locator('input[type="file"]').set_input_files([qrels, *runs])
    # The button that compares the runs appears with them. `expect` is too coarse: it checks only
    # once a second.
    page.wait_for_selector(PRIMARY, timeout=300_000)
    page.wait_for_selector(STILL)
    read = time.perf_counter()
    page.locator(PRIMARY).first.click()
    page.wait_for_url("**/compare_runs*")
    page.get_by_role("tab").first.wait_for(timeout=60_000)
    page.wait_for_selector(STILL)
    return carried[-1] - start, read - carried[-1], time.perf_counter() - read


def _took(got: Response) -> bool:
    """Return whether a response ends the upload of a file."""
    return "/_stcore/upload_file/" in got.url and got.request.method == "PUT"


WORDS = {state.K: "Cutoff-k", state.MEASURE: "Measure", state.PICKED: "Query"}
"""How the keys of the settings that words open begin, by their widget."""


def box(page: Page, key: str) -> Locator:
    """Return the field of the widget with a key, whatever its label says."""
    return page.locator(f".st-key-{key} input").first


def opened(page: Page, key: str) -> None:
    """Press the words that open a widget."""
    words = page.locator(f'[class*="st-key-setting-{WORDS[key]}"]').first
    words.get_by_role("button").first.click()


def enter(page: Page, key: str, value: str) -> Action:
    """Return what types a value into a widget; in a list, Enter takes the first that fits."""

    def act() -> None:
        field = box(page, key)
        if key in WORDS and not field.is_visible():
            opened(page, key)
        field.click()
        field.fill(value)
        field.press("Enter")

    return act


def interactions(page: Page, size: str, times: int) -> Iterator[tuple[str, str, dict[str, Action]]]:
    """Yield typical interactions: a name, the key of a widget, and what sets each value."""
    cutoffs = [str(11 + i) for i in range(times)]
    yield "another cutoff", state.K, {k: enter(page, state.K, k) for k in cutoffs}
    names = ["ERR", "Success", "RR", "AP", "Bpref", "Judged", "nDCG"]
    measures = {name: enter(page, state.MEASURE, name) for name in names[:times]}
    yield "another measure", state.MEASURE, measures
    shown = page.locator(".st-key-two_lists .title").inner_text()
    others = [q for q in map(str, queries(size, times + 1)) if q != shown][:times]
    yield "another query", state.PICKED, {q: enter(page, state.PICKED, q) for q in others}
    # The first one is already open.
    first, *looks = page.get_by_role("tab").all_inner_texts()
    for look in [*looks, first, *(looks if times > 1 else [])]:
        tab = page.get_by_role("tab", name=look, exact=True)
        # The last one opens the first of those that are not in the row.
        yield look, state.TAB, {look if look != MORE else "One document": tab.click}


def queries(size: str, times: int) -> range:
    """Return the numbers of so many queries, spread over a run of this size."""
    many = SIZES[size].queries
    return range(FIRST_QUERY, FIRST_QUERY + many, max(1, many // times))


def require(page: Page, key: str, value: str) -> None:
    """Refuse to time anything but what was meant: the address has each widget's value."""
    # It leaves out a default.
    (found,) = parse_qs(urlsplit(page.url).query).get(key, [value])
    if found != value:
        raise SystemExit(f"{key} is {found!r} after {value!r} was entered.")


def main(argv: Sequence[str] | None = None) -> None:
    """Print each interaction's median and 95th percentile."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", choices=SIZES, default="M")
    parser.add_argument("--times", type=int, default=12)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="keep the generated files here")
    args = parser.parse_args(argv)
    with (
        tempfile.TemporaryDirectory() as scratch,
        sync_playwright() as playwright,
        launched(playwright) as browser,
    ):
        folder = args.folder or Path(scratch)
        qrels, first = write(folder, args.size)
        runs = [first, *(shaken(first, seed) for seed in range(2, args.runs + 1))]
        with contextmanager(serve)() as url:
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            page.add_init_script(STOPPED)
            carried, read, overview = upload(page, url, qrels, runs)
            print(f"upload {carried:.1f} s, reading {read:.1f} s, overview {overview:.1f} s\n")
            print("| interaction | times | median ms | p95 ms |\n|:--|--:|--:|--:|")
            every: list[float] = []
            for name, key, acts in interactions(page, args.size, args.times):
                found = []
                for value, act in acts.items():
                    found.append(answered(page, act))
                    require(page, key, value)
                every += found
                print(_row(name, sorted(found)), flush=True)
            print(_row("all", sorted(every)))


def _row(name: str, found: list[float]) -> str:
    p95 = np.percentile(found, 95)
    return f"| {name} | {len(found)} | {found[len(found) // 2]:.0f} | {p95:.0f} |"


if __name__ == "__main__":
    main()
