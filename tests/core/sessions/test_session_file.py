"""A saved session opens unchanged; any other file is refused."""

import hashlib
import io
import json
import sys
import zipfile
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics import Convention, Dataset, Qrels, RankscopeError, ReadError, Run, match
from metrics.auditing.audit import size
from metrics.auditing.intake import Given, add_files
from metrics.data import Note, Severity
from metrics.editing.edits import backwards, move, remove, set_grade
from metrics.editing.hand_ranking import Entry, HandRanking, as_title
from metrics.editing.history import LONGEST, History
from metrics.editing.log import SHEET, Log, Record, Said
from metrics.editing.origin import Origin
from metrics.editing.signature import Signature
from metrics.editing.store import Edits, Writer
from metrics.matching.judged_file import packed_file
from metrics.reading.unpack import is_zip
from metrics.sessions import session_file
from metrics.sessions.log_files import as_json
from metrics.sessions.session_file import ABOUT, Session, load, refusal, save
from metrics.sessions.tables import put
from metrics.teaching.samples import catalogue
from tests.cases import cases

IDS = st.text(min_size=1, max_size=8).filter(lambda t: t.isprintable() or "\n" in t)
VALUES = st.floats(allow_nan=False, allow_infinity=False)
INF = float("inf")


def pairs(kind, values, name):
    """Runs or qrels of some queries, "q" among them."""
    ranking = st.dictionaries(IDS, values, min_size=1, max_size=4)
    others = st.dictionaries(IDS, ranking, max_size=3)
    return st.builds(
        lambda first, more: kind.from_dict({**more, "q": first}, name).noted(
            [Note("assumed", "N-A"), Note("known", "N-B", Severity.REMARK)]
        ),
        ranking,
        others,
    )


@settings(deadline=None, max_examples=60)
@given(
    pairs(Qrels, st.floats(-1000, 1000), "qrels"),
    pairs(Run, VALUES, "a"),
    pairs(Run, VALUES, "b"),
    st.sampled_from(
        [{}, {"group": {"q": "g"}}, {"device": {"q": "m"}, "[é": {"q": "90", "r": "1"}}]
    ),
)
def test_data_read_back_to_the_bit(qrels, a, b, attributes):
    runs = [a, b]
    qrels = replace(qrels, reasons={"q": {"d": "exact", "é": ""}, "r": {"d": "x\ny"}})
    fields = {"title": {"d": "one"}, "[url": {"d": "/", "é": "//"}}
    texts = {"q": "text\t"}, {"d": "one. two"}, attributes
    data = Dataset("Your data", qrels, tuple(runs), *texts, fields)
    found = load(save(Session(data)), "s.zip").dataset
    for before, after in zip((qrels, *runs), (found.qrels, *found.runs), strict=True):
        assert (before.digest, before.name, before.notes) == (after.digest, after.name, after.notes)
        assert before.tag == after.tag
        assert [note.warns for note in after.notes] == [True, False]
    assert (found.query_texts, found.document_texts, found.query_attributes) == texts
    assert [*found.document_fields.items()] == [*fields.items()]
    assert found.qrels.reasons == qrels.reasons


def of_files():
    """Data with a run and two files of judged rankings, one of them under another convention."""
    qrels = Qrels.from_dict({"q1": {"a": 2, "b": 1}, "q2": {"a": 1}}, "judges")
    runs = (
        Run.from_dict({"q1": {"x": 3.0, "a": 2.0}, "q9": {"a": 1.0}}, "a"),
        Run.from_dict({"q1": {"b": 1.0, "a": 1.0}, "q2": {"a": 1.0, "y": 2.0}}, "b"),
    )
    judged = tuple(match(qrels, run, Convention(ties="mean")) for run in runs)
    named = tuple(replace(each, name=f"{each.name} judged") for each in judged)
    return Dataset("Your data", qrels, runs[:1], judged=named)


def test_judged_rankings_read_back_to_the_bit():
    data = of_files()
    found = load(save(Session(data)), "s.zip").dataset
    assert [each.name for each in found.rankings] == ["a", "a judged", "b judged"]
    for before, after in zip(data.judged, found.judged, strict=True):
        assert (before.content, before.notes, before.tag) == (
            after.content,
            after.notes,
            after.tag,
        )
        assert after.qrels is found.qrels


