"""Uploads as large as a class may send, of every shape: ``python -m tests.benchmarks.reading``.

Each file goes the way of an upload, under the limits for a class, in a process of its own. The
columns are its CPU seconds, the most memory that it had, and what the file was taken for.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median

SMALLEST = ("--size", "0.1", "--only", "plain.run")

ROOT = Path(__file__).parents[2]
CLASS = 22_000_000
"""The bytes of a file that a class may send; the numbers of rows and tags below are for it."""


def _filled(row: Callable[[int], str], size: int, between: str = ", ") -> str:
    """Return rows in sequence until they take so many characters."""
    rows: list[str] = []
    left = size
    while left > 0:
        rows.append(row(len(rows)))
        left -= len(rows[-1]) + len(between)
    return between.join(rows)


def _drawn(number: int) -> float:
    return number * 2_654_435_761 % (1 << 32) / (1 << 32)


def _queries(row: Callable[[int], str], size: int, each: int) -> str:
    """Return objects of queries with so many members each."""
    one = ", ".join(map(row, range(each)))
    return "{" + _filled(lambda at: f'"q{at}": {{{one}}}', size) + "}"


def _json(size: int) -> Iterator[tuple[str, str]]:
    def grades(n: int) -> str:
        return f'"d{n}": {n % 4}'

    yield "one query, grades", '{"q1": {' + _filled(grades, size) + "}}"
    yield "one query, tiny", '{"q": {' + _filled(lambda n: f'"{n:x}":1', size, ",") + "}}"
    # Within the limits of a class.
    for share, called in ((2, "half"), (4, "a quarter")):
        few = size // share
        yield f"{called}, grades", '{"q1": {' + _filled(grades, few) + "}}"
        scores = _filled(lambda n: f'"d{n}": {_drawn(n)}', few)
        yield f"{called}, scores", '{"q1": {' + scores + "}}"
    yield "one query, scores", '{"q1": {' + _filled(lambda n: f'"d{n}": {_drawn(n)}', size) + "}}"
    yield "one query, texts", '{"q1": {' + _filled(lambda n: f'"d{n}": "{n % 4}"', size) + "}}"
    yield "one query, wide", '{"q1": {' + _filled(lambda n: f'"\U0001f600{n}": 1', size // 2) + "}}"
    yield "one query, not ASCII", '{"q1": {' + _filled(lambda n: f'"é{n}": {n % 4}', size) + "}}"
    yield "one query, a list", '{"q1": [' + _filled(lambda n: f'"d{n}"', size) + "]}"
    yield "one query, duplicates", '{"q1": {' + _filled(lambda n: f'"d{n % 9}": 1', size) + "}}"
    yield "queries of 20, grades", _queries(grades, size, 20)
    yield "queries of 1000, grades", _queries(grades, size, 1000)
    yield "queries of 1", _queries(grades, size, 1)
    yield "queries of 20, scores", _queries(lambda n: f'"doc{n}": {_drawn(n)}', size, 20)
    yield "queries of 20, texts", _queries(lambda n: f'"doc{n}": "{n % 4}"', size, 20)
    yield "queries without documents", "{" + _filled(lambda n: f'"q{n}": {{}}', size) + "}"
    lists = ", ".join(f'"d{n}"' for n in range(20))
    yield "queries, lists", "{" + _filled(lambda n: f'"q{n}": [{lists}]', size) + "}"
    yield "queries, pairs", "{" + _filled(lambda n: f'"q{n}": [["a", 1], ["b", 0]]', size) + "}"
    yield "a query again and again", "{" + _filled(lambda n: '"q1": {"d1": 1}', size) + "}"
    yield (
        "queries, records",
        "{"
        + _filled(
            lambda n: f'"q{n}": [{{"doc": "a", "score": 1}}, {{"doc": "b", "score": 2}}]', size
        )
        + "}",
    )

    def record(n: int) -> str:
        return f'{{"query": "q{n // 20}", "document": "d{n}", "score": {n % 4}}}'

    yield "records", "[" + _filled(record, size) + "]"
    short = "[" + _filled(lambda n: f'{{"q":{n // 9},"doc":{n},"rel":1}}', size, ",") + "]"
    yield "records, short", short
    yield (
        "records, retrieved and relevant",
        "["
        + _filled(
            lambda n: f'{{"query": "q{n}", "retrieved": ["a", "b"], "relevant": ["a"]}}', size
        )
        + "]",
    )
    yield (
        "records, many keys",
        "["
        + _filled(
            lambda n: (
                f'{{"query": "q{n}", "document": "d", "score": 1, '
                + ", ".join(f'"k{k}": {k}' for k in range(100))
                + "}"
            ),
            size,
        )
        + "]",
    )
    yield (
        "records, a rank twice",
        "["
        + _filled(lambda n: '{"query": "q", "query": "q", "document": "d", "score": 1}', size)
        + "]",
    )
    yield "lists of lists", "[" + _filled(lambda n: '[["a", "b"], [["a", 1]]]', size) + "]"
    yield "empty lists", "[" + _filled(lambda n: "[]", size, ",") + "]"
    yield "empty objects", "[" + _filled(lambda n: "{}", size, ",") + "]"
    yield "numbers", "[" + _filled(lambda n: "1", size, ",") + "]"
    yield "deep", "[" * (size // 2) + "]" * (size // 2)
    yield "deep enough", "[" + _filled(lambda n: "[" * 18 + "]" * 18, size, ",") + "]"
    yield "one long text", f'{{"q1": "{"x" * size}"}}'
    yield "long texts", "{" + _filled(lambda n: f'"q{n}": {{"{"x" * 900}{n}": 1}}', size) + "}"
    yield "texts by id", "{" + _filled(lambda n: f'"d{n}": "Wireless mouse {n}"', size) + "}"
    yield "escapes", '{"q1": {' + _filled(lambda n: f'"\\u00e9{n}": 1', size) + "}}"
    yield "brackets in a text", f'["{"[" * size}"]'
    yield "cut off", '{"q1": {' + _filled(grades, size)


def _lines(size: int) -> Iterator[tuple[str, str]]:
    def record(n: int) -> str:
        return f'{{"query": "q{n // 20}", "document": "d{n}", "score": {_drawn(n)}}}'

    yield "records", _filled(record, size, "\n")
    yield (
        "records, the same",
        _filled(lambda n: '{"query": "q", "document": "d", "score": 1}', size, "\n"),
    )
    yield "short records", _filled(lambda n: f'{{"q":{n // 9},"doc":{n},"rel":1}}', size, "\n")
    yield "texts", _filled(lambda n: f'{{"_id": "d{n}", "text": "Wireless mouse {n}"}}', size, "\n")
    yield "texts, short", _filled(lambda n: f'{{"_id":"{n}","text":"a"}}', size, "\n")
    yield (
        "broken",
        _filled(lambda n: f'{{"query": "q", "document": null, "score": {n}}}', size, "\n"),
    )


def _tables(size: int) -> Iterator[tuple[str, str]]:
    head = "query,document,score\n"
    yield "scores.csv", head + _filled(lambda n: f"q{n // 20},d{n},{_drawn(n)}", size, "\n")
    yield "grades.csv", head + _filled(lambda n: f"q{n // 20},d{n},{n % 4}", size, "\n")
    yield "the same.csv", head + _filled(lambda n: "q,d,1", size, "\n")
    yield "quoted.csv", head + _filled(lambda n: f'"q{n // 20}","d{n}","1"', size, "\n")
    yield "wrong.csv", head + _filled(lambda n: "q,d", size, "\n")
    yield "blank.csv", head + _filled(lambda n: ",,", size, "\n")
    yield "no header.csv", _filled(lambda n: f"q{n // 20},d{n},{n % 4}", size, "\n")
    yield "no header.tsv", _filled(lambda n: f"q{n // 20}\td{n}\t{n % 4}", size, "\n")
    yield "texts.tsv", _filled(lambda n: f"d{n}\tWireless mouse {n}", size, "\n")
    yield "groups.tsv", _filled(lambda n: f"{n}\ta", size, "\n")
    yield "plain.run", _filled(lambda n: f"q{n // 20} Q0 d{n} {n % 20} {_drawn(n)} a", size, "\n")
    yield "plain.qrels", _filled(lambda n: f"q{n // 20} 0 d{n} {n % 4}", size, "\n")
    yield "commented.txt", "# a\n" + _filled(lambda n: f"q{n // 9} 0 d{n} {n % 4}", size, "\n")
    yield "a comment.run", "# a\n" + _filled(lambda n: f"q{n // 9} Q0 d{n} 1 {n} a", size, "\n")
    yield "the same.txt", _filled(lambda n: "q 0 d 1", size, "\n")
    yield "marco.txt", _filled(lambda n: f"{n // 9}\t{n}\t{n % 9 + 1}", size, "\n")
    yield "words.txt", _filled(lambda n: "a b c d e f g", size, "\n")
    yield "one line.txt", "x" * size
    yield "empty lines.txt", "\n" * size


def _parquet(size: int) -> Iterator[tuple[str, bytes]]:
    import pyarrow as pa
    from pyarrow import parquet

    def of(**columns: object) -> bytes:
        stream = io.BytesIO()
        parquet.write_table(pa.table(columns), stream)
        return stream.getvalue()

    for rows in (_share(1_000_000, size), _share(2_000_000, size)):
        every = range(rows)
        query = pa.array([f"q{n // 1000}" for n in every]).dictionary_encode()
        document = pa.array([f"d{n % 1000}" for n in every]).dictionary_encode()
        yield (
            f"{rows} rows, scores",
            of(query=query, document=document, score=[float(n) for n in every]),
        )
        yield (
            f"{rows} rows, grades",
            of(query=query, document=document, grade=[n % 4 for n in every]),
        )
        yield (
            f"{rows} rows, not in order",
            of(
                query=pa.array([f"q{n % 1000}" for n in every]).dictionary_encode(),
                document=pa.array([f"d{n // 1000}" for n in every]),
                score=[float(n) for n in every],
            ),
        )
        yield (
            f"{rows} rows, the same",
            of(query=["q"] * rows, document=["d"] * rows, score=[1.0] * rows),
        )
        yield (
            f"{rows} rows, ranks",
            of(query=query, document=document, rank=[n % 1000 + 1 for n in every]),
        )
        yield (
            f"{rows} rows, numbers",
            of(query=[n // 1000 for n in every], document=list(every), score=[1.5] * rows),
        )


def _share(many: int, size: int) -> int:
    """Return how many of the rows or tags of a class's file a file of this size has."""
    return max(1, many * size // CLASS)


def _workbook(rows: int) -> bytes:
    import openpyxl

    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.append(["query", "document", "score"])
    for n in range(rows):
        sheet.append([f"q{n // 20}", f"d{n}", n % 4])
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _workbooks(size: int) -> Iterator[tuple[str, bytes]]:
    """Workbooks that hold almost as many tags as a class may send, of each part."""

    def share(many: int) -> int:
        return _share(many, size)

    yield "rows", _workbook(share(100_000))
    yield "a class's rows", _workbook(share(31_000))
    main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    blank = "<row>" + "<c/>" * 199 + "</row>"
    lone = "".join(f'<row r="{at}"><c r="GR{at}"/></row>' for at in range(1, share(120_000)))
    long = "".join(
        f'<row><c t="inlineStr"><is><t>{random.Random(at).randbytes(700).hex()}</t></is></c></row>'
        for at in range(share(20_000))
    )
    for name, rows in (
        ("numbers", "<row><c><v>1</v></c></row>" * share(166_000)),
        ("blank rows", "<row/>" * share(499_000)),
        ("blank cells", blank * share(2_490)),
        ("more blank cells", blank * share(60_000)),
        ("lone cells", lone),
        ("long texts", long),
    ):
        sheet = f"<worksheet {main}><sheetData>{rows}</sheetData></worksheet>"
        yield name, _with_part("xl/worksheets/sheet1.xml", sheet)
    styles = '<xf numFmtId="0"/>' * share(249_000)
    styles = f"<styleSheet {main}><cellXfs>{styles}</cellXfs></styleSheet>"
    yield "styles", _with_part("xl/styles.xml", styles)
    namespace = 'xmlns="http://schemas.openxmlformats.org/package/2006/content-types"'
    part = '<Override PartName="/a{}" ContentType="b"/>'
    for name, many in (("types", 166_000), ("more types", 600_000)):
        types = f"<Types {namespace}>{''.join(map(part.format, range(share(many))))}</Types>"
        yield name, _with_part("[Content_Types].xml", types)


def _with_part(name: str, text: str) -> bytes:
    """Return a small workbook with one part of its archive exchanged."""
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(_workbook(1))) as old,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for each in old.namelist():
            new.writestr(each, text if each == name else old.read(each))
    return stream.getvalue()


