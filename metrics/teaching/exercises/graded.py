"""Exercises on nDCG: its value, or the tables of DCG and IDCG with blank cells to fill in."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from string import ascii_lowercase
from typing import Any

from ...editing.hand_ranking import HandRanking
from ...measures import Measure
from ...scoring.naming import parse
from ...writing import Table
from . import mistakes
from .blanks import Hints, Number
from .draw import Draw, Level
from .exercise import Exercise, grade, list_of, rest_of, score
from .mistakes import Mistakes, Plain

GAINS = {"linear": "grade", "exponential": "(2^grade − 1)"}
"""What is divided by the discount, by the name of the gain."""


def term(gain: str, grade: float, rank: int) -> str:
    """Return one contribution to DCG, with its numbers put in.

    Examples
    --------
    >>> term("linear", 2, 3), term("exponential", 2, 3)
    ('2/log₂(4)', '(2^2 − 1)/log₂(4)')
    """
    return f"{GAINS[gain].replace('grade', f'{grade:g}')}/log₂({rank + 1})"


def _terms(gain: str, grades: Sequence[float]) -> str:
    return " + ".join(term(gain, grade, rank) for rank, grade in enumerate(grades, 1) if grade)


def drawn(draw: Draw, level: Level) -> tuple[HandRanking, str, Measure] | None:
    """Return a ranking, the gain, and nDCG; None if the ranking makes a poor exercise."""
    ranking, gain = draw.ranking(level), draw.one(level.gains)
    top = [entry.grade or 0.0 for entry in ranking.retrieved[: level.k]]
    parameter = "(gain=exponential)" if gain == "exponential" else ""
    measure = parse(f"nDCG{parameter}@{level.k}")
    if sum(value > 0 for value in top) < 3 or len(set(top)) < 3 or score(ranking, measure) > 0.98:
        return None
    return ranking, gain, measure


def ndcg(draw: Draw, level: Level) -> Exercise | None:
    """Return an exercise on the nDCG of a ranking."""
    if (question := drawn(draw, level)) is None:
        return None
    ranking, gain, measure = question
    plain = Plain.of(ranking, level.k)
    earned, to_earn = (_terms(gain, grades) for grades in (plain.top, plain.ideal[: plain.k]))
    hints = Hints(
        f"Work out DCG of the top {plain.k}, then DCG of the {plain.k} best judged documents, "
        "best first.",
        f"nDCG = DCG / IDCG, both sums of {GAINS[gain]} / log₂(rank + 1)",
        f"({earned}) / ({to_earn})",
    )
    blank = Number(str(measure), score(ranking, measure), mistakes.ndcg(plain, gain), 1.0, hints)
    return Exercise(f"Work out {measure}.", list_of(ranking), (blank,), {"": ranking}, (measure,))


_IDEAL = "rank", "grade", "log₂(rank + 1)", "contribution"
_RANKING = "rank", "document", *_IDEAL[1:]


class See(str):
    """A cell that names the blank whose answer it would print, until all are right."""


def worksheet(draw: Draw, level: Level) -> Exercise | None:
    """Return the tables with blank cells and nDCG below; None if the exercise is too short."""
    if (question := drawn(draw, level)) is None:
        return None
    ranking, gain, measure = question
    plain, (dcg, idcg) = Plain.of(ranking, level.k), measure.parts
    lines, ideal = _lines(ranking, dcg), _lines(ranking, idcg)
    earning = [rank for rank in lines if rank > 1 and lines[rank]["contribution"] > 0]
    # Ranks of the ideal whose grade can be read neither in the ranking nor beside it.
    moved = [
        rank
        for rank in ideal
        if ideal[rank]["grade"] != lines[rank]["grade"] and not _between_equals(ideal, rank)
    ]
    if len(earning) < 2 or len(moved) < 2:
        return None
    asked = sorted(draw.shuffled(earning)[:2])
    hidden = sorted(draw.shuffled(moved)[:2]) if level.missed else []
    unlettered = [
        *(_term(plain, gain, rank, lines[rank]["contribution"]) for rank in asked),
        _sum(dcg, lines, score(ranking, dcg), mistakes.dcg(plain, gain), "the ranking"),
        *(_ideal_grade(plain, rank) for rank in hidden),
        _sum(idcg, ideal, score(ranking, idcg), mistakes.idcg(plain, gain), "the ideal ranking"),
        _quotient(ranking, measure, mistakes.ndcg(plain, gain)),
    ]
    letters = [f"({letter})" for letter, _ in zip(ascii_lowercase, unlettered, strict=False)]
    pairs = zip(letters, unlettered, strict=True)
    blanks = tuple(replace(blank, label=f"{letter} {blank.label}") for letter, blank in pairs)
    terms, (earned, *rest) = dict(zip(asked, letters, strict=False)), letters[len(asked) :]
    grades, best = dict(zip(hidden, rest, strict=False)), rest[len(hidden)]
    # The same grade at the same rank of the ideal would print the answer.
    follow = hidden + [rank for rank in asked if ideal[rank]["grade"] == lines[rank]["grade"]]
    told = {rank: See(f"see {(terms | grades)[rank]}") for rank in follow}
    below = [(entry.document, grade(entry.grade)) for entry in ranking.retrieved[plain.k :]]
    tables = {
        f"The ranking: {dcg}": _table(lines, _RANKING, {}, terms, earned),
        f"Below rank {plain.k}": Table.of(("document", "grade"), below),
        # The names and contributions of the documents would reveal the grades.
        f"The ideal ranking: {idcg}": _table(ideal, _IDEAL, grades, told, best),
        **rest_of(ranking),
    }
    shown = {title: table for title, table in tables.items() if table.rows}
    return Exercise("Fill in the blanks.", shown, blanks, {"": ranking}, (measure,))


def _term(plain: Plain, gain: str, rank: int, answer: float) -> Number:
    hints = Hints(
        f"Divide what the grade is worth by the discount of rank {rank}, log₂({rank + 1}).",
        f"contribution = {GAINS[gain]} / log₂(rank + 1)",
        term(gain, plain.grades[rank - 1], rank),
    )
    wrong, own = mistakes.contribution(plain, gain, rank), plain.grades[rank - 1]
    highest, most = (own, "its grade") if gain == "linear" else (2**own - 1, "its gain")
    return Number(f"contribution at rank {rank}", answer, wrong, highest, hints, most)


def _ideal_grade(plain: Plain, rank: int) -> Number:
    hints = Hints(
        "Look at every judged document, also below the cutoff and not retrieved.",
        "ideal ranking = all grades, the highest first",
        f"rank {rank} of {', '.join(f'{each:g}' for each in plain.ideal)}",
        "is",
    )
    answer, wrong = plain.ideal[rank - 1], mistakes.ideal_grade(plain, rank)
    label, highest = f"ideal grade at rank {rank}", plain.ideal[0]
    return Number(label, answer, wrong, highest, hints, "the highest grade")


def _sum(measure: Measure, lines: _Lines, answer: float, wrong: Mistakes, where: str) -> Number:
    hints = Hints(
        f"Add up the contributions in the table of {where}.",
        f"{measure.short} = sum of the contributions at ranks 1 to {len(lines)}",
        " + ".join(f"{line['contribution']:.4f}" for line in lines.values()),
    )
    return Number(str(measure), answer, wrong, hints=hints)


def _quotient(ranking: HandRanking, measure: Measure, wrong: Mistakes) -> Number:
    hints = Hints(
        f"{measure.short} needs the two sums only.",
        f"{measure.short} = {' ÷ '.join(part.short for part in measure.parts)}",
        " ÷ ".join(f"{score(ranking, part):.4f}" for part in measure.parts),
    )
    return Number(str(measure), score(ranking, measure), wrong, 1.0, hints)


def _between_equals(ideal: _Lines, rank: int) -> bool:
    """Return whether equal grades above and below reveal this one."""
    return 1 < rank < len(ideal) and ideal[rank - 1]["grade"] == ideal[rank + 1]["grade"]


_Lines = Mapping[int, Mapping[Hashable, Any]]


def _lines(ranking: HandRanking, measure: Measure) -> _Lines:
    """Return a ledger's lines by rank."""
    table = ranking.ledger(measure).table(ranking.query)
    return dict(enumerate(table.to_dict("records"), 1))


def _table(
    lines: _Lines,
    columns: Sequence[str],
    grades: Mapping[int, str],
    terms: Mapping[int, str],
    total: str,
) -> Table:
    """Return a ledger's lines with letters in the blank cells, and a last row for the sum."""
    rows = [
        {
            "rank": str(rank),
            "document": line["document"],
            "grade": grades.get(rank, grade(line["grade"])),
            "log₂(rank + 1)": f"{line['log2']:.4f}",
            "contribution": terms.get(rank, f"{line['contribution']:.4f}"),
        }
        for rank, line in lines.items()
    ]
    rows.append({"rank": "sum", "contribution": total})
    return Table.of(columns, [[row.get(name, "") for name in columns] for row in rows])
