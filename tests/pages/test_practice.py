"""Practice: every exercise is shown, checked and solved, and opens on Inspect."""

import json
import re
from functools import partial
from itertools import pairwise

from metrics import evaluate
from metrics.teaching.exercises import KINDS, LEVELS, MIXED, Selection, exercise
from metrics.teaching.samples import SCRATCH, catalogue
from tests.cases import cases
from tests.pages.conftest import drawn, list_of, opened, scores, sent, sentences

practice = partial(opened, "practice")


def card(at):
    """Return what the card is drawn with."""
    return drawn(at, "exercise")


def press(at, label):
    return next(each for each in at.button if each.label == label).click().run()


def replies(at):
    return [blank["reply"] for blank in card(at)["blanks"]]


def did(at, **values):
    """Return the page after its card has sent these values."""
    states = at._tree.get_widget_states()
    states.widgets.add(id=list_of(at, "exercise_card").id, json_value=json.dumps(values))
    return at._run(states)


def gave(at, answers=None, hints=None, of=None):
    """Return the page after these answers and requests for hints, by the number of the blank."""
    blanks = card(at)["blanks"]
    texts = [(answers or {}).get(at, blank["answer"]) for at, blank in enumerate(blanks)]
    counts = [(hints or {}).get(at, len(blank["hints"])) for at, blank in enumerate(blanks)]
    return did(at, given={"of": of or card(at)["of"], "answers": texts, "hints": counts})


def right_answer(blank):
    return min(blank.right) if isinstance(blank, Selection) else f"{blank.answer:.4f}"


def open_on_inspect(at):
    next(b for b in at.button if "on Inspect" in b.label).click().run()
    at.switch_page("pages/inspect_query.py").run()


@cases("level", LEVELS)
@cases("kind", [*KINDS, MIXED])
def test_every_exercise_is_shown_answered_and_solved(kind, level):
    at = practice(kind=kind, difficulty=level, no=4)
    made = exercise(kind, level, 4)
    assert not at.exception
    shown = card(at)
    assert (shown["question"], shown["of"]) == (
        f"{made.question} No other document is relevant.",
        [kind, level, 4],
    )
    # Each table is a list, or below one.
    below = {title for each in shown["lists"] for title in each["rest"]}
    assert {each["title"] for each in shown["lists"]} | below == made.tables.keys()
    for each in shown["lists"]:
        table = made.tables[each["title"]]
        assert each["rows"] == [[str(cell) for cell in row] for row in table.rows]
    assert not any(blank["right"] for blank in shown["blanks"])
    gave(at, {place: right_answer(blank) for place, blank in enumerate(made.blanks)})
    assert all(blank["right"] for blank in card(at)["blanks"])
    assert at.query_params["tally"] == f"{kind}{level}.4"
    assert card(at)["tally"] == "1 exercise done, 1 right at the first try."
    row = next(each for each in card(at)["kinds"] if each["kind"] == kind)
    assert row["counts"][list(LEVELS).index(level)] == [1, 1]
    press(at, "Show the solution")
    assert not at.exception
    assert [blank["key"] for blank in card(at)["blanks"]] == [
        sorted(blank.right) if isinstance(blank, Selection) else [blank.key]
        for blank in made.blanks
    ]


@cases("kind", KINDS)
def test_the_solution_fills_the_bars_and_a_question_gives_nothing_away(kind):
    at = practice(kind=kind, no=4)
    made, before = exercise(kind, "1", 4), card(at)
    assert not any(blank["key"] for blank in before["blanks"])
    press(at, "Show the solution")
    best = {
        measure: max(float(r.ledger(measure).scores[0]) for r in made.rankings.values())
        for measure in made.measures
    }
    shown = card(at)["bars"].values() or [each["bar"] for each in card(at)["lists"]]
    assert max(map(sum, shown)) == round(100 * max(best.values()))
    press(at, "Hide the solution")
    assert card(at)["bars"] == before["bars"]


def test_the_reply_to_a_wrong_answer_names_the_mistake():
    at = practice(kind="first", no=2)
    (blank,) = exercise("first", "1", 2).blanks
    words, value = next(iter(blank.mistakes.items()))
    gave(at, {0: f"{value:g}"})
    assert f". {value:g} is what you get {words}" in replies(at)[0]
    gave(at, {0: "a [half](http://example.org)\u202e"})
    assert "[half](http://example.org)\\u202e' is not a number" in replies(at)[0]
    assert not card(at)["blanks"][0]["right"]


