"""Exercises: they never change, right answers come from the core, wrong ones name the mistake."""

import math
import re
from dataclasses import replace
from functools import cache, partial
from html.parser import HTMLParser
from itertools import combinations, pairwise

import pytest

from metrics import Convention, RankscopeError
from metrics.editing.edits import swap
from metrics.exploring.what_if import score_all
from metrics.scoring.expressions import LONGEST, read
from metrics.teaching.exercises import (
    KINDS,
    LEVELS,
    MIXED,
    TOLERANCE,
    Number,
    Reply,
    Selection,
    exercise,
    placed,
)
from metrics.teaching.exercises.judgement import NEITHER
from metrics.teaching.exercises.mistakes import Plain, right_way, wrong_ways
from metrics.teaching.handout import sheet
from metrics.teaching.samples import catalogue
from tests.cases import cases

NUMBERS = range(1, 26)


# One is made once: the product remembers fewer than there are here.
made_once = cache(exercise)


def every(kinds=tuple(KINDS)):
    """The exercises of these kinds, each with the name of its case."""
    return [
        pytest.param(made_once(kind, level, number), id=f"{kind}-{level}-{number}")
        for kind in kinds
        for level in LEVELS
        for number in NUMBERS
    ]


def numbers(made):
    return [blank for blank in made.blanks if isinstance(blank, Number)]


@cases("made", every)
def test_every_answer_is_accepted_and_every_mistake_is_named(made):
    for blank in made.blanks:
        if isinstance(blank, Selection):
            assert blank.right
            assert {o for o in blank.replies if blank.check(o).right} == blank.right
            continue
        assert blank.check(f"{blank.answer:.4f}").right
        assert blank.check(f"{blank.answer:.3f}".replace(".", ",")).right
        assert blank.check(f"{blank.answer:.2f}").right or any(
            abs(round(blank.answer, 2) - value) <= 0.0051 for value in blank.mistakes.values()
        )
        for words, value in blank.mistakes.items():
            reply = blank.check(f"{value:.4f}")
            assert not reply.right
            assert words in reply.text


@cases("made", every)
def test_the_answers_are_sums_of_ledgers(made):
    """The last blank asks for the measure; in a table, others ask for its parts and its cells."""
    if isinstance(made.blanks[0], Selection):
        return
    (ranking,) = made.rankings.values()
    answers = {blank.label.split(") ")[-1]: blank.answer for blank in made.blanks}
    measures = [part for m in made.measures for part in (m, *m.parts) if str(part) in answers]
    assert {str(measure) for measure in made.measures} <= answers.keys()
    for measure in measures:
        assert answers[str(measure)] == score_all([ranking], measure)[0]
    cells = [cell for table in made.tables.values() for row in table.rows for cell in row]
    letters = [cell for cell in cells if re.fullmatch(r"\([a-z]\)", str(cell))]
    lettered = [blank.label[:3] for blank in made.blanks if blank.label[0] == "("]
    # nDCG itself is not in a cell.
    assert letters == lettered[:-1]


@cases("made", partial(every, ("table",)))
def test_the_blank_cells_of_a_table_come_from_the_ledger(made):
    (ranking,) = made.rankings.values()
    lines, ideal = (part.table(ranking.query) for part in made.ledgers[""])
    best = made.tables[next(title for title in made.tables if "ideal" in title)]
    printed = {row[0]: row[-1] for row in best.rows}
    for blank in made.blanks:
        if match := re.search(r"contribution at rank (\d)", blank.label):
            assert blank.answer == lines.at[int(match[1]), "contribution"]
            # The ideal ranking beside it does not print it.
            assert printed[match[1]] != f"{blank.answer:.4f}"
        if match := re.search(r"ideal grade at rank (\d)", blank.label):
            assert blank.answer == ideal.at[int(match[1]), "grade"]


@pytest.mark.parametrize("gain", ["linear", "exponential"])
def test_the_plain_arithmetic_is_right_with_the_right_gain_and_discount(gain):
    """Otherwise a wrong answer could come from our arithmetic instead of the mistake."""
    for number in NUMBERS:
        made = made_once("ndcg", "3", number)
        (ranking,), (measure,) = made.rankings.values(), made.measures
        convention = replace(measure.under(Convention()), gain=gain)
        dcg, idcg = (replace(part, gain=None) for part in measure.parts)
        plain, right = Plain.of(ranking, measure.cutoff), right_way(gain)
        earned, to_earn = (score_all([ranking], m, convention)[0] for m in (dcg, idcg))
        assert right.total(plain.top) == pytest.approx(earned, rel=1e-12)
        assert right.total(plain.ideal[: plain.k]) == pytest.approx(to_earn, rel=1e-12)


