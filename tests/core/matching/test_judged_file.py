"""Judged rankings as a file: it comes back bit by bit, or is refused in words."""

import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics import (
    PRESETS,
    REGISTRY,
    Convention,
    DataError,
    MeasureError,
    Qrels,
    ReadError,
    Run,
    match,
    match_file,
    read_qrels,
    read_run,
)
from metrics.data import Note, Severity
from metrics.matching import judged as matching
from metrics.matching import judged_file, judged_parquet, judgments
from metrics.matching.hits import Hits
from metrics.matching.judged import Matcher, judged_by
from metrics.matching.judged_file import is_judged, read_judged, save
from metrics.matching.judged_table import SCHEMA, table_of
from metrics.scoring.evaluate import score
from metrics.scoring.naming import parse
from tests.cases import cases, every_measure
from tests.core.matching.test_matching import CONVENTIONS, files

ROOT = Path(__file__).parents[3]
MEASURES = [*map(parse, every_measure(("", "@10")))]
QRELS = Qrels.from_dict({"q1": {"a": 2, "b": 1, "c": 0}, "q2": {"a": -1}, "q3": {}}, "judges")
RUN = Run.from_dict(
    {"q1": {"x": 3.0, "b": 2.0, "a": 2.0, "y": 2.0, "c": 1.0}, "q9": {"a": 1.0}}, "bm25"
)


def saved(judged, folder, **about):
    """The bytes of a file of judged rankings."""
    path = folder / "a.judged.parquet"
    save(judged, path, **about)
    return path.read_bytes()


def identical(one, other):
    """Whether two judged rankings are equal in every bit."""
    for name in ("hits", "judged", "top"):
        hits, others = getattr(one, name), getattr(other, name)
        for name, column in vars(hits).items():
            found = getattr(others, name)
            if name == "document":
                assert column.equals(found), name
            else:
                assert (column.dtype, column.tobytes()) == (found.dtype, found.tobytes()), name
    assert one.retrieved.dtype == other.retrieved.dtype
    assert one.retrieved.tobytes() == other.retrieved.tobytes()
    names = ("queries", "convention", "missing_from_run", "missing_from_qrels", "notes", "tag")
    assert [getattr(one, name) for name in names] == [getattr(other, name) for name in names]
    assert (one.qrels.digest, one.qrels.name) == (other.qrels.digest, other.qrels.name)
    return True


@pytest.mark.parametrize(
    "convention",
    [
        PRESETS["trec_eval 9"],
        PRESETS["MS MARCO"],
        PRESETS["XGBoost"],
        Convention(ties="mean", unjudged="removed", negative="nonrelevant"),
        Convention(gain="{1:0.5,2:0.9}", level=0.1 + 0.2),
    ],
)
@pytest.mark.parametrize("every", [False, True])
def test_every_measure_of_the_oracle_comes_back_to_the_bit(oracle, convention, every, tmp_path):
    judged = match(*oracle, convention, every=every)
    found = read_judged(saved(judged, tmp_path)).judged
    assert identical(judged, found)
    assert len(found.queries) > 1200
    compared = 0
    for measure in MEASURES:
        try:
            before = score(judged, [measure]).ledgers[str(measure)]
        except MeasureError:
            with pytest.raises(MeasureError):
                score(found, [measure])
            continue
        after = score(found, [measure]).ledgers[str(measure)]
        assert before.scores.tobytes() == after.scores.tobytes(), measure
        compared += 1
    assert compared > len(REGISTRY) / 2


@settings(max_examples=10, deadline=None)
@given(case=files())
def test_comes_back_to_the_bit_under_every_rule_of_ranking(case, tmp_path_factory):
    qrels, rows, _ = case
    run = Run.from_columns(*zip(*rows, strict=True)) if rows else Run.from_dict({})
    folder = tmp_path_factory.mktemp("any")
    for convention in CONVENTIONS[::3]:
        judged = match(Qrels.from_dict(qrels), run, convention, every=len(rows) % 2 == 0)
        for each in (judged, judged.condensed(), judged.under(gain="binary")):
            assert identical(each, read_judged(saved(each, folder)).judged)


