"""Read, compare and open every page where each start of a thread is refused, as in a browser.

Streamlit's runner of scripts works in this thread. Prints what was found as JSON.
"""

import json
import sys
import threading
from pathlib import Path


def refuse(_thread):
    """Refuse to start a thread, in the words of Python in a browser."""
    raise RuntimeError("can't start new thread")


if __name__ == "__main__":
    # Before all imports: none of them may start a thread either.
    threading.Thread.start = refuse

from streamlit.runtime.scriptrunner import ScriptRunner  # noqa: E402
from streamlit.testing.v1 import AppTest  # noqa: E402

from metrics import compare, evaluate, match_file, parse, read_qrels, read_run  # noqa: E402
from pages.ui.shell import PAGES  # noqa: E402

ROOT = Path(__file__).parents[2]
MEASURE = "nDCG@10"


def run_here(runner):
    """Run the script to its end in the calling thread."""
    runner._script_thread = threading.current_thread()
    try:
        runner._run_script_thread()
    finally:
        runner._script_thread = None


def numbers(folder):
    """Return the mean of a run read in parts and read as a whole, and the delta of two runs."""
    qrels = read_qrels(folder / "qrels.txt")
    paths = [folder / f"{name}.run" for name in ("baseline", "reranked")]
    runs = [read_run(path) for path in paths]
    in_parts = parse(MEASURE).ledger(match_file(qrels, paths[0])).scores
    return [
        float(in_parts.mean()),
        evaluate(qrels, runs[0], MEASURE).mean[MEASURE],
        compare(qrels, *runs, MEASURE).summary(MEASURE).delta,
    ]


def drawn(at):
    """Return the number of elements on a page, and its errors."""
    errors = [each.message for each in at.exception] + [each.value for each in at.error]
    return [len([*at.main]), errors]


def pages():
    """Open every page, and read pasted text on the last one, Data."""
    ScriptRunner.start = run_here
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120).run()
    shown = {page.title: drawn(at.switch_page(page.script).run()) for page in PAGES}
    at.text_area(key="qrels_text").set_value("q1 0 d1 1")
    at.text_area(key="run_text").set_value("q1 Q0 d1 1 2.5 pasted")
    read = next(button for button in at.button if button.label == "Read the pasted text")
    shown["Data, pasted"] = drawn(read.click().run())
    return shown


if __name__ == "__main__":
    found = {"numbers": numbers(ROOT / "sample_data" / "reranking"), "pages": pages()}
    print(json.dumps(found | {"modules": sorted(sys.modules)}))