# These mistakes are conventions of other tools: the core computes them, the reply names them.
CONVENTIONS = {
    "with the natural logarithm instead of log₂": ("DCG", {"discount": "ln"}),
    "with log₂(rank), which forgets the + 1 or counts ranks from 0": (
        "nDCG",
        {"discount": "jarvelin"},
    ),
    "with the gain 2^grade − 1 instead of the grade": ("nDCG", {"gain": "exponential"}),
    "with the grade itself as gain, not 2^grade − 1": ("nDCG", {"gain": "linear"}),
    "when every relevant document gains 1": ("nDCG", {"gain": "binary"}),
    "with an ideal of the retrieved documents only": ("nDCG", {"ideal": "retrieved"}),
    "with an ideal that is not cut at k": ("nDCG", {"ideal_cut": "whole"}),
    "when unjudged documents are left out and the ranks close up": (
        "nDCG",
        {"unjudged": "removed"},
    ),
    "when the sum is divided by the relevant documents retrieved, not by all": (
        "AP",
        {"ap": "retrieved"},
    ),
}


@cases("words", CONVENTIONS)
def test_a_mistake_that_is_another_convention_is_named(words):
    symbol, choice = CONVENTIONS[words]
    named = 0
    for made in (param.values[0] for param in every() if param.id.split("-")[0] != "higher"):
        for measure in [part for m in made.measures for part in (m, *m.parts)]:
            blanks = [b for b in numbers(made) if b.label.endswith(str(measure))]
            if measure.symbol != symbol or not blanks or words not in blanks[0].mistakes:
                continue
            (ranking,) = made.rankings.values()
            plain = replace(measure, **({"gain": None} if hasattr(measure, "gain") else {}))
            convention = replace(measure.under(Convention()), **choice)
            value = score_all([ranking], plain, convention)[0]
            assert words in blanks[0].check(f"{value:.5f}").text
            named += 1
    assert named >= 5


def test_no_mistake_gives_the_right_answer():
    for made in (param.values[0] for param in every()):
        for blank in numbers(made):
            assert all(abs(v - blank.answer) > TOLERANCE for v in blank.mistakes.values())


def test_mistakes_in_the_discount_match_hand_calculations():
    ways = wrong_ways("linear")
    grades = [3.0, 2.0]
    assert ways["when the gain is divided by the rank itself"].total(grades) == 3 + 2 / 2
    assert ways["when nothing is discounted"].total(grades) == 5
    base_10 = ways["with the logarithm to base 10 instead of log₂"].total(grades)
    assert base_10 == pytest.approx(3 / math.log10(2) + 2 / math.log10(3))


def test_mistakes_in_counting_match_hand_calculations():
    from metrics.teaching.exercises import mistakes as wrong

    plain = Plain([0, 2, 0, 1, 0], [1], [False, False, True, False, False], 4)
    # Relevant at ranks 2 and 4 of five, a third one not retrieved; rank 3 is unjudged.
    assert wrong.precision(plain) == {
        "when the hits are divided by R, all relevant documents (that is recall)": 2 / 3,
        "when the cutoff is forgotten": 2 / 5,
        "when the grades are added up instead of counting relevant documents": 3 / 4,
        "when the hits are counted but not divided": 2,
        "when the documents that are not relevant are counted": 2 / 4,
        "when unjudged documents are left out of k": 2 / 3,
        "when unjudged documents are counted as relevant": 3 / 4,
    }
    assert wrong.recall(plain)["when the hits are divided by all judged documents"] == 2 / 5
    assert wrong.recall(plain)["when only retrieved documents are counted in R"] == 1
    assert wrong.f1(plain)["with the plain mean of precision and recall"] == (1 / 2 + 2 / 3) / 2
    assert wrong.f1(plain)["when the cutoff is forgotten"] == pytest.approx(2 * 2 / (5 + 3))
    first = wrong.reciprocal_rank(plain)
    assert first["when ranks are counted from 0"] == 1
    assert first["with the last relevant document instead of the first"] == 1 / 4
    closed = "when unjudged documents are left out and the ranks close up"
    assert wrong.average_precision(plain)[closed] == pytest.approx((1 / 2 + 2 / 3) / 3)
    counted = "when unjudged documents are counted as relevant"
    assert wrong.recall(plain)[counted] == 3 / 4
    average = wrong.average_precision(plain)
    assert average["with the mean of the precision at every rank"] == pytest.approx(
        (0 + 1 / 2 + 1 / 3 + 2 / 4 + 2 / 5) / 5
    )
    assert average["when ranks are counted from 0"] == pytest.approx((1 / 1 + 2 / 3) / 3)
    assert average["with the precision at rank R (that is R-precision)"] == 1 / 3


