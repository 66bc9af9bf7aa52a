"""The user's data and edits are kept, or their loss is reported and they can be restored."""

from dataclasses import replace

import streamlit as st
from streamlit.testing.v1 import AppTest

from metrics import TREC_EVAL, Dataset, Qrels, Run, evaluate, parse
from metrics.auditing.intake import Given, add_files
from metrics.editing.edits import move
from metrics.editing.hand_ranking import HandRanking
from metrics.editing.history import History
from metrics.editing.origin import Origin
from metrics.editing.store import Edits
from metrics.sessions.session_file import Session, save
from metrics.teaching.samples import catalogue
from pages.ui import cache
from tests.cases import cases
from tests.pages.conftest import drawn, drop, removed, scores, with_choices
from tests.pages.test_pages import BAD, GOOD, QRELS, ROOT, app, upload


def take_texts(qrels, **runs):
    files = [Given(f"{name}.run", text.encode(), "run") for name, text in runs.items()]
    return add_files([Given("q.txt", qrels.encode(), "qrels"), *files]).dataset


def given(**runs):
    return take_texts(QRELS, **runs)


def on_data(dataset=None):
    at = app().switch_page("pages/data.py").run()
    return opened(at, Session(dataset)) if dataset else at


def opened(at, session):
    return drop(at, ("s.zip", save(session)))


def runs(at):
    return [run.name for run in at.session_state["_upload"].runs]


def click(at, label):
    return next(b for b in at.button if label in b.label).click().run()


@cases("drop", ["Remove all data", ""])
def test_dropped_or_replaced_data_can_be_restored(drop):
    at = on_data(given(x=GOOD))
    assert not any("Restore" in button.label for button in at.button)
    if drop:
        click(at, drop)
        assert at.session_state["_upload"] is None
    else:
        opened(at, Session(given(y=BAD)))
        assert runs(at) == ["y"]
    click(at, "Restore")
    assert runs(at) == ["x"]
    upload(at, z=BAD)
    assert not any("Restore" in button.label for button in at.button)


def test_a_dropped_run_can_be_restored():
    at = removed(on_data(given(x=GOOD, y=BAD)), 1)
    assert runs(at) == ["y"]
    assert any(each.value.startswith("No longer loaded: `x`. Your previous") for each in at.info)
    assert drawn(at, "files_read")["removable"] == [True, True]
    # Without a run the judgments wait for one.
    at = removed(at, 1)
    assert (at.session_state["_upload"], at.info[-1].value) == (None, "Still needed: a run.")
    assert any(each.value.startswith("No longer loaded: `y`. Your previous") for each in at.info)
    assert [runs(click(at, "Restore")) for _ in range(2)] == [["y"], ["x", "y"]]
    removed(removed(at, 1), 1)
    upload(at, z=BAD)
    assert (runs(at), at.session_state["_upload"].qrels.name) == (["z"], "q")


def test_removals_are_taken_back_one_by_one_and_later_edits_stay():
    data = given(**THREE)
    at = removed(removed(on_data(data), 2), 2)
    assert runs(at) == ["run0"]
    begun = HandRanking.from_run(data.qrels, data.runs[0], "q1")
    origin = Origin.of(data.qrels, data.runs[0], "q1")
    edited = History(begun, begun).then(move(begun, "d2", 1)).bare()
    at.session_state["_edits"] = Edits({origin: edited})
    assert runs(click(at, "Restore")) == ["run0", "run2"]
    assert any("No longer loaded: `run1`. " in each.value for each in at.info)
    assert runs(click(at, "Restore")) == ["run0", "run1", "run2"]
    assert at.session_state["_edits"].histories == {origin: edited}
    assert not any("Restore" in button.label for button in at.button)


def test_judgments_can_be_removed_and_restored_and_the_runs_stay():
    at = removed(on_data(given(x=GOOD)), 0)
    assert not at.exception
    assert (runs(at), at.session_state["_upload"].is_judged) == (["x"], False)
    assert any("No longer loaded: `q`. " in each.value for each in at.info)
    at = removed(at, 0)
    assert at.session_state["_upload"] is None
    click(at, "Restore")
    click(at, "Restore")
    assert at.session_state["_upload"].is_judged


def test_what_is_removed_is_named():
    texts = {"q1": "red shoes"}
    at = on_data(replace(given(x=GOOD, y=BAD), query_texts=texts))
    (told,) = (each.value for each in click(at, "Remove all data").info)
    assert told.startswith("No longer loaded: `q`, `x`, `y` and texts of queries. ")


def on(at, page):
    # The menu leads to a page without parameters; `switch_page` keeps those of the page before.
    at.query_params.clear()
    at.switch_page(f"pages/{page}.py").run()
    assert not at.exception
    assert not at.warning
    return at


THREE = {"run0": GOOD, "run1": BAD, "run2": GOOD.replace("d1 1 2", "d1 1 9")}


