"""Charts for a notebook: Plotly figures of scores and comparisons, as the pages draw them.

Each figure names its convention; ``figure.layout.meta["alt"]`` describes it for readers who cannot
see it.

Examples
--------
>>> from metrics import charts, compare
>>> both = compare({"q1": {"a": 1}}, {"q1": {"b": 2, "a": 1}}, {"q1": {"a": 1}}, "RR")
>>> charts.waterfall(both, "RR", "q1").layout.meta["alt"]
'1 bar, with a total delta of +0.500 in RR.'
"""

from .comparing.comparison import Comparison
from .errors import DataError, MeasureError
from .measures import Measure
from .measures.ledger import Ledger
from .rendering import (
    comparison_charts,
    comparison_tables,
    one_query_charts,
    query_charts,
    ranking_charts,
    text,
)
from .rendering.charts import Chart, Figure

__all__ = ["by_cutoff", "deltas", "running_total", "waterfall"]


def waterfall(comparison: Comparison, measure: str | Measure, query: str) -> Figure:
    """Return what each document changed in one query; the bars sum to its delta, B − A.

    Parameters
    ----------
    comparison
        The two runs: see `compare`.
    measure
        One of the compared measures, as a name or a value.
    query
        A compared query.

    Raises
    ------
    DataError
        When the query is not compared.
    MeasureError
        When the comparison does not have the measure.
    """
    if not isinstance(query, str) or query not in comparison.queries:
        raise DataError(
            f"Query {query!r} is not compared; it must be in the qrels and in both runs, as "
            "comparison.queries are."
        )
    frame = comparison.only([query]).documents(measure)
    drawn = one_query_charts.waterfall(frame, str(measure), _convention(comparison, measure))
    return _titled(drawn, f"Query {text.for_plotly(query)}: what each document changed")


def deltas(comparison: Comparison, measure: str | Measure) -> Figure:
    """Return each query's delta, B − A, the largest gain of B first.

    Parameters
    ----------
    comparison
        The two runs: see `compare`.
    measure
        One of the compared measures, as a name or a value.

    Raises
    ------
    MeasureError
        When the comparison does not have the measure.
    """
    name = str(measure)
    frame = comparison_tables.queries(comparison, name, {})
    drawn = query_charts.deltas(frame, name, _convention(comparison, measure))
    return _titled(drawn, f"Delta of each query, {name}")


def by_cutoff(comparison: Comparison, measure: str | Measure) -> Figure:
    """Return the mean of both runs at the cutoffs 1 to 100, each with its 95 % interval.

    Parameters
    ----------
    comparison
        The two runs: see `compare`.
    measure
        One of the compared measures, as a name or a value.

    Raises
    ------
    MeasureError
        When the comparison does not have the measure, or it takes no cutoff.
    """
    found = comparison.a.ledger(measure).measure
    if found.suffix != "cutoff":
        raise MeasureError(f"{found} takes no cutoff; choose another measure, such as 'nDCG@10'.")
    sides = comparison_charts.means_by_cutoff(comparison, found)
    drawn = comparison_charts.curves(sides, found.symbol, _convention(comparison, measure))
    return _titled(drawn, f"Mean {found.symbol} by cutoff")


def running_total(ledger: Ledger, query: str) -> Figure:
    """Return the running total of one query by rank, against the ideal if there is one.

    Parameters
    ----------
    ledger
        Of ``scores.ledger("nDCG@10")``, or of `trace`, which has unjudged documents too.
    query
        An evaluated query.

    Raises
    ------
    DataError
        When the query was not evaluated.
    """
    label = ledger.measure.label(ledger.convention)
    drawn = ranking_charts.running(ledger, query, convention=label)
    return _titled(drawn, f"Query {text.for_plotly(query)}: running total")


def _convention(comparison: Comparison, measure: str | Measure) -> str:
    return comparison.a.ledger(measure).measure.label(comparison.a.convention)


def _titled(drawn: Chart, title: str) -> Figure:
    # A legend lies between title and plot.
    return drawn.figure.update_layout(
        title={"text": title, "y": 0.98, "yanchor": "top"},
        margin={"t": 64},
        meta={"alt": drawn.alt},
    )
