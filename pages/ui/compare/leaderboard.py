"""The tab All runs: the leaderboard, and the test of each pair."""

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from metrics import Leaderboard
from metrics.comparing import leaderboard, significance, slices
from metrics.defaults import ALPHA
from metrics.rendering import Provenance, comparison_text, run_charts, tables, text
from metrics.writing import labelled, leaderboard_table, pairs_table

from .. import cache, present, show, state, widgets
from .picks import ComparisonPage


def all_runs(page: ComparisonPage) -> None:
    """Show the leaderboard and every pair of runs; a click compares the pair above."""
    runs, own = cache.compared(page.dataset), [run.name for run in page.dataset.rankings]
    titles = {key: run.name for key, run in runs.items()}
    most = leaderboard.MOST
    chosen = widgets.several(f"Runs, up to {most}", titles, state.RUNS, own[:most], most)
    keys = {titles[key]: key for key in chosen}
    board = replace(page.pairing, runs=tuple(runs[key] for key in chosen)).leaderboard
    # Two runs are compared above.
    many = len(chosen) > 2
    if many:
        st.markdown(f"**{comparison_text.leader(board)}**")
    compared = len({*own} & {*chosen})
    if len(own) > compared:
        of = text.count(len(own), "run")
        st.caption(f"{compared} of {of} are compared; choose others under Runs.")
    left, right = st.columns(2 if many else [3, 5], gap="large")
    with left:
        show.chart(run_charts.standings(board, page.label), "standings", _source(page))
        st.caption(
            "Bars: 95 % interval of each mean. Two runs can differ although their intervals "
            "overlap, because pairs are tested query by query."
        )
    if many:
        with right:
            _pairs(page, board, keys)
    only = "" if page.only.which == slices.EVERY else f", among {page.only.over}"
    standings = leaderboard_table(board)
    names = {"low, high": "low, high", "raised numbers": "letters", "test": "test"}
    said = {key: standings.labels.get(label) for key, label in names.items()}
    how = ". ".join(f"{key}: {label}" for key, label in said.items() if label)
    with st.container() if many else right:
        show.table(tables.screen(standings, "run"))
        st.caption(
            f"Means over the {text.count(board.queries[page.shown], 'query', 'queries')} that all "
            f"these runs have{only}. {how}."
        )
        part = {"queries": page.dataset.part} if page.dataset.part else {}
        saved = standings.saying(heading={"data": page.dataset.title, **part})
        name = page.only.file("leaderboard")
        with st.container(horizontal=True):
            show.table_files(saved, lambda end: f"{name}.{end}", "leaderboard")


def _source(page: ComparisonPage) -> Provenance:
    return replace(page.source, names=(page.dataset.title, page.only.label("")))


def _pairs(page: ComparisonPage, board: Leaderboard, keys: Mapping[str, str]) -> None:
    """Show every pair as a square and as a row; picking either compares the two runs above."""

    def compare(a: str, b: str) -> None:
        state.put({state.A: keys[a], state.B: keys[b]})
        st.toast(f"Compared above: A {text.code(a)}, B {text.code(b)}.")

    def pick(place: int) -> None:
        compare(*list(board.pairs)[place])

    def pick_pair(pair: str) -> None:
        row, column = map(int, pair.split())
        compare(board.standings[column].run, board.standings[row].run)

    drawn = run_charts.matrix(board, page.label)
    show.picking_chart(drawn, "matrix", pick_pair, _source(page))
    pairs = pairs_table(board)
    show.picking_table(tables.screen(pairs), "pairs", pick=pick, opens=present.COVERED)
    test = page.pairing.test.test
    tested = f"where p ≥ {ALPHA:g}. p: {significance.TESTS[test].title.lower()}"
    unsure = "everywhere" if test == significance.NONE else tested
    st.caption(
        f"Mean delta, row − column; ? {unsure}. {'; '.join(labelled(pairs.labels))}. Click a "
        "square or pick a row to compare the two runs above, where they are not corrected for "
        "pairs."
    )
