"""Whether the verdict on two runs holds under each judge, the majority and a judge's errors."""

import math
from collections.abc import Callable, Set
from functools import partial

import pandas as pd
import streamlit as st

from metrics import Convention, Dataset, Evidence, Measure, Qrels, RankscopeError, Run, parse
from metrics.agreement import judge_noise, side_by_side
from metrics.agreement.corrected import CorrectedPairing
from metrics.comparing import evidence, significance
from metrics.defaults import CONFIDENCE, MEASURE, SEED, TEST
from metrics.rendering import judge_charts, text

from .. import by_hand, cache, pickers, show, state, widgets

Asked = tuple[tuple[Run, Run], Measure, Convention]


def asked(dataset: Dataset) -> Asked:
    """Choose two runs, and what they are compared by, in the sentence of the page."""
    widgets.words(", for")
    runs = pair_picker(dataset)
    widgets.words("by")
    measure = pickers.measure_picker(parse(MEASURE))
    return runs, measure, pickers.convention_picker([measure])


def section(
    judges: dict[str, Qrels], a: Qrels, b: Qrels, of: Asked
) -> Callable[[], pd.DataFrame | None]:
    """Show which of two runs leads under A, B and the majority; return what adds B's errors.

    That takes long, and leaves room for what it says; it returns a table. The first three are
    compared over the queries that both judged; B's errors are simulated on all that B judged, of
    which A may have judged a sample.
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
        return lambda: None
    judged = text.count(len(both), "query", "queries")
    of_all = "lower of both grades" if len(judges) == 2 else "most frequent grade"
    by_a = _corrected(a, b, of)
    table = partial(_table, found, runs, (a, b), of_all, by_a)
    drawn, names = table(None), [run.name for run in runs]
    show.chart(judge_charts.deltas_by_judge(drawn, names, str(measure)), "held")
    if both < {*a.queries, *b.queries}:
        but = f", the corrected row over all {len(set(b.queries)):,}" if by_a else ""
        st.caption(f"Over the {judged} that both judged{but}.")
    if by_a:
        _how_corrected(by_a, str(measure), a, b)
    about_most(judges)
    winner, few = _sign(found[0].delta), len(both) < significance.DIFFERING
    place = st.container()

    def with_errors() -> pd.DataFrame:
        noise, share = None, math.nan
        with place:
            if not few:
                with widgets.refusals_shown(), st.spinner("Simulating the judge's errors …"):
                    noise = cache.noise(b, a, *runs, measure, convention)
                share = _share(noise, winner)
            too_few = f"Too few to tell: both judged {judged}"
            said = [too_few if few else _agreed(found, share, b), _winners(found, runs, (a, b))]
            # Where the judges name two winners, these are the answer.
            if not few and winner != _sign(found[1].delta):
                said = [said[1].rstrip("."), f"{said[0]}."]
            st.header(said[0], anchor=False)
            st.markdown(f"{said[1]} {'' if few else _simulated(noise, share, winner, runs, b)}")
        return table(noise)

    return with_errors


def _corrected(a: Qrels, b: Qrels, of: Asked) -> CorrectedPairing | None:
    """Return B's means as A's grades correct them; None where A judged all queries of B."""
    if set(b.queries) <= set(a.queries):
        return None
    try:
        return cache.corrected(b, a, *of)
    except RankscopeError as error:
        st.caption(f"{_name(b)} is not corrected by {_name(a)}. {text.code(str(error))}")
        return None


def _how_corrected(found: CorrectedPairing, measure: str, a: Qrels, b: Qrels) -> None:
    """Show the sum that gives a corrected difference, and what it rests on."""
    delta = found.measures[measure].delta
    n, m = len(delta.human), len(delta.others)
    weight = text.number(delta.weight, 3)
    of_rest, rest = delta.others.mean() if m else 0.0, float(delta.rests.mean())
    alone = f"{_name(a)} alone takes about {text.count(delta.needed, 'query', 'queries')}"
    rests = f"mean of {_name(a)} − {weight} × {_name(b)}, {text.count(n, 'query', 'queries')}"
    st.caption(
        f"{_name(b)} corrected by {_name(a)}: {weight} × {text.signed(of_rest)} (the other "
        f"{text.count(m, 'query', 'queries')}) {text.signed(rest)} ({rests}) = "
        f"{text.signed(delta.value)}: unbiased where these were drawn at random "
        f"(prediction-powered inference). For an interval as narrow {alone}."
    )


def _name(judge: Qrels) -> str:
    return text.code(judge.name)


def about_most(judges: dict[str, Qrels]) -> None:
    """Say what counts for documents without a single most frequent grade, and what is left out."""
    for note in cache.of_most(judges).notes:
        # Of two judges the lower grade counts, which is the name of the row.
        if len(judges) > 2 or note.code != side_by_side.TIED:
            st.text(text.visible(str(note)))


INTERVALS = (
    f"95 % intervals of the difference: {significance.TESTS[TEST].interval.name} over queries. "
    "With errors: each simulation replaces every grade by the one that the other judge gave to a "
    f"random document with this grade (seed {SEED}). This models how often a judge errs, not where."
)


def _share(noise: judge_noise.UnderNoise | None, winner: int) -> float:
    """Return the share of simulations that have this winner; NaN where there are none."""
    if noise is None or not winner:
        return math.nan
    return noise.ahead if winner > 0 else float((noise.deltas < 0).mean())


def _agreed(found: list[Evidence], share: float, b: Qrels) -> str:
    """Return whether both judges name one winner, and whether B's grades are enough to name it."""
    winner, other = (_sign(each.delta) for each in found[:2])
    if winner != other:
        sure = all(each.sure for each in found[:2])
        changes = "the winner changes" if sure else "the lead is not confirmed"
        return f"One judge is not enough: {changes}"
    if not winner:
        return "Neither run leads under either judge"
    if math.isnan(share):
        return "Both judges name the same winner"
    enough = "are enough" if share >= CONFIDENCE else "are not enough"
    return f"{grades_of(b.name, *SENTENCE)} alone {enough} to name the winner"