def test_a_wrong_answer_that_no_mistake_explains_is_told_where_to_look():
    at = practice(kind="table", no=1)
    blanks = exercise("table", "1", 1).blanks
    words, value = next(each for each in blanks[2].mistakes.items() if "left out" in each[0])
    # Two decimals are enough to know a mistake by.
    gave(at, {0: "0.37", 2: f"{value:.2f}"})
    assert replies(at)[0] == "0.37 is too low."
    assert card(at)["blanks"][0]["hints"] == [blanks[0].hints.where]
    assert f"{value:.2f} is what you get {words}" in replies(at)[2]
    assert not card(at)["blanks"][2]["hints"]


def test_hints_come_one_by_one_until_the_answer_is_right():
    at = practice(kind="table", no=1)
    blank = exercise("table", "1", 1).blanks[0]
    for number in range(4):
        assert card(at)["blanks"][0]["hints"] == list(blank.hints.first(number))
        gave(at, hints={0: number + 1})
    assert "tally" not in at.query_params
    gave(at, {0: "2/log2(3)"})
    assert replies(at)[0] == f"Right: {blank.key} = {blank.hints.working}."


def test_the_bar_has_what_is_given_at_first_and_fills_with_each_answer():
    at = practice(kind="table", difficulty="2", no=3)
    made = exercise("table", "2", 3)
    asked = {
        int(match[1]) - 1: place
        for place, blank in enumerate(made.blanks)
        if (match := re.search(r"contribution at rank (\d)", blank.label))
    }
    last = str(len(made.blanks) - 1)
    dcg, idcg = made.ledgers[""]
    ends = [round(100 * each / float(idcg.scores[0])) for each in dcg.contribution.cumsum()]
    shares = [end - start for start, end in pairwise([0, *ends])]
    known = [0 if rank in asked else share for rank, share in enumerate(shares)]
    assert card(at)["bars"] == {last: known}
    for rank, place in asked.items():
        gave(at, {place: right_answer(made.blanks[place])})
        known[rank] = shares[rank]
        assert card(at)["bars"] == {last: known}
    assert known == shares
    words = f"Known so far: {len(known)} of {len(known)} contributions"
    assert card(at)["captions"] == {last: f"{words}; full means the ideal ranking."}


def test_the_ideal_ranking_hides_a_contribution_until_all_is_right():
    at = practice(kind="table", difficulty="2", no=1)
    made = exercise("table", "2", 1)

    def ideal():
        return [row[-1] for row in card(at)["lists"][1]["rows"]]

    assert ideal() == ["3.0000", "see (d)", "see (e)", "0.4307", "see (b)", "(f)"]
    gave(at, {place: right_answer(blank) for place, blank in enumerate(made.blanks)})
    best = made.ledgers[""][1].contribution
    assert ideal() == [*(f"{each:.4f}" for each in best), "(f)"]


def test_a_bar_says_what_it_shows_before_and_after_the_answer():
    for kind, before, after in (
        ("sets", "Fills with the right answer; full means 1.", "What each rank earns; full"),
        ("higher", "Fills with the right answer; full means", "What each rank earns; full"),
        ("swap", "nDCG@5 now; full means the ideal ranking.", "nDCG@5 after the swap; full"),
        ("table", "Known so far: 3 of 5 contributions; full", "Known so far: 4 of 5 contrib"),
    ):
        at = practice(kind=kind, no=1)
        for start in (before, after):
            shown = card(at)["captions"] or {0: card(at)["lists"][0]["caption"]}
            assert min(shown.items())[1].startswith(start)
            gave(at, {0: right_answer(exercise(kind, "1", 1).blanks[0])})


def test_a_choice_shows_what_the_lists_earn_once_it_is_right():
    at = practice(kind="higher", difficulty="1", no=1)
    made = exercise("higher", "1", 1)
    assert {percent for each in card(at)["lists"] for percent in each["bar"]} == {0}
    assert not any(counts for each in card(at)["lists"] for counts in each["counts"])
    wrong = next(option for option in made.blanks[0].replies if option not in made.blanks[0].right)
    gave(at, {0: wrong})
    # "RR counts rank 1 of both lists": an answer of any kind shows where to look.
    assert [each["counts"].index(True) for each in card(at)["lists"]] == [0, 0]
    assert {percent for each in card(at)["lists"] for percent in each["bar"]} == {0}
    gave(at, {0: right_answer(made.blanks[0])})
    assert {percent for each in card(at)["lists"] for percent in each["bar"]} != {0}
    gave(at, {0: "no option"})
    assert card(at)["blanks"][0]["answer"] == right_answer(made.blanks[0])


