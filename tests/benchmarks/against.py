"""Time and memory as ratios to another checkout: ``python -m tests.benchmarks.against PATH``.

The other checkout may be of an earlier commit that lacks this file: this file runs with the other
one's code. Each operation runs in a process of its own, here and there in turn, round after round,
with the same Python; its CPU seconds leave out what prepares it. An operation that the other
checkout cannot run is left out, with the reason.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

# Nothing of this checkout may be imported here: this file also runs with another one's code.
ROOT = Path(__file__).parents[2]
SMALLEST = (str(ROOT), "--size", "tiny", "--rounds", "1", "--only", "read a TREC run")

MEASURES = ["nDCG@10", "AP", "RR", "P@10", "R@100"]
CHOSEN = ["AP", "ERR", "RBP"]
"""The measures that are chosen on Compare, one after the other."""
EDITS = 10

Act = Callable[[], Any]
Figures = tuple[float, float]
"""CPU seconds, and peak memory in MB."""


@dataclass(frozen=True)
class Files:
    """Qrels and two runs, as files."""

    qrels: str
    a: str
    b: str


def reading(files: Files) -> Act:
    from metrics import read_run

    return lambda: read_run(files.a)


def scoring(files: Files) -> Act:
    from metrics import evaluate, read_qrels, read_run

    qrels, run = read_qrels(files.qrels), read_run(files.a)

    def act() -> None:
        scores = evaluate(qrels, run, MEASURES)
        for measure in MEASURES:
            scores.value(measure)

    return act


def comparing(files: Files) -> Act:
    from metrics import compare, evidence, read_qrels, read_run

    qrels, a, b = read_qrels(files.qrels), read_run(files.a), read_run(files.b)

    def act() -> None:
        evidence(compare(qrels, a, b, MEASURES))

    return act


def session(files: Files) -> Act:
    from metrics import Dataset, read_qrels, read_run
    from metrics.sessions.session_file import Session, load, save

    dataset = Dataset("made", read_qrels(files.qrels), (read_run(files.a), read_run(files.b)))

    def act() -> None:
        opened = load(save(Session(dataset)), "session.zip").dataset
        assert opened is not None
        assert opened.key == dataset.key

    return act


def another_measure(files: Files) -> Act:
    page = _opened("data")
    (box,) = page.file_uploader
    named = [(Path(path).name, Path(path).read_bytes()) for path in vars(files).values()]
    _sound(box.set_value([(*each, "application/octet-stream") for each in named]).run())
    page.query_params["data"] = "yours"
    _sound(page.switch_page("pages/compare_runs.py").run())

    def act() -> None:
        for measure in CHOSEN:
            _sound(page.selectbox(key="measure").set_value(measure).run())

    return act


def an_edit(files: Files) -> Act:
    page = _opened("inspect_query")

    def act() -> None:
        for number in range(1, EDITS + 1):
            drawn = _ranking_list(page)
            shown = json.loads(drawn.json)
            last, session = shown["ranked"][-1]["id"], shown["session"]
            states = page._tree.get_widget_states()
            event = {"n": number, "to": session, "do": "move", "id": last, "value": 1}
            states.widgets.add(id=drawn.id, json_value=json.dumps({"events": [event]}))
            _sound(page._run(states))
            assert json.loads(_ranking_list(page).json)["applied"][session] == number

    return act


def _opened(name: str) -> Any:
    from streamlit.testing.v1 import AppTest

    import metrics

    app = Path(metrics.__file__).parents[1] / "app.py"
    page = AppTest.from_file(str(app), default_timeout=600)
    return _sound(page.switch_page(f"pages/{name}.py").run())


def _sound(page: Any) -> Any:
    for error in page.exception:
        raise RuntimeError(error.value)
    return page


def _ranking_list(page: Any) -> Any:
    drawn = (each.proto for each in page.get("bidi_component"))
    return next(each for each in drawn if each.component_name == "ranking_list")


OPERATIONS: dict[str, Callable[[Files], Act]] = {
    "read a TREC run": reading,
    "score a run": scoring,
    "compare two runs": comparing,
    "save and open a session": session,
    f"{len(CHOSEN)} other measures on Compare": another_measure,
    f"{EDITS} edits on Inspect": an_edit,
}
"""What prepares each operation, and returns what does it."""


def measured(operation: str, files: Files) -> Figures:
    """Return an operation's CPU seconds, and this process's peak memory in MB."""
    act = OPERATIONS[operation](files)
    start = time.process_time()
    act()
    cpu = time.process_time() - start
    # Unlike that of ``getrusage``, this peak does not start from the parent's.
    status = Path("/proc/self/status").read_text()
    return cpu, int(status.partition("VmHWM:")[2].split()[0]) / 1024


def written(folder: Path, size: str) -> Files:
    """Write qrels and two runs unless they exist."""
    from tests.benchmarks.generate import shaken, write

    qrels, run = write(folder, size)
    return Files(*map(str, (qrels, run, shaken(run, 2))))


class CannotRunError(Exception):
    """The other checkout cannot run an operation; the message is the last line of its error."""


def trial(operation: str, files: Files, checkout: Path) -> Figures:
    """Return what `measured` returns in a process of its own with a checkout's code."""
    # -P: the folder of this file is not searched for modules.
    command = [sys.executable, "-P", __file__, str(checkout), "--one", operation]
    done = subprocess.run(
        [*command, *vars(files).values()],
        env={**os.environ, "PYTHONPATH": str(checkout)},
        cwd=checkout,
        capture_output=True,
        text=True,
    )
    if done.returncode and checkout == ROOT:
        raise SystemExit(f"{operation} failed:\n{done.stderr}")
    if done.returncode:
        raise CannotRunError(done.stderr.strip().splitlines()[-1])
    cpu, memory = json.loads(done.stdout.splitlines()[-1])
    return cpu, memory