def test_edits_and_settings_come_back():
    data = catalogue()["shop"].load()
    begun = HandRanking.from_run(data.qrels, data.runs[0], "q01")
    steps = (
        History(begun, begun)
        .then(backwards(begun))
        .then(remove(begun, begun.entries[0].document))
        .reset()
        .then(replace(backwards(begun), title="Mine"))
    )
    view = {"k": "3", "measure": "AP", "shown": "a%7Cb|c"}
    found = load(save(Session(None, {Origin("a", "b/b", "q01"): steps}, view)), "s.zip")
    assert found.dataset is None
    assert found.settings == view
    assert found.edits[Origin("a", "b/b", "q01")] == steps


def test_a_history_comes_back_with_its_orders_its_records_and_the_grades_of_its_own_lists():
    data = catalogue()["shop"].load()
    origin = Origin.of(data.qrels, data.runs[0], "q01")
    original = HandRanking.from_run(data.qrels, data.runs[0], "q01")
    mine = HandRanking("q01", (Entry("m", 2.0), Entry("n", None)), (Entry("o", 0.5),), "Mine")
    edits, writer = Edits(), Writer("a" * 16)
    for make in (
        backwards,
        lambda now: set_grade(now, original.entries[0].document, 0.5),
        lambda now: mine,
        lambda now: original,
        lambda now: mine,
    ):
        before = edits.history(origin, original)
        after = before.then(make(before.present))
        edits = edits.with_change(edits.editing(origin, before, after, ADA, writer), writer.tab)
    saved = load(save(Session(None, edits.histories, log=edits.log)), "s.zip")
    found = saved.edits[origin]
    assert found == edits.histories[origin]
    names = [each.record for each in (*found.past, found.present)]
    # To go back from a list of one's own to the loaded ranking takes the grade back, too.
    assert [*map(bool, names)] == [False, False, True, False, True, False]
    assert [each.name for each in saved.log.records] == [names[2], names[4]]
    assert found.present == mine
    assert {entry.grade for step in found.past[:3] for entry in step.entries} == {None}
    again = Edits(saved.edits, log=saved.log).history(origin, original)
    shown = edits.history(origin, original)
    assert (again, again.before.grades) == (shown, original.grades)


ADA = Signature("Ada", "2026-11-25T09:30:00Z", "names the model")
RANKING = HandRanking("q", (Entry("a", 2), *map(Entry, "xy", (None, None))))
STEPS = History(HandRanking("q", ()), replace(RANKING, unretrieved=(Entry("b", 0.5),)))
ON = Origin("data", SHEET, "q")
LOG = Log.of(Record(n, "a" * 16, n, ON, {"d": Said(n, ADA), "é": Said(None, ADA)}) for n in (1, 2))
WORDS = st.text(min_size=1, max_size=9)
NAMES = st.lists(WORDS, max_size=3).map(tuple)
WHOLE = st.integers(0, (1 << 53) - 1)
SIGNED = st.builds(
    Signature,
    st.text(max_size=9).filter(lambda name: len(name.splitlines()) < 2),
    st.sampled_from(["2026-11-25T09:30:00Z", "2027-01-01T00:00:59Z"]),
    st.text(max_size=9),
)
GRADES = st.none() | st.integers(-1000, 1000) | st.floats(-1000, 1000)
RECORDS = st.builds(
    Record,
    WHOLE,
    WORDS,
    WHOLE,
    st.builds(Origin, WORDS, WORDS, WORDS),
    st.dictionaries(WORDS, st.builds(Said, GRADES, SIGNED, st.booleans()), max_size=3),
    NAMES,
    NAMES,
    st.none() | st.tuples(WORDS, WHOLE),
)


@settings(deadline=None, max_examples=100)
@given(st.lists(RECORDS, max_size=4))
def test_the_log_of_grades_comes_back_whatever_its_records_contain(records):
    log = Log.of(records)
    found = load(save(Session(log=log)), "s.zip").log
    assert found.records == log.records
    assert [[*each.said] for each in found.records] == [[*each.said] for each in log.records]
    assert (found, found.counter) == (log, log.counter)