def _simulated(
    noise: judge_noise.UnderNoise | None, share: float, winner: int, runs: tuple[Run, Run], b: Qrels
) -> str:
    """Return how often B's grades name the winner under A when B errs as often as here."""
    judge = grades_of(b.name)
    if noise is None:
        return f"Errors in {judge} are not simulated for data this large."
    if not winner:
        return f"There is no winner that {judge} could miss."
    # Rounded down: what is not enough does not look like enough.
    percent = math.floor(100 * share + 1e-9)
    return (
        f"In {len(noise.deltas):,} simulations with as many errors as here, {judge} name "
        f"{_run(winner, runs)} in {percent:d}&nbsp;%; "
        f"{100 * CONFIDENCE:.0f}&nbsp;% would be enough."
    )


def _over(judge: Qrels, queries: Set[str]) -> Qrels:
    """Return what a judge said of these queries."""
    return judge if queries >= set(judge.queries) else judge.only(*queries)


def pair_picker(dataset: Dataset) -> tuple[Run, Run]:
    """Choose two of the data's runs."""
    runs = {run.name: run for run in dataset.runs}
    titles, looks = {name: text.visible(name) for name in runs}, (":blue[{}]", ":orange[{}]")
    one, other = pair("Run", titles, (state.A, state.B), looks)
    return runs[one], runs[other]


def pair(
    label: str,
    titles: dict[str, str],
    keys: tuple[str, str],
    looks: tuple[str, str] = ("{}", "{}"),
    apart: bool = False,
) -> tuple[str, str]:
    """Choose two names by their titles, by default the first ones.

    ``looks``: how each is said, in Markdown. ``apart``: never one twice.
    """
    first, second, *_ = titles
    said = pickers.literal({}, looks[0])
    a = widgets.option(f"{label} A", titles, keys[0], first, said=said)
    widgets.words("against")
    others = {name: title for name, title in titles.items() if name != a or not apart}
    other, said = first if a == second else second, pickers.literal({}, looks[1])
    return a, widgets.option(f"{label} B", others, keys[1], other, said=said)


def _winners(found: list[Evidence], runs: tuple[Run, Run], judges: tuple[Qrels, Qrels]) -> str:
    """Return which run leads under each judge."""
    said = [
        f"{grades_of(judge.name, *of)}, {_run(_sign(each.delta), runs)} leads"
        + ("" if each.sure or not _sign(each.delta) else " (may be chance)")
        for of, judge, each in zip(((), _LATER), judges, found, strict=False)
    ]
    few = " This is one query; it says nothing about others." if found[0].queries < 2 else ""
    return f"By {'; by '.join(said)}.{few}"


def grades_of(name: str, of: str = "the grades of", yours: str = "your grades") -> str:
    """Return what a judge's grades are called, who may be the one who reads it."""
    return yours if name == by_hand.YOU else f"{of} {text.code(name)}"


SENTENCE, _LATER = ("The grades of", "Your grades"), ("those of", "yours")
"""How grades are called at the start of a sentence, and where others were called so before."""


def _run(winner: int, runs: tuple[Run, Run]) -> str:
    """Return the name of a run in its colour."""
    if not winner:
        return "no run"
    colour = "orange" if winner > 0 else "blue"
    return f":{colour}[{text.code(runs[winner > 0].name)}]"


def _sign(delta: float) -> int:
    return int(delta > evidence.DEFAULT.tie) - int(delta < -evidence.DEFAULT.tie)


def _table(
    found: list[Evidence],
    runs: tuple[Run, Run],
    judges: tuple[Qrels, Qrels],
    of_all: str,
    by_a: CorrectedPairing | None,
    noise: judge_noise.UnderNoise | None,
) -> pd.DataFrame:
    """Return the same as numbers, by the name of the judge; the last found is B on all queries."""
    names = [*(text.visible(judge.name) for judge in judges), of_all]
    rows = [
        (each.mean_a, each.mean_b, each.delta, each.low, each.high, each.p, each.queries)
        for each in found[:-1]
    ]
    for each in by_a.measures.values() if by_a else ():
        names.append(f"{names[1]} corrected by {names[0]}")
        means = each.a.value, each.b.value, each.delta.value
        rows.append((*means, *each.delta.interval, math.nan, len(each.delta.every)))
    if noise is not None:
        names.append(f"{names[1]} with errors")
        ends = noise.mean, *noise.interval()
        rows.append((math.nan, math.nan, *ends, math.nan, found[-1].queries))
    columns = [
        f"mean, {side} {text.visible(run.name)}" for side, run in zip("AB", runs, strict=True)
    ]
    columns += ["difference", "low", "high", "p", "queries"]
    return pd.DataFrame(rows, pd.Index(names, name="judged by"), columns)