@cases("made", partial(every, ("swap",)))
def test_the_best_swap_is_the_best_of_all(made):
    (ranking, after), (measure,), (blank,) = made.rankings.values(), made.measures, made.blanks
    pairs = list(combinations(range(1, len(ranking.retrieved) + 1), 2))
    values = score_all([swap(ranking, i, j) for i, j in pairs], measure)
    named = {f"ranks {i} and {j}": value for (i, j), value in zip(pairs, values, strict=True)}
    assert blank.replies.keys() == named.keys()
    assert blank.right == {n for n, v in named.items() if v > max(values) - 1e-9}
    assert score_all([after], measure)[0] == max(values)
    before = score_all([ranking], measure)[0]
    second = max(value for name, value in named.items() if name not in blank.right)
    said = (
        f"Right: {measure} {before:.4f} → {max(values):.4f}; next is ranks . and ., {second:.4f}."
    )
    assert all(re.fullmatch(said.replace("(", "."), blank.replies[name]) for name in blank.right)
    assert blank.hints.working in blank.replies[min(blank.right)]


@cases("made", partial(every, ("higher",)))
def test_the_higher_ranking_is_higher(made):
    a, b = score_all(list(made.rankings.values()), made.measures[0])
    (verdict,) = made.blanks[0].right
    assert verdict == (NEITHER if math.isclose(a, b) else "A" if a > b else "B")
    grades = [sorted(r.grades.items()) for r in made.rankings.values()]
    assert grades[0] == grades[1]
    wrong = [text for name, text in made.blanks[0].replies.items() if name != verdict]
    none = f"No: neither list has a relevant document in the top {made.measures[0].cutoff}, so both"
    assert all(text.startswith(none) == (not a and not b) for text in wrong)


def test_every_verdict_is_right_about_equally_often():
    verdicts = [made.values[0].blanks[0].key for made in every(("higher",))]
    for verdict in ("A", "B", NEITHER):
        assert verdicts.count(verdict) > len(verdicts) / 5


@cases("level", LEVELS)
@cases("kind", [*KINDS, MIXED])
def test_eight_consecutive_exercises_differ(kind, level):
    shapes = [made_once(kind, level, number).shape for number in range(17, 25)]
    assert not any(shape in shapes[:place] for place, shape in enumerate(shapes))


@cases("made", partial(every, ("table",)))
def test_no_ideal_grade_is_revealed_by_its_neighbours(made):
    column = [row[1] for row in made.tables[next(t for t in made.tables if "ideal" in t)].rows]
    for above, cell, below in zip(column, column[1:], column[2:-1], strict=False):
        assert not (cell.startswith("(") and above == below)


@cases(
    "text", ["0.5", ".5", ",5", "0,5", "50%", "50 %", "1/2", "1 / 2", "+0.5", " 0.50 ", "0.5004"]
)
def test_a_number_is_read_in_every_usual_notation(text):
    assert Number("RR", 0.5, {}).check(text).right


@cases(
    ("text", "value"),
    [
        ("2/log2(3)", 2 / math.log2(3)),
        ("2/log₂ 3", 2 / math.log2(3)),
        ("(2^3 − 1)/log_2(4)", 3.5),
        ("1 + 2·3 − 4÷2", 5),
        ("-1 + 2", 1),
        ("2^3^2", 512),
        ("log2(4)^2", 4),
        ("ln(2) / log(100)", math.log(2) / 2),
        ("sqrt(0,25) + √4", 2.5),
        ("(60% + 20%) / 2", 0.4),
        ("1 / 3 * 3", 1),
    ],
)
def test_arithmetic_is_read(text, value):
    assert read(text).value == pytest.approx(value)