@settings(max_examples=15, deadline=None)
@given(case=files())
def test_one_query_and_another_mean_are_what_judging_again_gives(case):
    qrels, rows, _ = case
    qrels = Qrels.from_dict(qrels)
    run = Run.from_columns(*zip(*rows, strict=True)) if rows else Run.from_dict({})
    for convention in CONVENTIONS[::3]:
        judged = match(qrels, run, convention, every=len(rows) % 2 == 0)
        for queries in ("both", "qrels"):
            other = replace(convention, queries=queries, gain="binary", precision="returned")
            again = match(qrels, run, other, every=len(rows) % 2 == 0)
            assert identical(judged.judged_under(other), again)
        for query in qrels.queries:
            one = judged.only(query)
            again = match(qrels.only(query), run, convention, every=len(rows) % 2 == 0)
            of_all = {name: getattr(judged, name) for name in ("missing_from_qrels", "notes")}
            assert identical(one, replace(again, **of_all))


def test_another_ranking_is_refused_with_the_choice():
    removed = Convention(unjudged="removed")
    own = Convention(own_document="removed")
    for convention, other in (
        (Convention(), Convention(ties="input")),
        (Convention(), Convention(scores="single")),
        (Convention(), removed),
        (removed, Convention()),
        (Convention(), own),
        (own, Convention()),
        (removed, replace(removed, negative="subtract")),
    ):
        judged = match(QRELS, RUN, convention)
        (name,) = convention.differences(other=other)
        with pytest.raises(DataError, match=f"Choose {name}={getattr(convention, name)},"):
            judged.judged_under(other)
    # Where unjudged documents keep their rank, negative grades only score differently.
    other = Convention(negative="subtract")
    assert identical(match(QRELS, RUN).judged_under(other), match(QRELS, RUN, other))


@settings(max_examples=20, deadline=None)
@given(case=files(), depth=st.integers(1, 6))
def test_unjudged_documents_near_the_top_are_kept_apart(case, depth):
    qrels, rows, size = case
    qrels = Qrels.from_dict(qrels)
    run = Run.from_columns(*zip(*rows, strict=True)) if rows else Run.from_dict({})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching, "ROWS", size)
        for convention in CONVENTIONS:
            found = judged_by(Matcher(qrels, convention, depth=depth), run)
            assert identical(replace(found, top=Hits.joined([])), match(qrels, run, convention))
            whole = match(qrels, run, convention, every=True).hits
            near = whole[(whole.rank <= depth) | ~np.isnan(whole.grade)]
            assert identical(found.shown(), replace(found, hits=near, top=Hits.joined([])))
            other = replace(convention, queries="qrels" if convention.queries == "both" else "both")
            again = judged_by(Matcher(qrels, other, depth=depth), run)
            assert identical(found.judged_under(other), again)


def test_unjudged_documents_near_the_top_come_back(oracle, tmp_path):
    for convention in (Convention(), Convention(ties="mean", queries="qrels")):
        judged = judged_by(Matcher(oracle[0], convention, depth=3), oracle[1])
        assert len(judged.top) > 100
        assert identical(judged, read_judged(saved(judged, tmp_path)).judged)


def test_a_file_that_streams_keeps_the_same_documents_near_the_top(tmp_path):
    rows = [(q, d, s) for q, of in RUN.to_dict().items() for d, s in of.items()]
    trec = "".join(f"{q} Q0 {d} 1 {s} bm25\n" for q, d, s in rows).encode()
    quoted = "query,document,score\n" + "".join(f'"{q}",{d},{s}\n' for q, d, s in rows)
    columns = zip(("query", "document", "score"), zip(*rows, strict=True), strict=True)
    pq.write_table(pa.table({name: list(of) for name, of in columns}), tmp_path / "a.parquet")
    for depth in (1, 2, 20):
        expected = judged_by(Matcher(QRELS, Convention(), depth=depth), RUN)
        assert len(expected.top) == min(depth, 2)
        for source in (trec, quoted.encode(), tmp_path / "a.parquet"):
            found = match_file(QRELS, source, depth=depth)
            assert identical(replace(found, notes=(), tag=""), expected)