PACKED = ("one query, grades.json", "queries of 20, grades.json", "grades.csv", "plain.run")
"""Files that are packed, too, with twice the content."""


def write(folder: Path, size: int) -> None:
    """Write every file."""
    for texts, ending in ((_json, ".json"), (_lines, ".jsonl"), (_tables, "")):
        for name, text in texts(size):
            (folder / f"{name}{ending}").write_text(text)
    for name, data in _parquet(size):
        (folder / f"{name}.parquet").write_bytes(data)
    for name, data in _workbooks(size):
        (folder / f"{name}.xlsx").write_bytes(data)
    with zipfile.ZipFile(folder / "all.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name in PACKED:
            data = (folder / name).read_bytes()
            (folder / f"{name}.gz").write_bytes(gzip.compress(data + data, 1))
            archive.write(folder / name, name)


def read(path: Path) -> None:
    """Read one file as an upload is read, and print what it took."""
    from metrics.auditing.intake import Given, add_files, members

    data = path.read_bytes()
    before, cpu = _peak(), _cpu()
    taken = add_files(members(Given(path.name, data)))
    cpu = _cpu() - cpu
    told = [f"{seen.role or '?'}: {seen.holds or seen.refusal}" for seen in taken.seen]
    print(json.dumps([cpu, _peak(), before, "; ".join(told)]))


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _peak() -> float:
    """Return the most memory so far in MB; of this program alone, unlike that of ``getrusage``."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def _measured(path: Path, rounds: int, checkout: Path) -> tuple[float, float, float, str]:
    environment = {**os.environ, "RANKSCOPE_LIMITS": "classroom", "PYTHONPATH": str(checkout)}
    command = [sys.executable, __file__, "--read", str(path)]
    found = [
        json.loads(
            subprocess.run(
                command, env=environment, cwd=checkout, capture_output=True, check=True
            ).stdout
        )
        for _ in range(rounds)
    ]
    cpu, peak, before = (median(each[at] for each in found) for at in range(3))
    return cpu, peak, before, found[0][3]


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=float, default=22, help="MB of each file (default: 22)")
    parser.add_argument("--folder", type=Path, help="where the files are kept")
    parser.add_argument("--only", default="", help="a part of the names of the files")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--checkout", type=Path, help="another checkout, to compare with")
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.read:
        read(options.read)
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if not any(folder.iterdir()):
            write(folder, round(options.size * 1_000_000))
        print(f"{'file':<42} {'MB':>5} {'CPU s':>6} {'peak MB':>8}  taken for")
        for path in sorted(folder.iterdir()):
            if options.only not in path.name:
                continue
            size = path.stat().st_size / 1e6
            row = _measured(path, options.rounds, ROOT)
            line = f"{path.name:<42} {size:5.1f} {row[0]:6.2f} {row[1]:8.0f}"
            if options.checkout:
                other = _measured(path, options.rounds, options.checkout)
                line += f"  before: {other[0]:6.2f} {other[1]:8.0f}  × {row[0] / other[0]:4.2f}"
            print(f"{line}  {row[3][:100]}", flush=True)


if __name__ == "__main__":
    main()
