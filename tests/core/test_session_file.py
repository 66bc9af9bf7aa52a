"""A saved session reads back as it was; whatever else is given is refused."""

import hashlib
import io
import json
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics import Dataset, Qrels, RankscopeError, ReadError, Run
from metrics.edits import backwards, remove
from metrics.hand_ranking import HandRanking
from metrics.history import History
from metrics.reading.problems import Aside
from metrics.samples import catalogue
from metrics.session_file import ABOUT, Session, load, save

IDS = st.text(min_size=1, max_size=8).filter(lambda t: t.isprintable() or "\n" in t)
VALUES = st.floats(allow_nan=False, allow_infinity=False)


def pairs(kind, values, name):
    """Runs or qrels of some queries, "q" among them."""
    ranking = st.dictionaries(IDS, values, min_size=1, max_size=4)
    others = st.dictionaries(IDS, ranking, max_size=3)
    return st.builds(
        lambda first, more: kind.from_dict({**more, "q": first}, name).noted(
            ["assumed", Aside("known")]
        ),
        ranking,
        others,
    )


@settings(deadline=None, max_examples=60)
@given(
    pairs(Qrels, st.floats(-1000, 1000), "qrels"), pairs(Run, VALUES, "a"), pairs(Run, VALUES, "b")
)
def test_data_read_back_to_the_bit(qrels, a, b):
    runs = [a, b]
    data = Dataset("Your data", qrels, tuple(runs), {"q": "text\t"}, {}, {"q": "group"})
    found = load(save(Session(data)), "s.zip").dataset
    for before, after in zip((qrels, *runs), (found.qrels, *found.runs), strict=True):
        assert (before.digest, before.name, before.notes) == (after.digest, after.name, after.notes)
        assert [isinstance(n, Aside) for n in after.notes] == [False, True]
    assert (found.query_texts, found.query_groups) == ({"q": "text\t"}, {"q": "group"})


def test_edits_and_settings_come_back():
    data = catalogue()["shop"].load()
    begun = HandRanking.from_run(data.qrels, data.runs[0], "q01")
    steps = (
        History(begun, begun)
        .then(backwards(begun))
        .then(remove(begun, begun.entries[0].document))
        .reset()
    )
    view = {"k": "3", "measure": "AP", "shown": "a%7Cb|c"}
    found = load(save(Session(None, {"a/b/q01": steps}, view)), "s.zip")
    assert found.dataset is None
    assert found.view == view
    assert found.edits["a/b/q01"] == steps


ONE, LONG = '{"query":"q","ranked":[["d",1]]}', " " * 10_000_000


def changed(change):
    """A saved session whose description was changed."""
    saved = save(Session(catalogue()["shop"].load()))
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


def table(about, files, **columns):
    """Put another table in the place of the first run's."""
    given = {"query": [0, 0], "document": ["a", "b"], "value": [2.0, 1.0]} | columns
    types = {"query": pa.int64(), "value": pa.float64()}
    written = {
        name: pa.array(values, types.get(name, pa.string() if not values else None))
        for name, values in given.items()
    }
    stream = io.BytesIO()
    pq.write_table(pa.table(written), stream)
    name = about["tables"][1]["file"]
    files[name] = stream.getvalue()
    about["tables"][1]["sha256"] = hashlib.sha256(files[name]).hexdigest()


def rewritten(about, files):
    name = about["tables"][0]["file"]
    files[name] = b"PAR1" + files[name][4:-4] + b"XXXX"
    about["tables"][0]["sha256"] = hashlib.sha256(files[name]).hexdigest()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda about, files: about.update({"rankscope session": 999}), "version 999"),
        (
            lambda about, files: files.update({about["tables"][0]["file"]: b"x"}),
            "a changed",
        ),
        (lambda about, files: about.pop("view"), "not fit"),
        (lambda about, files: about.update(edits=[["a", "b"]]), "not fit"),
        (lambda about, files: about.update(edits=[["a", "{}", "{}"]]), "not fit"),
        (lambda about, files: about.update(edits=[["a/b/q", ONE.replace("q", "p")]]), "not fit"),
        (
            lambda about, files: about.update(edits=[["a/b/q", ONE, ONE + LONG]]),
            "not fit",
        ),
        (lambda about, files: about.update({"rankscope session": True}), "version True"),
        (lambda about, files: about.update(title=None), "not fit"),
        (lambda about, files: about.update(view={"k": None}), "not fit"),
        (lambda about, files: about.update(query_texts={"q01": None}), "not fit"),
        (lambda about, files: about["tables"][0]["queries"].__setitem__(0, None), "not fit"),
        (lambda about, files: about["tables"][0].update(queries=["q01"]), "not listed"),
        (lambda about, files: about["tables"][0]["queries"].__setitem__(0, "q02"), "listed twice"),
        (rewritten, "not fit"),
        (lambda about, files: about.update(tables=7), "not fit"),
        (lambda about, files: about.update(title="\ud800"), "not fit"),
        (lambda about, files: about["tables"].append(about["tables"][1]), "listed twice"),
        (lambda about, files: about.update(edits=[["a", "{}", "{}"]] * 1001), "1,001 edited"),
        (lambda about, files: about["tables"][2].update(name=about["tables"][1]["name"]), "name"),
        (lambda about, files: about.update(tables=about["tables"][:1]), "at least one run"),
        (lambda about, files: table(about, files, query=[0, None]), "nothing in a row"),
        (lambda about, files: table(about, files, document=["a", ""]), "empty"),
        (lambda about, files: table(about, files, document=["a", "b" * 1001]), "too long"),
        (
            lambda about, files: table(about, files, query=[], document=[], value=[]),
            "other types|no rows",
        ),
        (lambda about, files: table(about, files, document=[1, 2]), "other types"),
    ],
)
def test_what_was_changed_is_refused(change, words):
    with pytest.raises(RankscopeError, match=words):
        load(changed(change), "s.zip")


@pytest.mark.parametrize("data", [b"", b"PK", b"q Q0 d 1 1 t", save(Session())[:-9]])
def test_what_is_no_session_is_refused(data):
    with pytest.raises(ReadError):
        load(data, "s.zip")


def test_more_than_the_limits_is_refused(monkeypatch):
    saved = save(Session(catalogue()["shop"].load()))
    for limit in ("rows", "session", "json", "depth"):
        monkeypatch.setenv("RANKSCOPE_LIMITS", f"{limit}=2")
        with pytest.raises(RankscopeError, match=f"limit {limit}"):
            load(saved, "s.zip")