def test_what_the_file_says_comes_back(tmp_path):
    notes = (Note("assumed “é”", "N-A"), Note("known", "N-B", Severity.REMARK))
    judged = replace(match(QRELS, RUN), notes=notes, tag="bm25\t[")
    time = datetime(2026, 1, 2, 3, 4, 5, 678, timezone(timedelta(hours=5)))
    about = {"name": "b\U0001f600", "tags": ["night", ""], "commit": "abc", "time": time}
    found = read_judged(saved(judged, tmp_path, **about, run_digest="d"))
    assert identical(judged, found.judged)
    assert (found.name, found.tags, found.commit) == ("b\U0001f600", ("night", ""), "abc")
    assert (found.time, found.time.tzinfo, found.run_digest) == (time, UTC, "d")
    assert found.qrels_digest == judgments.digest(QRELS)
    before = datetime.now(UTC)
    assert before <= read_judged(saved(judged, tmp_path)).time <= datetime.now(UTC)


@pytest.mark.parametrize(
    ("about", "found"),
    [
        ({"time": datetime(2026, 1, 2)}, "no time zone"),
        ({"name": "\ud800"}, "cannot be saved"),
        ({"tags": "night"}, "pass a list"),
        ({"tags": [1]}, "as texts"),
        ({"commit": "x" * 1_000_000}, "Shorten"),
    ],
)
def test_what_cannot_be_read_back_is_not_written(about, found, tmp_path):
    with pytest.raises(DataError, match=found):
        save(match(QRELS, RUN), tmp_path / "a", **about)
    assert not [*tmp_path.iterdir()]


def test_the_same_judgments_have_one_digest_whatever_the_run(tmp_path):
    other = Run.from_dict({"q2": {"a": 1.0}})
    one, two = (read_judged(saved(match(QRELS, run), tmp_path)) for run in (RUN, other))
    assert one.judged.queries != two.judged.queries
    assert one.qrels_digest == two.qrels_digest
    assert not judgments.differences(one.judged.qrels, two.judged.qrels)
    changed = Qrels.from_dict({"q1": {"b": 1, "c": 1, "d": 0}, "q2": {"a": -1}})
    third = read_judged(saved(match(changed, RUN), tmp_path))
    assert third.qrels_digest != one.qrels_digest
    assert judgments.differences(one.judged.qrels, third.judged.qrels).texts("old", "new") == [
        "1 judgment only in old (query 'q1', document 'a')",
        "1 judgment only in new (query 'q1', document 'd')",
        "1 judgment with another grade (query 'q1', document 'c')",
    ]


# Files that are not what `save` writes.


def remade(table=None, about=None, *, sound=True):
    """The bytes of a file with these rows and this description, its digest true unless unsound."""
    table = table_of(match(QRELS, RUN)) if table is None else table
    about = description() if about is None else about
    described = about if isinstance(about, bytes) else json.dumps(about).encode()
    content = judged_parquet.packed(table, described)
    if sound:
        return content
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judged_parquet, "_digest", lambda table, described: b"0" * 64)
        return judged_parquet.packed(table, described)


def description(**changes):
    about = {
        "format": 1,
        "rankscope": "0.1.0",
        "name": "",
        "tags": [],
        "commit": "",
        "time": "2026-01-02T03:04:05+00:00",
        "convention": asdict(Convention()),
        "qrels": {"name": "judges", "digest": judgments.digest(QRELS)},
        "run": {"digest": "", "tag": "", "notes": []},
    }
    return about | changes


def refused(content, code="E-JUDGED"):
    """The reason why a file is refused."""
    with pytest.raises(ReadError) as error:
        read_judged(content, "new.judged.parquet")
    (problem,) = error.value.problems
    assert (problem.code, problem.file) == (code, "new.judged.parquet")
    return problem.found


def test_the_helpers_of_these_tests_write_sound_files():
    assert identical(read_judged(remade()).judged, match(QRELS, RUN))


