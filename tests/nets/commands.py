"""Net of commands: what every command prints on the samples, in every format, and its refusals."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from string import ascii_lowercase
from unittest import mock

from metrics import (
    PRESETS,
    REGISTRY,
    TREC_EVAL,
    Convention,
    Qrels,
    Run,
    match,
    read_qrels,
    read_run,
    save,
)
from metrics.__main__ import main
from metrics.comparing.significance import TESTS
from metrics.conventions.choices import CHOICES
from metrics.scoring.trec_names import SETS
from metrics.teaching.samples import catalogue
from metrics.writing import FORMATS
from tests.cases import every_measure
from tests.nets.master import Entries
from tests.situations import cases

ROOT = Path(__file__).parents[2]
SAMPLES = {
    "shop_search": ("qrels.txt", "bm25.run", "char_ngrams.run"),
    "ambiguous": ("qrels.txt", "likeness.run", "diverse.run"),
    "reranking": ("qrels.txt", "baseline.run", "reranked.run"),
    "two_judges": ("person.txt", "words.run", "rewritten.run"),
}
"""The qrels and the runs of each folder; of two judges the first gives the qrels."""
FOLDERS = ("shop", "ambiguous", "reranking", "two-judges")
"""The samples that are folders; the others are made of `worked_examples.json`."""
QUERIES = {
    "shop_search": ("q01", "q22"),
    "ambiguous": ("java", "mercury"),
    "reranking": ("q01", "q17"),
    "two_judges": ("q1", "q8"),
}
COMMANDS = (
    *("", "score", "trec_eval", "explain", "compare", "match", "check", "history"),
    *("audit", "measures", "conventions", "app"),
)
EVERY = every_measure(["@10"])
TIME = datetime(2026, 11, 1, 8, 30, tzinfo=UTC)

Words = Sequence[str]


def entries() -> Entries:
    """Yield each command line and its exit code, output and notes."""
    # All paths are relative, so that no output has one of this machine.
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        write_files()
        for words in _lines():
            yield shlex.join(words), printed(words)
        for path in ("out/summary.md", "out/junit.xml"):
            yield f"the file {path}", Path(path).read_text("utf-8")
    for name in COMMANDS:
        yield f"{name} --help".strip(), _help(name)


def _help(command: str) -> str:
    """Return what the help of a command says, without the form that argparse gives it."""
    lines: list[str] = []

    def say(parser: argparse.ArgumentParser) -> None:
        lines.append(f"{parser.prog}: {parser.description}")
        for each in parser._actions:
            names = " ".join(each.option_strings) or each.dest
            what = f"nargs {each.nargs}, default {each.default!r}, metavar {each.metavar}"
            choices = f", one of {', '.join(each.choices)}" if each.choices else ""
            lines.append(f"{names}: {what}{choices}: {each.help}")
        lines.append(f"{parser.epilog}")

    with mock.patch.object(argparse.ArgumentParser, "print_help", say):
        printed([*command.split(), "--help"])
    return "\n".join(lines)


def write_files() -> None:
    """Write the samples and what is made of them into the working folder."""
    for name in SAMPLES:
        shutil.copytree(ROOT / "sample_data" / name, name)
    catalogue()["two-judges"].load().qrels.save("two_judges/person.txt")
    Path("out").mkdir()
    for key, sample in catalogue().items():
        if key not in FOLDERS:
            data = sample.load()
            _write(f"printed/{key}", data.qrels, *data.runs)
    for name, case in cases().items():
        _write(f"situations/{name}", case.qrels, case.a, case.b)
    chunks = {"q1": {"d1#chunk-3": 3, "d2#chunk-1": 2, "d1#chunk-1": 1}, "q2": {"d3#chunk-2": 1}}
    upper = {"q1": {"D2": 3, "D1": 2, "D9": 1}, "q2": {"D3": 1}}
    grades = {"q1": {"d1": 2, "d2": 0, "d9": 1}, "q2": {"d3": 1}}
    _write("off", Qrels.from_dict(grades), Run.from_dict(chunks), Run.from_dict(upper))
    for name, files in SAMPLES.items():
        qrels, *runs = (f"{name}/{file}" for file in files)
        for day, run in enumerate(runs):
            _judge(qrels, run, f"{name}/past", day)
    other = Convention(gain="exponential")
    _judge("shop_search/qrels.txt", "shop_search/bm25.run", "shop_search/past", 9, other)
    Path("shop_search/past/damaged.judged.parquet").write_bytes(b"PAR1")
    Run.from_dict(read_qrels("shop_search/qrels.txt").to_dict(), "ideal").save("ideal.run")
    Path("must_hold.txt").write_text("# These must not drop.\nq01\nq02\n", "utf-8")
    for name, text in BROKEN.items():
        Path(name).write_text(text, "utf-8")


def _write(folder: str, qrels: Qrels, *runs: Run) -> None:
    # As JSON, because some ids of the worked examples have spaces.
    Path(folder).mkdir(parents=True)
    for name, pairs in zip(("qrels", *ascii_lowercase), (qrels, *runs), strict=False):
        Path(folder, f"{name}.json").write_text(json.dumps(pairs.to_dict()), "utf-8")


def _judge(qrels: str, run: str, folder: str, day: int, convention: Convention = TREC_EVAL) -> None:
    """Write a judged file with a time of its own, which `rankscope match` takes from the clock."""
    Path(folder).mkdir(exist_ok=True)
    judged = match(read_qrels(qrels), read_run(run), convention)
    name = f"{Path(run).stem}{day}"
    save(
        judged,
        f"{folder}/{name}.judged.parquet",
        name=name,
        tags=["nightly", f"day{day}"],
        commit=f"{day}abc",
        time=TIME + timedelta(days=day),
    )


def _lines() -> Iterator[Words]:
    """Yield the words of every command line, those that make a file before those that read it."""
    for name, files in SAMPLES.items():
        qrels, a, b = (f"{name}/{file}" for file in files)
        yield from _of_two(name, qrels, a, b)
        yield from _of_judged(name, qrels, a, b)
    yield from _of_three()
    yield from _of_shop()
    for name in sorted(os.listdir("printed")):
        *runs, qrels = (f"printed/{name}/{file}" for file in sorted(os.listdir(f"printed/{name}")))
        yield "score", qrels, *runs, "-q"
        yield "score", qrels, *runs, "--format", "json", "-m", *EVERY
        if len(runs) > 1:
            yield "compare", qrels, *runs[:10]
    for name in sorted(os.listdir("situations")):
        files = [f"situations/{name}/{file}" for file in ("qrels.json", "a.json", "b.json")]
        yield "compare", *files, "-m", *cases()[name].measures
        yield "compare", *files, "-m", *cases()[name].measures, "--format", "json"
        yield "audit", *files
    yield from _in_each_format("measures")
    for symbol in REGISTRY:
        yield "measures", symbol
    yield from _in_each_format("measures", "nDCG")
    yield from _in_each_format("conventions")
    for line in REFUSED.splitlines():
        yield line.split()


def _in_each_format(*words: str, more: Iterable[str] = ()) -> Iterator[Words]:
    for form in (*FORMATS, *more):
        yield *words, "--format", form


def _of_two(name: str, qrels: str, a: str, b: str) -> Iterator[Words]:
    """Yield what every sample of two runs is asked."""
    yield from _in_each_format("score", qrels, a, b)
    yield from _in_each_format("score", qrels, a, "-q", more=["trec"])
    yield "score", qrels, b, "--format", "trec"
    yield "score", qrels, a, b, "-q", "--format", "json", "-m", *EVERY
    first, other = QUERIES[name]
    yield from _in_each_format("explain", qrels, a, "-Q", first)
    yield from _in_each_format("compare", qrels, a, b, "-Q", first)
    yield "explain", qrels, b, "-Q", other
    yield "compare", qrels, a, b, "-Q", other
    yield from _in_each_format("compare", qrels, a, b)
    yield from _in_each_format("compare", qrels, a, b, "-q")
    yield from _in_each_format("audit", qrels, a, b)
    yield from _in_each_format("audit", qrels, a, b, "-q", "-k", "5")
    for convention in PRESETS:
        yield "score", qrels, a, b, "--convention", convention, "--format", "json"
    yield "trec_eval", qrels, a
    yield "trec_eval", "-q", "-c", "-m", "all_trec", qrels, b


def _of_judged(name: str, qrels: str, a: str, b: str) -> Iterator[Words]:
    """Yield the commands that write and read judged files."""
    yield "match", qrels, a, b, "-o", f"{name}/judged/", "--tag", "x", "--commit", "1a"
    one, two = (f"{name}/judged/{Path(run).stem}.judged.parquet" for run in (a, b))
    yield "score", qrels, one, two, "-q", "--format", "json"
    yield "explain", qrels, one, "-Q", QUERIES[name][0]
    yield "compare", qrels, one, b
    yield "audit", qrels, one, two
    past = [f"{name}/past/{Path(run).stem}{day}" for day, run in enumerate((a, b))]
    one, two = (f"{each}.judged.parquet" for each in past)
    yield "check", one, two
    yield "check", two, one
    yield "check", two, one, "-m", "AP", "nDCG@10", "RR", "--max-drop", "0.5", "--alpha", "1"
    yield from _in_each_format("history", f"{name}/past")
    yield from _in_each_format("history", f"{name}/past", "--between", "day0", "day1")
    yield "history", f"{name}/past", "--between", "day0", "day1", "-q"


def _of_three() -> Iterator[Words]:
    """Yield comparisons of three runs and more."""
    qrels, a, b = (f"shop_search/{file}" for file in SAMPLES["shop_search"])
    runs = a, b, "ideal.run"
    yield from _in_each_format("compare", qrels, *runs)
    yield from _in_each_format("score", qrels, *runs)
    yield "compare", qrels, *runs, "-m", "AP", "RR", "--test", "t", "--tie", "0.01"
    yield "audit", qrels, *runs


def _of_shop() -> Iterator[Words]:
    """Yield the options that one or two samples are enough for."""
    for name in ("shop_search", "ambiguous"):
        for measure in EVERY:
            words = "explain", *(f"{name}/{file}" for file in SAMPLES[name][:2])
            yield *words, "-Q", QUERIES[name][0], "-m", measure, "--format", "json"
    qrels, a, b = (f"shop_search/{file}" for file in SAMPLES["shop_search"])
    for convention in PRESETS:
        yield "compare", qrels, a, b, "-q", "--convention", convention, "--format", "csv"
    for test in TESTS:
        yield "compare", qrels, a, b, "--test", test, "--format", "json"
    yield "compare", qrels, a, b, "--seed", "7", "--tie", "0.05", "-m", *EVERY
    yield "compare", qrels, a, a.replace("bm25", "./bm25")
    for field, choice in CHOICES.items():
        for value in choice.values:
            change = "score", qrels, a, b, "--set", f"{field}={value}", "--format", "json"
            yield *change, "-m", "nDCG@10", "AP", "RR", "ERR@10", "Bpref", "P@5"
    yield "score", qrels, a, "--set", "level=2", "--set", "gain={1:0.5,2:0.9}"
    for name in SETS:
        yield "score", qrels, a, "-m", name, "--format", "trec", "-q"
        yield "score", qrels, a, "-m", name
    yield "score", qrels, a, "--quiet"
    yield "score", qrels, a, "-m", "P.5,10", "MRR", "MAP", "P(rel=2)@5"
    for options in (("-n",), ("-J",), ("-M", "5"), ("-l", "2"), ("-N", "9"), ("-m", "P.5,10")):
        yield "trec_eval", *options, qrels, a
    yield "trec_eval", "--convention", "trec_eval 9", "-q", qrels, a
    yield "score", "off/qrels.json", "off/a.json", "--join-parts"
    yield "audit", "off/qrels.json", "off/a.json", "off/b.json"
    yield "audit", "off/qrels.json", "off/b.json", "--fix-ids"
    yield "compare", "off/qrels.json", "off/b.json", "off/a.json", "--join-parts"
    past = "shop_search/past"
    yield "history", past, "--tag", "day0"
    yield "history", past, "--commit", "1a"
    base, new = (f"{past}/{name}.judged.parquet" for name in ("char_ngrams1", "bm250"))
    files = "--summary", "out/summary.md", "--junit", "out/junit.xml"
    yield "check", base, new, "--must-hold", "must_hold.txt", *files, "--qrels", qrels
    yield "check", base, f"{past}/bm259.judged.parquet"


def printed(words: Words) -> str:
    """Return the exit code of a command, its output, and its notes or its refusal."""
    out, err = io.StringIO(), io.StringIO()
    streams = {"stdin": io.TextIOWrapper(io.BytesIO(PIPED)), "stdout": out, "stderr": err}
    # `rankscope app` leaves the names of its files in the environment.
    with mock.patch.multiple(sys, **streams), mock.patch.dict(os.environ):
        try:
            code: object = main(list(words))
        except SystemExit as stopped:
            code = stopped.code
    # The usage above a message of argparse has another form in each version of Python.
    said = re.sub(r"\Ausage: .*\n(?=rankscope)", "", err.getvalue(), flags=re.DOTALL)
    noted = f"stderr:\n{said}" if said else ""
    return f"exit code {code}\n{noted}stdout:\n{out.getvalue()}"


PIPED = b"q01 Q0 earbuds-01 1 2.5 piped\nq01 Q0 headphones-04 2 1.5 piped\n"
"""What comes from the standard input, where a file is named `-`."""
BROKEN = {
    "empty.run": "",
    "broken.run": "q1 Q0 d1 1 high t\nq1 Q0 d1 2 nan t\nq1 Q0\n",
    "other.run": "x1 Q0 y1 1 2 t\nx1 Q0 y2 2 1 t\n",
    "broken.txt": "q1 0 d1 1\nq1 0 d1 2\nq2 0 d1 0x1\n",
    "broken.json": '{"q1": {"d1": "x"}}',
}
REFUSED = """\
score shop_search/qrels.txt -
score - -
score shop_search/qrels.txt missing.run
score missing.txt shop_search/bm25.run
score shop_search/qrels.txt broken.run
score shop_search/qrels.txt empty.run
score shop_search/qrels.txt other.run
score broken.txt shop_search/bm25.run
score shop_search/bm25.run shop_search/qrels.txt
score shop_search/qrels.txt shop_search/qrels.txt
score shop_search/qrels.txt shop_search/bm25.run shop_search/bm25.run
score shop_search/qrels.txt shop_search/bm25.run shop_search/char_ngrams.run --format trec
score shop_search/qrels.txt broken.json
score shop_search/qrels.txt shop_search/bm25.run -m nDGC@10
score shop_search/qrels.txt shop_search/bm25.run -m P@0
score shop_search/qrels.txt -m nDCG@10 P@5
score -m nothing shop_search/qrels.txt shop_search/bm25.run
score -m shop_search/qrels.txt shop_search/bm25.run
score shop_search/qrels.txt shop_search/bm25.run --set gian=linear
score shop_search/qrels.txt shop_search/bm25.run --set gain
score shop_search/qrels.txt shop_search/bm25.run --set gain=steep
score shop_search/qrels.txt shop_search/bm25.run --set level=high
score shop_search/qrels.txt shop_search/bm25.run --convention trec_evla
score shop_search/qrels.txt shop_search/bm25.run --nothing
score two_judges/judges.tsv two_judges/words.run
score off/qrels.json off/a.json
score off/qrels.json off/b.json
score shop_search/qrels.txt shop_search/judged/bm25.judged.parquet --set ties=mean
score ambiguous/qrels.txt shop_search/judged/bm25.judged.parquet
score shop_search/qrels.txt shop_search/judged/bm25.judged.parquet --fix-ids
score shop_search/judged/bm25.judged.parquet shop_search/bm25.run
score shop_search/qrels.txt shop_search/past/damaged.judged.parquet
score ambiguous/qrels.txt shop_search/bm25.run
explain shop_search/qrels.txt shop_search/bm25.run -Q q0
explain shop_search/qrels.txt shop_search/bm25.run -Q q01 -m nDCG@10x
explain shop_search/qrels.txt shop_search/bm25.run
compare shop_search/qrels.txt shop_search/bm25.run
compare shop_search/qrels.txt shop_search/bm25.run shop_search/char_ngrams.run -Q nothing
compare shop_search/qrels.txt shop_search/bm25.run shop_search/char_ngrams.run --tie -1
compare shop_search/qrels.txt shop_search/bm25.run shop_search/char_ngrams.run --seed x
compare shop_search/qrels.txt shop_search/bm25.run other.run
compare shop_search/qrels.txt shop_search/bm25.run shop_search/char_ngrams.run ideal.run -q
audit shop_search/qrels.txt other.run
audit shop_search/qrels.txt shop_search/bm25.run -k 0
match shop_search/qrels.txt shop_search/bm25.run -o x.parquet
match shop_search/qrels.txt shop_search/bm25.run shop_search/char_ngrams.run -o x.judged.parquet
match shop_search/qrels.txt shop_search/bm25.run shop_search/char_ngrams.run -o x/ --name one
match shop_search/qrels.txt shop_search/judged/bm25.judged.parquet -o x/
match shop_search/qrels.txt other.run -o x/
check shop_search/past/bm250.judged.parquet shop_search/past/bm250.judged.parquet
check shop_search/past/bm250.judged.parquet shop_search/bm25.run
check shop_search/past/bm250.judged.parquet missing.judged.parquet
check shop_search/past/bm250.judged.parquet reranking/past/baseline0.judged.parquet
check shop_search/past/bm250.judged.parquet shop_search/past/bm259.judged.parquet --alpha -1
history missing
history out
history shop_search/past --tag nothing
history shop_search/past --between day0 nothing
history shop_search/past --between day0 day9
measures nDGC
measures P@x
trec_eval -Z x shop_search/qrels.txt shop_search/bm25.run
trec_eval -m nothing shop_search/qrels.txt shop_search/bm25.run
app --history missing
app missing.txt missing.run
app shop_search/qrels.txt
"""