HEAD = """
| operation | CPU s | × of minima | × median | × of rounds | peak MB | × median | × of rounds |
|:--|--:|--:|--:|--:|--:|--:|--:|"""


def row(operation: str, here: Sequence[Figures], there: Sequence[Figures]) -> str:
    """Return a line of the table: this checkout's medians, and ratios to the other one's."""
    (cpu, memory), (cpu_there, memory_there) = zip(*here, strict=True), zip(*there, strict=True)
    cells = [operation, f"{median(cpu):.2f}", f"{min(cpu) / min(cpu_there):.2f}"]
    cells += [*_ratios(cpu, cpu_there), f"{median(memory):.0f}", *_ratios(memory, memory_there)]
    return f"| {' | '.join(cells)} |"


def _ratios(here: Sequence[float], there: Sequence[float]) -> tuple[str, str]:
    """Return the median of the ratios of each round, and the lowest and the highest."""
    found = [one / other for one, other in zip(here, there, strict=True)]
    return f"{median(found):.2f}", f"{min(found):.2f} to {max(found):.2f}"


def main(argv: Sequence[str] | None = None) -> None:
    """Print a line for each operation."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.against", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("checkout", type=Path, help="another checkout of Rankscope")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--size", default="1e6", help="the size of the runs, as in generate.py")
    parser.add_argument("--folder", type=Path, help="keep the generated files here")
    parser.add_argument("--only", nargs="+", choices=OPERATIONS, default=list(OPERATIONS))
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    if args.one:
        operation, *paths = args.one
        print(json.dumps(measured(operation, Files(*paths))))
        return
    with tempfile.TemporaryDirectory() as temporary:
        files = written((args.folder or Path(temporary)).resolve(), args.size)
        print(HEAD.strip(), flush=True)
        for operation in args.only:
            here: list[Figures] = []
            there: list[Figures] = []
            try:
                for _ in range(args.rounds):
                    there.append(trial(operation, files, args.checkout.resolve()))
                    here.append(trial(operation, files, ROOT))
            except CannotRunError as error:
                print(f"| {operation} | left out: {error} |", flush=True)
            else:
                print(row(operation, here, there), flush=True)


if __name__ == "__main__":
    main()