CHOICES = asdict(Convention())
DESCRIBED = {
    "nothing": (b"", "not JSON"),
    "no JSON": (b"{", "not JSON"),
    "no text": (b"\xff", "not JSON"),
    "a long number": (b'{"format": ' + b"9" * 5000 + b"}", "not JSON"),
    "a list": ([], "not an object"),
    "no version": ({}, "without a version"),
    "a version in words": (description(format="1"), "without a version"),
    "a version that is true": (description(format=True), "without a version"),
    "version 0": (description(format=0), "without a version"),
    "half a character": (description(name="\ud800"), "half a character"),
    "a name that is a number": (description(name=1), "'name' is missing or"),
    "tags in a text": (description(tags="night"), "'tags' is missing or"),
    "a tag that is a list": (description(tags=[[]]), "'tags' lists a value"),
    "no time": (description(time="soon"), "the time 'soon'"),
    "a time without a zone": (description(time="2026-01-02"), "without a time zone"),
    "a time before year 1": (description(time="0001-01-01T00:00:00+14:00"), "the time"),
    "no convention": (description(convention=None), "'convention' is missing"),
    "an unknown choice": (description(convention={**CHOICES, "luck": "good"}), "other choices"),
    "a missing choice": (description(convention={"gain": "linear"}), "other choices"),
    "an unknown value": (description(convention={**CHOICES, "ties": "luck"}), "ties cannot be"),
    "a list as a value": (description(convention={**CHOICES, "ties": []}), "other choices"),
    "a level in words": (description(convention={**CHOICES, "level": "1"}), "other choices"),
    "a level that is NaN": (description(convention={**CHOICES, "level": float("nan")}), "level"),
    "a gain below 0": (description(convention={**CHOICES, "gain": "{1:-1}"}), "finite number"),
    "another digest": (description(qrels={"name": "", "digest": "0"}), "match their digest"),
    "no run": (description(run=[]), "'run' is missing"),
    "a note in a text": (
        description(run={"digest": "", "tag": "", "notes": ["x"]}),
        "'notes' lists a value",
    ),
    "an unknown kind": (
        description(run={"digest": "", "tag": "", "notes": [["x", "N-X", "loud"]]}),
        "unknown kind",
    ),
}


@cases("case", DESCRIBED)
def test_a_hostile_description_is_refused_in_words(case):
    about, found = DESCRIBED[case]
    assert found in refused(remade(about=about))


def test_json_that_is_too_large_or_deep_is_refused():
    assert "bytes" in refused(remade(about=b'{"format": 1}' + b" " * 1_000_000))
    deep = b'{"format": 1, "name": ' + b"[" * 9_000 + b"]" * 9_000 + b"}"
    assert "deeply" in refused(remade(about=deep), "E-JSON")


def test_a_newer_version_is_refused_with_the_way_out():
    # Nothing else of a newer file is looked at: its columns may be others.
    content = remade(about=description(format=4, convention="new"))
    with pytest.raises(ReadError, match=r"version 4 of the format; expected version 3\. Update"):
        read_judged(content)
    refused(content, "E-JUDGED-VERSION")


def row(kind, **cells):
    return pa.Table.from_pylist([{"kind": kind, **cells}], SCHEMA)


def with_row(kind, **cells):
    return pa.concat_tables([table_of(match(QRELS, RUN)), row(kind, **cells)])


def hit(document="z", rank=5, **cells):
    tied = {"first": rank, "last": rank}
    return {"query": "q1", "document": document, "rank": rank, "grade": None, **tied, **cells}


def changed(column, row, value):
    """The table with another value in a row."""
    rows = table_of(match(QRELS, RUN)).to_pylist()
    rows[row][column] = value
    return pa.Table.from_pylist(rows, SCHEMA)


