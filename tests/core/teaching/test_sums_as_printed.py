"""Arithmetic is = the number printed beside it only if that is what a reader gets; else it is ≈."""

import math
import re
from functools import cache

from metrics import MeasureError, parse
from metrics.conventions.choices import CHOICES
from metrics.conventions.convention import TREC_EVAL, Convention
from metrics.editing.hand_ranking import HandRanking
from metrics.measures import REGISTRY
from metrics.rendering import ledger_text, tables
from metrics.scoring import formula
from metrics.scoring.plain_formula import as_text
from metrics.teaching.exercises import KINDS, LEVELS, Number, exercise
from metrics.teaching.samples import catalogue
from metrics.teaching.story import Touch, ending, laptop, scenes
from tests.cases import cases, scaled

NUMBER = re.compile(r"[-−+]?\d+(\.\d+)?")
ARITHMETIC = re.compile(r"(log₂|log2|ln|max|[-−+\d.\s·/÷^(),])+")


def value(working):
    """Return what a reader gets; Python works it out, not the product."""
    text = re.sub(r"log₂ ?(\d+)|log2 (\d+)", r"log2(\1\2)", working.replace("log₂(", "log2("))
    for sign, python in {"÷": "/", "·": "*", "−": "-", "^": "**"}.items():
        text = text.replace(sign, python)
    return eval(text, {"log2": math.log2, "ln": math.log, "max": max})


def checked(text):
    """Check the equations of a text; return their signs."""
    parts = re.split(r" ([=≈]) ", text.rstrip(".").partition("Right: ")[2] or text.rstrip("."))
    signs = []
    for left, sign, right in zip(parts[::2], parts[1::2], parts[2::2], strict=False):
        number, *working = sorted((left, right), key=lambda side: not NUMBER.fullmatch(side))
        if not NUMBER.fullmatch(number) or not ARITHMETIC.fullmatch(working[0]):
            continue
        got, printed = value(working[0]), value(number)
        same = abs(got - printed) <= 0.00005 + 1e-12
        assert sign == ("=" if same else "≈"), f"{text}: {got}"
        last = 10 ** -len(number.partition(".")[2])
        assert math.isclose(got, printed, rel_tol=0.001, abs_tol=max(0.001, 0.5 * last)), text
        signs.append(sign)
    return signs


def measures():
    """Every measure, with a cutoff where it takes one."""
    for symbol in REGISTRY:
        own = scaled(symbol)
        for name in (f"{own}@5", own, f"{own}@0.3"):
            try:
                yield parse(name)
                break
            except MeasureError:
                continue


@cache
def rankings():
    """The first queries of every sample, and of exercises, which have more grades."""
    found = []
    for sample in catalogue().values():
        data = sample.load()
        for query in data.qrels.queries[:2]:
            found += [HandRanking.from_run(data.qrels, run, query) for run in data.runs[:2]]
    for number in range(1, 6):
        found += exercise("ndcg", "3", number).rankings.values()
    return found


OTHERS = {
    f"{name}={value}": Convention(**{name: value})
    for name, choice in CHOICES.items()
    for value in choice.values
}


def added_up(ledger, query):
    """Return the sum of a step table, whose last row says ≈ where the page's heading does."""
    sheet = tables.drawn_ledger(ledger, query, tables.ledger(ledger, query, {}))
    place = [column["name"] for column in sheet["columns"]].index("contribution")
    assert sheet["total"][place] == f"{sheet['equals'].strip('= ')} {sheet['score']}".strip()
    rows = [row["cells"][place] for row in sheet["rows"]]
    return f"{' + '.join(rows)} {sheet['equals']}{sheet['score']}"


@cases("named", ["", *OTHERS])
def test_every_working_adds_up_to_what_is_printed(named):
    """Under each choice alone, for the measures that it concerns; each takes turns of rankings."""
    convention, signs = OTHERS.get(named, TREC_EVAL), []
    for turn, measure in enumerate(measures()):
        if named.partition("=")[0] not in ("", *measure.choices):
            continue
        for ranking in rankings()[turn :: 50 if named else 6] or rankings()[-1:]:
            ledger, query = ranking.ledger(measure, convention), ranking.query
            texts = [as_text(formula.substituted(ledger, query))]
            texts += ["".join(part.text for part in ledger_text.substituted(ledger, query))]
            texts += ["".join(part.text for part in ledger_text.score(ledger, query))]
            texts += [
                as_text(formula.line(ledger, query, each)) for each in ledger.table(query).document
            ]
            texts += [added_up(part, query) for part in ledger.parts]
            if measure.parts:
                texts += [as_text(formula.quotient(ledger, query))]
            for text in texts:
                signs += checked(text.partition(" (ideal ")[2] or text)
    assert named or set(signs) == {"=", "≈"}


@cases("kind", KINDS)
def test_every_reply_to_a_right_answer_adds_up(kind):
    for level in LEVELS:
        for number in range(1, 9):
            for blank in exercise(kind, level, number).blanks:
                if isinstance(blank, Number) and "ideal grade" not in blank.label:
                    assert len(checked(blank.check(f"{blank.answer:.4f}").text)) == 1


def test_every_view_of_the_story_adds_up():
    texts = [ending().partition("so nDCG@5 is ")[2]]
    for scene in scenes():
        control = scene.control
        shown = [laptop()] if isinstance(control, Touch) else getattr(control, "options", ())
        for at in shown or range(1, control.last + 1):
            view = scene.view(at)
            texts += [view.sentence.partition(" adds ")[2].partition(". The ")[0]]
            texts += [view.sentence.partition(" divided by ")[2].partition(": ")[0]]
    assert sum(len(checked(text)) for text in texts) > 5
