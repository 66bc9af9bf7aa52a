"""Tables of a comparison: the evidence for each measure, all queries, the largest changes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from ..arrays import pd
from ..comparing.comparison import Comparison
from ..comparing.evidence import DEFAULT, Evidence, PairedTest
from ..comparing.leaderboard import Leaderboard, Standing
from ..comparing.significance import NONE, TESTS, TIE
from ..comparing.slices import largest_changes
from ..deciding import Pairing, Verdict
from ..deciding.statement import Statement, words
from ..deciding.trend import Point
from ..defaults import ALPHA, CONFIDENCE, DEPTH
from ..scoring.evaluate import mean as mean_of
from ..scoring.known_differences import exception_label
from ..words import count, number, signed
from .as_json import VERSION
from .table import Cell, Table, as_integer, cell


def verdict_facts(verdict: Verdict) -> dict[str, Any]:
    """Return the outcome, the numbers of the sentence, and those of each threat, without prose.

    A number that does not exist, such as the p-value of one query, is None.

    Examples
    --------
    >>> from metrics.deciding import Statement, Verdict
    >>> few = Statement("few", "…", (), {"queries": 3})
    >>> found = verdict_facts(Verdict("B", Statement("result", "…", (), {"p": 0.01}), (few,)))
    >>> found["outcome"], found["p"], found["threats"]
    ('B', 0.01, [{'kind': 'few', 'reverses': False, 'queries': 3}])
    """
    return {
        "outcome": verdict.outcome,
        "open": list(verdict.open),
        **_cells(verdict.sentence),
        "threats": [
            {"kind": each.kind, "reverses": each.reverses, **_cells(each)}
            for each in verdict.threats
        ],
    }


def _cells(statement: Statement) -> dict[str, Cell]:
    return {key: cell(value) for key, value in statement.facts.items()}


_SUMMARY = (
    *("queries", "mean_a", "mean_b", "delta", "relative", "low", "high", "p", "p_holm"),
    *("effect", "wins", "ties", "losses"),
)
"""The columns of the evidence: its fields, and its corrected p-value under another name."""
_PRINTED = ("mean_a", "mean_b", "delta", "low", "high", "p_holm")
"""The columns of the evidence that fit a page of paper."""
TITLES = {
    "a": "A",
    "b": "B",
    "mean_a": "mean A",
    "mean_b": "mean B",
    "rank_a": "rank A",
    "rank_b": "rank B",
    "delta": "delta B − A",
    "p_holm": "p Holm",
    "wins": "B better",
    "losses": "A better",
}
"""Headers for readers, which also state the direction of a column."""
DIRECTION = "delta = B − A"
_NAMED = 20
"""At most this many queries are named in a label."""


def about(compared: Comparison) -> dict[str, str]:
    """Return the labels of every table of a comparison: direction, missing queries, left-out ones.

    Examples
    --------
    >>> from metrics import Qrels, Run, compare
    >>> qrels = Qrels.from_dict({"q1": {"x": 1}, "q2": {"x": 1}})
    >>> a = Run.from_dict({"q1": {"x": 2}, "q2": {"x": 1}})
    >>> about(compare(qrels, a, a.only("q2"), "RR"))
    {'direction': 'delta = B − A', 'left out': '1 judged query only in run A (q1)'}
    """
    labels = {
        what: "; ".join(each.text() for each in found)
        for what, found in aside(compared).items()
        if found
    }
    return {"direction": DIRECTION} | labels | _exceptions(compared)


def _exceptions(compared: Comparison) -> dict[str, str]:
    measures = [ledger.measure for ledger in compared.a.ledgers.values()]
    return exception_label([compared.a.judged, compared.b.judged], measures)


def facts(compared: Comparison) -> dict[str, Any]:
    """Return what every table of a comparison holds for programs; queries are lists of ids.

    Examples
    --------
    >>> from metrics import Qrels, Run, compare
    >>> qrels = Qrels.from_dict({"q1": {"x": 1}, "q2": {"x": 1}})
    >>> a = Run.from_dict({"q1": {"x": 2}, "q2": {"x": 1}})
    >>> facts(compare(qrels, a, a.only("q2"), "RR"))["left_out"]
    {'only_in_a': ['q1']}
    """
    sides = {"a": compared.a, "b": compared.b}
    lacking = {name: set(side.judged.missing_from_run) for name, side in sides.items()}
    missing = {
        name: [query for query in compared.queries if query in queries]
        for name, queries in lacking.items()
    }
    gone: dict[str, Any] = {
        "only_in_a": compared.only_a,
        "only_in_b": compared.only_b,
        "in_neither_run": compared.missing_from_both,
        "unjudged": compared.unjudged,
    }
    gone = {name: list(queries) for name, queries in gone.items() if queries}
    if undefined := _undefined(compared):
        gone["undefined"] = {measure: list(queries) for measure, queries in undefined.items()}
    convention = compared.a.convention
    return {
        "convention": convention.label,
        "choices": asdict(convention),
        "delta": "b - a",
        "missing_but_counted": {name: queries for name, queries in missing.items() if queries},
        "left_out": gone,
        **_exceptions(compared),
    }


def from_inputs(table: Table, of: Pairing) -> Table:
    """Return a table of a comparison that also names its inputs, for programs with digests.

    The digest of a run is empty where only its judged rankings are known.
    """
    inputs = {
        name: {"name": pairs.name, "digest": pairs.digest}
        for name, pairs in (("qrels", of.qrels), ("run_a", of.a), ("run_b", of.b))
    }
    # The facts know the convention of every table of a comparison.
    labels = {"run A": of.a.name, "run B": of.b.name, "convention": table.facts["convention"]}
    return table.saying(labels={**labels, **table.labels}, facts={"inputs": inputs, **table.facts})


def aside(compared: Comparison) -> dict[str, list[Statement]]:
    """Return the queries that a run lacks although they count, and those that are left out."""
    gone: dict[str, Sequence[str]] = {
        "only in run A": compared.only_a,
        "only in run B": compared.only_b,
        "in neither run": compared.missing_from_both,
    }
    undefined: dict[tuple[str, ...], list[str]] = {}
    for measure, queries in _undefined(compared).items():
        undefined.setdefault(queries, []).append(measure)
    gone |= {
        f"with nothing to find, for {', '.join(measures)}": queries
        for queries, measures in undefined.items()
    }
    return {
        "not in a run": _in_words(compared.missing_but_counted),
        "left out": _in_words(gone) + _in_words({"that nobody judged": compared.unjudged}, ""),
    }


def _undefined(compared: Comparison) -> dict[str, tuple[str, ...]]:
    """Return the compared queries without a score in a measure, by measure; none: no entry."""
    found = {}
    for measure in compared.a.ledgers:
        scored = compared.per_query(measure).index
        if len(scored) < len(compared.queries):
            known = set(scored)
            found[measure] = tuple(query for query in compared.queries if query not in known)
    return found


def _in_words(reasons: Mapping[str, Sequence[str]], kind: str = "judged ") -> list[Statement]:
    """Return how many queries there are for each reason, and the first of them."""
    found = []
    for where, queries in reasons.items():
        names = tuple(queries[:_NAMED])
        listed = ", ".join(["{}"] * len(names)) + (", …" if len(queries) > _NAMED else "")
        number = count(len(queries), f"{kind}query", f"{kind}queries")
        found.append(Statement("queries", f"{number} {words(where)} ({listed})", names))
    return [each for each in found if each.names]


def evidence_rows(rows: Mapping[str, Evidence], of: str = "measure") -> Table:
    """Return one row for each measure, or group, without what holds for all of them."""
    cells = (
        [name, *map({**vars(each), "p_holm": each.corrected}.get, _SUMMARY)]
        for name, each in rows.items()
    )
    return Table.of([of, *_SUMMARY], cells).saying(titles=TITLES)


def answer_table(of: Pairing) -> Table:
    """Return the evidence on two runs with the verdict and the inputs for programs."""
    table = from_inputs(evidence_table(of.evidence, of.comparison, of.test), of)
    return table.saying(facts={"verdict": verdict_facts(of.verdict), **table.facts})


def of_attributes(of: Pairing, groupings: Mapping[str, Mapping[str, str]]) -> Iterator[Table]:
    """Yield the evidence in each group of queries, a table for each attribute.

    ``groupings``: the value of each query, by attribute. The mean of the groups' means counts each
    group alike, however many queries it has.
    """
    for name, of_query in groupings.items():
        rows = of.groups(of_query)
        table = evidence_table(rows, of.comparison, of.test, "group")
        a, b = (
            mean_of(np.array([getattr(each, side) for each in rows.values()])) for side in _MEANS
        )
        alike = {"mean_a": cell(a), "mean_b": cell(b), "delta": cell(b - a)}
        shown = f"A {number(a)}, B {number(b)}, delta {signed(b - a)}"
        yield table.saying(
            heading={"attribute": name},
            labels={EACH_ALIKE: shown, **table.labels},
            facts={"mean_of_groups": alike, **table.facts},
        )


_MEANS = "mean_a", "mean_b"
EACH_ALIKE = "mean of the groups' means"
"""The label of the mean in which each group counts alike."""


def of_weights(of: Pairing) -> Iterator[Table]:
    """Yield the weighted means of both runs by each measure; nothing without weights."""
    rows = [
        [by, measure, len(found.deltas), found.mean_a, found.mean_b, mean_of(found.deltas), p]
        for measure in of.names_of_measures
        for by, found in of.by(measure).weighted.items()
        for p in [of.test.p(found.deltas)]
    ]
    if rows:
        columns = ("weighted_by", "measure", "queries", *_MEANS, "delta", "p")
        titles = {**TITLES, "weighted_by": "weighted by"}
        yield Table.of(columns, rows).saying(name="comparison-weights", titles=titles)


def evidence_table(
    rows: Mapping[str, Evidence],
    compared: Comparison,
    asked: PairedTest = DEFAULT,
    of: str = "measure",
) -> Table:
    """Return one row for each measure, or group; the labels name the test and the interval.

    ``of``: what each row is about. The first measure is primary; groups are all corrected together.

    Examples
    --------
    >>> from metrics import Qrels, Run, compare
    >>> from metrics.comparing.evidence import evidence
    >>> qrels = Qrels.from_dict({"q1": {"x": 1}, "q2": {"x": 1}})
    >>> run = Run.from_dict({"q1": {"x": 2, "y": 1}, "q2": {"y": 2, "x": 1}})
    >>> compared = compare(qrels, run, run, "RR")
    >>> table = evidence_table(evidence(compared), compared)
    >>> dict(zip(table.columns, table.rows[0]))["mean_a"]
    0.75
    """
    both = about(compared) | {"direction": f"{DIRECTION}; a win is a query on which B is better"}
    how = {
        # Groups have no primary row: all of their p-values are corrected together.
        "primary": next(iter(rows), None) if of == "measure" else None,
        **asdict(asked),
        "correction": "holm",
        "interval": TESTS[asked.test].interval.key,
        "interval_level": CONFIDENCE,
    }
    return evidence_rows(rows, of).saying(
        name="comparison" if of == "measure" else f"comparison-{of}s",
        labels=how_tested(rows, asked, of) | both,
        facts=facts(compared) | how,
        printed=(of, *_PRINTED),
    )


def how_tested(
    rows: Mapping[str, Evidence], asked: PairedTest, of: str = "measure", primary: bool = True
) -> dict[str, str]:
    """Return which interval and which test the evidence has, and what is corrected together.

    ``primary``: the first of several measures is tested alone; of groups, none is.
    """
    first, many = next(iter(rows), ""), len(rows)
    alone = f"{first} tested alone, Holm over the others"
    together = alone if primary and of == "measure" else f"Holm over the {many} {of}s"
    family = "" if many < 2 else f"; {together}"
    tested = "" if asked.test == NONE else f", two-sided{family}"
    return {
        "low, high": f"95 % interval of the mean delta ({TESTS[asked.test].interval.name})",
        "test": f"{TESTS[asked.test].title}{tested}; seed {asked.seed}",
    }


def queries_table(
    compared: Comparison, means: bool = True, texts: Mapping[str, str] | None = None
) -> Table:
    """Return each measure's queries by descending delta, then the means as the query ``all``.

    ``means``: whether there are rows of means; to a spreadsheet they look like one more query.
    ``texts``: the text of each query, which is the last column then.
    """
    columns, rows = ["measure", "query", "a", "b", "delta"], _queries(compared, means)
    if texts:
        columns, rows = [*columns, "text"], ([*row, texts.get(row[1], "")] for row in rows)
    return Table.of(columns, rows).saying(
        name="comparison-queries", labels=about(compared), facts=facts(compared), titles=TITLES
    )


def _queries(compared: Comparison, means: bool) -> Iterator[list[Any]]:
    for measure in compared.a.ledgers:
        frame = compared.falling(measure)
        for query, *values in frame.itertuples():
            yield [measure, query, *values]
        if not means:
            continue
        summary = compared.summary(measure)
        yield [measure, "all", summary.mean_a, summary.mean_b, summary.delta]


LISTED = 20
"""At most this many queries that changed most are listed with each sign of the delta."""


def changed_most(
    compared: Comparison,
    measure: str,
    sign: int,
    query_texts: Mapping[str, str],
    passage: Callable[[str, str], str] | None,
    tie: float = TIE,
) -> Table:
    """Return the queries on which B gains or loses most, each with the document behind it.

    ``sign`` is 1 for the gains of B, −1 for its losses. ``passage`` returns what is shown of a
    document for a query; it is None where the text is not known. Deltas up to the size of ``tie``
    are ties.

    Examples
    --------
    >>> from metrics import Qrels, Run, compare
    >>> qrels = Qrels.from_dict({"q1": {"x": 1}, "q2": {"x": 1}})
    >>> a = Run.from_dict({"q1": {"x": 2, "y": 1}, "q2": {"x": 2}})
    >>> b = Run.from_dict({"q1": {"y": 2, "x": 1}, "q2": {"x": 2}})
    >>> changed_most(compare(qrels, a, b, "RR"), "RR", -1, {}, None).rows
    (('q1', 1.0, 0.5, -0.5, 'x', 1, 1, 2, -0.5),)
    """
    changes = largest_changes(compared, measure, sign, LISTED, tie)
    rows = []
    for query, change in changes.iterrows():
        document = str(change["document"])
        rows.append(
            {
                "query": query,
                **({"text": query_texts.get(str(query), "")} if query_texts else {}),
                "a": change["A"],
                "b": change["B"],
                "delta": change["delta"],
                "document": document,
                **({"snippet": passage(str(query), document)} if passage else {}),
                "grade": as_integer(change["grade"]),
                "rank_a": change["rank A"],
                "rank_b": change["rank B"],
                "share": change["share"],
            }
        )
    named = {
        "document": "document that costs most" if sign < 0 else "document that earns most",
        "snippet": "its text",
        "grade": "its grade",
        "share": "its part of the delta",
    }
    return Table.of(rows[0] if rows else (), map(dict.values, rows)).saying(titles=TITLES | named)


def every_query(
    compared: Comparison, measure: str, cutoff: int | None, texts: Mapping[str, str]
) -> Table:
    """Return each query's scores by one measure, the largest gain of B first.

    ``cutoff``: the rank down to which unjudged documents are counted.
    """
    frame = compared.falling(measure)
    depth = cutoff or DEPTH
    # Where the convention averages over ties, a count is a mean.
    unjudged = compared.unjudged_documents(depth).reindex(frame.index).round().astype("Int64")
    frame = frame.rename(columns=str.lower)
    frame = frame.assign(unjudged_a=unjudged["A"], unjudged_b=unjudged["B"])
    if texts:
        frame.insert(0, "text", [texts.get(query, "") for query in frame.index])
    names = {f"unjudged_{side}": f"unjudged in the top {depth}, {side.upper()}" for side in "ab"}
    return Table.of_frame(frame.reset_index()).saying(titles=TITLES | names)


def by_cutoff(sides: Mapping[str, pd.DataFrame]) -> Table:
    """Return both means with their intervals at each cutoff.

    ``sides``: as `curves` of the charts draws them: index k; columns mean, low and high.
    """
    a, b = (frame.itertuples() for frame in sides.values())
    rows = [[*of_a, *of_b[1:], of_b[1] - of_a[1]] for of_a, of_b in zip(a, b, strict=True)]
    columns = [f"{name} {side}" for side in sides for name in ("mean", "from", "to")]
    return Table.of(["cutoff k", *columns, "delta"], rows).saying(titles=TITLES)


def scores_as_json(compared: Comparison) -> str:
    """Return every score with all its digits as JSON, a list per measure and run.

    A score is ``null`` where a query has none; delta is b − a. It is shorter than a row per score,
    because a report contains it.

    Examples
    --------
    >>> from metrics import Qrels, Run, compare
    >>> qrels, run = Qrels.from_dict({"q1": {"x": 1}}), Run.from_dict({"q1": {"x": 2}})
    >>> scores_as_json(compare(qrels, run, run, "RR"))
    '{"schema":"rankscope/scores/1","query":["q1"],"scores":{"RR":{"a":[1.0],"b":[1.0]}}}'
    """
    order, scores = list(compared.queries), {}
    for name in compared.a.ledgers:
        frame = compared.per_query(name).reindex(order)
        scores[name] = {
            side.lower(): [None if np.isnan(value) else value for value in frame[side].tolist()]
            for side in compared.sides
        }
    content = {"schema": f"rankscope/scores/{VERSION}", "query": compared.queries, "scores": scores}
    return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def leaderboard_table(board: Leaderboard) -> Table:
    """Return one row for each run, the best first; letters name the runs that it is ahead of.

    The first measure has its interval. Formats for readers raise the letters after the means, and
    Markdown and LaTeX show the highest means in bold; CSV and JSON have a column of letters for
    each measure.

    Examples
    --------
    >>> from metrics import Qrels, Run, evaluate, leaderboard
    >>> qrels = Qrels.from_dict({f"q{i}": {"x": 1} for i in range(9)})
    >>> one = {query: {"x": 2, "y": 1} for query in qrels.queries}
    >>> two = {query: {"x": 1, "y": 2} for query in qrels.queries}
    >>> runs = {"one": Run.from_dict(one), "two": Run.from_dict(two)}
    >>> scores = {name: evaluate(qrels, run, ["RR", "P@1"]) for name, run in runs.items()}
    >>> table = leaderboard_table(leaderboard(scores, ["RR", "P@1"]))
    >>> from metrics.writing import FORMATS
    >>> print(FORMATS["markdown"](table.saying(labels={})), end="")
    |  | run | RR | low | high | P@1 |
    |:---|:---|---:|---:|---:|---:|
    | a | one | **1.0000**ᵇ | 1.0000 | 1.0000 | **1.0000**ᵇ |
    | b | two | 0.5000 | 0.5000 | 0.5000 | 0.0000 |
    """
    first, *others = board.measures
    columns = ["letter", "run", first, "low", "high", _ahead(first)]
    for name in others:
        columns += [name, _ahead(name)]
    return Table.of(columns, [_standing(board, standing) for standing in board.standings]).saying(
        name="leaderboard",
        labels=_labels(board),
        facts={
            "convention": board.convention.label,
            "choices": asdict(board.convention),
            "queries": dict(board.queries),
            "primary": board.measures[0],
            **asdict(board.paired_test),
            "correction": "holm",
            "tests": dict(zip(("primary", "others"), board.tests, strict=True)),
            "interval": "student_t",
            "interval_level": CONFIDENCE,
        },
        titles={"letter": ""},
        raised={name: _ahead(name) for name in board.measures},
        best=frozenset(board.measures),
    )


def _standing(board: Leaderboard, standing: Standing) -> list[object]:
    """Return the cells of one run."""
    row: list[object] = [standing.letter, standing.run]
    for name in board.measures:
        row.append(standing.means[name])
        row += [standing.low, standing.high] if name == board.measures[0] else []
        row.append("".join(board.letters[run] for run in standing.ahead_of[name]))
    return row


def _labels(board: Leaderboard) -> dict[str, str]:
    """Return what the columns mean and how the runs were tested, for readers."""
    asked, (first, number) = board.paired_test, next(iter(board.queries.items()))
    differing = [f"{n} in {name}" for name, n in board.queries.items() if n != number]
    tested = "" if asked.test == NONE else f", two-sided; {_families(board)}"
    ahead = f"the runs with a significantly lower mean (p < {ALPHA:g})"
    return {
        "low, high": f"95 % interval of the mean {first}, not corrected",
        **({} if asked.test == NONE else {"letters": ahead}),
        "test": f"{TESTS[asked.test].title}{tested}; seed {asked.seed}",
        # The number of queries, and the measures in which it differs.
        "queries": "; ".join([str(number), *differing]),
        "convention": board.convention.label,
    }


def pairs_table(board: Leaderboard) -> Table:
    """Return every pair of runs by the first measure; the better run is first.

    Examples
    --------
    >>> from metrics import Qrels, Run, evaluate, leaderboard
    >>> qrels = Qrels.from_dict({f"q{i}": {"x": 1} for i in range(9)})
    >>> good, bad = ({query: {"x": x, "y": 1} for query in qrels.queries} for x in (2, 0))
    >>> runs = {"good": Run.from_dict(good), "bad": Run.from_dict(bad)}
    >>> scores = {name: evaluate(qrels, run, "RR") for name, run in runs.items()}
    >>> pairs_table(leaderboard(scores, "RR")).rows
    (('good', 'bad', 0.5, 0.5, 0.5, 0.00390625, 9, 0, 0),)
    """
    rows = [
        [b, a, row.delta, row.low, row.high, row.corrected, row.wins, row.ties, row.losses]
        for (a, b), row in board.pairs.items()
    ]
    columns = ("run", "minus", "delta", "low", "high", "p_holm", "wins", "ties", "losses")
    return Table.of(columns, rows).saying(
        name="leaderboard-pairs",
        labels={"low, high of a pair": "at the level at which Holm tests the pair"},
        heading={"pairs in": board.measures[0]},
        titles={"p_holm": "p Holm", "wins": "better", "losses": "worse"},
    )


def _families(board: Leaderboard) -> str:
    """Return which p-values are corrected together."""
    first, *others = board.measures
    pairs, beside = board.tests
    if not pairs:
        return "nothing is tested"
    among = f"Holm over the {count(pairs, 'pair')} in {first}"
    if not others:
        return among
    return f"{among}, and over the {count(beside, 'test')} in {', '.join(others)} together"


def _ahead(measure: str) -> str:
    """Return the name of the column with the letters of a measure."""
    return f"{measure} ahead of"


_TITLES = {"time": "judged (UTC)", "delta": "change"}


def trend_table(points: Sequence[Point]) -> Table:
    """Return one row for each run and measure, with the change since the run before.

    Examples
    --------
    >>> from datetime import UTC, datetime
    >>> from pathlib import Path
    >>> from metrics import Qrels, Run, match
    >>> from metrics.deciding.trend import PastRun, trend
    >>> from metrics.matching.judged_file import JudgedFile
    >>> qrels = Qrels.from_dict({"q": {"a": 1}})
    >>> judged = match(qrels, Run.from_dict({"q": {"b": 2.0, "a": 1.0}}))
    >>> day = datetime(2026, 11, 23, tzinfo=UTC)
    >>> file = JudgedFile(judged, "bm25", (), "1f3a", day, "", "", "")
    >>> table = trend_table(trend([PastRun(Path("a"), file)], ["RR"]))
    >>> table.rows
    (('2026-11-23 00:00', 'bm25', '1f3a', '', 1, 'RR', 0.5, None, None, None, None),)
    """
    columns = ["time", "run", "commit", "tags", "queries", "measure"]
    columns += ["mean", "low", "high", "delta", "p"]
    rows: list[list[Any]] = []
    for point in points:
        file = point.run.file
        of_run = [f"{file.time:%Y-%m-%d %H:%M}", file.name, file.commit, " ".join(file.tags)]
        for measure, mean in point.means.items():
            change = (None, None) if mean.change is None else (mean.change.delta, mean.change.p)
            numbers = [mean.mean, mean.low, mean.high, *change]
            rows.append([*of_run, len(file.judged.queries), measure, *numbers])
    conventions = dict.fromkeys(point.run.file.judged.convention.label for point in points)
    return Table.of(columns, rows).saying(
        name="history",
        labels={
            "low, high": "95 % interval of the mean",
            "change, p": "since the run before, paired randomisation, two-sided, not corrected",
            "convention": "; ".join(conventions),
        },
        facts={"apart": apart(points)},
        titles=_TITLES,
    )


def apart(points: Sequence[Point]) -> dict[str, list[str]]:
    """Return the runs that are not compared with the run before, by name, each with why."""
    return {
        f"{point.run.file.name} ({point.run.path.name})": [
            each.text() for each in point.differences
        ]
        for point in points
        if point.differences
    }
