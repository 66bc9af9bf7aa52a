"""Files dropped together on Data: the role of each, a click that changes it, and what waits."""

import io
import json
import zipfile

import pytest

from tests.pages.conftest import drawn, drop, opened

QRELS, RUN = b"q1 0 d1 3\nq1 0 d2 1", b"q1 Q0 d2 1 2.5 mine\nq1 Q0 d1 2 1.5 mine"
OTHER = b"q1 Q0 d1 1 2.5 other\nq1 Q0 d2 2 1.5 other"
QUERIES, DOCUMENTS, GROUPS = b"q1\tlaptop", b"d1\tfirst\nd2\tsecond", b"q1\tshort\nq2\tshort"
OPEN = ("scores.json", json.dumps({"q1": {"d1": 2, "d2": 1}}).encode())


@pytest.fixture
def at():
    return opened("data")


def data(at):
    assert not at.exception
    return at.session_state.get("_upload")


def roles(at):
    """Return the role of each listed file, by its name."""
    boxes = [box for box in at.selectbox if box.label.startswith("Use ")]
    return {box.label[len("Use `") : -len("` as")]: box.value for box in boxes}


def choose(at, name, role):
    next(box for box in at.selectbox if box.label == f"Use `{name}` as").set_value(role).run()


def click(at, label, place=0):
    [button for button in at.button if button.label == label][place].click().run()


def test_all_files_of_a_comparison_at_once_then_compare(at):
    files = {"1": GROUPS, "2": DOCUMENTS, "3": QUERIES, "4": OTHER, "5": RUN, "6": QRELS}
    drop(at, *files.items())
    assert [run.name for run in data(at).runs] == ["4", "5"]
    assert list(roles(at).values()) == [
        *("query_attributes", "document_texts", "query_texts"),
        *("run", "run", "qrels"),
    ]
    assert not at.error
    click(at, "Compare the runs")
    assert not at.exception
    assert data(at).query_attributes == {"group": {"q1": "short", "q2": "short"}}


def test_a_run_alone_waits_for_its_qrels(at):
    drop(at, ("mine.run", RUN))
    assert data(at) is None
    assert not at.error
    assert roles(at) == {"mine.run": "run"}
    assert [each.value for each in at.info] == ["Still needed: the qrels."]
    drop(at, ("q.txt", QRELS))
    assert data(at).runs[0].name == "mine"
    assert not at.info


def test_a_file_that_fits_two_roles_asks_one_question(at):
    drop(at, ("q.txt", QRELS), OPEN)
    assert data(at) is None
    assert roles(at) == {"q.txt": "qrels", "scores.json": None}
    assert len(at.warning) == 1
    assert "`scores.json`" in at.warning[0].value
    choose(at, "scores.json", "run")
    assert data(at).runs[0].to_dict() == {"q1": {"d1": 2, "d2": 1}}
    assert not at.warning


def test_columns_of_judges_ask_whether_they_are(at):
    drop(at, ("a.run", RUN), ("x.csv", b"query,document,ann,bob\nq1,d1,3,1\nq1,d2,3,\n"))
    assert data(at) is None
    assert roles(at) == {"a.run": "run", "x.csv": None}
    assert any("grades of a judge" in each.value for each in at.caption)
    choose(at, "x.csv", "qrels")
    assert [data(at).qrels.name, *(judge.name for judge in data(at).judges)] == ["ann", "bob"]
    assert any(each.value == "2 judges, 1 query, 3 judgments" for each in at.caption)
    assert not at.warning


def test_a_role_can_be_changed_after_the_files_are_accepted(at):
    drop(at, ("q.txt", QRELS), ("a.run", RUN), ("groups.tsv", b"q1\tlaptop"))
    assert data(at).query_attributes == {"group": {"q1": "laptop"}}
    choose(at, "groups.tsv", "query_texts")
    assert (data(at).query_texts, data(at).query_attributes) == ({"q1": "laptop"}, {})
    assert len(data(at).runs) == 1


def test_a_removed_file_is_no_longer_part_of_the_data(at):
    drop(at, ("q.txt", QRELS), ("a.run", RUN), ("b.run", OTHER))
    click(at, "Remove", place=1)
    assert [run.name for run in data(at).runs] == ["b"]
    click(at, "Remove", place=0)
    # The data stay until all files are complete again.
    assert [run.name for run in data(at).runs] == ["b"]
    assert at.info[-1].value == "Still needed: the qrels."
    click(at, "Restore")
    assert [run.name for run in data(at).runs] == ["a", "b"]