# The rows: 3 queries, 1 unjudged query, 4 judgments, then the hits b and a (tied with y) and c, at
# the ranks 3, 4 and 5.
ROWS = {
    "an unknown kind": (lambda: with_row("guess", query="q1"), "unknown kind"),
    "no kind": (lambda: with_row(None, query="q1"), "unknown kind"),
    "a query twice": (lambda: with_row("query", query="q1"), "listed twice"),
    "an unjudged query twice": (lambda: with_row("unjudged query", query="q9"), "listed twice"),
    "judged and not": (lambda: with_row("unjudged query", query="q1"), "judged and as not"),
    "retrieved without judgments": (lambda: changed("retrieved", 2, 1), "judged and as not"),
    "a query without a name": (lambda: with_row("query"), "wrong 'query'"),
    "a query with a rank": (lambda: with_row("query", query="q", rank=1), "wrong 'rank'"),
    "below 0 retrieved": (lambda: changed("retrieved", 0, -1), "below 0"),
    "fewer retrieved": (lambda: changed("retrieved", 0, 4), "not possible"),
    "not retrieved": (lambda: changed("retrieved", 0, None), "not possible"),
    "a judgment twice": (
        lambda: with_row("judgment", query="q1", document="a", grade=2.0),
        "twice",
    ),
    "a judgment that is NaN": (lambda: changed("grade", 4, float("nan")), "is nan"),
    "a judgment that is infinite": (lambda: changed("grade", 4, float("inf")), "is inf"),
    "a judgment without a grade": (lambda: changed("grade", 4, None), "wrong 'grade'"),
    "a judgment of no query": (lambda: changed("query", 4, "q8"), "not listed"),
    "a hit of no query": (lambda: with_row("hit", **hit(query="q8")), "not listed"),
    "a hit of an unjudged query": (lambda: with_row("hit", **hit(query="q9")), "not listed"),
    "a hit of a query without judgments": (lambda: with_row("hit", **hit(query="q3")), "not poss"),
    "a hit that is NaN": (lambda: changed("grade", 8, float("nan")), "not a number"),
    "a hit with another grade": (lambda: changed("grade", 8, 3.0), "another grade"),
    "a judged hit without a grade": (lambda: changed("grade", 8, None), "another grade"),
    "an unjudged hit with a grade": (lambda: changed("document", 8, "z"), "another grade"),
    "a hit twice": (lambda: changed("document", 9, "b"), "appears twice"),
    "rank 0": (lambda: changed("rank", 8, 0), "not possible"),
    "a first rank of 0": (lambda: changed("first", 8, 0), "not possible"),
    "first after rank": (lambda: changed("first", 8, 4), "not possible"),
    "last before rank": (lambda: changed("last", 8, 2), "not possible"),
    "the largest rank": (lambda: changed("last", 8, 2**63 - 1), "not possible"),
    "top with a grade": (lambda: with_row("top", **hit(rank=1, grade=0.0)), "wrong 'grade'"),
    "top at the rank of a hit": (lambda: with_row("top", **hit(rank=5)), "two documents at one"),
    "top that is judged": (lambda: with_row("top", **hit("a", rank=1)), "appears twice"),
    "top in a tie of others": (lambda: with_row("top", **hit(rank=2)), "overlap"),
    "top of a query not retrieved": (lambda: with_row("top", **hit(query="q2")), "not possible"),
    "judged, not a hit": (
        lambda: pa.concat_tables([table_of(match(QRELS, RUN))[:-1], row("top", **hit("c"))]),
        "another grade",
    ),
    "a rank twice": (lambda: changed("rank", 9, 3), "rank order"),
    "overlapping ties": (lambda: changed("first", 9, 3), "overlap"),
    "hits in another order": (
        lambda: (lambda t: pa.concat_tables([t[:8], t[9:], t[8:9]]))(table_of(match(QRELS, RUN))),
        "rank order",
    ),
}


@cases("case", ROWS)
def test_rows_that_no_ranking_has_are_refused(case):
    table, found = ROWS[case]
    assert found in refused(remade(table()))


def test_a_ranking_longer_than_the_limit_is_refused():
    assert "2,000,000,000" in refused(remade(changed("retrieved", 0, 2_000_000_000)), "E-SIZE")


def test_other_columns_are_refused():
    table = table_of(match(QRELS, RUN))
    # Rows can only be written with our columns, so the file is written without our writer.
    for other in (
        table.drop_columns("last"),
        table.append_column("more", table["rank"]),
        table.set_column(3, "rank", table["rank"].cast(pa.int32())),
    ):
        stream = pa.BufferOutputStream()
        described = json.dumps(description()).encode()
        with pq.ParquetWriter(stream, other.schema, store_schema=False) as writer:
            writer.write_table(other)
            writer.add_key_value_metadata({b"rankscope.judged": described})
        assert "other names or other types" in refused(stream.getvalue().to_pybytes())


@pytest.mark.parametrize("read", [read_run, read_qrels, partial(match_file, QRELS)])
def test_a_reader_of_runs_and_qrels_says_what_the_file_is(read, tmp_path):
    save(match(QRELS, RUN), tmp_path / "a.judged.parquet")
    with pytest.raises(ReadError, match="found judged rankings") as error:
        read(tmp_path / "a.judged.parquet")
    assert error.value.problems[0].code == "E-JUDGED"


