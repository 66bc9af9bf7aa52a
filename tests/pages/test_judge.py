"""Judge: grades that are signed, taken over from a file with its conflicts, and counted."""

import json
import re
from urllib.parse import parse_qs, urlsplit

from metrics import TREC_EVAL, draw_queries, evaluate
from metrics.comparing.judge_next import judge_next
from metrics.comparing.similarity import top
from metrics.editing.changed_grades import with_grades
from metrics.rendering import text
from metrics.teaching.samples import catalogue
from pages.ui import state
from tests.cases import cases
from tests.pages.conftest import drop, list_of, opened, reopened, sent, tables_of, texts

SHOP = catalogue()["shop"].load()
TIME = re.compile(r"2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def judge(**parameters):
    return opened("judge", **parameters)


def desk(at):
    return json.loads(list_of(at, "desk").json)


def said(document, grade, note=""):
    return {"do": "judge", "id": document, "grade": grade, "note": note}


def papers(at):
    return {each["id"]: each for each in desk(at)["papers"]}


def here(at):
    """What was said of documents in this session, by query."""
    log = at.session_state["_edits"].log
    return {query: log.said(data, query) for data, query in log.of_query}


def grades(at, query):
    """The grades that were given in this session to documents of a query."""
    return {name: each.grade for name, each in here(at).get(query, {}).items()}


def add(at, data, name="other.txt"):
    return at.file_uploader[0].set_value((name, data, "text/plain")).run()


def press(at, label):
    return next(each for each in at.button if each.label == label).click().run()


def mean(qrels, run):
    return evaluate(qrels, run, ["nDCG@10"]).mean["nDCG@10"]


def means(at):
    """The means that are drawn: those before, those now, and the words beside them."""
    figures = at.get("plotly_chart")
    if not figures:
        return None
    figure = json.loads(figures[0].proto.spec)
    words = [each.split("<br>")[1] for each in figure["data"][0]["y"]]
    return *(trace["x"] for trace in figure["data"]), words


def test_a_judgment_is_signed_drawn_and_counts_in_the_means():
    at = judge(blind="open", judge="Ada", query="q01")
    before = [mean(SHOP.qrels, run) for run in SHOP.runs]
    loaded = means(at)
    assert loaded == (before, before, [text.moved(each, each) for each in before])
    (one, *_) = [name for name, paper in papers(at).items() if paper["grade"] == 0]
    at = sent(at, said(one, 3, "names the model"), said("shoes-05", None), by="desk")
    assert not at.exception
    assert (
        papers(at)[one] | {"grade": 3, "judge": "Ada", "note": "names the model"} == papers(at)[one]
    )
    qrels = with_grades(SHOP.qrels, {"q01": {one: 3.0, "shoes-05": None}})
    after = [mean(qrels, run) for run in SHOP.runs]
    assert means(at) == (before, after, list(map(text.moved, before, after)))
    entry = here(at)["q01"][one]
    assert TIME.fullmatch(entry.signed.time)
    at = sent(at, {"do": "undo"}, {"do": "undo"}, by="desk")
    assert papers(at)[one]["grade"] == 0
    assert means(at) == loaded
    at = sent(at, {"do": "redo"}, by="desk")
    assert papers(at)[one]["grade"] == 3


def score(at):
    return desk(at)["score"]


def test_the_desk_shows_what_the_last_grade_did_to_the_query():
    at, run = judge(query="q01", blind="open"), SHOP.runs[0]
    loaded = SHOP.qrels.only("q01")
    (one, *_) = [name for name, paper in papers(at).items() if paper["grade"] == 0]
    before = [mean(loaded, run.only("q01")) for run in SHOP.runs]
    assert [row["score"] for row in score(at)["rows"]] == [f"{each:.4f}" for each in before]
    names = [f"{side} {run.name}" for side, run in zip("AB", SHOP.runs, strict=True)]
    assert [row["name"] for row in score(at)["rows"]] == names
    below = len(loaded.to_dict()["q01"].keys() - papers(at).keys())
    assert score(at)["done"] == (
        f"Based on {len(loaded)} grades, {below} of them for documents that are not among the "
        f"{len(papers(at))} here; one more may change it."
    )
    at = sent(at, said(one, 3), by="desk")
    now = [mean(with_grades(loaded, {"q01": {one: 3.0}}), run.only("q01")) for run in SHOP.runs]
    assert [row["share"] for row in score(at)["rows"]] == now
    assert score(at)["done"].startswith(
        f"The last grade, of {one}: A {before[0]:.4f} → {now[0]:.4f} ("
    )
    # Where a grade lowers a score, it says why: the ideal rose more.
    assert any(after < was for was, after in zip(before, now, strict=True))
    assert score(at)["done"].endswith(
        "The ideal ranking grew, too, and the score is a share of it."
    )
    # While runs are hidden, only their mean is shown: a run's score would tell its documents.
    at.selectbox(key="blind").set_value("blind").run()
    (row,) = score(at)["rows"]
    assert (row["side"], row["name"]) == ("", "mean of 2 runs")
    assert row["share"] == sum(now) / 2
    at.selectbox(key="query").set_value("q05").run()
    unseen = next(name for name, paper in papers(at).items() if not paper["seen"])
    at = sent(at, said(unseen, 0), by="desk")
    assert score(at)["done"] == f"The last grade, of {unseen}: no effect on nDCG@10."
    at.selectbox(key="blind").set_value("anew").run()
    at.text_input(key="judge").set_value("Ada").run()
    assert score(at) == {}
    assert run.name not in list_of(at, "desk").json


def test_the_documents_left_are_counted_over_all_queries():
    at = judge(query="q01", depth=3, judge="Ada")
    pooled = {q: {n for run in SHOP.runs for n in ranked(run, q)[:3]} for q in SHOP.qrels.queries}
    graded = SHOP.qrels.to_dict()
    left = {(query, name) for query, of in pooled.items() for name in of - graded[query].keys()}
    assert desk(at)["left"] == len(left)
    at = sent(at, *(said(name, None) for name in papers(at)), by="desk")
    assert desk(at)["left"] == len([query for query, _ in left if query != "q01"])
    at.selectbox(key="blind").set_value("anew").run()
    assert desk(at)["left"] == sum(map(len, pooled.values()))


def test_it_begins_with_the_query_that_has_most_left_to_judge():
    graded = SHOP.qrels.to_dict()

    def left(query):
        return len({n for run in SHOP.runs for n in ranked(run, query)[:10]} - graded[query].keys())

    first = max(SHOP.qrels.queries, key=left)
    at = judge()
    assert desk(at)["query"] == SHOP.query_texts[first]
    # Grades do not change where a link without a query leads.
    unseen = [name for name, paper in papers(at).items() if not paper["seen"]]
    at = sent(at, *(said(name, 0) for name in unseen), by="desk")
    assert desk(at)["query"] == SHOP.query_texts[first]
    assert "query" not in at.query_params
    assert desk(judge(query="q01"))["query"] == SHOP.query_texts["q01"]


def test_data_says_who_changed_a_grade():
    at = sent(judge(query="q01", judge="Ada"), said("headphones-04", 1, "too old"), by="desk")
    table = tables_of(at.switch_page("pages/data.py").run())[0]
    (row,) = table.reset_index().to_dict("records")
    assert TIME.fullmatch(row.pop("time"))
    assert row == {
        "query": "q01",
        "document": "headphones-04",
        "grade, loaded": SHOP.qrels.to_dict()["q01"]["headphones-04"],
        "grade, now": 1.0,
        "judge": "Ada",
        "note": "too old",
    }


def test_a_judgment_counts_on_inspect_and_one_of_inspect_is_on_the_desk():
    at = sent(judge(query="q01", judge="Ada"), said("headphones-04", 1), by="desk")
    at.text_input(key="judge").set_value("Bob").run()
    at = at.switch_page("pages/inspect_query.py")
    for key, value in {"example": "shop", "query": "q01"}.items():
        at.query_params[key] = value
    at.run()
    rows = json.loads(list_of(at).json)["ranked"]
    assert next(row["grade"] for row in rows if row["id"] == "headphones-04") == 1
    at = sent(at, {"do": "grade", "id": "headphones-04", "value": 2})
    at = at.switch_page("pages/judge.py").run()
    paper = papers(at)["headphones-04"]
    assert (paper["grade"], paper["judge"]) == (2, "Bob")
    # The undo in the list gives back who graded before.
    at = sent(at.switch_page("pages/inspect_query.py").run(), {"do": "undo"})
    at = at.switch_page("pages/judge.py").run()
    paper = papers(at)["headphones-04"]
    assert (paper["grade"], paper["judge"]) == (1, "Ada")


def test_a_link_to_judge_holds_the_grades_and_not_the_name():
    at = sent(judge(query="q01", judge="Ada"), said("headphones-04", 1), by="desk")
    address = parse_qs(urlsplit(at.code[0].value).query)
    assert "judge" not in address
    assert "changed" not in at.query_params
    other = judge(**address)
    assert papers(other)["headphones-04"]["grade"] == 1
    assert papers(other)["headphones-04"]["judge"] == "from a link"
    assert not judge(query="q01").code


def test_blind_names_no_run_and_shuffles_the_same_way_each_time():
    blind, again = judge(query="q02"), judge(query="q02")
    names = [paper["id"] for paper in desk(blind)["papers"]]
    assert names == [paper["id"] for paper in desk(again)["papers"]]
    assert not means(blind)
    for run in SHOP.runs:
        assert run.name not in list_of(blind, "desk").json
    looked = [paper["id"] for paper in desk(judge(query="q02", blind="open"))["papers"]]
    assert sorted(looked) == sorted(names)
    assert looked != names
    assert run.name in list_of(judge(query="q02", blind="open"), "desk").json


def test_who_judges_anew_sees_no_grade_of_others_and_is_compared_with_them():
    at = judge(query="q01", blind="anew", judge="Ada")
    loaded = SHOP.qrels.to_dict()["q01"]
    assert {(each["grade"], each["seen"]) for each in papers(at).values()} == {(None, False)}
    both = [name for name in papers(at) if name in loaded]
    grades = {name: loaded[name] for name in both[:-1]} | {both[-1]: 3 - loaded[both[-1]]}
    at = sent(at, *[said(name, grade) for name, grade in grades.items()], by="desk")
    assert {name: papers(at)[name]["grade"] for name in both} == grades
    other = at.text_input(key="judge").set_value("Bob").run()
    assert {each["grade"] for each in papers(other).values()} == {None}
    assert [each.label for each in other.get("download_button")][-1] == "Given anew"
    # Nothing counts what was given anew, until somebody adopts it.
    counted = reopened(other, "judge", example="shop", query="q01", blind="open")
    assert {name: papers(counted)[name]["grade"] for name in both} == {n: loaded[n] for n in both}
    at = reopened(counted, "judge", example="shop", judging="Two judges")
    answer = f"agree on {len(both) - 1} of {len(both)} documents"
    assert any(answer in each.value for each in at.subheader)
    assert [each.value for each in at.selectbox if each.key in ("judge_a", "judge_b")] == [
        "qrels",
        "Ada",
    ]
    next(button for button in at.button if button.label == "Adopt them").click().run()
    assert not at.exception
    assert not [button for button in at.button if button.label == "Adopt them"]
    assert "The grades of `Ada` count on all pages." in [each.value for each in at.caption]
    adopted = reopened(at, "judge", example="shop", query="q01", blind="open", judging="Judge")
    assert {name: papers(adopted)[name]["grade"] for name in both} == grades
    assert papers(adopted)[both[-1]]["judge"] == "Ada"


def test_the_pool_is_the_top_of_every_run():
    shown = papers(judge(query="q03", depth=3))
    tops = {name for run in SHOP.runs for name in ranked(run, "q03")[:3]}
    assert set(shown) == tops


def ranked(run, query):
    ranks = top(run.only(query), 1000, TREC_EVAL).to_dict()[query]
    return sorted(ranks, key=ranks.get)


def test_next_is_a_query_with_a_document_that_nobody_has_seen():
    graded = SHOP.qrels.to_dict()
    to_judge = [
        query
        for query in SHOP.qrels.queries
        if any(name not in graded[query] for run in SHOP.runs for name in ranked(run, query)[:10])
    ]
    first, then, *_ = to_judge
    assert desk(judge(query=first))["after"].startswith(SHOP.query_texts[then][:20])
    # It begins again at the first one.
    assert desk(judge(query=to_judge[-1]))["after"].startswith(SHOP.query_texts[first][:20])
    at = judge(query=then)
    unseen = [name for name, paper in papers(at).items() if not paper["seen"]]
    at = sent(at, *(said(name, 1) for name in unseen[1:]), said(unseen[0], None), by="desk")
    at.selectbox(key="query").set_value(first).run()
    assert not desk(at)["after"].startswith(SHOP.query_texts[then][:20])


def test_judgments_of_a_file_are_compared_before_they_are_added():
    at = judge(query="q01")
    current = SHOP.qrels.to_dict()["q01"]
    (same, *_) = [name for name, grade in current.items() if grade == 3]
    (other, *_) = [name for name, grade in current.items() if grade == 0]
    at = add(at, f"q01 0 {same} 3\nq01 0 {other} 2\nq01 0 brand-new 1\n".encode())
    assert "1 new judgment, 1 unchanged, 1 conflict." in " ".join(texts(at))
    table = tables_of(at)[0]
    assert table.reset_index().values.tolist() == [["q01", other, 0.0, 2.0]]
    mine = press(at, "Add the new ones, keep mine")
    assert mine.success[0].value == "1 judgment added."
    assert grades(mine, "q01") == {"brand-new": 1}
    assert here(mine)["q01"]["brand-new"].signed.judge == "other"
    theirs = press(add(mine, f"q01 0 {other} 2\n".encode()), "Use the file's grades")
    assert grades(theirs, "q01")[other] == 2
    undone = sent(theirs, {"do": "undo"}, by="desk")
    assert grades(undone, "q01") == {"brand-new": 1}


def test_a_file_keeps_its_judges_and_their_reasons():
    table = b"query,document,grade,judge,reason\nq01,x,1,Cy,too old\nq01,y,2,Bob,\nq01,x,0,Bob,no\n"
    at = press(add(judge(query="q01"), table, "both.csv"), "Add them")
    assert {
        name: (each.grade, each.signed.judge, each.signed.note)
        for name, each in here(at)["q01"].items()
    } == {
        "x": (1, "Cy", "too old"),
        "y": (2, "Bob", ""),
    }


def test_a_note_is_the_reason_in_the_list_of_disagreements():
    at = judge(example="two-judges", query="q1")
    at = sent(at, said("wine-6", 3, "the story tells how"), by="desk")
    at.session_state["judging"] = "Two judges"
    at = press(at.run(), "Show all 27")
    lists = [each for each in at.expander if "→" in each.label]
    # The other documents keep the reasons that were loaded.
    assert all("`person`: " in each.label for each in lists)
    (its,) = [each for each in lists if "document `wine-6`" in each.caption[0].value]
    assert "`person`: `the story tells how`" in its.label


def test_a_file_after_one_that_was_refused_is_read():
    at = add(judge(query="q01"), b"q01 0 d1 high\n")
    at = add(at, b"q01 0 new-one 1\n")
    assert not at.error
    assert "1 new judgment" in " ".join(texts(at))


def test_unrelated_data_without_judgments_share_no_grade():
    def alone(text):
        at = drop(opened("data"), ("mine.run", text))
        return at, press(at, "Judge them here").switch_page("pages/judge.py").run()

    _, at = alone(b"q1 Q0 d0 1 2 a\nq1 Q0 d1 2 1 a\n")
    at = sent(at, said("d0", 2), by="desk")
    assert papers(at)["d0"]["grade"] == 2
    at = press(at.switch_page("pages/data.py").run(), "Remove all data")
    at = drop(at, ("other.run", b"q1 Q0 d0 1 9 b\nq1 Q0 d5 2 1 b\n"))
    at = press(at, "Judge them here").switch_page("pages/judge.py").run()
    assert [paper["seen"] for paper in desk(at)["papers"]] == [False, False]
    # One more run does not take the judgments away.
    at = sent(at, said("d5", 1), by="desk")
    at = drop(at.switch_page("pages/data.py").run(), ("more.run", b"q1 Q0 d7 1 9 c\n"))
    at = at.switch_page("pages/judge.py").run()
    assert papers(at)["d5"]["grade"] == 1
    assert "d7" in papers(at)


def test_a_name_in_the_link_is_one_line_and_lines_of_a_text_are_lines():
    at = sent(judge(query="q01", judge="a\nb\u2028c", guideline="3 best\n0 bad"), by="desk")
    assert desk(at)["guideline"] == ""
    at = sent(at, said("headphones-04", 1), by="desk")
    assert not at.exception
    assert papers(at)["headphones-04"]["judge"] == "a b c"


def test_what_each_grade_means_is_beside_its_key():
    usual = ["off topic", "touches it", "useful", "exactly what was asked"]
    assert desk(judge(query="q01"))["meanings"] == usual
    typed = "Grade what a shopper sees.\n3: best\n0 – bad `x`\n7 not on this scale"
    at = judge(query="q01", guideline=typed)
    assert desk(at)["meanings"] == ["bad `x`", "touches it", "useful", "best"]
    assert desk(at)["guideline"] == "Grade what a shopper sees.\n7 not on this scale"
    assert at.query_params["guideline"] == typed


def headings(at):
    return [each.value for each in at.subheader]


def test_after_the_last_document_the_page_says_what_the_judgments_changed():
    at = judge(query="q01")
    unseen = [name for name, paper in papers(at).items() if not paper["seen"]]
    other = next(name for name, paper in papers(at).items() if paper["grade"] == 0)
    at = sent(at, said(other, 3), by="desk")
    assert not means(at)
    assert "Compare them" not in [each.label for each in at.button]
    at = sent(at, *(said(name, 0) for name in unseen), by="desk")
    qrels = with_grades(SHOP.qrels, {"q01": {other: 3.0} | dict.fromkeys(unseen, 0.0)})
    before, after = ([mean(each, run) for run in SHOP.runs] for each in (SHOP.qrels, qrels))
    assert means(at)[:2] == (before, after)
    assert before.index(max(before)) == after.index(max(after)) == 1
    by, by_before = (text.apart(*each) for each in (after, before))
    told = f"Mean nDCG@10: char_ngrams still leads, by {by} (before: {by_before})."
    assert score(at)["done"] == told
    assert not headings(at)
    assert "Compare them" in [each.label for each in at.button]
    # Own grades that nothing counts change nothing.
    assert not means(judge(query="q01", blind="anew"))
    at = sent(at, {"do": "undo"}, {"do": "undo"}, by="desk")
    assert not means(at)


def test_a_change_of_the_leader_is_said():
    at = sent(judge(query="q01", blind="open"), by="desk")
    assert re.fullmatch(r"`char_ngrams` leads by 0\.\d{4}, as before\.", headings(at)[0])
    for query in SHOP.qrels.queries:
        only = ranked(SHOP.runs[0], query)[:3]
        at.selectbox(key="query").set_value(query).run()
        shown = [said(name, 3) for name in only if name in papers(at)]
        rest = [said(name, 0) for name in papers(at) if name not in only]
        at = sent(at, *shown, *rest, by="desk")
        if "Mean nDCG@10: bm25" in score(at)["done"]:
            break
    assert re.fullmatch(
        r"Mean nDCG@10: bm25 now leads, by 0\.\d{4} \(before: char_ngrams by 0\.\d{4}\)\.",
        score(at)["done"],
    )


@cases(
    ("grades", "scale"),
    [
        ((0, 0), [0, 1, 2, 3]),
        ((1000, 0), [0, 1000]),
        ((0.5, -1), [-1, 0, 0.5]),
        ((4, 1), [0, 1, 2, 3, 4]),
        (range(0, 400, 7), [0, 1, 2, 3]),
    ],
)
def test_the_scale_can_be_judged_by(grades, scale):
    lines = "".join(f"q1 0 d{at} {grade}\n" for at, grade in enumerate(grades))
    files = ("a.qrels", lines.encode()), ("a.run", b"q1 Q0 d0 1 2 a\nq1 Q0 d1 2 1 a\n")
    at = drop(opened("data"), *files).switch_page("pages/judge.py").run()
    assert desk(at)["scale"] == scale


def test_what_cannot_be_graded_is_not_offered_again():
    at = judge(blind="open", query="q01")
    at.session_state["_next_up"] = True
    at = press(at.run(), "Judge the first one")
    first = desk(at)["at"]
    at = press(sent(at, said(first, None), by="desk"), "Judge the first one")
    assert desk(at)["at"] not in ("", first)


def test_a_file_that_cannot_be_read_changes_nothing_and_says_why():
    at = sent(judge(query="q01"), said("headphones-04", 1), by="desk")
    at = add(at, b"q01 0 d1 high\n")
    assert "other.txt" in at.error[0].value
    assert "high" in at.error[0].value
    assert grades(at, "q01") == {"headphones-04": 1}


def test_an_impossible_event_of_the_desk_is_refused_and_later_ones_are_heard():
    at = sent(judge(query="q01"), said("headphones-04", 1e9), by="desk")
    assert papers(at)["headphones-04"]["grade"] == SHOP.qrels.to_dict()["q01"]["headphones-04"]
    at = sent(at, said("headphones-04", 2), by="desk")
    assert papers(at)["headphones-04"]["grade"] == 2


def test_what_to_judge_next_is_followed_from_judgment_to_judgment():
    at = judge(blind="open", query="q01")
    at.session_state["_next_up"] = True
    at = at.run()
    changed, turns = {}, []
    for grade in (3, 0, 2):
        qrels = with_grades(SHOP.qrels, changed)
        found = judge_next(qrels, *SHOP.runs, "nDCG@10", grades=(0, 1, 2, 3))
        shown = tables_of(at)[0]
        first = found.order[:10]
        assert shown.index.tolist() == [each.query for each in first]
        assert shown["document"].tolist() == [each.document for each in first]
        assert shown["expected"].tolist() == [each.expected for each in first]
        told = " ".join(texts(at))
        turns.append(found.can_turn)
        assert ("**The verdict can still turn.**" in told) is found.can_turn
        assert f"between {found.over.low:.4f} and {found.over.high:.4f}".replace("-", "−") in told
        at = press(at, "Judge the first one")
        one = first[0]
        assert desk(at)["at"] == one.document
        assert at.selectbox(key="query").value == one.query
        assert papers(at)[one.document]["seen"] is False
        at = sent(at, said(one.document, grade), by="desk")
        changed.setdefault(one.query, {})[one.document] = float(grade)
    assert turns == [True, True, False]


def test_a_verdict_that_cannot_turn_says_so():
    at = judge(blind="open", measure="RR", k=0)
    at.session_state["_next_up"] = True
    found = judge_next(SHOP.qrels, *SHOP.runs, "RR", grades=(0, 1, 2, 3))
    assert found.can_turn is False
    assert "**The verdict cannot turn any more: you can stop.**" in " ".join(texts(at.run()))


QUERIES = b"query,text\nq1,red shoes\nq2,blue hat\n"
CORPUS = b"".join(
    b'{"_id": "d%d", "title": "Shoe", "text": "Number %d."}\n' % (at, at) for at in range(120)
)


def test_texts_alone_are_judged_in_the_order_of_their_file():
    at = drop(opened("data"), ("queries.csv", QUERIES), ("corpus.jsonl", CORPUS))
    assert at.info[0].value == "Still needed: the qrels and a run."
    at = press(at, "Judge them here").switch_page("pages/judge.py").run()
    assert not at.exception
    assert desk(at)["query"] == "red shoes"
    # The pool has the first ten of a run that lists the file.
    assert sorted(papers(at)) == sorted(f"d{number}" for number in range(10))
    at = sent(at, said("d3", 2), said("d4", 0), by="desk")
    dataset = at.session_state["_upload"]
    assert [len(run) for run in dataset.runs] == [200]
    assert grades(at, "q1") == {"d3": 2, "d4": 0}
    for page in ("inspect_query", "data", "compare_runs"):
        assert not at.switch_page(f"pages/{page}.py").run().exception


def test_queries_without_documents_are_no_data_to_judge():
    at = drop(opened("data"), ("queries.csv", QUERIES))
    assert "Judge them here" not in [each.label for each in at.button]


def test_own_files_without_texts_have_a_door_to_add_them(monkeypatch):
    went = []
    monkeypatch.setattr(state, "open_page", lambda *to: went.append(to))
    files = ("a.qrels", b"q1 0 d1 1\n"), ("a.run", b"q1 Q0 d1 1 2 a\nq1 Q0 d2 2 1 a\n")
    at = drop(opened("data"), *files).switch_page("pages/judge.py").run()
    assert desk(at)["door"]
    there = sent(at, {"do": "texts"}, by="desk")
    assert not there.exception
    assert went == [(state.DATA_PAGE, {})]
    assert not desk(judge())["door"]


def test_queries_can_be_drawn_and_are_judged_in_the_order_of_the_draw():
    drawn = draw_queries(SHOP.qrels.queries, 4)
    at = judge(drawn="4")
    (query,) = (each for each in at.selectbox if each.label == "Query")
    assert query.value == drawn[0]
    assert [option.split(":")[0] for option in query.options] == [*drawn]
    # One that was not drawn is no choice, also where a link names it.
    other = next(each for each in SHOP.qrels.queries if each not in drawn)
    assert judge(drawn="4", query=other).selectbox[0].value == drawn[0]
    fewer = at.number_input(key=state.DRAWN).set_value(2).run()
    assert [option.split(":")[0] for option in fewer.selectbox[0].options] == [*drawn[:2]]
    assert fewer.query_params["drawn"] == "2"
    every = fewer.number_input(key=state.DRAWN).set_value(0).run()
    assert len(every.selectbox[0].options) == len(SHOP.qrels.queries)
    assert "drawn" not in every.query_params
