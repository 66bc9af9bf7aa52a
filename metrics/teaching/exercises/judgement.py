"""Exercises without arithmetic: which ranking scores higher, and which swap helps most."""

from dataclasses import replace

import numpy as np

from ...comparing.significance import TIE
from ...editing.edits import swap
from ...exploring.what_if import score_all, swaps
from ...scoring.naming import parse
from ...words import joined
from .blanks import Hints, Selection
from .draw import Draw, Level
from .exercise import Exercise, list_of, ranked, rest_of, score

LOOKS_AT = {
    "P": "relevant documents in the top k",
    "RR": "rank of the first relevant document",
    "Success": "any relevant document in the top k",
    "AP": "precision at each relevant document",
    "nDCG": "grades, discounted by rank",
}
"""The property of a ranking that decides a measure's score, by the measure's symbol."""
_ALIKE = {"P": ", each alike", "Success": ", each alike", "nDCG": ", by their grades"}
"""How a measure counts the ranks that add to it, where their place alone does not decide."""
_FEW = 3
_WORTH_IT = 0.02
_SIDES = ("A", "B")
_MORE = "another swap adds more."
NEITHER = "neither: both are equal"


def higher(draw: Draw, level: Level) -> Exercise | None:
    """Ask which of two rankings of the same documents scores higher, and what decides it."""
    k = min(level.k, _FEW)
    symbols = list(LOOKS_AT)[: None if level.missed else _FEW]
    every = [parse(symbol if symbol in ("RR", "AP") else f"{symbol}@{k}") for symbol in symbols]
    measure = draw.one(every)
    a = draw.ranking(level)
    b = replace(a, retrieved=tuple(draw.shuffled(a.retrieved)))
    verdict = _higher(*score_all([a, b], measure))
    if verdict != draw.one((*_SIDES, NEITHER)):
        return None
    scores = {str(other): score_all([a, b], other).tolist() for other in every}
    verdicts = {name: _higher(*pair) for name, pair in scores.items()}
    # Unless another measure disagrees, there is no mistake to make.
    if len(set(verdicts.values())) < 2:
        return None
    now = "{}: A {:.4f}, B {:.4f}.".format(measure, *scores[str(measure)])
    ranks = [np.flatnonzero(each.ledger(measure).parts[0].contribution) + 1 for each in (a, b)]
    of_a, of_b = (
        f"rank{'s' * (len(each) > 1)} {joined(map(str, each))}" if len(each) else "no rank"
        for each in ranks
    )
    counted = f"{of_a} of both lists" if of_a == of_b else f"{of_a} of A, and {of_b} of B"
    why = f"{measure} counts {counted}{_ALIKE.get(measure.symbol, '')}"
    if of_a == of_b == "no rank":
        why = f"neither list has a relevant document in the top {k}, so both are 0"
    replies = {}
    for option in (*_SIDES, NEITHER):
        others = " and ".join(name for name, winner in verdicts.items() if winner == option)
        # The scores would be the answer.
        no = f"No: {why}."
        no += f" This one is right for {others}." if others else ""
        replies[option] = f"Right. {now}" if option == verdict else no
    hints = Hints(
        f"Only what {measure} looks at decides. Cross out everything else.",
        measure.meaning,
        now.removesuffix("."),
    )
    reasons = {
        LOOKS_AT[other.symbol]: f"Right: this decides {measure}."
        if other == measure
        else f"No. That decides {other}."
        for other in every
    }
    return Exercise(
        f"Which ranking has the higher {measure}?",
        {**ranked(a, "Ranking A"), **ranked(b, "Ranking B"), **rest_of(a)},
        (
            Selection(f"Higher {measure}", replies, frozenset({verdict}), hints),
            Selection("What decides it?", reasons, frozenset({LOOKS_AT[measure.symbol]}), hints),
        ),
        dict(zip(_SIDES, (a, b), strict=True)),
        (measure,),
    )


def _higher(a: float, b: float) -> str:
    return NEITHER if abs(b - a) < TIE else "B" if b > a else "A"


def best_swap(draw: Draw, level: Level) -> Exercise | None:
    """Ask which swap of two documents raises the score most."""
    ranking = draw.ranking(level)
    measure = parse(f"nDCG@{level.k}" if not level.unjudged or draw.below(2) else "AP")
    deltas = swaps(ranking, measure)
    best = float(deltas.max(initial=0.0))
    if best < _WORTH_IT:
        return None
    pairs = list(zip(*np.triu_indices(len(deltas), 1), strict=True))
    worth = {f"ranks {i + 1} and {j + 1}": float(deltas[i, j]) for i, j in pairs}
    right = frozenset(name for name, delta in worth.items() if best - delta < TIE)
    now = score(ranking, measure)
    i, j = pairs[list(worth.values()).index(best)]
    second = max(worth.keys() - right, key=lambda name: (worth[name], name))
    after = f"{measure} {now:.4f} → {{:.4f}}; {{}}".format
    change = after(now + best, f"next is {second}, {now + worth[second]:.4f}")
    replies = {
        name: f"Right: {change}." if name in right else after(now + delta, _MORE)
        for name, delta in worth.items()
    }
    hints = Hints(
        "Look for a high grade far below a low one. The top ranks count most.",
        f"change = {measure} after the swap − {measure} now",
        change,
    )
    return Exercise(
        f"Which swap raises {measure} most?",
        list_of(ranking),
        (Selection("Best swap", replies, right, hints),),
        {"": ranking, "After the swap": swap(ranking, int(i) + 1, int(j) + 1)},
        (measure,),
    )