def test_damage_is_found():
    whole = remade()
    assert "digest" in refused(remade(sound=False))
    assert "truncated" in refused(whole[:-1])
    assert "truncated" in refused(b"PAR1")
    for size in range(4, len(whole), 97):
        refused(whole[:size])
        refused(whole[:size] + b"PAR1")
    assert "another format" in refused(b"q1 Q0 d1 1 2.5 bm25")
    assert "another format" in refused(b"")
    stream = pa.BufferOutputStream()
    pq.write_table(pa.table({"query": ["q"]}), stream)
    assert "other data" in refused(stream.getvalue().to_pybytes())
    assert not is_judged(stream.getvalue().to_pybytes())
    assert is_judged(whole)


def test_no_changed_byte_changes_what_is_read():
    whole, expected = remade(), read_judged(remade())
    draw = np.random.default_rng(21)
    refusals = 0
    for place in draw.integers(0, len(whole), 400):
        content = bytearray(whole)
        content[place] ^= int(draw.integers(1, 256))
        try:
            found = read_judged(bytes(content))
        except ReadError:
            refusals += 1
        else:
            assert identical(found.judged, expected.judged)
    assert refusals > 200


KILLED = """
import os, signal, sys
from metrics import Qrels, Run, match
from metrics import whole_file
from metrics.matching import judged_file
if sys.argv[2] == "replace":
    whole_file.os.replace = lambda a, b: os.kill(os.getpid(), signal.SIGKILL)
else:
    whole_file.os.fsync = lambda a: os.kill(os.getpid(), signal.SIGKILL)
run = Run.from_dict({"q1": {"a": 1.0}})
judged_file.save(match(Qrels.from_dict({"q1": {"a": 1}}), run), sys.argv[1])
"""


@pytest.mark.parametrize("before", ["replace", "fsync"])
def test_a_killed_writer_leaves_the_file_as_it_was(before, tmp_path):
    path = tmp_path / "a.judged.parquet"
    was = saved(match(QRELS, RUN), tmp_path)
    command = [sys.executable, "-c", KILLED, str(path), before]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == -signal.SIGKILL
    assert path.read_bytes() == was
    assert [*tmp_path.glob("*" + judged_file.ENDING)] == [path]
    save(match(QRELS, RUN), path)
    assert identical(read_judged(path).judged, match(QRELS, RUN))


def test_a_failed_write_leaves_nothing(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        save(match(QRELS, RUN), tmp_path / "a.judged.parquet")
    monkeypatch.undo()
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        save(match(QRELS, RUN), tmp_path / "folder")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
    assert not [*(tmp_path / "folder").iterdir()]


def test_two_writers_leave_a_whole_file(tmp_path):
    path = tmp_path / "a.judged.parquet"
    many = Run.from_dict({"q1": {f"d{i}": -i for i in range(2_000)} | {"a": 1}})
    writers = {"few": match(QRELS, RUN), "many": match(QRELS, many, every=True)}
    save(writers["few"], path, name="few")

    def write(name):
        for _ in range(15):
            save(writers[name], path, name=name)

    threads = [threading.Thread(target=write, args=[name]) for name in writers]
    for thread in threads:
        thread.start()
    seen = set()
    while any(thread.is_alive() for thread in threads) or not seen:
        found = read_judged(path)
        seen.add(found.name)
        assert identical(found.judged, writers[found.name])
    for thread in threads:
        thread.join()
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_any_tool_reads_the_rows(tmp_path):
    save(match(QRELS, RUN), tmp_path / "a.judged.parquet")
    rows = pq.read_table(tmp_path / "a.judged.parquet")
    hits = rows.filter(pc.equal(rows["kind"], "hit")).select(["document", "rank", "grade"])
    assert hits.to_pylist() == [
        {"document": "b", "rank": 3, "grade": 1.0},
        {"document": "a", "rank": 4, "grade": 2.0},
        {"document": "c", "rank": 5, "grade": 0.0},
    ]


@settings(deadline=None, max_examples=60)
@given(files())
def test_judging_again_changes_no_number(case):
    grades, rows, _ = case
    run = Run.from_columns(*zip(*rows, strict=True)) if rows else Run.from_dict({})
    backwards = {q: dict(reversed(of.items())) for q, of in reversed(grades.items())}
    for convention in CONVENTIONS:
        judged = match(Qrels.from_dict(grades), run, convention)
        again, by_them = (match(Qrels.from_dict(backwards), of, convention) for of in (judged, run))
        assert again.content == by_them.content