def test_refused_files_can_be_left_out_and_do_not_block_the_next(at):
    bad = ("bad.run", RUN + b"\nq1 Q0 d3 3 high mine")
    drop(at, ("q.txt", QRELS), ("a.run", RUN), bad)
    assert data(at) is None
    assert at.error[0].value.startswith("1 of 3 files cannot be read; the rest waits.\n")
    assert "bad.run, line 3" in at.error[0].value
    # It is with the error, before the box and the list.
    labels = [button.label for button in at.button]
    assert labels.index("Leave out what is not read") < labels.index("Type two lists")
    assert labels.count("Leave out what is not read") == 1
    click(at, "Leave out what is not read")
    assert [run.name for run in data(at).runs] == ["a"]
    drop(at, bad)
    assert at.error[0].value.startswith("`bad.run` was not added. Your data are unchanged.")
    assert "bad.run, line 3" in at.error[0].value
    drop(at, ("b.run", OTHER))
    assert [run.name for run in data(at).runs] == ["a", "b"]


def test_a_zip_archive_of_beir_is_recognised_file_by_file(at):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("set/corpus.jsonl", '{"_id": "d1", "title": "Mouse", "text": "Wired."}')
        archive.writestr("set/queries.jsonl", '{"_id": "q1", "text": "mouse", "metadata": {}}')
        archive.writestr("set/qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1")
    drop(at, ("set.zip", stream.getvalue()), ("a.run", RUN))
    assert list(roles(at).values()) == ["document_texts", "query_texts", "qrels", "run"]
    assert data(at).document("d1").title == "Mouse"
    assert data(at).query_texts == {"q1": "mouse"}


def test_a_saved_session_among_other_files_is_refused(at):
    from metrics.sessions.session_file import Session, save

    drop(at, ("q.txt", QRELS), ("s.zip", save(Session())))
    assert "found a saved session among other files" in at.error[0].value
    assert data(at) is None


def test_large_files_are_not_kept_once_they_are_accepted(at, monkeypatch):
    monkeypatch.setattr("pages.ui.data.drop_box._KEPT", 10)
    drop(at, ("q.txt", QRELS), ("a.run", RUN))
    assert at.session_state["_listed"].files == ()
    assert roles(at) == {"q.txt": "qrels", "a.run": "run"}
    assert all(box.disabled for box in at.selectbox if box.label.startswith("Use "))


def test_names_of_files_are_literal(at):
    name = "**x** :red[y] ![z](http://127.0.0.1/z.png).json"
    drop(at, (name, OPEN[1]))
    assert [each.value for each in at.text if "127.0.0.1" in each.value] == [name]
    assert at.warning[0].value == f"Choose the kind of `{name}`: the content fits several."


ODD = b"topic;result;place;value\nq1;d1;1;9,5\nq1;d2;2;8,25\n"


def columns(at, place):
    """Return the choices of a file's columns."""
    return [box for box in at.selectbox if (box.key or "").startswith(f"column{place}_")]


def pick(at, place, *names, header=None):
    for box, name in zip(columns(at, place), names, strict=True):
        box.set_value(name)
    if header is not None:
        next(box for box in at.checkbox if box.label.startswith("The first line")).set_value(header)
    click(at, "Read it")


def test_a_table_without_known_columns_asks_which_they_are(at):
    drop(at, ("q.txt", QRELS), ("a.csv", ODD))
    assert data(at) is None
    assert not at.error
    assert [each.value for each in at.warning] == ["Choose the columns of `a.csv`."]
    assert any(each.value.startswith("Found ") for each in at.text)
    assert [box.value for box in columns(at, 1)] == ["query", "", "", ""]
    pick(at, 1, "query", "document", "", "score")
    assert data(at).runs[0].to_dict() == {"q1": {"d1": 9.5, "d2": 8.25}}
    assert "Columns as you chose" in str(drawn(at, "files_read")["found"])


def test_records_without_known_keys_ask_which_they_are(at):
    records = b'[{"frage": "q1", "treffer": "d1", "wert": 9.5}]'
    drop(at, ("q.txt", QRELS), ("a.json", records))
    assert [each.value for each in at.warning] == ["Choose the columns of `a.json`."]
    # The keys of records are never a row.
    assert not [box for box in at.checkbox if box.label.startswith("The first line")]
    assert [box.value for box in columns(at, 1)] == ["", "", ""]
    assert [box.label for box in columns(at, 1)] == ["`frage`", "`treffer`", "`wert`"]
    pick(at, 1, "query", "document", "score")
    assert data(at).runs[0].to_dict() == {"q1": {"d1": 9.5}}
    drop(at, ("b.json", records.replace(b"9.5", b"7")))
    assert [run.name for run in data(at).runs] == ["a", "b"]


