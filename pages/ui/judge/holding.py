"""Whether the verdict on two runs holds under each judge, the majority and a judge's errors."""

import math
from collections.abc import Set

import pandas as pd
import streamlit as st

from metrics import Convention, Dataset, Measure, Qrels, RankscopeError, Run, parse
from metrics.agreement.judge_noise import UnderNoise
from metrics.comparing.evidence import DEFAULT, Evidence
from metrics.comparing.significance import TESTS
from metrics.defaults import MEASURE, SEED, TEST
from metrics.rendering import text

from .. import cache, pickers, show, state, widgets
from .taken import as_qrels

MAJORITY = "majority"


def section(dataset: Dataset, judges: dict[str, Qrels], a: Qrels, b: Qrels) -> None:
    """Show the difference of two runs under A, under B, under the majority and under B's errors.

    The first three are compared over the queries that both judged; B's errors are simulated on all
    that B judged, of which A may have judged a sample.
    """
    of_most = cache.of_most(judges)
    both = set(a.queries) & set(b.queries)
    if len(dataset.runs) > 1:
        st.subheader("Does the verdict hold?")
        with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
            one, other = pair_picker(dataset)
            st.markdown("by", width="content")
            measure = pickers.measure_picker(parse(MEASURE))
            st.markdown("counted as", width="content")
            convention = pickers.convention_picker([measure])
        try:
            found = [
                cache.pairing(judge, (one, other), (measure,), convention).found
                for judge in (_over(each, both) for each in (a, b, of_most))
            ]
            every = cache.pairing(b, (one, other), (measure,), convention).found.queries
            noise = cache.noise(b, a, one, other, measure, convention)
        except RankscopeError as error:
            st.info(text.code(str(error)))
        else:
            if both < {*a.queries, *b.queries}:
                many = text.count(len(both), "query", "queries")
                st.caption(f"Over the {many} that both judged.")
            _sentences(found, noise, (one, other), (a, b), every)
            _table(found, noise, measure, convention, every)
    _download(of_most, len(judges))


def _over(judge: Qrels, queries: Set[str]) -> Qrels:
    """Return what a judge said of these queries."""
    kept = [query for query in judge.queries if query in queries]
    return judge if len(kept) == len(judge.queries) else judge.only(*kept)


def pair_picker(dataset: Dataset) -> tuple[Run, Run]:
    """Choose two of the data's runs."""
    runs = {run.name: run for run in dataset.runs}
    titles = {name: text.visible(name) for name in runs}
    first, second, *_ = runs
    said = pickers.literal(titles)
    one = widgets.option("Run A", titles, state.A, first, said=said)
    widgets.words("against")
    other = widgets.option("Run B", titles, state.B, second, said=said)
    return runs[one], runs[other]


def _sentences(
    found: list[Evidence],
    noise: UnderNoise | None,
    runs: tuple[Run, Run],
    judges: tuple[Qrels, Qrels],
    every: int,
) -> None:
    """Say under whom which run leads, first whether it is the same run everywhere.

    ``every``: the number of all queries of B.
    """
    a, b = (judge.name for judge in judges)
    winners = [_sign(each.delta) for each in found]
    if winners[0] == winners[1] == 0:
        answer = "Neither run leads under either judge."
    elif winners[0] == winners[1]:
        held = "and under the majority" if winners[2] == winners[0] else "but not the majority"
        answer = f"Yes: {_leads(winners[0], runs)} under both judges, {held}."
    else:
        answer = (
            f"No: {_leads(winners[0], runs)} under A {text.code(a)}, "
            f"{_leads(winners[1], runs)} under B {text.code(b)}."
        )
    if found[0].queries < 2:
        answer += " This is on a single query, which says nothing of others."
    st.markdown(f"**{answer}**\n\n{_noisy(noise, runs, judges, winners[0], every)}")


def _leads(sign: int, runs: tuple[Run, Run]) -> str:
    return f"{text.code(runs[sign > 0].name)} leads" if sign else "no run leads"


def _noisy(
    noise: UnderNoise | None,
    runs: tuple[Run, Run],
    judges: tuple[Qrels, Qrels],
    under_a: int,
    queries: int,
) -> str:
    """Return what a simulation of B's errors says about the winner under A."""
    if noise is None:
        return "B's errors are not simulated for data this large."
    a, b = (judge.name for judge in judges)
    low, high = noise.interval()
    leader = runs[under_a > 0].name
    share = noise.ahead if under_a > 0 else float((noise.deltas < 0).mean())
    return (
        f"We redraw B's grades {len(noise.deltas):,} times with B's errors against A "
        f"{text.code(a)}, on all {text.count(queries, 'query', 'queries')} of B {text.code(b)}: "
        f"{text.code(leader)} leads in {100 * share:.0f} % of them, difference "
        f"{text.signed(noise.mean)} [{text.signed(low)}, {text.signed(high)}], seed {SEED}."
    )


def _sign(delta: float) -> int:
    return int(delta > DEFAULT.tie) - int(delta < -DEFAULT.tie)


def _table(
    found: list[Evidence],
    noise: UnderNoise | None,
    measure: Measure,
    convention: Convention,
    every: int,
) -> None:
    """Show the same as numbers, with the convention."""
    names = ["judge A", "judge B", MAJORITY]
    rows = [
        (each.mean_a, each.mean_b, each.delta, each.low, each.high, each.p, each.queries)
        for each in found
    ]
    if noise is not None:
        names.append("judge B with errors")
        rows.append((math.nan, math.nan, noise.mean, *noise.interval(), math.nan, every))
    columns = ["mean, run A", "mean, run B", "run B − run A", "low", "high", "p", "queries"]
    show.table(pd.DataFrame(rows, pd.Index(names, name="judged by"), columns))
    st.caption(
        f"{measure}, {measure.label(convention)}. 95 % intervals of the difference: "
        f"{TESTS[TEST].interval.name} over queries. B with errors: each "
        "simulation replaces every grade of B by the one that A gave to a random document with "
        "this grade of B. So it knows how often B errs, not on which documents."
    )


def _download(of_most: Qrels, judges: int) -> None:
    """Show a button that saves the majority of all judges."""
    show.download(
        f"Download the majority of {text.count(judges, 'judge')}",
        *as_qrels(of_most, MAJORITY),
        help="Qrels with the grade that most judges gave to each document; without a majority, the "
        "lower median of the most frequent grades.",
    )
    for note in of_most.notes:
        st.text(f"Majority: {text.visible(str(note))}")
