"""A saved session reads back as it was; whatever else is given is refused."""

import hashlib
import io
import json
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics import Dataset, Qrels, RankscopeError, ReadError, Run
from metrics.edits import backwards
from metrics.hand_ranking import HandRanking
from metrics.history import History
from metrics.reading.problems import Aside
from metrics.samples import catalogue
from metrics.session_file import ABOUT, Session, load, save

IDS = st.text(min_size=1, max_size=8).filter(lambda t: t.isprintable() or "\n" in t)
VALUES = st.floats(allow_nan=False, allow_infinity=False)


def pairs(kind, values):
    return st.dictionaries(IDS, st.dictionaries(IDS, values, max_size=4), max_size=4).map(
        lambda of: kind.from_dict(of, "named").noted(["assumed", Aside("known")])
    )


@settings(deadline=None, max_examples=60)
@given(pairs(Qrels, st.floats(-1000, 1000)), st.lists(pairs(Run, VALUES), max_size=3))
def test_data_read_back_to_the_bit(qrels, runs):
    data = Dataset("Your data", qrels, tuple(runs), {"q": "text\t"}, {}, {"q": "group"})
    found = load(save(Session(data)), "s.zip").dataset
    for before, after in zip((qrels, *runs), (found.qrels, *found.runs), strict=True):
        assert (before.digest, before.name, before.notes) == (after.digest, after.name, after.notes)
        assert [isinstance(n, Aside) for n in after.notes] == [False, True]
    assert (found.query_texts, found.query_groups) == ({"q": "text\t"}, {"q": "group"})


def test_edits_and_settings_come_back():
    data = catalogue()["shop"].load()
    begun = HandRanking.from_run(data.qrels, data.runs[0], "q01")
    steps = History(begun, begun).then(backwards(begun))
    view = {"k": 3, "measure": "AP", "shown": ["a|b", "c"], "level": 1.5, "flat": True, "x": None}
    found = load(save(Session(None, {"a/b/q01": steps}, view)), "s.zip")
    assert found.dataset is None
    assert found.view == view
    assert found.edits["a/b/q01"] == steps


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
        (lambda about, files: about["tables"][0].update(queries=["q01"]), "not listed"),
        (lambda about, files: about["tables"][0]["queries"].__setitem__(0, "q02"), "listed twice"),
        (rewritten, "not fit"),
        (lambda about, files: about.update(tables=7), "not fit"),
    ],
)
def test_what_was_changed_is_refused(change, words):
    with pytest.raises(ReadError, match=words):
        load(changed(change), "s.zip")


@pytest.mark.parametrize("data", [b"", b"PK", b"q Q0 d 1 1 t", save(Session())[:-9]])
def test_what_is_no_session_is_refused(data):
    with pytest.raises(ReadError):
        load(data, "s.zip")


def test_more_than_the_limits_is_refused(monkeypatch):
    saved = save(Session(catalogue()["shop"].load()))
    for limit in ("rows", "session"):
        monkeypatch.setenv("RANKSCOPE_LIMITS", f"{limit}=10")
        with pytest.raises(RankscopeError, match=f"limit {limit}"):
            load(saved, "s.zip")