ENTRIES = st.lists(st.builds(Entry, WORDS, GRADES, st.booleans()), unique_by=lambda e: e.document)
RANKINGS = st.builds(
    lambda ranked, rest, *others: HandRanking(
        "q",
        tuple(replace(each, tied=each.tied and each is not ranked[0]) for each in ranked),
        tuple(Entry(f"{each.document}+", each.grade or 0) for each in rest),
        *others,
    ),
    ENTRIES,
    ENTRIES,
    st.text(max_size=9).map(as_title),
    st.dictionaries(
        WORDS,
        st.dictionaries(WORDS, st.floats(-1000, 1000), min_size=1, max_size=2),
        max_size=2,
    ),
    st.text(max_size=9),
)


@settings(deadline=None, max_examples=100)
@given(RANKINGS, st.lists(RANKINGS, max_size=3), st.dictionaries(WORDS, WHOLE, max_size=2))
def test_edited_rankings_come_back_whatever_their_steps_contain(original, steps, applied):
    history = History(original, (steps or [original])[-1], tuple(steps[:-1]))
    found = load(save(Session(None, {ON: history}, applied={ON: applied})), "s.zip")
    assert (found.edits, found.applied) == ({ON: history}, {ON: applied} if applied else {})
    for before, after in zip(history.steps, found.edits[ON].steps, strict=True):
        assert (after.record, after.aspects) == (before.record, before.aspects)


def size_of(name, session):
    """The bytes of a file in the archive of a session, unpacked."""
    with zipfile.ZipFile(io.BytesIO(save(session))) as archive:
        return archive.getinfo(name).file_size


def test_a_log_that_takes_more_than_a_session_may_is_refused(monkeypatch):
    session, edited = Session(log=LOG), Session(None, {Origin("a", "b", "q"): STEPS}, log=LOG)
    log, edits = (size_of(each, edited) for each in ("log.jsonl", "edits.jsonl"))
    assert log == size_of("log.jsonl", session)
    assert "larger uploads" in refusal(session, log - 1)
    # Edited rankings and the log share what there is.
    for each, lines in ((session, log), (edited, log + edits)):
        monkeypatch.setenv("RANKSCOPE_LIMITS", f"session={5 * lines}")
        assert refusal(each, 1 << 40) == ""
        assert load(save(each), "s.zip").log == LOG
        monkeypatch.setenv("RANKSCOPE_LIMITS", f"session={5 * lines - 1}")
        assert "limit session" in refusal(each, 1 << 40)
        with pytest.raises(ReadError, match="limit session"):
            load(save(each), "s.zip")


def test_further_judges_come_back_with_their_reasons_and_aspects():
    ada = Qrels.from_dict({"q01": {"d1": 2, "d 2": 0.5}}, "Ada")
    judges = (
        replace(ada, reasons={"q01": {"d1": "x"}}),
        catalogue()["ambiguous"].load().qrels.renamed("Bob"),
    )
    data = replace(catalogue()["shop"].load(), judges=judges)
    found = load(save(Session(data)), "s.zip").dataset.judges
    assert [each.name for each in found] == ["Ada", "Bob"]
    for before, after in zip(judges, found, strict=True):
        assert after.to_dict() == before.to_dict()
        assert (after.reasons, after.aspects) == (before.reasons, before.aspects)

    def without(about, files):
        for table in ("queries", "reasons", "aspects"):
            del files[about["data"]["judges"][1].pop(table)["file"]]

    with pytest.raises(ReadError, match="is missing or not an object"):
        load(changed(without, save(Session(data))), "s.zip")


def test_a_history_that_does_not_begin_with_its_original_has_no_step_more():
    begun = STEPS.then(replace(STEPS.present, title="Mine"))
    assert begun.undo().undo() == begun.undo()
    (found,) = load(save(Session(None, {Origin("a", "b", "q"): begun})), "s.zip").edits.values()
    assert found == begun


def new():
    data = catalogue()["shop"].load()
    reasons = {"q01": {"d1": "exact", "d2": "partly"}}
    data = replace(data, qrels=replace(data.qrels, reasons=reasons), document_fields={"url": {}})
    return save(Session(data, {Origin("a", "b", "q"): STEPS}, log=LOG))