@cases(
    "text",
    [
        *("1/(2-2)", "log2(0)", "sqrt(-1)", "(-8)^0,5", "9^9^9", "2(3)", "1 +", "(1", "1)", "2 3"),
        *("__import__('os')", "1e5", "abs(1)", "1 if 1 else 2", "(" * 50 + "1" + ")" * 50),
        *("log2 " * 30 + "4", "1+" * LONGEST + "1", "^".join("1" * 40)),
    ],
)
def test_arithmetic_that_has_no_value_or_is_too_long_is_refused(text):
    with pytest.raises(RankscopeError, match="is not a number"):
        read(text)


def test_two_decimals_are_right_and_fewer_are_neither_right_nor_wrong():
    blank = Number("RR", 1 / 3, {"when hits are counted": 1.0})
    assert blank.check(str(1 / 3)).right
    for text in ("0.33", "0,33", "33 %"):
        assert blank.check(text) == Reply("✓", f"Right: {text}; to four decimals 0.3333.")
    assert blank.check("0.3") == Reply("≈", "0.3 is right as far as it goes; give two decimals.")
    assert blank.check("1").text == "Too high. 1 is what you get when hits are counted."
    assert [blank.check(text).sign for text in ("0", "0.34", "0.4", "1/3", "3/10")] == [*"✗✗✗✓✗"]
    dcg = Number("DCG", 1.2619, {})
    assert [dcg.check(text).sign for text in ("1", "2", "1.3", "1.26")] == [*"✗✗≈✓"]
    assert Number("DCG", 1.0, {}).check("1").right


def test_two_decimals_are_enough_where_a_mistake_rounds_to_the_same():
    blank = Number("AP", 0.3340, {"when ranks are counted from 0": 0.3310})
    assert [blank.check(text).sign for text in ("0.33", "0.334", "0.331", "0.3")] == [*"✓✓✗≈"]
    # One decimal is the mistake's own value rather than a short right one.
    assert Number("AP", 0.4667, {"when ranks are counted from 0": 0.5}).check("0.5").sign == "✗"


def test_an_impossible_or_close_answer_is_named():
    blank = exercise("ndcg", "2", 1).blanks[0]
    assert blank.check("79.6").text == "79.6 is too high: the value is at most 1."
    first = Number("(a) contribution at rank 2", 0.6309, {}, 1, most="its grade")
    assert first.check("9").text == "9 is too high: more than its grade, 1."
    dcg = Number("DCG@5", 5.4662, {})
    assert dcg.check("5.469").text == "5.469 is close, but too high by more than rounding."
    assert dcg.check("79.6").text == "79.6 is too high."
    assert dcg.check("2/log2(3)").text == "1.2619 is too low."


@cases("made", every)
def test_the_last_hint_works_out_to_the_answer(made):
    for blank in made.blanks:
        assert len(blank.hints.first(3)) == 3
        if isinstance(blank, Selection):
            continue
        if "ideal grade" in blank.label:
            rank, grades = re.fullmatch(r"rank (\d+) of (.*)", blank.hints.working).groups()
            assert float(grades.split(", ")[int(rank) - 1]) == blank.answer
        else:
            assert blank.check(blank.hints.working).right
        assert blank.hints.working in blank.check(f"{blank.answer:.4f}").text


@cases("text", ["", "x", "1e5", "０.５", "1/0", "--1", "1.2.3", "nan"])
def test_a_text_that_is_not_a_number_is_refused(text):
    with pytest.raises(RankscopeError, match="is not a number"):
        Number("RR", 0.5, {}).check(text)


def test_a_link_always_shows_the_same_exercise():
    placed.cache_clear()
    (ranking,) = exercise("ndcg", "2", 7).rankings.values()
    assert "".join(f"{entry.grade:.0f}" for entry in ranking.entries) == "2002103"
    assert ranking.query == "waterproof trail running shoes"
    assert ranking.entries[0].document == "Winter running shoes"
    assert {kind: exercise(kind, "2", 7).blanks[-1].key for kind in KINDS} == KEYS_OF_NUMBER_7
    first = exercise(MIXED, "1", 3)
    # Nothing that was remembered on the way to it has changed, and it does not depend on it.
    assert placed.__wrapped__(MIXED, "1", 0, 2)[0] == first
    placed.cache_clear()
    assert exercise(MIXED, "1", 3) == first


