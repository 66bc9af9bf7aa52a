"""Whether the verdict on two runs holds under each judge, the majority and a judge's errors."""

import math
from collections.abc import Set

import pandas as pd
import streamlit as st

from metrics import Convention, Dataset, Measure, Qrels, RankscopeError, Run, parse
from metrics.agreement.judge_noise import UnderNoise
from metrics.comparing.evidence import DEFAULT, Evidence
from metrics.comparing.significance import TESTS
from metrics.defaults import CONFIDENCE, MEASURE, SEED, TEST
from metrics.rendering import judge_charts, text

from .. import cache, pickers, show, state, widgets
from .taken import as_qrels

MAJORITY = "majority"
Asked = tuple[tuple[Run, Run], Measure, Convention]


def asked(dataset: Dataset) -> Asked:
    """Choose two runs, and what they are compared by, in the sentence of the page."""
    widgets.words(", for")
    runs = pair_picker(dataset)
    widgets.words("by")
    measure = pickers.measure_picker(parse(MEASURE))
    return runs, measure, pickers.convention_picker([measure])


def section(judges: dict[str, Qrels], a: Qrels, b: Qrels, of: Asked) -> pd.DataFrame | None:
    """Show which of two runs leads under A, under B, the majority and B's errors; return a table.

    The first three are compared over the queries that both judged; B's errors are simulated on all
    that B judged, of which A may have judged a sample.
    """
    runs, measure, convention = of
    both = set(a.queries) & set(b.queries)
    try:
        found = [
            cache.pairing(judge, runs, (measure,), convention).found
            for judge in (*(_over(each, both) for each in (a, b, cache.of_most(judges))), b)
        ]
    except RankscopeError as error:
        st.info(text.code(str(error)))
        return None
    st.subheader(_answer(found, runs, (a, b)), anchor=False)
    if both < {*a.queries, *b.queries}:
        st.caption(f"Over the {text.count(len(both), 'query', 'queries')} that both judged.")
    drawn, names = _table(found, None, runs, (a, b)), [run.name for run in runs]
    under = measure.label(convention)
    show.chart(judge_charts.held(drawn, names, str(measure), under), "held")
    # The simulations take longer.
    try:
        noise = cache.noise(b, a, *runs, measure, convention)
    except RankscopeError as error:
        st.info(text.code(str(error)))
        return drawn
    st.markdown(_trusted(noise, found[-1], runs, a, b))
    return _table(found, noise, runs, (a, b))


INTERVALS = (
    f"95 % intervals of the difference: {TESTS[TEST].interval.name} over queries. With errors: "
    "each simulation replaces every grade by the one that the other judge gave to a random "
    f"document with this grade (seed {SEED}). So it knows how often a judge errs, not where."
)


def _trusted(
    noise: UnderNoise | None, under: Evidence, runs: tuple[Run, Run], a: Qrels, b: Qrels
) -> str:
    """Return whether B's grades are enough to name the winner, if A is right."""
    judge, right = text.code(b.name), text.code(a.name)
    if noise is None:
        return f"The errors of {judge} are not simulated for data this large."
    if not (winner := _sign(under.delta)):
        return f"{judge} alone names no winner."
    share = noise.ahead if winner > 0 else float((noise.deltas < 0).mean())
    enough = "is enough" if share >= CONFIDENCE else "is not enough"
    return (
        f"**{judge} alone {enough} to name the winner.** If {right} is right and {judge} errs as "
        f"often as here, {_leads(winner, runs)} in {100 * share:.0f} % of {len(noise.deltas):,} "
        f"simulations; {100 * CONFIDENCE:.0f} % would be enough."
    )


def _over(judge: Qrels, queries: Set[str]) -> Qrels:
    """Return what a judge said of these queries."""
    kept = [query for query in judge.queries if query in queries]
    return judge if len(kept) == len(judge.queries) else judge.only(*kept)


def pair_picker(dataset: Dataset) -> tuple[Run, Run]:
    """Choose two of the data's runs."""
    runs = {run.name: run for run in dataset.runs}
    one, other = pair("Run", {name: text.visible(name) for name in runs}, (state.A, state.B))
    return runs[one], runs[other]


def pair(
    label: str, titles: dict[str, str], keys: tuple[str, str], apart: bool = False
) -> tuple[str, str]:
    """Choose two names by their titles, by default the first ones; ``apart``: never one twice."""
    first, second, *_ = titles
    said = pickers.literal(titles)
    a = widgets.option(f"{label} A", titles, keys[0], first, said=said)
    widgets.words("against")
    others = {name: title for name, title in titles.items() if name != a or not apart}
    other = first if a == second else second
    return a, widgets.option(f"{label} B", others, keys[1], other, said=said)


def _answer(found: list[Evidence], runs: tuple[Run, Run], judges: tuple[Qrels, Qrels]) -> str:
    """Return under whom which run leads, first whether it is the same run everywhere."""
    winners = [_sign(each.delta) for each in found]
    if winners[0] == winners[1] == 0:
        answer = "Neither run leads under either judge."
    elif winners[0] == winners[1]:
        held = "" if winners[2] == winners[0] else ", but not under the majority"
        answer = f"The judges agree on the winner: {_leads(winners[0], runs)} under both{held}."
    else:
        said = [
            f"{_leads(winner, runs)} under {text.code(judge.name)}"
            + ("" if each.sure or not winner else " (may be chance)")
            for winner, judge, each in zip(winners[:2], judges, found, strict=False)
        ]
        answer = f"The judges disagree on the winner: {', '.join(said)}."
    if found[0].queries < 2:
        answer += " This is on a single query, which says nothing of others."
    return answer


def _leads(sign: int, runs: tuple[Run, Run]) -> str:
    return f"{text.code(runs[sign > 0].name)} leads" if sign else "no run leads"


def _sign(delta: float) -> int:
    return int(delta > DEFAULT.tie) - int(delta < -DEFAULT.tie)


def _table(
    found: list[Evidence],
    noise: UnderNoise | None,
    runs: tuple[Run, Run],
    judges: tuple[Qrels, Qrels],
) -> pd.DataFrame:
    """Return the same as numbers, by the name of the judge; the last found is B on all queries."""
    names = [*(text.visible(judge.name) for judge in judges), MAJORITY]
    rows = [
        (each.mean_a, each.mean_b, each.delta, each.low, each.high, each.p, each.queries)
        for each in found[:-1]
    ]
    if noise is not None:
        names.append(f"{names[1]} with errors")
        ends = noise.mean, *noise.interval()
        rows.append((math.nan, math.nan, *ends, math.nan, found[-1].queries))
    columns = [
        f"mean, {side} {text.visible(run.name)}" for side, run in zip("AB", runs, strict=True)
    ]
    columns += ["difference", "low", "high", "p", "queries"]
    return pd.DataFrame(rows, pd.Index(names, name="judged by"), columns)


def download(of_most: Qrels, judges: int) -> None:
    """Show a button that saves the majority of all judges."""
    show.download(
        f"Download the majority of {text.count(judges, 'judge')}",
        *as_qrels(of_most, MAJORITY),
        help="Qrels with the grade that most judges gave to each document; without a majority, the "
        "lower median of the most frequent grades.",
    )
    for note in of_most.notes:
        st.text(f"Majority: {text.visible(str(note))}")
