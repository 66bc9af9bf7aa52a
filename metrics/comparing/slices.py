"""Choose queries of a comparison: those that fit a filter, change most, or are to be read first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import numpy as np

from ..arrays import NOISE, pd
from ..data import GROUP, NO_GROUP
from ..dataset import Dataset
from .comparison import Comparison, ranked
from .significance import TIE

OUTCOMES: dict[str, Callable[[pd.Series[float], float], pd.Series[bool]]] = {
    "B better": lambda delta, tie: delta > tie,
    "A better": lambda delta, tie: delta < -tie,
    "ties": lambda delta, tie: delta.abs() <= tie,
}
"""Whether each delta is this outcome, by its name; deltas up to ``tie`` are ties."""


@dataclass(frozen=True)
class Slice:
    """A filter of queries; a query fits if it meets every condition.

    Attributes
    ----------
    text
        A part of the query's id or text, in upper or lower case; empty: any query.
    groups
        The groups that a query may be in, each an attribute and a value; of every attribute here
        it is in one. Empty: any.
    outcome
        One of `OUTCOMES`; empty: any.
    least_unjudged, most_unjudged
        The lowest and the highest unjudged share of a query's top documents, from 0 to 1; the
        larger share of A's and B's counts.
    """

    text: str = ""
    groups: tuple[tuple[str, str], ...] = ()
    outcome: str = ""
    least_unjudged: float = 0.0
    most_unjudged: float = 1.0

    @property
    def of_attributes(self) -> dict[str, list[str]]:
        """The groups that a query may be in, by attribute."""
        found: dict[str, list[str]] = {}
        for name, value in self.groups:
            found.setdefault(name, []).append(value)
        return found

    def in_words(self, depth: int, named: Callable[[str], str]) -> str:
        """Return the conditions; empty if there are none.

        ``depth``: the number of top documents. ``named`` writes the user's text and groups.

        Examples
        --------
        >>> asked = (("group", "short"), ("group", "long"), ("device", "mobile"))
        >>> Slice("tax", asked).in_words(10, repr)
        "id or text contains 'tax'; group 'short' or 'long'; 'device' 'mobile'"
        """
        of_groups = {
            f"{name if name == GROUP else named(name)} {' or '.join(map(named, values))}": values
            for name, values in self.of_attributes.items()
        }
        unjudged = f"of a top {depth} unjudged"
        conditions = {
            f"id or text contains {named(self.text)}": self.text,
            **of_groups,
            self.outcome: self.outcome,
            f"at least {_percent(self.least_unjudged)} {unjudged}": self.least_unjudged > 0,
            f"at most {_percent(self.most_unjudged)} {unjudged}": self.most_unjudged < 1,
        }
        return "; ".join(words for words, holds in conditions.items() if holds)


def _percent(share: float) -> str:
    return f"{100 * share:.10g} %"


EVERY = Slice()
"""The filter that every query fits."""
SEARCHED = 20
"""At most this many queries of either direction are searched for the most instructive one."""
FEW = range(3, 13)
"""How many documents can change a score so that their parts are still seen at a glance."""


def groups_of(dataset: Dataset) -> dict[str, tuple[str, str]]:
    """Return each group's attribute and value, by its name in filters and links.

    Examples
    --------
    >>> from metrics import Qrels
    >>> qrels = Qrels.from_dict({"q1": {"x": 1}, "q2": {"x": 1}})
    >>> every = {"device": {"q1": "mobile"}}
    >>> groups_of(Dataset("", qrels, (), query_attributes=every))
    {'mobile': ('device', 'mobile'), 'no group': ('device', 'no group')}
    >>> every["hour"] = {"q2": "noon"}
    >>> [*groups_of(Dataset("", qrels, (), query_attributes=every))]
    ['device: mobile', 'device: no group', 'hour: no group', 'hour: noon']
    """
    groupings = dataset.groupings
    return {
        (f"{name}: {value}" if len(groupings) > 1 else value): (name, value)
        for name, of in groupings.items()
        for value in dict.fromkeys(of.get(query, NO_GROUP) for query in dataset.qrels.queries)
    }


def fitting(
    which: Slice, comparison: Comparison, measure: str, dataset: Dataset, depth: int, tie: float
) -> tuple[str, ...]:
    """Return the queries that fit a filter: the compared ones, then those left out.

    Queries that are not compared fit a text or a group like others, so that a comparison of the
    filtered data reports them too. Queries without a score have no outcome.

    ``measure`` decides the outcome, and ``dataset`` has the queries' texts and groups. Unjudged
    documents count down to the rank ``depth``; deltas up to the size of ``tie`` are ties.

    Examples
    --------
    >>> from metrics import Qrels, Run, compare
    >>> pairs = {"q1": {"x": 1}, "q2": {"x": 1}}
    >>> qrels, run = Qrels.from_dict(pairs), Run.from_dict(pairs)
    >>> data = Dataset("", qrels, (run,), query_texts={"q1": "Income TAX"})
    >>> fitting(Slice("tax"), compare(qrels, run, run, "RR"), "RR", data, 10, 0.0)
    ('q1',)
    """
    missing = comparison.missing_from_both
    left_out = comparison.only_a, comparison.only_b, missing, comparison.unjudged
    queries = [*comparison.queries, *(query for each in left_out for query in each)]
    if which.text:
        part, texts = which.text.casefold(), dataset.query_texts
        queries = [
            query
            for query in queries
            if part in query.casefold() or part in texts.get(query, "").casefold()
        ]
    for name, values in which.of_attributes.items():
        of_query = dataset.query_attributes[name]
        queries = [query for query in queries if of_query.get(query, NO_GROUP) in values]
    if which.outcome:
        delta = comparison.per_query(measure)["delta"]
        fit = frozenset(delta.index[OUTCOMES[which.outcome](delta, tie)])
        queries = [query for query in queries if query in fit]
    if (which.least_unjudged, which.most_unjudged) != (0, 1):
        share = comparison.unjudged_shares(depth).max(axis=1)
        low, high = which.least_unjudged - NOISE, which.most_unjudged + NOISE
        fit = frozenset(share.index[(share >= low) & (share <= high)])
        queries = [query for query in queries if query in fit]
    return tuple(queries)


class Reason(Enum):
    """Why a query is opened first, as a clause with a place for what is gained and lost."""

    MIXED = "its documents move both ways, gaining {} and losing {}"
    LARGEST = "no query changes more"
    LARGEST_OF_FEW = f"no query in which {FEW[0]} to {FEW[-1]} documents count changes more"
    UNCHANGED = "no query changes"


@dataclass(frozen=True)
class Instructive:
    """The query to open first, why, and what its documents gain and lose (both at least 0)."""

    query: str
    reason: Reason
    gains: float
    losses: float


def most_instructive(compared: Comparison, measure: str) -> Instructive:
    """Return the query to open first: of its documents some gain and some lose, in sight.

    It is the one in which the smaller of both sums is largest, among those in which `FEW` documents
    change the score and that change as much as half of these; then the one with the largest
    change. Only the queries that change most in
    either direction are searched.

    The comparison has to score at least one query.

    Examples
    --------
    >>> from metrics import Qrels, Run, compare
    >>> qrels = Qrels.from_dict({"q1": {"x": 3, "y": 1, "z": 1}, "q2": {"x": 1}})
    >>> a = Run.from_dict({"q1": {"x": 3, "y": 2, "z": 1}, "q2": {"x": 2, "u": 1}})
    >>> b = Run.from_dict({"q1": {"y": 3, "z": 2, "x": 1}, "q2": {"u": 2, "v": 1}})
    >>> first = most_instructive(compare(qrels, a, b, "nDCG"), "nDCG")
    >>> first.query, first.reason.name, round(first.gains, 4), round(first.losses, 4)
    ('q1', 'MIXED', 0.121, 0.3631)
    """
    delta = compared.per_query(measure)["delta"].sort_values(kind="stable")
    if len(delta) > 2 * SEARCHED:
        delta = pd.concat([delta[:SEARCHED], delta[-SEARCHED:]])
    bars = compared.only(delta.index).documents(measure)
    shares = bars[ranked(bars)].set_index("query")["delta"]
    shares = shares[shares.abs() > TIE]
    gains, losses, many = (
        each.groupby(level=0).sum().reindex(delta.index, fill_value=0)
        for each in (shares.clip(lower=0), -shares.clip(upper=0), shares != 0)
    )
    few, size = many.isin(FEW), delta.abs()
    large = size >= size[few].median()
    mixed = np.minimum(gains, losses).round(12)
    order = pd.DataFrame({"few": few, "large": large, "mixed": mixed, "size": size})
    query = order.sort_values([*order], ascending=False, kind="stable").index[0]
    if mixed[query] > 0:
        reason = Reason.MIXED
    elif size[query] <= TIE:
        reason = Reason.UNCHANGED
    else:
        reason = Reason.LARGEST if size[query] >= size.max() else Reason.LARGEST_OF_FEW
    return Instructive(str(query), reason, float(gains[query]), float(losses[query]))


def largest_changes(
    compared: Comparison, measure: str, sign: int, most: int, tie: float = 0.0
) -> pd.DataFrame:
    """Return the queries that change most in one direction, the largest change first.

    ``sign`` is 1 for the gains of B, −1 for its losses; there are at most ``most`` rows, and deltas
    up to the size of ``tie`` are ties. The index is ``query``; after ``A``, ``B`` and ``delta``
    come the columns of the document that moves the delta furthest in this direction: ``document``,
    ``grade``, ``rank A``, ``rank B``, and ``share``, its part of the delta.

    Examples
    --------
    >>> from metrics import Qrels, Run, compare
    >>> qrels = Qrels.from_dict({"q1": {"x": 1}, "q2": {"x": 1}})
    >>> a = Run.from_dict({"q1": {"x": 2, "y": 1}, "q2": {"x": 2}})
    >>> b = Run.from_dict({"q1": {"y": 2, "x": 1}, "q2": {"x": 2}})
    >>> found = largest_changes(compare(qrels, a, b, "RR"), "RR", -1, 5)
    >>> found[["delta", "document", "rank A", "rank B"]].to_dict("index")
    {'q1': {'delta': -0.5, 'document': 'x', 'rank A': 1, 'rank B': 2}}
    """
    frame = compared.per_query(measure)
    towards = (sign * frame["delta"]).sort_values(ascending=False, kind="stable")
    frame = frame.loc[towards.index[towards > tie]].head(most)
    bars = compared.only(frame.index).documents(measure)
    order = (sign * bars["delta"]).sort_values(ascending=False, kind="stable").index
    first = bars.loc[order].drop_duplicates("query").set_index("query")
    first = first.rename(columns={"delta": "share"})
    return frame.join(first[["document", "grade", "rank A", "rank B", "share"]])
