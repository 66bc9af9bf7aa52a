"""Practice: every exercise is shown, checked and solved, and opens on Inspect."""

from functools import partial

from metrics import evaluate
from metrics.teaching.exercises import KINDS, LEVELS, MIXED, Choice, exercise
from metrics.teaching.samples import SCRATCH, catalogue
from tests.cases import cases
from tests.pages.conftest import opened, scores, sent

practice = partial(opened, "practice")


def said(at):
    return " ".join(element.value for element in [*at.markdown, *at.success, *at.warning])


def answer(at, blank, value):
    fields = [*at.text_input, *at.radio, *at.selectbox]
    next(field for field in fields if field.label == blank.label).set_value(value).run()


def open_on_inspect(at):
    next(b for b in at.button if "on Inspect" in b.label).click().run()
    at.switch_page("pages/inspect_query.py").run()


@cases("level", LEVELS)
@cases("kind", [*KINDS, MIXED])
def test_every_exercise_is_shown_answered_and_solved(kind, level):
    at = practice(kind=kind, difficulty=level, no=4)
    made = exercise(kind, level, 4)
    assert not at.exception
    assert made.question in said(at)
    cells = {cell for table in made.tables.values() for row in table.rows for cell in row}
    blank_cells = [blank.label[:3] for blank in made.blanks if blank.label[:3] in cells]
    if blank_cells:
        fields = [field.placeholder for field in at.text_input if field.placeholder]
        assert fields == blank_cells
        assert not at.table
    else:
        assert [table.value.reset_index().shape for table in at.table] == [
            (len(table.rows), len(table.columns)) for table in made.tables.values()
        ]
    assert "All correct" not in said(at)
    for blank in made.blanks:
        answer(at, blank, min(blank.right) if isinstance(blank, Choice) else f"{blank.answer:.4f}")
    assert "All correct" in said(at)
    marks = [field.icon for field in at.text_input if field.placeholder]
    assert marks == [":material/check:"] * len(blank_cells)
    assert at.query_params["tally"] == f"{kind}{level}.4"
    assert "**1 of 1 right**" in said(at)
    at.toggle[0].set_value(True).run()
    assert not at.exception
    for blank in made.blanks:
        assert f"{blank.label}: **{blank.key}**" in said(at)


def test_the_reply_to_a_wrong_answer_names_the_mistake():
    at = practice(kind="first", no=2)
    (blank,) = exercise("first", "1", 2).blanks
    words, value = next(iter(blank.mistakes.items()))
    answer(at, blank, f"{value:g}")
    assert f"✗ **RR**: {value:g} is what you get {words}" in said(at)
    answer(at, blank, "a [half](http://example.org)")
    assert "[half](http://example.org)' is not a number" in said(at)
    assert "✓" not in said(at)


def button(at, label):
    return next(each for each in at.button if each.label == label)


def test_hints_come_one_by_one_until_the_answer_is_right():
    at = practice(kind="table", no=1)
    blank = exercise("table", "1", 1).blanks[0]
    for number, hint in enumerate(blank.hints.first(3), 1):
        assert hint not in said(at)
        button(at, f"Hint {number} to (a)").click().run()
        assert f"Hint {number} to **{blank.label}**: {hint}" in said(at)
    assert not [each for each in at.button if each.label.endswith("to (a)")]
    answer(at, blank, "2/log2(3)")
    assert f"✓ **{blank.label}**: Right: {blank.key} = {blank.hints.working}." in said(at)
    assert "Hint 1 to **" not in said(at)


def test_the_tally_survives_a_reload_and_does_not_count_what_was_shown():
    at = practice(kind="first", no=2, tally="first1.1~sets2.5x")
    assert "**1 of 2 right**: Reciprocal rank 1 of 1, Precision, recall, F1 0 of 1" in said(at)
    (blank,) = exercise("first", "1", 2).blanks
    at.toggle[0].set_value(True).run()
    answer(at, blank, f"{blank.answer:.3f}")
    assert at.query_params["tally"] == "first1.1~sets2.5x~first1.2s"
    assert "**1 of 3 right**" in said(at)
    again = practice(kind="first", no=3, tally=at.query_params["tally"])
    assert "**1 of 3 right**" in said(again)
    button(again, "Start over").click().run()
    assert "tally" not in again.query_params
    assert "No exercise tried yet" in said(again)
    assert "Practice writes it" in practice(tally="first1.1~nonsense").warning[0].value


def test_next_is_another_exercise_with_empty_fields():
    at = practice(kind="sets", no=1)
    at.text_input[0].set_value("0.5").run()
    button(at, "Next").click().run()
    assert at.number_input[0].value == 2
    assert at.query_params["no"] == "2"
    assert [field.value for field in at.text_input] == [""] * 3
    assert not at.exception


def test_unknown_values_in_a_link_are_reported():
    at = practice(kind="essay", difficulty="9", no="0")
    assert not at.exception
    assert [warning.value.count("which is not available here") for warning in at.warning] == [
        1,
        1,
        1,
    ]
    assert exercise("table", "1", 1).question in said(at)


@cases("kind", KINDS)
def test_the_ranking_opens_on_inspect(kind):
    at = practice(kind=kind, difficulty="3", no=8)
    at.toggle[0].set_value(True).run()
    open_on_inspect(at)
    assert not at.exception
    made = exercise(kind, "3", 8)
    measure, ranking = made.measures[0], next(iter(made.rankings.values()))
    shown = {metric.label.split("(")[0].split("@")[0]: metric.value for metric in scores(at)}
    assert shown[measure.symbol] == f"{ranking.ledger(measure).scores[0]:.4f}"
    assert "The last edit" not in said(at)


def test_a_ranking_that_comes_from_practice_can_be_undone():
    at = practice(kind="table", difficulty="2", no=8)
    at.toggle[0].set_value(True).run()
    open_on_inspect(at)
    shown = scores(at)[0].value
    sent(at, {"do": "undo"})
    scratch = catalogue()[SCRATCH].load()
    own = evaluate(scratch.qrels, scratch.runs[0], "nDCG@5").value("nDCG@5")
    assert (scores(at)[0].label, scores(at)[0].value) == ("nDCG@5", f"{own:.4f}")
    assert scores(at)[0].value != shown
