"""Every page with every sample, without a browser."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from metrics import REGISTRY
from metrics.editing.edits import move
from metrics.editing.hand_ranking import HandRanking
from metrics.editing.history import History
from metrics.editing.origin import Origin
from metrics.sessions.session_file import Session, save
from metrics.teaching.samples import catalogue
from pages.ui.shell import PAGES
from tests.cases import cases, own_scale, scaled
from tests.pages.conftest import (
    convention_line,
    drawn,
    drop,
    samples_of_two_runs,
    scores,
    sentences,
    tables_of,
    with_choices,
)

ROOT = Path(__file__).parents[2]


def app(**settings):
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    for key, value in settings.items():
        at.session_state[key] = value
    return at.switch_page("pages/inspect_query.py")


def metrics_of(at):
    return {metric.label: metric.value for metric in scores(at)}


def rounded(at):
    """Return the labels of the number fields that show fewer digits than they hold."""
    fields = [*at.number_input, *at.slider]
    assert fields
    return [each.label for each in fields if each.proto.format not in ("%g", "%d")]


@cases("page", PAGES, ids=lambda page: page.title)
def test_every_page_opens_on_a_server_that_has_not_run_the_app(page):
    # There Streamlit runs the page's script alone, before app.py.
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    at.switch_page(page.script).run()
    assert not at.exception
    assert len(at.title) == 1


@cases("symbol", REGISTRY)
def test_inspect_shows_every_measure(symbol):
    at = app(example="shop", measure=symbol, k=3, **own_scale(symbol)).run()
    assert not at.exception
    at_said = {"cutoff": "@3", "recall": "@0.5", "": ""}[REGISTRY[symbol].suffix]
    assert scores(at)[0].label == scaled(symbol) + at_said
    assert rounded(at) == []


@cases("symbol", REGISTRY)
def test_compare_shows_every_measure(symbol):
    at = app(measure=symbol, k=3, **own_scale(symbol)).switch_page("pages/compare_runs.py").run()
    assert not at.exception
    assert symbol in scores(at)[0].label
    assert rounded(at) == []


@cases(
    ("key", "shown", "printed"),
    [
        (
            "laptop",
            "nDCG@5 (normalised discounted cumulative gain) = DCG@5 ÷ IDCG@5 (ideal DCG) = "
            "5.4662 ÷ 5.6925 = 0.9602",
            "last digit",
        ),
        ("four-items", "= 4.4923 ÷ 4.7619 = 0.9434", "nDCG@4 = 0.795"),
        ("graded-five", " = 0.7975", "nDCG@5 = 0.76"),
    ],
)
def test_inspect_shows_the_articles_numbers_beside_its_own(key, shown, printed):
    at = app(example=key).run()
    assert sentences(at)[0].endswith(shown)
    assert any(printed in expander.label for expander in at.expander)


def test_the_convention_changes_the_number_and_is_named_beside_it():
    at = with_choices(app())
    at.selectbox(key="gain").set_value("exponential").run()
    assert metrics_of(at)["nDCG@5"] == "0.9686"
    assert convention_line(at).startswith("Convention trec_eval, changed: gain = 2^grade − 1")


def test_a_query_without_relevant_documents_scores_0_with_a_reason():
    at = app(example="shop", query="q22").run()
    assert not at.exception
    assert scores(at)[0].value == "0.0000"
    assert any("nothing relevant to find" in formula.value for formula in at.latex)


@cases("key", samples_of_two_runs)
@cases("k", [0, 1, 5])
def test_compare_shows_every_pair(key, k):
    at = app(data=key, k=k).switch_page("pages/compare_runs.py").run()
    assert not at.exception
    shown = metrics_of(at)
    measure = at.selectbox(key="measure").value
    name = f"{measure}@{k}" if k else measure
    assert {f"mean {name}, A", f"mean {name}, B", "delta B − A", "relative change"} <= set(shown)


def test_compare_shows_the_printed_improvement():
    at = app(data="reranking").switch_page("pages/compare_runs.py").run()
    shown = metrics_of(at)
    assert (shown["mean nDCG, A"], shown["mean nDCG, B"]) == ("0.7119", "0.8472")
    assert (shown["delta B − A"], shown["relative change"]) == ("+0.1353", "+19.0 %")


def test_a_run_compared_with_itself_has_no_difference():
    at = app(data="shop", b="bm25").switch_page("pages/compare_runs.py").run()
    assert not at.exception
    assert metrics_of(at)["delta B − A"] == "0.0000"
    assert any("are the same run: no difference on any of 29" in each.value for each in at.header)


def test_every_query_of_the_shop_can_be_opened_in_compare():
    at = app(data="shop").switch_page("pages/compare_runs.py").run()
    for query in catalogue()["shop"].load().qrels.queries:
        at.selectbox(key="q").set_value(query).run()
        assert not at.exception, query


def paste(at, qrels, run, second=""):
    at.text_area(key="qrels_text").set_value(qrels)
    at.text_area(key="run_text").set_value(run)
    at.text_area(key="run_text_2").set_value(second)
    read = next(button for button in at.button if button.label == "Read the pasted text")
    return read.click().run()


QRELS, RUN = "q1 0 d1 3\nq1 0 d2 1", "q1 Q0 d2 1 2.0 mine\nq1 Q0 d1 2 1.0 mine"


def test_pasted_text_becomes_data():
    at = app().switch_page("pages/data.py").run()
    paste(at, QRELS, RUN, RUN.replace("2.0", "0.5"))
    assert not at.exception
    assert at.header[0].value == "Your data"
    at.switch_page("pages/compare_runs.py").run()
    assert not at.exception


@cases(
    ("qrels", "run", "words"),
    [
        ("q1 0 d1 high", RUN, "line 1, column 4"),
        (QRELS, "q1 Q0 d2 1 2.0 mine\nq1 Q0 d2 2 1.0 mine", "a duplicate: document 'd2'"),
        (QRELS, RUN.replace("q1", "topic-1"), "0 of 1 queries"),
    ],
)
def test_bad_text_is_explained_and_replaces_nothing(qrels, run, words):
    at = app().switch_page("pages/data.py").run()
    paste(at, QRELS, RUN)
    paste(at, qrels, run)
    assert words in at.error[0].value
    assert "Your data are unchanged." in at.error[0].value
    assert at.header[0].value == "Your data"


def test_uploaded_files_become_data():
    at = app().switch_page("pages/data.py").run()
    drop(at, ("qrels.txt", QRELS.encode()))
    assert any("a run" in info.value for info in at.info)
    drop(at, ("my.run", RUN.encode()))
    assert not at.exception
    assert at.header[0].value == "Your data"
    # The fields let go of their files: drawing the page again would copy them.
    assert [field.value for field in at.file_uploader] == [[]]


def test_texts_and_groups_join_the_data():
    at = app().switch_page("pages/data.py").run()
    names = ("q1", "q2", "q3")
    qrels, x, y = (
        "\n".join(each.replace("q1", name) for name in names) for each in (QRELS, GOOD, BAD)
    )
    upload(at, qrels, x=x, y=y)
    texts, groups = b"query\ttext\nq1\tbest laptop", b"q1\tshort\nq2\tlong\nq3\tshort"
    drop(at, ("q.tsv", texts), ("d.tsv", b"d1\tfirst"), ("group.tsv", groups))
    data = at.session_state["_upload"]
    assert (data.query_texts, data.document_texts) == ({"q1": "best laptop"}, {"d1": "first"})
    at.query_params["look"] = "Queries"
    at.switch_page("pages/compare_runs.py").run()
    assert any(f.index.tolist() == ["short", "long"] for f in tables_of(at))
    # From one group a press leads to the next.
    at.session_state["group"] = ["short"]
    at.run()
    assert any(f.index.tolist() == ["short", "long"] for f in tables_of(at))
    at.switch_page("pages/data.py").run()
    drop(at, ("g.tsv", b"no tab here"))
    assert "g.tsv, line 1" in at.error[0].value
    groups = {"group": {"q1": "short", "q2": "long", "q3": "short"}}
    assert at.session_state["_upload"].query_attributes == groups


def test_swapped_files_are_recognised():
    at = app().switch_page("pages/data.py").run()
    paste(at, RUN, QRELS)
    assert "uploaded as qrels and used as run" in at.info[0].value
    data = at.session_state["_upload"]
    assert (len(data.qrels), [len(run) for run in data.runs]) == (2, [2])


def test_ids_that_do_not_match_are_mended_with_one_click():
    at = app().switch_page("pages/data.py").run()
    upload(at, QRELS, x=GOOD.replace("q1", "topic-1"))
    assert "0 of 1 queries" in at.error[0].value
    assert "_upload" not in at.session_state
    next(b for b in at.button if "ids of the qrels" in b.label).click().run()
    assert not at.error
    assert at.session_state["_upload"].runs[0].queries == ("q1",)
    assert "Changed on request" in str(drawn(at, "files_read")["found"])


def test_documents_that_do_not_match_are_mended_with_one_click():
    at = app().switch_page("pages/data.py").run()
    upload(at, QRELS, x="q1 Q0 doc-1 1 3 t\nq1 Q0 doc-2 2 2 t\nq1 Q0 doc-3 3 1 t")
    assert any("0 % of the top 3" in text.value for text in at.text)
    next(b for b in at.button if "ids of the qrels" in b.label).click().run()
    documents = at.session_state["_upload"].runs[0].document.to_pylist()
    assert documents == ["d1", "d2", "doc-3"]


def test_a_saved_session_restores_data_edits_and_settings():
    at = app().switch_page("pages/data.py").run()
    upload(at, QRELS, x=GOOD, y=BAD)
    at.switch_page("pages/inspect_query.py").run()
    at.number_input(key="k").set_value(3).run()
    data = at.session_state["_upload"]
    begun = HandRanking.from_run(data.qrels, data.runs[0], "q1")
    edited = move(begun, "d2", 1)
    origin = Origin.of(data.qrels, data.runs[0], "q1")
    now = Session(data, {origin: History(begun, begun).then(edited).bare()}, {"k": "3"})
    other = app().switch_page("pages/data.py").run()
    drop(other, ("s.zip", save(now)))
    assert not other.exception
    assert not other.error
    assert [run.to_dict() for run in other.session_state["_upload"].runs] == [
        run.to_dict() for run in at.session_state["_upload"].runs
    ]
    assert other.session_state["_edits"].history(origin, begun).present == edited
    other.switch_page("pages/inspect_query.py").run()
    assert not other.exception
    assert other.number_input(key="k").value == 3
    score = edited.ledger("nDCG@3").scores[0]
    assert (scores(other)[0].label, scores(other)[0].value) == ("nDCG@3", f"{score:.4f}")


@cases("wrong", ["abc", "-1", "1e308", "nan", "", "[]", "9" * 30])
def test_settings_of_a_session_are_read_as_those_of_a_link(wrong):
    keys = "k level tie seed shown beside printed no at measure test look q a run query"
    saved = save(Session(catalogue()["shop"].load(), settings=dict.fromkeys(keys.split(), wrong)))
    at = app().switch_page("pages/data.py").run()
    drop(at, ("s.zip", saved))
    for page in ("inspect_query", "compare_runs", "conventions", "practice", "learn"):
        at.switch_page(f"pages/{page}.py").run()
        assert not at.exception


def test_a_damaged_session_replaces_nothing():
    at = app().switch_page("pages/data.py").run()
    upload(at, QRELS, x=GOOD)
    drop(at, ("s.zip", save(Session())[:-9]))
    assert "a corrupt zip archive" in at.error[0].value
    assert at.header[0].value == "Your data"


def upload(at, qrels="", **runs):
    files = [(f"{name}.run", run.encode()) for name, run in runs.items()]
    return drop(at, *([("q.txt", qrels.encode())] if qrels else []), *files)


def means(at):
    # A query alone begins with its own tables.
    at.session_state["look"] = "Measures"
    at.switch_page("pages/compare_runs.py").run()
    assert not at.exception
    shown = metrics_of(at)
    return shown["mean nDCG@10, A"], shown["mean nDCG@10, B"]


GOOD, BAD = "q1 Q0 d1 1 2 t\nq1 Q0 d2 2 1 t", "q1 Q0 d2 1 2 t\nq1 Q0 d1 2 1 t"


def test_new_contents_under_the_same_names_are_scored_again():
    at = app().switch_page("pages/data.py").run()
    upload(at, QRELS, x=GOOD, y=BAD)
    first = means(at)
    at.switch_page("pages/data.py").run()
    next(b for b in at.button if b.label == "Remove all data").click().run()
    upload(at, QRELS, x=BAD, y=GOOD)
    assert means(at) == first[::-1]
    assert first[0] == "1.0000"


def test_a_run_uploaded_later_joins_the_others_and_can_be_dropped():
    at = app().switch_page("pages/data.py").run()
    upload(at, QRELS, x=GOOD)
    at.switch_page("pages/inspect_query.py").run()
    at.switch_page("pages/data.py").run()
    upload(at, y=BAD)
    assert [run.name for run in at.session_state["_upload"].runs] == ["x", "y"]
    next(b for b in at.button if b.label == "Remove all data").click().run()
    assert at.session_state["_upload"] is None
    assert not at.exception


def test_runs_of_the_same_name_are_kept_apart():
    at = app().switch_page("pages/data.py").run()
    files = [("x.run", GOOD), ("x.txt", BAD), ("x (2).run", GOOD)]
    drop(at, ("q.txt", QRELS.encode()), *((name, run.encode()) for name, run in files))
    names = [run.name for run in at.session_state["_upload"].runs]
    assert len(set(names)) == 3


def test_inspect_orders_ties_by_the_convention():
    at = app().switch_page("pages/data.py").run()
    upload(at, "q1 0 a 1", x="q1 Q0 a 1 1 t\nq1 Q0 b 2 1 t")
    at.switch_page("pages/inspect_query.py").run()
    assert metrics_of(at)["nDCG@10"] == "0.6309"
    with_choices(at).selectbox(key="ties").set_value("ascending").run()
    assert metrics_of(at)["nDCG@10"] == "1.0000"


def test_inspect_shows_a_query_that_the_run_lacks():
    at = app().switch_page("pages/data.py").run()
    upload(at, QRELS + "\nq2 0 d1 1", x=GOOD)
    at.session_state["query"] = "q2"
    at.switch_page("pages/inspect_query.py").run()
    assert not at.exception
    assert " = 0.0000 ÷ " in sentences(at)[0]
    assert any("not in this run" in text.value for text in at.caption)


def test_links_to_the_front_page_name_ids_for_inspect_and_unknown_ids_are_reported():
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    at.query_params.update({"example": "shop", "query": "q20", "measure": "AP", "k": "3"})
    at.run()
    assert scores(at)[0].label == "AP@3"
    assert at.selectbox(key="query").value == "q20"
    assert not at.warning
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    at.query_params.update({"example": "none", "measure": "AP", "k": "many", "level": "nan"})
    at.run()
    assert not at.exception
    assert scores(at)[0].label == "AP@5"
    assert len(at.warning) == 3


def test_a_query_without_a_change_has_a_sentence_instead_of_an_empty_chart():
    at = app(data="shop", q="q22").switch_page("pages/compare_runs.py").run()
    assert not at.exception
    shown = drawn(at, "two_lists")
    assert shown["sentence"] == [["", "No document changes the score of this query."]]
    assert shown["bars"] is None


@cases(("qrels", "run", "needed"), [(QRELS, "", "a run"), ("", RUN, "the qrels")])
def test_pasting_only_qrels_or_only_a_run_is_a_state(qrels, run, needed):
    at = app().switch_page("pages/data.py").run()
    paste(at, qrels, run)
    assert not at.code
    assert any(info.value.startswith(f"Still needed: {needed}") for info in at.info)


def test_a_document_is_added_unjudged_unless_it_is_given_a_grade():
    at = app().run()
    new = next(field for field in at.text_input if field.label == "New document's id")
    new.set_value("Another Laptop")
    next(b for b in at.button if b.label == "Add at the end").click().run()
    assert not at.exception
    ranking = next(iter(at.session_state["_edits"].histories.values())).present
    assert (ranking.retrieved[-1].document, ranking.retrieved[-1].grade) == ("Another Laptop", None)


def test_a_measures_own_parameters_are_on_the_page_and_in_the_link():
    at = app(example="laptop", measure="RBP", p=0.5, k=0).run()
    assert scores(at)[0].label == "RBP(p=0.5)"
    assert at.query_params["p"] == "0.5"


def test_a_score_that_cannot_be_computed_has_a_reason():
    at = app(example="laptop", measure="ERR", max=2.0).run()
    assert not at.exception
    assert "Set the scale: ERR(max=3)" in at.error[0].value
    at = app(measure="ERR", max=2.0).run()
    at.switch_page("pages/compare_runs.py").run()
    assert not at.exception
    assert "ERR(max=3)" in at.error[0].value
