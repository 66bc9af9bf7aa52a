"""Time edits in a browser until the new score is shown: ``python -m tests.benchmarks.edits``.

A ranking of 20 documents is edited by keyboard, one edit after the other; each is timed inside the
page, from the key to the changed scores.
"""

import argparse
import random
from urllib.parse import urlencode

import numpy as np
from playwright.sync_api import sync_playwright

from metrics.editing.hand_ranking import Entry, HandRanking
from metrics.editing.ranking_link import pack
from metrics.teaching.samples import catalogue
from tests.browser.conftest import FLAGS, NAMES, serve, which

# Presses a key on a row and resolves to the milliseconds until the score changes.
TIMED = """
([name, key, alt]) => new Promise((done, late) => {
  const scores = () => [...document.querySelectorAll('[data-testid="stMetricValue"]')]
    .map(value => value.textContent).join();
  const list = [...document.querySelectorAll('*')].map(e => e.shadowRoot)
    .find(root => root && root.querySelector('li.row'));
  const row = [...list.querySelectorAll('li.row')].find(r => r.dataset.id === name);
  const was = scores(), start = performance.now();
  const timer = setTimeout(() => { watch.disconnect(); late('no new score'); }, 10000);
  const watch = new MutationObserver(() => {
    if (scores() === was) return;
    watch.disconnect(); clearTimeout(timer);
    requestAnimationFrame(() => done(performance.now() - start));
  });
  watch.observe(document.body, { subtree: true, childList: true, characterData: true });
  row.dispatchEvent(new KeyboardEvent('keydown', { key, altKey: alt, bubbles: true }));
})
"""
VIEWS = ("Formula", "Curves", "What if")


def ranking(draw: random.Random) -> HandRanking:
    """Return twenty documents with distinct grades, so that every edit changes the DCG."""
    grades = draw.sample(range(20), 20)
    entries = [Entry(f"document-{i:02d}", 5.0 * grade) for i, grade in enumerate(grades)]
    return HandRanking(next(iter(catalogue()["laptop"].load().qrels.queries)), tuple(entries))


def timed(page, times: int, draw: random.Random) -> list[float]:
    """Return the milliseconds of each edit, in ascending order."""
    found = []
    for _ in range(times):
        place, down = draw.randrange(1, 19), draw.random() < 0.5
        name = page.locator("li.row").nth(place).get_attribute("data-id")
        key = "ArrowDown" if down else "ArrowUp"
        found.append(page.evaluate(TIMED, [name, key, True]))
        page.wait_for_selector('[data-test-script-state="notRunning"]')
    return sorted(found)


def main() -> None:
    """Print the median and the 95th percentile for each closer look that can be open."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=60)
    edits = parser.parse_args().edits
    browser_path = next(filter(None, map(which, NAMES)), None)
    if browser_path is None:
        raise SystemExit(f"No Chromium on the PATH (looked for {', '.join(NAMES)}).")
    servers = serve()
    try:
        url = next(servers)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=browser_path, args=FLAGS)
            print("| open look | median ms | p95 ms |\n|:--|--:|--:|")
            for view in VIEWS:
                page = browser.new_page(viewport={"width": 1280, "height": 900})
                link = {"ranking": pack(ranking(random.Random(1))), "k": 20, "view": view}
                page.goto(f"{url}/?{urlencode(link)}")
                page.wait_for_selector("li.row")
                page.wait_for_selector('[data-test-script-state="notRunning"]')
                timed(page, 5, random.Random(0))
                times = timed(page, edits, random.Random(2))
                p95 = np.percentile(times, 95)
                print(f"| {view} | {times[len(times) // 2]:.0f} | {p95:.0f} |", flush=True)
                page.close()
            browser.close()
    finally:
        servers.close()


if __name__ == "__main__":
    main()