def test_answers_to_another_exercise_come_too_late():
    at = practice(kind="first", no=2)
    gave(at, {0: "1"}, of=["first", "1", 1])
    assert card(at)["blanks"][0]["answer"] == ""
    assert "tally" not in at.query_params


def test_the_tally_survives_a_reload_and_does_not_count_what_was_shown():
    at = practice(kind="first", no=2, tally="first1.1~sets2.5x")
    assert card(at)["tally"] == "2 exercises done, 1 right at the first try; ○ marks the others."
    (blank,) = exercise("first", "1", 2).blanks
    press(at, "Show the solution")
    gave(at, {0: f"{blank.answer:.3f}"})
    assert at.query_params["tally"] == "first1.1~sets2.5x~first1.2s"
    assert card(at)["tally"] == "3 exercises done, 1 right at the first try; ○ marks the others."
    again = practice(kind="first", no=3, tally=at.query_params["tally"])
    assert card(again)["tally"] == "3 exercises done, 1 right at the first try; ○ marks the others."
    did(again, go={"do": "reset"})
    assert "tally" not in again.query_params
    assert card(again)["tally"] == ""
    assert "Practice writes it" in practice(tally="first1.1~nonsense").warning[0].value


def test_an_exercise_is_counted_once_all_is_right_and_right_only_at_first_try():
    at = practice(kind="higher", difficulty="1", no=1)
    choice, reason = exercise("higher", "1", 1).blanks
    for place, blank in enumerate((choice, reason)):
        gave(at, {place: next(each for each in blank.replies if each not in blank.right)})
    assert replies(at)[0].startswith("No: RR counts rank 1 of both lists.")
    gave(at, {0: right_answer(choice)})
    assert card(at)["tally"] == ""
    gave(at, {1: right_answer(reason)})
    assert card(at)["tally"] == "1 exercise done, 0 right at the first try; ○ marks the others."
    # What is no number, or too short, is no try.
    (blank,) = exercise("ndcg", "2", 1).blanks
    at = practice(kind="ndcg", difficulty="2", no=1)
    for answer, sign in (("half", "?"), (f"{blank.answer:.1f}", "≈"), (right_answer(blank), "✓")):
        gave(at, {0: answer})
        assert card(at)["blanks"][0]["sign"] == sign
    assert card(at)["tally"] == "1 exercise done, 1 right at the first try."


def test_a_square_opens_the_first_exercise_that_was_not_tried():
    at = practice(kind="sets", no=7, tally="first2.1.2x")
    did(at, go={"do": "open", "kind": "first", "level": "2"})
    assert not at.exception
    assert card(at)["of"] == ["first", "2", 3]
    parameters = {key: at.query_params[key] for key in ("kind", "difficulty", "no")}
    assert parameters == {"kind": "first", "difficulty": "2", "no": "3"}


def test_next_is_another_exercise_with_empty_fields():
    at = practice(kind="sets", no=1)
    gave(at, {0: "0.5"})
    did(at, go={"do": "next"})
    assert at.number_input[0].value == 2
    assert at.query_params["no"] == "2"
    assert [blank["answer"] for blank in card(at)["blanks"]] == [""] * 3
    assert not at.exception
    assert not card(at)["last"]
    assert card(practice(no=1_000_000))["last"]


def test_unknown_values_in_a_link_are_reported():
    at = practice(kind="essay", difficulty="9", no="0")
    assert not at.exception
    assert [warning.value.count("which is not available here") for warning in at.warning] == [
        1,
        1,
        1,
    ]
    assert card(at)["of"] == ["table", "1", 1]


@cases("kind", KINDS)
def test_the_ranking_opens_on_inspect(kind):
    at = practice(kind=kind, difficulty="3", no=8)
    press(at, "Show the solution")
    open_on_inspect(at)
    assert not at.exception
    made = exercise(kind, "3", 8)
    measure, ranking = made.measures[0], next(iter(made.rankings.values()))
    shown = {metric.label.split("(")[0].split("@")[0]: metric.value for metric in scores(at)}
    assert shown[measure.symbol] == f"{ranking.ledger(measure).scores[0]:.4f}"
    assert len(sentences(at)) == 2


def test_a_ranking_that_comes_from_practice_can_be_undone():
    at = practice(kind="table", difficulty="2", no=8)
    press(at, "Show the solution")
    open_on_inspect(at)
    shown = scores(at)[0].value
    sent(at, {"do": "undo"})
    scratch = catalogue()[SCRATCH].load()
    own = evaluate(scratch.qrels, scratch.runs[0], "nDCG@5").value("nDCG@5")
    assert (scores(at)[0].label, scores(at)[0].value) == ("nDCG@5", f"{own:.4f}")
    assert scores(at)[0].value != shown
