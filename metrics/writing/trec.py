"""Scores line by line as trec_eval prints them."""

import math
import re
from collections.abc import Iterator, Sequence, Set

import numpy as np

from ..arrays import Ints
from ..matching import JudgedRankings
from ..measures import Measure
from ..measures.ledger import Ledger
from ..scoring.evaluate import Scores
from ..scoring.trec_names import ORDER, Asked


def trec(
    scores: Scores, asked: Asked, *, each: Sequence[str] = (), summary: bool = True, tag: str = ""
) -> str:
    """Return the lines of trec_eval: those for ``all``, after those of each query if asked for.

    Measures that trec_eval lacks come last, under their own names. As in trec_eval, ``all`` is
    the sum of counts, and geometric means are listed under ``all`` only. A query that the
    convention leaves out has no line.

    ``each`` has the queries to print; trec_eval's ``-q`` prints all. ``summary`` says whether to
    print ``all``, which trec_eval's ``-n`` leaves out. ``tag`` is the run's tag, for the line
    ``runid``.

    Examples
    --------
    >>> from metrics import Qrels, Run, evaluate
    >>> from metrics.scoring.trec_names import measures_named
    >>> qrels, run = Qrels.from_dict({"q1": {"a": 1}}), Run.from_dict({"q1": {"b": 2, "a": 1}})
    >>> lines = measures_named(["RR", "num_ret"])
    >>> scores = evaluate(qrels, run, [measure for _, measure in lines.measures])
    >>> print(trec(scores, lines).expandtabs(8), end="")
    num_ret                 all     2
    recip_rank              all     0.5000
    """
    said = list(_per_query(scores, asked, set(each))) if each else []
    if not summary:
        return "".join(said)
    of_run = {"runid": tag, "num_q": str(len(scores.judged.queries))}
    said += [_line(name, "all", text) for name, text in of_run.items() if name in asked.of_run]
    for name, measure in sorted(asked.measures, key=lambda line: _place(line[0])):
        # trec_eval adds in the order of ids, one after the other; other sums differ in last bits.
        value = scores.summary(str(measure), lambda of: float(np.cumsum(of)[-1]))
        if not math.isnan(value):
            said.append(_line(name, "all", _number(value, measure)))
    return "".join(said)


def _per_query(scores: Scores, asked: Asked, each: Set[str]) -> Iterator[str]:
    """The lines of each query."""
    ids = scores.judged.queries
    # Code points sort as UTF-8 bytes do.
    order = np.array([at for at in scores.order if ids[at] in each], np.int64)
    columns = {
        name: _texts(scores.ledgers[str(measure)], order)
        for name, measure in asked.measures
        if measure.summary != "exp"
    }
    for name, ranks in asked.strings:
        strings = _strings(scores.judged, ranks)
        columns[name] = [strings[place] for place in order.tolist()]
    names = sorted(columns, key=_place)
    ids, texts = tuple(ids[at] for at in order.tolist()), [columns[name] for name in names]
    if any("" in column for column in texts):
        # Without the lines of measures in which a query has no score.
        return (
            "".join(_line(name, query, text) for name, text in zip(names, row, strict=True) if text)
            for query, *row in zip(ids, *texts, strict=True)
        )
    escaped = (name.replace("{", "{{").replace("}", "}}") for name in names)
    whole = "".join(_line(name, "{0}", f"{{{at}}}") for at, name in enumerate(escaped, 1))
    return map(whole.format, ids, *texts)


def _strings(judged: JudgedRankings, ranks: int) -> list[str]:
    """The grade of the first documents of each query, a character each, as trec_eval has it."""
    shown = [["-"] * min(ranks, number) for number in judged.retrieved.tolist()]
    top = judged.hits[judged.hits.rank <= ranks]
    for query, rank, grade in zip(
        top.query.tolist(), top.rank.tolist(), top.grade.tolist(), strict=True
    ):
        if not math.isnan(grade):
            shown[query][rank - 1] = "." if grade < 0 else ">" if grade > 9 else str(int(grade))
    return [f"'{''.join(each)}'" for each in shown]


def _texts(ledger: Ledger, order: Ints) -> list[str]:
    """The number of each query in this order; nothing where it has no score."""
    # Many queries share a score: each number is written once.
    values, places = np.unique(ledger.scores[order], return_inverse=True)
    texts = ["" if math.isnan(v) else _number(v, ledger.measure) for v in values.tolist()]
    return [texts[place] for place in places.tolist()]


def _line(name: str, query: str, value: str) -> str:
    return f"{name:<22}\t{query}\t{value}\n"


def _number(value: float, measure: Measure) -> str:
    # A count can be a fraction where equal scores are averaged.
    if measure.summary == "sum" and value.is_integer():
        return str(int(value))
    return f"{value:z6.4f}"


def _place(name: str) -> tuple[int, float]:
    """Return a line's place: by the measure, then by the cutoff or point in its name."""
    roots = [root for root in ORDER if name == root or name.startswith(f"{root}_")]
    if not roots:
        return len(ORDER), 0.0
    point = re.search(r"[0-9.]+$", name)
    return ORDER.index(max(roots, key=len)), float(point[0]) if point else 0.0