def test_a_choice_that_no_longer_exists_falls_back_to_the_default():
    at = on_data(given(**THREE))
    on(at, "compare_runs")
    at.selectbox(key="a").set_value("run0").run()
    on(at, "inspect_query").selectbox(key="run").set_value("run0").run()
    on(at, "data")
    removed(at, 1)
    assert runs(at) == ["run1", "run2"]
    on(at, "compare_runs")
    assert (at.selectbox(key="a").value, at.selectbox(key="b").value) == ("run1", "run2")
    assert on(at, "inspect_query").selectbox(key="run").value == "run1"
    on(at, "data")
    click(at, "Remove all data")
    on(at, "compare_runs")
    on(at, "inspect_query")


def test_a_query_of_previous_data_is_not_shown_with_other_data():
    at = on_data(take_texts("q1 0 d1 3\nq2 0 d1 1", x=f"{GOOD}\nq2 Q0 d1 1 1 t"))
    on(at, "inspect_query").selectbox(key="query").set_value("q2").run()
    on(at, "data")
    click(at, "Remove all data")
    upload(at, "q7 0 d1 1\nq8 0 d1 1", x="q7 Q0 d1 1 1 t\nq8 Q0 d1 1 1 t")
    on(at, "inspect_query")
    assert at.selectbox(key="query").value == "q7"
    assert at.query_params.get("query") is None


def test_dropping_the_data_resets_the_cutoff():
    at = on_data(given(x=GOOD))
    on(at, "inspect_query").number_input(key="k").set_value(7).run()
    on(at, "data")
    click(at, "Remove all data")
    assert on(at, "inspect_query").number_input(key="k").value == 5


def test_a_later_choice_overrides_an_opened_session():
    view = {"measure": "AP", "k": "3", "example": "shop", "query": "q05"}
    at = opened(on_data(), Session(None, settings=view))
    on(at, "compare_runs").selectbox(key="q").set_value("q18").run()
    click(at, "Open B in Inspect")
    assert not at.exception
    on(at, "compare_runs")
    on(at, "inspect_query")
    shown = [at.selectbox(key=key).value for key in ("example", "run", "query", "measure")]
    assert shown == ["shop", "char_ngrams", "q18", "AP"]
    on(at, "data")
    upload(at, "q7 0 d1 1\nq8 0 d1 1", x="q7 Q0 d1 1 1 t\nq8 Q0 d1 1 1 t")
    assert on(at, "inspect_query").selectbox(key="measure").value == "nDCG"
    assert at.selectbox(key="query").value == "q7"


def test_viewing_another_convention_changes_no_ranking():
    at = app(ties="input").run()
    data = catalogue()["laptop"].load()
    begun = HandRanking.from_run(data.qrels, data.runs[0], data.qrels.queries[0])
    origin = Origin.of(data.qrels, data.runs[0], begun.query)
    rows = begun.retrieved
    tied = replace(begun, retrieved=(rows[2], replace(rows[1], tied=True), *rows[:1], *rows[3:]))
    at.session_state["_edits"] = Edits({origin: History(begun, begun).then(tied).bare()})
    before = scores(with_choices(at))[0].value
    at.selectbox(key="ties").set_value("descending").run()
    at.selectbox(key="ties").set_value("ascending").run()
    assert scores(at.selectbox(key="ties").set_value("input").run())[0].value == before


def test_a_measure_has_its_own_default_parameter():
    at = app(measure="RBP").run()
    assert at.number_input(key="p").value == parse("RBP").p
    at.selectbox(key="measure").set_value("Compat").run()
    assert at.number_input(key="p").value == parse("Compat").p
    at.number_input(key="p").set_value(0.5).run()
    at.selectbox(key="measure").set_value("RBP").run()
    assert at.number_input(key="p").value == parse("RBP").p


def test_a_change_offered_for_other_data_is_refused():
    at = on_data(given(x=GOOD, y="q1 Q0 doc-1 1 3 t\nq1 Q0 doc-2 2 2 t\nq1 Q0 doc-3 3 1 t"))
    # As when the click arrives while a file is being read: the data are others by then.
    at.session_state["_upload"] = given(x=GOOD, z=BAD)
    next(b for b in at.button if "ids of the qrels" in b.label).click().run()
    assert runs(at) == ["x", "z"]
    assert "The data have changed since this was offered" in at.error[0].value


def test_an_offer_ends_with_its_data():
    at = on_data(given(x=GOOD))
    upload(at, y=BAD.replace("q1", "topic-1"))
    assert any("ids of the qrels" in button.label for button in at.button)
    opened(at, Session(given(z=BAD)))
    drop(at, ("bad.zip", save(Session())[:-9]))
    assert "bad.zip" in at.error[0].value
    assert not any("ids of the qrels" in button.label for button in at.button)


def test_a_later_run_of_the_same_name_replaces_none():
    at = on_data(given(x=GOOD))
    upload(at, x=BAD)
    assert runs(at) == ["x", "x (2)"]
    assert "the new one is called x (2)" in at.info[0].value
    upload(at, x=GOOD)
    assert runs(at) == ["x", "x (2)"]
    assert "already loaded, with the same rows" in at.info[0].value
    upload(at, y=BAD)
    assert "The run y has the same rows as x (2)" in at.info[0].value