def test_labels_of_no_known_scale_ask_what_they_count(at):
    labels = b"query,document,label\nq1,d1,hot\nq1,d2,cold\n"
    drop(at, ("a.csv", labels), ("mine.run", RUN))
    assert data(at) is None
    assert not at.error
    assert [(box.label, box.value) for box in at.number_input] == [("`hot`", 0), ("`cold`", 0)]
    at.number_input[0].set_value(2)
    click(at, "Read it")
    assert data(at).qrels.to_dict() == {"q1": {"d1": 2, "d2": 0}}
    # The change of a role keeps what the labels count.
    choose(at, "a.csv", "qrels")
    assert data(at).qrels.to_dict() == {"q1": {"d1": 2, "d2": 0}}


def test_columns_are_remembered_for_files_alike(at):
    drop(at, ("q.txt", QRELS), ("a.csv", ODD))
    pick(at, 1, "query", "document", "", "score")
    drop(at, ("b.csv", ODD.replace(b"9,5", b"7,5")))
    assert [run.name for run in data(at).runs] == ["a", "b"]
    assert data(at).runs[1].to_dict() == {"q1": {"d1": 7.5, "d2": 8.25}}
    # Rows that the same columns do not fit are refused, and asked about again.
    drop(at, ("c.csv", ODD.replace(b"9,5", b"high")))
    assert any("c.csv, line 2" in each.value for each in at.error)
    assert [run.name for run in data(at).runs] == ["a", "b"]


def test_columns_that_are_incomplete_are_refused_before_the_file_is_read(at):
    drop(at, ("q.txt", QRELS), ("a.csv", ODD))
    pick(at, 1, "query", "query", "", "score")
    assert "found query twice" in at.error[0].value
    pick(at, 1, "query", "", "", "score")
    assert "found no document" in at.error[0].value
    pick(at, 1, "query", "document", "rank", "", header=True)
    assert data(at).runs[0].to_dict() == {"q1": {"d1": 2, "d2": 1}}


def test_a_role_chosen_after_the_columns_keeps_them(at):
    drop(at, ("a.run", RUN), ("b.txt", b"3 q1 d1 x y\n1 q1 d2 x y\n"))
    pick(at, 1, "score", "query", "document", "", "", header=False)
    assert roles(at)["b.txt"] == "run"
    choose(at, "b.txt", "qrels")
    assert data(at).qrels.to_dict() == {"q1": {"d1": 3, "d2": 1}}


def test_what_is_in_an_archive_counts_towards_the_limit(at, monkeypatch):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("a.run", "b.run"):
            archive.writestr(name, RUN + b"\n" * 4000)
    packed = stream.getvalue()
    assert len(packed) < 1000
    monkeypatch.setenv("RANKSCOPE_LIMITS", "session=5000")
    drop(at, ("runs.zip", packed))
    assert "limit session" in at.error[0].value
    assert at.session_state.get("_listed") is None


def test_a_file_that_was_recognised_wrongly_can_be_put_right(at):
    drop(at, ("q.txt", QRELS), ("a.run", RUN), ("b.tsv", b"q1\tlaptop 1\n"))
    assert roles(at)["b.tsv"] == "qrels"
    assert "2 files contain judgments" in at.error[0].value
    choose(at, "b.tsv", "run")
    assert data(at) is None
    choose(at, "b.tsv", "query_texts")
    assert data(at).query_texts == {"q1": "laptop 1"}


def test_seen_items_ask_once_and_are_left_out_of_every_page(at):
    seen = ("seen.csv", b"query,document\nq1,d2\nq1,d7\n")
    drop(at, ("q.txt", QRELS), ("a.run", RUN), ("b.run", OTHER), seen)
    assert data(at) is None
    assert [each.value for each in at.warning] == [
        "Choose the kind of `seen.csv`: the content fits several."
    ]
    choose(at, "seen.csv", "excluded")
    assert [run.to_dict() for run in data(at).runs] == [{"q1": {"d1": 1.5}}, {"q1": {"d1": 2.5}}]
    assert any(each.value == "1 query, 2 documents" for each in at.caption)
    at.switch_page("pages/inspect_query.py").run()
    assert "Left out of the ranking: 2 documents." in [each.value for each in at.caption]
    at.switch_page("pages/compare_runs.py").run()
    removed = "1 excluded document was left out; lower ranks moved up."
    assert f"A and B: {removed}" in [each.value for each in at.text]
