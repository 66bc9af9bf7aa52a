"""Exercise on the DCG and IDCG tables, with blank cells to fill in."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from string import ascii_lowercase
from typing import Any

from ...editing.hand_ranking import HandRanking
from ...measures import Measure
from ...writing import Table
from . import graded_mistakes as mistakes
from .blanks import Hints, Number
from .draw import Draw, Level
from .exercise import Exercise, grade, rest_of, score
from .graded import GAINS, drawn, term
from .plain_query import Mistakes, Plain

_IDEAL = "rank", "grade", "log₂(rank + 1)", "contribution"
_RANKING = "rank", "document", *_IDEAL[1:]
_NOT_ASKED = "·"


def worksheet(draw: Draw, level: Level) -> Exercise | None:
    """Return the tables with blank cells and nDCG below; None if the exercise is too short."""
    if (question := drawn(draw, level)) is None:
        return None
    ranking, gain, measure = question
    plain = Plain.of(ranking, level.k)
    lines, ideal = (_lines(ranking, part) for part in measure.parts)
    earning = [rank for rank in lines if rank > 1 and lines[rank]["contribution"] > 0]
    moved = [
        rank
        for rank in ideal
        if ideal[rank]["grade"] != lines[rank]["grade"] and not _between_equals(ideal, rank)
    ]
    if len(earning) < 2 or len(moved) < 2:
        return None
    blanks: list[Number] = []

    def ask(
        what: str, answer: float, wrong: Mistakes, hints: Hints, highest: float = math.inf
    ) -> str:
        letter = f"({ascii_lowercase[len(blanks)]})"
        blanks.append(Number(f"{letter} {what}", answer, wrong, highest, hints))
        return letter

    dcg, idcg = map(str, measure.parts)
    terms = {
        rank: ask(
            f"contribution at rank {rank}",
            lines[rank]["contribution"],
            mistakes.contribution(plain, gain, rank),
            Hints(
                f"Take the grade and the logarithm of rank {rank}.",
                f"contribution = {GAINS[gain]} / log₂(rank + 1)",
                term(gain, plain.grades[rank - 1], rank),
            ),
        )
        for rank in sorted(draw.shuffled(earning)[:2])
    }
    earned = ask(
        dcg,
        score(ranking, measure.parts[0]),
        mistakes.dcg(plain, gain),
        _sum_of(lines, measure.parts[0].short, "the ranking"),
    )
    grades = {
        rank: ask(
            f"ideal grade at rank {rank}",
            ideal[rank]["grade"],
            mistakes.ideal_grade(plain, rank),
            Hints(
                "Look at every judged document, also below the cutoff and not retrieved.",
                "ideal ranking = all grades, the highest first",
                f"rank {rank} of {', '.join(f'{each:g}' for each in plain.ideal)}",
            ),
        )
        for rank in sorted(draw.shuffled(moved)[:2] if level.missed else [])
    }
    to_earn = ask(
        idcg,
        score(ranking, measure.parts[1]),
        mistakes.idcg(plain, gain),
        _sum_of(ideal, measure.parts[1].short, "the ideal ranking"),
    )
    quotient = Hints(
        f"{measure.short} needs the two sums only.",
        f"{measure.short} = {' / '.join(part.short for part in measure.parts)}",
        " / ".join(f"{score(ranking, part):.4f}" for part in measure.parts),
    )
    ask(str(measure), score(ranking, measure), mistakes.ndcg(plain, gain), quotient, 1.0)
    below = [(entry.document, grade(entry.grade)) for entry in ranking.retrieved[level.k :]]
    tables = {
        f"The ranking: {dcg}": _table(lines, _RANKING, {}, terms, earned),
        f"Below rank {level.k}": Table.of(("document", "grade"), below),
        # The names and contributions of the documents would reveal the grades.
        f"The ideal ranking: {idcg}": _table(
            ideal, _IDEAL, grades, dict.fromkeys(grades, _NOT_ASKED), to_earn
        ),
        **rest_of(ranking),
    }
    shown = {title: table for title, table in tables.items() if table.rows}
    return Exercise("Fill in the blanks.", shown, tuple(blanks), {"": ranking}, (measure,))


def _sum_of(lines: _Lines, measure: str, where: str) -> Hints:
    """Return the hints to a sum of contributions."""
    return Hints(
        f"Add up the contributions in the table of {where}.",
        f"{measure} = sum of the contributions at ranks 1 to {len(lines)}",
        " + ".join(f"{line['contribution']:.4f}" for line in lines.values()),
    )


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