def test_edits_of_previous_qrels_are_reported():
    data = given(x=GOOD)
    begun = HandRanking.from_run(data.qrels, data.runs[0], "q1")
    origin = Origin.of(data.qrels, data.runs[0], "q1")
    at = app().switch_page("pages/data.py").run()
    opened(at, Session(data, {origin: History(begun, begun).then(move(begun, "d2", 1))}))
    upload(at, f"{QRELS}\nq2 0 d 1")
    assert "1 edited query belongs to the previous qrels" in at.info[0].value


@cases(
    ("page", "key"),
    [("inspect_query", "example"), ("compare_runs", "data"), ("conventions", "example")],
)
def test_lost_data_are_reported_and_not_replaced_by_a_sample(page, key):
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    at.query_params.update({key: "yours", "k": "3"})
    at.switch_page(f"pages/{page}.py").run()
    assert not at.exception
    assert "a session that has ended" in at.warning[0].value
    assert not scores(at)
    assert (at.query_params[key], at.query_params["k"]) == ("yours", "3")
    click(at, "Show a sample")
    assert not at.exception
    assert not at.warning
    assert key not in at.query_params
    assert at.number_input(key="k").value == 3


def test_a_saved_session_sets_widgets_and_nothing_else():
    view = dict.fromkeys(("_upload", "_kept", "_shell", "_edits", "_saved"), "x")
    saved = save(Session(given(x=GOOD), settings=view | {"k": "3"}))
    at = app().switch_page("pages/data.py").run()
    drop(at, ("s.zip", saved))
    at.switch_page("pages/inspect_query.py").run()
    assert not at.exception
    assert runs(at) == ["x"]
    assert at.number_input(key="k").value == 3


def test_only_what_was_chosen_goes_to_another_page():
    def k(page):
        return on(at, page).number_input(key="k").value

    at = app()
    # Each page has the cutoff of its own sample, also after a visit to the other one.
    assert (k("inspect_query"), k("compare_runs"), k("inspect_query")) == (5, 10, 5)
    on(at, "inspect_query").number_input(key="k").set_value(3).run()
    assert (k("compare_runs"), k("inspect_query")) == (3, 3)
    # Also where it is the usual one there.
    on(at, "compare_runs").number_input(key="k").set_value(10).run()
    assert k("inspect_query") == 10


def test_the_address_keeps_what_a_lesson_hides_after_another_page():
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    at.query_params["hide"] = "score-more"
    at.run()
    at.switch_page("pages/practice.py").run()
    at.query_params.clear()
    at.switch_page("pages/inspect_query.py").run()
    assert not scores(at)
    assert at.query_params["hide"] == "more-score"


def test_files_above_the_session_limit_are_refused_before_they_are_read(monkeypatch):
    at = on_data(given(x=GOOD))
    monkeypatch.setenv("RANKSCOPE_LIMITS", f"session={len(BAD)}")
    upload(at, y=BAD, z=BAD)
    assert "limit session" in at.error[0].value
    assert runs(at) == ["x"]
    assert not any(field.value for field in at.file_uploader)


def test_the_files_that_wait_count(monkeypatch):
    at = on_data(given(x=GOOD))
    monkeypatch.setenv("RANKSCOPE_LIMITS", f"session={len(BAD) + 90}")
    # Nothing tells what these texts belong to, so they wait for an answer.
    drop(at, ("a.tsv", b"x7\t" + b"x" * 90))
    upload(at, y=BAD)
    assert "limit session" in at.error[0].value
    assert runs(at) == ["x"]


def test_scores_share_their_rankings():
    shop = catalogue()["shop"].load()

    def page():
        import streamlit as st

        from metrics.scoring.naming import parse
        from pages.ui import cache

        qrels, run, convention = st.session_state["asked"]
        st.session_state["found"] = [
            cache.scored(qrels, run, parse(name), convention) for name in ("RR", "AP")
        ]

    at = AppTest.from_function(page)
    at.session_state["asked"] = shop.qrels, shop.runs[0], TREC_EVAL
    one, other = at.run().session_state["found"]
    assert one.judged is other.judged
    assert one.mean["RR"] == evaluate(shop.qrels, shop.runs[0], "RR").mean["RR"]


def test_a_session_too_large_to_open_is_reported_beside_save():
    at = on_data(given(x=GOOD))
    assert not any("can be uploaded" in each.value for each in at.warning)
    before = st.get_option("server.maxUploadSize")
    st.config.set_option("server.maxUploadSize", 0)
    try:
        at.run()
    finally:
        st.config.set_option("server.maxUploadSize", before)
    assert any("drop a run first" in each.value for each in at.warning)


def test_the_warning_beside_save_is_about_the_current_texts(monkeypatch):
    keys = []
    monkeypatch.setattr(cache, "cached", lambda key, make: keys.append(key))
    qrels, run = Qrels.from_dict({"q": {"d": 1}}), Run.from_dict({"q": {"d": 1}}, "r")
    for text in ("short", "a longer one", "short"):
        cache.refusal(Session(Dataset("", qrels, (run,), {}, {"d": text})), 1000)
    assert keys[0] == keys[2] != keys[1]