def changed(change, saved):
    """A saved session with a change."""
    with zipfile.ZipFile(io.BytesIO(saved)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    about = json.loads(files[ABOUT])
    change(about, files)
    files[ABOUT] = json.dumps(about).encode()
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def write(of, files, table):
    """Put another table in the place of one, with its digest."""
    stream = io.BytesIO()
    pq.write_table(table, stream)
    files[of["file"]] = stream.getvalue()
    of["sha256"] = hashlib.sha256(stream.getvalue()).hexdigest()


def table(about, files, **columns):
    """Put another table in the place of the first run's."""
    given = {"query": [0, 0], "document": ["a", "b"], "value": [2.0, 1.0]} | columns
    types = {"query": pa.int64(), "value": pa.float64()}
    written = {
        name: pa.array(values, types.get(name, pa.string() if not values else None))
        for name, values in given.items()
    }
    write(about.get("data", about)["tables"][1], files, pa.table(written))


def row(of, files, **cells):
    """Change cells in the first row of a table."""
    held = pq.read_table(io.BytesIO(files[of["file"]]))
    for name, value in cells.items():
        at = held.column_names.index(name)
        values = [value, *held.column(name).to_pylist()[1:]]
        held = held.set_column(at, name, pa.array(values, held.schema.types[at]))
    write(of, files, held)


def more(of, files, times):
    """Repeat the rows of a table."""
    held = pq.read_table(io.BytesIO(files[of["file"]]))
    write(of, files, pa.concat_tables([held] * times))


def rewritten(about, files):
    of = about.get("data", about)["tables"][0]
    files[of["file"]] = b"PAR1" + files[of["file"]][4:-4] + b"XXXX"
    of["sha256"] = hashlib.sha256(files[of["file"]]).hexdigest()


def tables(about):
    return about.get("data", about)["tables"]


def line(grade=1, judge="Ada"):
    """A line of a log, whatever its grade and its judge."""
    (first, *_), said = LOG.records, ["d", grade, False, judge, ADA.time, ""]
    return json.dumps(as_json(first) | {"said": [said]}).encode()


CHANGES = [
    (lambda about, files: about.update({"rankscope session": 999}), "version 999"),
    (lambda about, files: about.update({"rankscope session": 6}), "version 6"),
    (lambda about, files: about.update({"rankscope session": True}), "version that is not a whole"),
    (lambda about, files: files.update({tables(about)[0]["file"]: b"x"}), "which was changed"),
    (lambda about, files: about.pop("settings"), "'settings' is missing"),
    (lambda about, files: about["data"].pop("aspects"), "'aspects' is missing"),
    (lambda about, files: about["data"].pop("judged"), "'judged' is missing"),
    (lambda about, files: about["data"].pop("judges"), "'judges' is missing"),
    *[
        (lambda about, files, n=name, c=content: files.update({n: c}), words)
        for name in ("log.jsonl", "edits.jsonl")
        for content, words in (
            (b"{", f"{name} that is not JSON"),
            (b"\n", f"{name} that is not JSON"),
            (b"\xff", f"{name} that is not JSON"),
            (b"[]", f"{name} that is not an object"),
            (b'{"a":%b1%b}' % (b"[" * 20, b"]" * 20), "limit depth"),
            (b"{}", "an id or a name that is empty or not a text"),
        )
    ],
    *[
        (lambda about, files, n=name: files.pop(n), f"no {name}")
        for name in ("log.jsonl", "edits.jsonl")
    ],
    *[
        (lambda about, files, c=content: files.update({"log.jsonl": c}), words)
        for content, words in (
            *((b"%b\n" % line(grade=grade), "A grade is a number") for grade in (1e9, "1")),
            (line(judge=None), "a grade in an unknown form"),
            (line()[:-1] + b"\n" + line(), "log.jsonl that is not JSON"),
        )
    ],
    (lambda about, files: about.update(settings={"k": None}), "'k' is missing or not a text"),
    (lambda about, files: about.get("data", about).update(title=None), "'title' is missing"),
    (lambda about, files: about.get("data", about).update(title="\ud800"), "half a character"),
    (
        lambda about, files: about.get("data", about).update(tables=7),
        "'tables' is missing or not a list",
    ),
    (lambda about, files: tables(about).append(tables(about)[1]), "listed twice"),
    (lambda about, files: tables(about)[1].update(tables(about)[2]), "listed twice"),
    (lambda about, files: tables(about)[0].update(file="none"), "missing"),
    (lambda about, files: tables(about)[0].update(file=[]), "'file' is missing or not a text"),
    (lambda about, files: tables(about)[2].update(name=tables(about)[1]["name"]), "name"),
    (
        lambda about, files: tables(about)[1].update(notes=[["a", True, 1]]),
        "a note in an unknown format",
    ),
    (
        lambda about, files: tables(about)[1].update(notes=[["a", "N-A"]]),
        "a note in an unknown format",
    ),
    (
        lambda about, files: tables(about)[1].update(notes=[["a", "N-A", "other"]]),
        "a note in an unknown format",
    ),
    (rewritten, "cannot be read as a table"),
    (lambda about, files: table(about, files, query=[0, None]), "an empty cell"),
    (lambda about, files: table(about, files, query=[0, 99]), "not listed"),
    (lambda about, files: table(about, files, query=[-1, 0]), "not listed"),
    (lambda about, files: table(about, files, document=["a", "a"]), "appears twice"),
    (lambda about, files: table(about, files, value=[1.0, float("nan")]), "finite number"),
    (lambda about, files: table(about, files, document=["a", ""]), "empty"),
    (lambda about, files: table(about, files, document=["a", "b" * 1001]), "too long"),
    (lambda about, files: table(about, files, query=[], document=[], value=[]), "no rows"),
    (lambda about, files: table(about, files, document=[1, 2]), "other types"),
]


@cases(("change", "words"), CHANGES)
def test_a_changed_session_is_refused(change, words):
    with pytest.raises(RankscopeError, match=words):
        load(changed(change, new()), "s.zip")


@cases(
    ("change", "words"),
    [
        (lambda about, files: about["data"].update(tables=[]), "without qrels"),
        (lambda about, files: about["data"].pop("queries"), "'queries' is missing"),
        (lambda about, files: about["data"]["texts"].update(file="none"), "missing"),
        *[
            (lambda about, files, c=c: row(about["data"]["queries"], files, **c), words)
            for c, words in (
                ({"id": "q02"}, "listed twice"),
                ({"id": ""}, "empty"),
                ({"id": None}, "an empty cell"),
                ({"table": 1}, "not in the order"),
                ({"table": -1}, "not in the order"),
            )
        ],
        *[
            (lambda about, files, c=c: row(about["data"]["texts"], files, **c), words)
            for c, words in (
                ({"id": "q02"}, "listed twice"),
                ({"id": ""}, "empty or too long"),
                ({"id": "q" * 1001}, "empty or too long"),
                ({"text": "x" * 100_001}, "a text that is too long"),
                ({"text": None}, "an empty cell"),
                ({"field": 4}, "not in the order"),
            )
        ],
        *[
            (lambda about, files, n=names: about["data"].update(fields=n), words)
            for names, words in (
                (None, "'fields' is missing"),
                ([7], "another type"),
                (["url", "url"], "listed twice"),
                ([""], "empty or too long"),
                ([str(at) for at in range(201)], "too many fields"),
            )
        ],
        *[
            (lambda about, files, c=c: row(about["data"]["reasons"], files, **c), words)
            for c, words in (
                ({"document": "d2"}, "listed twice"),
                ({"document": ""}, "empty or too long"),
                ({"query": ""}, "empty or too long"),
                ({"reason": "x" * 100_001}, "a text that is too long"),
                ({"reason": None}, "an empty cell"),
            )
        ],
    ],
)
def test_a_session_with_changed_tables_is_refused(change, words):
    with pytest.raises(RankscopeError, match=words):
        load(changed(change, new()), "s.zip")


def edited(files, part, at=None, **changed):
    """Change the line of the edited ranking: a part of it, or the row ``at`` of that part."""
    line = json.loads(files["edits.jsonl"])
    rows = line if at is None else line[part]
    key = part if at is None else at
    rows[key] = changed["to"] if "to" in changed else rows[key] | changed
    files["edits.jsonl"] = json.dumps(line).encode()


@cases(
    ("change", "words"),
    [
        *[
            (lambda files, n=name, to=to: edited(files, n, to=to), words)
            for name, to, words in (
                *((name, "", "a name that is empty") for name in ("query", "run", "qrels")),
                ("run", 7, "a name that is empty or not a text"),
                ("query", "\ud800", "half a character"),
                ("applied", [], "'applied' is missing or not an object"),
                *(("applied", {"tab": n}, "number that is not whole") for n in (0.5, True, "1")),
                ("entries", None, "'entries' is missing or not a list"),
                ("entries", [{}], "another type"),
                ("entries", [], "not listed"),
                ("steps", {}, "'steps' is missing or not a list"),
                ("steps", [7], "another type"),
                ("steps", [], "no steps, or more than can be undone"),
            )
        ],
        *[
            (lambda files, to=to: edited(files, "entries", 0, to=to), words)
            for to, words in (
                (["a", 2], "a document in an unknown form"),
                (["a", "2", False], "a document in an unknown form"),
                (["a", 2, 2], "a document in an unknown form"),
                (["a", True, False], "a grade is a number"),
                *((["a", n, False], "a grade is a number") for n in (1e9, 10**99, INF, -INF)),
                (["a", float("nan"), False], "a grade is a number"),
                (["a", 2, True], "no document above it"),
                (["", 2, False], "an id or a name that is empty"),
                ([7, 2, False], "an id or a name that is empty or not a text"),
                (["\ud800", 2, False], "half a character"),
                (["x", 2, False], "already there"),
            )
        ],
        *[
            (lambda files, c=c: edited(files, "steps", 1, **c), words)
            for c, words in (
                ({"title": "x" * 201}, "at most 200 characters"),
                *(({name: None}, "is missing or not a text") for name in ("title", "record")),
                *(({name: "\udfff"}, "half a character") for name in ("title", "record")),
                ({"ranked": 5}, "ranks more documents"),
                *(({"ranked": n}, "number that is not whole") for n in (-1, 1.0, True, None)),
                ({"ranked": 1}, "it needs a grade"),
                *(({"order": [at]}, "not listed") for at in (4, -1, 10**99)),
                *(({"order": [at]}, "another type") for at in (0.0, "0", None, [0])),
                ({"order": [1, 1, 2, 3]}, "already there"),
                ({"order": {}}, "'order' is missing or not a list"),
                *(
                    ({"aspects": value}, "not a ranking that Rankscope saved")
                    for value in (
                        *(None, [], {"a": {}}, {"a": [1]}, {"": {"x": 1}}, {"a": {"": 1}}),
                        *({"a": {"x": grade}} for grade in (1e9, INF, "1", None, True)),
                        *({"a": {name: 1}} for name in ("x" * 1001, "\ud800")),
                    )
                ),
            )
        ],
        (
            lambda files: files.update(
                {"edits.jsonl": files["edits.jsonl"] + files["edits.jsonl"]}
            ),
            "edited twice",
        ),
    ],
)
def test_a_session_with_changed_edits_is_refused(change, words):
    with pytest.raises(ReadError, match=words) as error:
        load(changed(lambda about, files: change(files), new()), "s.zip")
    assert [each.code for each in error.value.problems] == ["E-SESSION"]


def test_no_more_steps_are_opened_than_can_be_undone():
    def times(files, count):
        (original, present) = json.loads(files["edits.jsonl"])["steps"]
        edited(files, "steps", to=[original, *[present] * count])

    saved = [changed(lambda about, files, n=n: times(files, n), new()) for n in (201, 202)]
    (found,) = load(saved[0], "s.zip").edits.values()
    assert len(found.past) == LONGEST
    with pytest.raises(ReadError, match="more than can be undone"):
        load(saved[1], "s.zip")


JUDGED = [
    (lambda about, files: about["data"].update(judged=7), "not a list"),
    (lambda about, files: about["data"].update(judged=[7]), "a value of another type"),
    (lambda about, files: about["data"]["judged"].append("none"), "missing or listed twice"),
    (lambda about, files: about["data"]["judged"].append(about["data"]["judged"][0]), "twice"),
    (lambda about, files: files.update({about["data"]["judged"][0]: b"PAR1"}), "truncated"),
    (
        lambda about, files: files.update(
            {about["data"]["judged"][0]: packed_file(match(*OTHER), name="x")}
        ),
        "other judgments",
    ),
]
OTHER = Qrels.from_dict({"q1": {"a": 1}}), Run.from_dict({"q1": {"a": 2.0}})


@cases(("change", "words"), JUDGED)
def test_changed_judged_rankings_are_refused(change, words):
    with pytest.raises(RankscopeError, match=words):
        load(changed(change, save(Session(of_files()))), "s.zip")


@cases("data", [b"", b"PK", b"q Q0 d 1 1 t", save(Session())[:-9]])
def test_a_file_that_is_not_a_session_is_refused(data):
    with pytest.raises(ReadError):
        load(data, "s.zip")


@pytest.mark.parametrize("limit", ["session", "json", "depth", "id"])
def test_a_session_above_the_limits_is_refused(monkeypatch, limit):
    saved = new()
    monkeypatch.setenv("RANKSCOPE_LIMITS", f"{limit}=2")
    with pytest.raises(RankscopeError, match=f"limit {limit}|too long"):
        load(saved, "s.zip")


def run_of(rows):
    return b"".join(b"q Q0 d%d 1 %d t\n" % (at, rows - at) for at in range(rows))


def texts_of(count):
    return b"".join(b"d%d\tas said in [1] and {2}\n" % at for at in range(count))


@pytest.mark.parametrize(
    ("limits", "files"),
    [
        ("rows=100", {"run": run_of(300)}),
        ("rows=300", {"run": run_of(9), "document_texts": texts_of(290)}),
        ("rows=900", {"run": run_of(9), "document_texts": "d1\t日本語日本語\n".encode()}),
        ("rows=900", {"run": "ク Q0 語 1 2 t\nq Q0 日本語 1 2 t\n".encode()}),
        ("json=9000", {"run": run_of(9), "document_texts": texts_of(900)}),
        ("rows=900", {"run": run_of(9), "document_texts": b"id,text,url\nd1,one,/d1\nd2,two,/d2"}),
        ("expanded=20000", {"run": run_of(900), "document_texts": texts_of(500)}),
    ],
)
def test_accepted_data_can_be_opened_again(monkeypatch, limits, files):
    monkeypatch.setenv("RANKSCOPE_LIMITS", limits)
    given = [Given(role, data, role) for role, data in files.items()]
    data = add_files([Given("q.txt", b"q 0 d1 1", "qrels"), *given]).dataset
    found = load(save(Session(data)), "s.zip").dataset
    assert found.runs[0].digest == data.runs[0].digest
    assert found.document_texts == data.document_texts
    monkeypatch.setenv("RANKSCOPE_LIMITS", f"{limits} session={size(data)}")
    assert load(save(Session(data)), "s.zip").dataset.document_texts == data.document_texts
    monkeypatch.setenv("RANKSCOPE_LIMITS", f"{limits} session={size(data) - 1}")
    with pytest.raises(ReadError, match="limit session"):
        load(save(Session(data)), "s.zip")


def test_accepted_judged_rankings_can_be_opened_again(monkeypatch):
    data = of_files()
    monkeypatch.setenv("RANKSCOPE_LIMITS", f"session={size(data)}")
    found = load(save(Session(data)), "s.zip").dataset
    assert [each.content for each in found.judged] == [each.content for each in data.judged]
    monkeypatch.setenv("RANKSCOPE_LIMITS", f"session={size(data) - 1}")
    with pytest.raises(ReadError, match="limit session"):
        load(save(Session(data)), "s.zip")


def test_every_step_of_long_rankings_is_opened_again(monkeypatch):
    monkeypatch.setenv("RANKSCOPE_LIMITS", "rows=1000")
    steps = long_steps()
    edits = {Origin("[[[", "b", query): steps[query] for query in steps}
    found = load(save(Session(None, edits)), "s.zip").edits
    assert found == edits
    first, *_, last = found[Origin("[[[", "b", "q0")].past
    assert {*map(id, first.entries)} == {*map(id, last.entries)}
    held = 5 * size_of("edits.jsonl", Session(None, edits))
    monkeypatch.setenv("RANKSCOPE_LIMITS", f"session={held} json=200 values=200")
    assert load(save(Session(None, edits)), "s.zip").edits == edits
    assert refusal(Session(None, edits), 1 << 40) == ""
    monkeypatch.setenv("RANKSCOPE_LIMITS", f"session={held - 1}")
    assert "limit session" in refusal(Session(None, edits), 1 << 40)
    with pytest.raises(ReadError, match="limit session"):
        load(save(Session(None, edits)), "s.zip")


def test_many_steps_that_are_alike_are_packed_within_the_limits_of_an_archive(monkeypatch):
    edits = {Origin("a", "b", query): steps for query, steps in long_steps().items()}
    session = Session(None, edits)
    assert 5 * len(save(session)) < size_of("edits.jsonl", session)
    for name in (session_file.__name__, is_zip.__module__):
        monkeypatch.setattr(sys.modules[name], "SMALL", 10_000)
    monkeypatch.setenv("RANKSCOPE_LIMITS", "ratio=2")
    assert load(save(session), "s.zip").edits == edits


def long_steps():
    """Histories of rankings, each with more documents than the limit of rows."""
    found = {}
    for query in ("q0", "q1"):
        ranking = HandRanking(query, tuple(Entry(f"d{at}", at % 2 or None) for at in range(2000)))
        found[query] = History(ranking, ranking)
        for at in range(5):
            found[query] = found[query].then(move(found[query].present, f"d{at}", 1000))
    return found


def test_as_many_runs_as_fit_are_opened_again():
    qrels = Qrels.from_dict({"q": {"d": 1}})
    runs = tuple(Run.from_dict({"q": {"d": 1}}, f"{'[' * 1500}{at}") for at in range(80))
    found = load(save(Session(Dataset("Your data", qrels, runs))), "s.zip").dataset
    assert [run.name for run in found.runs] == [run.name for run in runs]
    assert "990" in refusal(Session(Dataset("Your data", qrels, runs * 13)), 1 << 40)


def test_a_session_that_is_too_large_to_open_is_refused_before_it_is_saved():
    ids = [f"{number:x}" for number in np.random.default_rng(1).integers(0, 1 << 62, 1000).tolist()]
    run = Run.from_dict({"1": dict.fromkeys(ids, 1.0)}, "r")
    texts = {each: each * 9 for each in ids}
    data = Dataset("Your data", Qrels.from_dict({"1": {"d": 1}}), (run,), document_texts=texts)
    session = Session(data, {Origin("a", "b", "q"): STEPS})
    saved = len(save(session))
    assert "larger uploads" in refusal(session, saved - 1)
    assert refusal(session, saved) == ""


def test_an_archive_expands_to_no_more_than_other_files(monkeypatch):
    def zeros(about, files):
        files["zeros"] = bytes(9_000_000)

    stream = io.BytesIO()
    given = zipfile.ZipFile(io.BytesIO(changed(zeros, save(Session()))))
    with given, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in given.namelist():
            archive.writestr(name, given.read(name))
    monkeypatch.setenv("RANKSCOPE_LIMITS", "expanded=8000000 json=100000")
    with pytest.raises(ReadError, match="limit expanded"):
        load(stream.getvalue(), "s.zip")


def test_exclusions_come_back_and_a_data_set_without_has_no_table_of_them():
    excluded = {"q01": ["no such", "d 1"], "zz": ["x"]}
    shop = catalogue()["shop"].load()
    data = replace(shop, qrels=shop.qrels.without(excluded))
    found = load(save(Session(data)), "s.zip").dataset
    assert found.qrels.excluded == {"q01": {"no such", "d 1"}, "zz": {"x"}}
    assert (found.key, found.qrels.notes) == (data.key, data.qrels.notes)
    assert b"excluded" not in save(Session(shop))

    def longer(about, files):
        columns = {"query": ["q01"], "document": ["d" * 2_000_000]}
        about["data"]["excluded"] = put(files, "excluded", columns)

    with pytest.raises(ReadError, match="an id that is empty or too long"):
        load(changed(longer, save(Session(data))), "s.zip")
