"""Scores line by line as trec_eval prints them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import starmap

import numpy as np

from ..arrays import Ints
from ..measures import Measure
from ..measures.ledger import Ledger
from ..scoring.evaluate import Scores
from ..scoring.naming import trec_name

_ORDER = (
    "num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank iprec_at_recall P recall infAP "
    "gm_bpref Rprec_mult utility 11pt_avg binG G dcg ideal_dcg ndcg ndcg_rel Rndcg ndcg_cut "
    "map_cut relative_P success set_P set_relative_P set_recall set_map set_F "
    "num_nonrel_judged_ret rbp rbp_resid unj"
)
ORDER = _ORDER.split()
"""trec_eval prints in this order, whatever the order asked for."""

_POINTS = dict.fromkeys(
    ("P", "recall", "ndcg_cut", "map_cut", "relative_P"), "5 10 15 20 30 100 200 500 1000"
) | {
    "iprec_at_recall": "0.00 0.10 0.20 0.30 0.40 0.50 0.60 0.70 0.80 0.90 1.00",
    "Rprec_mult": "0.20 0.40 0.60 0.80 1.00 1.20 1.40 1.60 1.80 2.00",
    "success": "1 5 10",
    "unj": "5 10 20",
}


def _names(roots: list[str]) -> tuple[str, ...]:
    return tuple(
        f"{root}_{point}" if point else root
        for root in roots
        for point in _POINTS.get(root, "").split() or [""]
    )


SETS = {
    "official": _names(ORDER[: ORDER.index("P") + 1]),
    "all_trec": _names([root for root in ORDER if root not in ("dcg", "ideal_dcg")]),
}
"""trec_eval's own sets of measures; relstring, which is not a number, is not among them."""


def trec(
    scores: Scores, asked: Mapping[str, Measure], *, each: bool = False, tag: str | None = None
) -> str:
    """Return the lines of trec_eval: those for ``all``, after those of each query if asked for.

    Measures that trec_eval lacks come last, under their own names. As in trec_eval, ``all`` is
    the sum of counts, and geometric means are listed under ``all`` only. A query that the
    convention leaves out has no line.

    Parameters
    ----------
    asked
        The measures, by the text that named them.
    each
        Whether to print the queries, as trec_eval's ``-q`` does.
    tag
        The run's tag, for the lines ``runid`` and ``num_q`` of trec_eval's sets.

    Examples
    --------
    >>> from metrics import Qrels, Run, evaluate, parse
    >>> qrels, run = Qrels.from_dict({"q1": {"a": 1}}), Run.from_dict({"q1": {"b": 2, "a": 1}})
    >>> asked = {name: parse(name) for name in ("RR", "num_ret")}
    >>> print(trec(evaluate(qrels, run, asked.values()), asked).expandtabs(8), end="")
    num_ret                 all     2
    recip_rank              all     0.5000
    """
    named = {trec_name(measure, text): str(measure) for text, measure in asked.items()}
    lines = sorted(named.items(), key=lambda line: _place(line[0]))
    said = list(_per_query(scores, lines)) if each else []
    if tag is not None:
        said += [_line("runid", "all", tag), _line("num_q", "all", str(len(scores.judged.queries)))]
    for name, key in lines:
        value = scores.summary(key)
        if not math.isnan(value):
            said.append(_line(name, "all", _number(value, scores.ledgers[key].measure)))
    return "".join(said)


def _per_query(scores: Scores, lines: list[tuple[str, str]]) -> Iterator[str]:
    """The lines of each query."""
    shown = [(name, scores.ledgers[key]) for name, key in lines]
    shown = [(name, ledger) for name, ledger in shown if ledger.measure.summary != "exp"]
    queries = scores.judged.queries
    # Code points sort as UTF-8 bytes do.
    order = np.array(sorted(range(len(queries)), key=queries.__getitem__), np.int64)
    ids = sorted(queries)
    columns = [_texts(ledger, order) for _, ledger in shown]
    names = [name for name, _ in shown]
    if any("" in column for column in columns):
        return starmap(partial(_some, names), zip(ids, *columns, strict=True))
    escaped = (name.replace("{", "{{").replace("}", "}}") for name in names)
    whole = "".join(_line(name, "{0}", f"{{{at}}}") for at, name in enumerate(escaped, 1))
    return map(whole.format, ids, *columns)


def _some(names: list[str], query: str, *texts: str) -> str:
    """The lines of one query, without those of measures in which it has no score."""
    pairs = zip(names, texts, strict=True)
    return "".join(_line(name, query, text) for name, text in pairs if text)


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
