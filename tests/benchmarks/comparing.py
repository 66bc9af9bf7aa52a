"""Time large runs in a browser: ``python -m tests.benchmarks.comparing``.

By default each run has 6,980 queries and 1,000 documents per query. The first line shows the time
to upload the files, to read them, and to draw the complete overview; the others are single
interactions, from the click to the finished page.
"""

import argparse
import re
import tempfile
import time
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, Response, sync_playwright

from tests.benchmarks.generate import SIZES, shaken, write
from tests.browser.conftest import FLAGS, NAMES, serve, settled, which

# Resolves to the milliseconds until the page has run and is still, two frames later.
ANSWERED = """
() => {
  const app = document.querySelector('[data-testid="stApp"]'), start = performance.now();
  window.answered = new Promise((done, late) => {
    let ran = false;
    const timer = setTimeout(() => { watch.disconnect(); late('no answer'); }, 60000);
    const watch = new MutationObserver(() => {
      if (app.dataset.testScriptState !== 'notRunning') { ran = true; return; }
      if (!ran) return;
      watch.disconnect(); clearTimeout(timer);
      const end = () => done(performance.now() - start);
      requestAnimationFrame(() => requestAnimationFrame(end));
    });
    watch.observe(app, { attributes: true, attributeFilter: ['data-test-script-state'] });
  });
}
"""

STILL = '[data-testid="stApp"][data-test-script-state="notRunning"]'


def answered(page: Page, act) -> float:
    """Return the milliseconds from an interaction to the finished page."""
    page.evaluate(ANSWERED)
    act()
    return page.evaluate("() => window.answered")


def upload(page: Page, url: str, qrels: Path, runs: list[Path]) -> tuple[float, float, float]:
    """Return the seconds to upload the files, to read them, and to draw the whole overview."""
    page.goto(f"{url}/data")
    settled(page)
    carried = []
    page.on("response", lambda got: carried.append(time.perf_counter()) if _took(got) else None)
    start = time.perf_counter()
    page.locator('input[type="file"]').set_input_files([qrels, *runs])
    button = page.get_by_role("button", name="Compare the runs")
    # `expect` is too coarse: it checks only once a second.
    button.wait_for(timeout=300_000)
    page.wait_for_selector(STILL)
    read = time.perf_counter()
    button.click()
    page.get_by_text("mean nDCG@10, A").wait_for(timeout=60_000)
    page.get_by_text("Open this query of run B in Inspect").wait_for(timeout=60_000)
    page.wait_for_selector(STILL)
    return carried[-1] - start, read - carried[-1], time.perf_counter() - read


def _took(got: Response) -> bool:
    """Return whether a response ends the upload of a file."""
    return "/_stcore/upload_file/" in got.url and got.request.method == "PUT"


def choose(page: Page, label: str, option: str) -> None:
    """Choose an option by typing it; an option that is not listed is added."""
    box = page.get_by_role("combobox", name=re.compile(label)).first
    box.click()
    box.fill(option)
    page.get_by_role("option", name=re.compile(f"^(Add: )?{option}$")).first.click()


def interactions(page: Page, times: int):
    """Yield typical interactions, each with a name and one action per repetition."""
    k = page.get_by_label("k", exact=True)

    def cutoff(value: int):
        def act() -> None:
            k.fill(str(value))
            k.press("Enter")

        return act

    yield "another cutoff", [cutoff(11 + i) for i in range(times)]
    names = ["ERR", "RBP", "RR", "AP", "Bpref", "DCG", "nDCG"]
    yield "another measure", [lambda n=n: choose(page, "Measure", n) for n in names]
    queries = [f"{1_000_000 + 7 * i}" for i in range(times)]
    yield "another query", [lambda q=q: choose(page, "Query", q) for q in queries]
    # The first one is already open.
    first, *others = page.get_by_role("tab").all_inner_texts()
    for look in [*others, first, *others]:
        yield look, [page.get_by_role("tab", name=look, exact=True).click]


def main() -> None:
    """Print each interaction's median and 95th percentile."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", choices=SIZES, default="M")
    parser.add_argument("--times", type=int, default=12)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="keep the generated files here")
    args = parser.parse_args()
    program = next(filter(None, map(which, NAMES)), None)
    if program is None:
        raise SystemExit(f"No Chromium on the PATH (looked for {', '.join(NAMES)}).")
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        folder = args.folder or Path(scratch)
        qrels, first = write(folder, args.size)
        runs = [first, *(shaken(first, seed) for seed in range(2, args.runs + 1))]
        servers = serve()
        try:
            url = next(servers)
            browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            carried, read, overview = upload(page, url, qrels, runs)
            print(f"upload {carried:.1f} s, reading {read:.1f} s, overview {overview:.1f} s\n")
            print("| interaction | times | median ms | p95 ms |\n|:--|--:|--:|--:|")
            every = []
            for name, acts in interactions(page, args.times):
                found = sorted(answered(page, act) for act in acts)
                every += found
                print(_row(name, found), flush=True)
            print(_row("all", sorted(every)))
            browser.close()
        finally:
            servers.close()


def _row(name: str, found: list[float]) -> str:
    p95 = np.percentile(found, 95)
    return f"| {name} | {len(found)} | {found[len(found) // 2]:.0f} | {p95:.0f} |"


if __name__ == "__main__":
    main()
