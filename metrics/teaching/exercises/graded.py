"""Exercises on nDCG: its value, or the tables of DCG and IDCG with blank cells to fill in."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from string import ascii_lowercase
from typing import Any

from ...editing.hand_ranking import HandRanking
from ...measures import Measure
from ...scoring.naming import parse
from ...writing import Table
from . import graded_mistakes as mistakes
from .blanks import Hints, Number
from .draw import Draw, Level
from .exercise import Exercise, grade, list_of, rest_of, score
from .plain_query import Mistakes, Plain

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
_NOT_ASKED = "·"


def worksheet(draw: Draw, level: Level) -> Exercise | None:
    """Return the tables with blank cells and nDCG below; None if the exercise is too short."""
    if (question := drawn(draw, level)) is None:
        return None
    sheet = _Sheet(*question, level.k)
    earning, moved = sheet.earning(), sheet.moved()
    if len(earning) < 2 or len(moved) < 2:
        return None
    terms = {rank: sheet.ask_term(rank) for rank in sorted(draw.shuffled(earning)[:2])}
    earned = sheet.ask_sum(0, "the ranking", mistakes.dcg)
    hidden = sorted(draw.shuffled(moved)[:2]) if level.missed else []
    grades = {rank: sheet.ask_ideal_grade(rank) for rank in hidden}
    best = sheet.ask_sum(1, "the ideal ranking", mistakes.idcg)
    sheet.ask_quotient()
    return sheet.exercise(terms, earned, grades, best)


class _Sheet:
    """The ledgers of a ranking and of its ideal, and the blanks asked for so far.

    Each method ``ask_…`` adds a blank and returns its letter.
    """

    def __init__(self, ranking: HandRanking, gain: str, measure: Measure, k: int) -> None:
        self.ranking, self.gain, self.measure = ranking, gain, measure
        self.plain = Plain.of(ranking, k)
        tables = (ranking.ledger(part).table(ranking.query) for part in measure.parts)
        self.lines: list[_Lines] = [dict(enumerate(each.to_dict("records"), 1)) for each in tables]
        self.blanks: list[Number] = []

    def earning(self) -> list[int]:
        """Return the ranks below the first that contribute to DCG."""
        lines = self.lines[0]
        return [rank for rank in lines if rank > 1 and lines[rank]["contribution"] > 0]

    def moved(self) -> list[int]:
        """Return the ranks of the ideal whose grade can be read neither here nor beside it."""
        lines, ideal = self.lines
        return [
            rank
            for rank in ideal
            if ideal[rank]["grade"] != lines[rank]["grade"] and not _between_equals(ideal, rank)
        ]

    def ask(
        self, what: str, answer: float, wrong: Mistakes, hints: Hints, highest: float = math.inf
    ) -> str:
        letter = f"({ascii_lowercase[len(self.blanks)]})"
        self.blanks.append(Number(f"{letter} {what}", answer, wrong, highest, hints))
        return letter

    def ask_term(self, rank: int) -> str:
        hints = Hints(
            f"Take the grade and the logarithm of rank {rank}.",
            f"contribution = {GAINS[self.gain]} / log₂(rank + 1)",
            term(self.gain, self.plain.grades[rank - 1], rank),
        )
        return self.ask(
            f"contribution at rank {rank}",
            self.lines[0][rank]["contribution"],
            mistakes.contribution(self.plain, self.gain, rank),
            hints,
        )

    def ask_ideal_grade(self, rank: int) -> str:
        hints = Hints(
            "Look at every judged document, also below the cutoff and not retrieved.",
            "ideal ranking = all grades, the highest first",
            f"rank {rank} of {', '.join(f'{each:g}' for each in self.plain.ideal)}",
            "is",
        )
        return self.ask(
            f"ideal grade at rank {rank}",
            self.lines[1][rank]["grade"],
            mistakes.ideal_grade(self.plain, rank),
            hints,
        )

    def ask_sum(self, part: int, where: str, wrong: Callable[[Plain, str], Mistakes]) -> str:
        """Ask for the sum of a ledger: 0 of the ranking, 1 of the ideal ranking."""
        measure, lines = self.measure.parts[part], self.lines[part]
        hints = Hints(
            f"Add up the contributions in the table of {where}.",
            f"{measure.short} = sum of the contributions at ranks 1 to {len(lines)}",
            " + ".join(f"{line['contribution']:.4f}" for line in lines.values()),
        )
        mistaken = wrong(self.plain, self.gain)
        return self.ask(str(measure), score(self.ranking, measure), mistaken, hints)

    def ask_quotient(self) -> str:
        measure = self.measure
        hints = Hints(
            f"{measure.short} needs the two sums only.",
            f"{measure.short} = {' / '.join(part.short for part in measure.parts)}",
            " / ".join(f"{score(self.ranking, part):.4f}" for part in measure.parts),
        )
        wrong = mistakes.ndcg(self.plain, self.gain)
        return self.ask(str(measure), score(self.ranking, measure), wrong, hints, 1.0)

    def exercise(
        self, terms: Mapping[int, str], earned: str, grades: Mapping[int, str], best: str
    ) -> Exercise:
        """Return the exercise, with the letters of the terms, the grades and both sums."""
        (dcg, idcg), k = self.measure.parts, self.plain.k
        lines, ideal = self.lines
        # The names and contributions of the documents would reveal the grades.
        hidden = dict.fromkeys(grades, _NOT_ASKED)
        below = [(entry.document, grade(entry.grade)) for entry in self.ranking.retrieved[k:]]
        tables = {
            f"The ranking: {dcg}": _table(lines, _RANKING, {}, terms, earned),
            f"Below rank {k}": Table.of(("document", "grade"), below),
            f"The ideal ranking: {idcg}": _table(ideal, _IDEAL, grades, hidden, best),
            **rest_of(self.ranking),
        }
        shown = {title: table for title, table in tables.items() if table.rows}
        blanks = tuple(self.blanks)
        return Exercise("Fill in the blanks.", shown, blanks, {"": self.ranking}, (self.measure,))


def _between_equals(ideal: _Lines, rank: int) -> bool:
    """Return whether equal grades above and below reveal this one."""
    return 1 < rank < len(ideal) and ideal[rank - 1]["grade"] == ideal[rank + 1]["grade"]


_Lines = Mapping[int, Mapping[Hashable, Any]]


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