@cases("made", every)
def test_the_documents_are_real_and_fit_the_query_as_their_grades_say(made):
    shop = catalogue()["shop"].load()
    for ranking in made.rankings.values():
        (query,) = (key for key, words in shop.query_texts.items() if words == ranking.query)
        judged = shop.qrels.to_dict()[query]
        grades = [
            (
                entry.grade or 0,
                max(
                    grade
                    for document, grade in judged.items()
                    if shop.document_texts[document].startswith(entry.document)
                ),
            )
            for entry in ranking.entries
        ]
        assert all(bool(given) == bool(own) for given, own in grades)
        groups = {given: [own for each, own in grades if each == given] for given, _ in grades}
        ordered = [groups[given] for given in sorted(groups)]
        assert all(max(low) <= min(high) for low, high in pairwise(ordered))


KEYS_OF_NUMBER_7 = {
    "table": "0.5363",
    "ndcg": "0.5706",
    "sets": "0.2857",
    "first": "0.5000",
    "average": "0.5667",
    "higher": "grades, discounted by rank",
    "swap": "ranks 1 and 5",
}


def test_mixed_exercises_include_every_kind():
    questions = {made_once(MIXED, "1", number).question for number in range(1, 60)}
    assert len(questions) >= len(KINDS)


@pytest.mark.parametrize(("kind", "level"), [("essay", "1"), ("table", "9")])
def test_an_unknown_kind_or_level_is_refused(kind, level):
    with pytest.raises(RankscopeError, match="There is no exercise"):
        exercise(kind, level, 1)


class Tags(HTMLParser):
    """A parser that checks that every tag is closed in order."""

    def __init__(self):
        super().__init__()
        self.open, self.text = [], []

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "hr", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def test_the_key_follows_the_questions_on_the_sheet():
    exercises = {
        f"{kind} of {level}": made_once(kind, level, 5) for kind in KINDS for level in LEVELS
    }
    page = sheet("Week <3>", exercises)
    parser = Tags()
    parser.feed(page)
    assert parser.open == []
    questions, key = "".join(parser.text).split("Key: Week <3>")
    assert "http" not in page
    for name, made in exercises.items():
        # On paper the number of an exercise is its place; the key says where Practice has it.
        assert name not in questions
        assert name in key
        assert f"Query: {made.query}." in questions
        for blank in made.blanks:
            assert (blank.letter if blank.letter in made.cells else blank.label) in questions
            assert f"{blank.label} = {blank.key}" in key
            assert f"{blank.label} = {blank.key}" not in questions
            assert blank.hints.working in key
    # Rules are said once, and again only where an exercise has another; no ideal is said twice.
    assert questions.count("No other document is relevant.") == 1
    assert questions.count("gain: the grade") == 1
    exponential = [each for each in exercises.values() if "exponential" in str(each.measures)]
    assert exponential
    assert questions.count("gain: 2grade − 1") == len(exponential)
    assert "After the swap: DCG@5 = " in key
    # The workings of a count, and a table to fill, have no lines to add.
    listed = [
        kind
        for kind in KINDS
        if "<table" in sheet("", {"": made_once(kind, "1", 5)}).split("<h1>Key")[1]
    ]
    assert listed == ["ndcg", "average", "swap"]
    assert "After the swap: IDCG@5" not in key


def test_a_sheet_says_once_what_all_its_exercises_ask():
    exercises = {f"no. {seed}": made_once("table", "1", seed) for seed in (1, 2)}
    one, other = exercises.values()
    page = sheet("Tables", exercises)
    assert one.question == other.question
    assert page.count(one.question) == 1
    assert f"<h2>1. {one.query}</h2>" in page
    assert f"<h2>2. {other.query}</h2>" in page
    # The key gives each answer its own working, and says where a sum is rounded.
    for blank in one.blanks:
        assert f"{blank.key}<small>{blank.because}</small>" in page
