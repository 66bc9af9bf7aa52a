"""The tables of an audit: what is in each file, how they match, the findings, the judged shares."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..auditing.audit import Finding
from ..auditing.coverage import Coverage, grades
from ..auditing.id_mismatch import Mend
from ..data import Pairs
from ..dataset import Dataset
from .table import Table, as_integer

_FILE = ("file", "name", "queries", "rows", "lowest", "highest")
_MATCH = {
    "judged_queries": "judged queries",
    "missing_queries": "missing queries",
    "unjudged_queries": "unjudged queries",
    "k": "k",
    "judged_share": "judged share @k",
    "tied_rows": "tied rows",
    "queries_tied": "queries tied @k",
}


def audit_table(
    dataset: Dataset,
    seen: Mapping[str, Coverage],
    found: Iterable[Finding],
    advice: Callable[[Mend | None], str],
) -> Table:
    """Return one row for each file; the parts are the findings, important ones first, and grades.

    ``seen`` is the coverage of each run, by name. ``advice`` says in words how to make a change of
    ids; it is empty where no option does.

    Examples
    --------
    >>> from metrics import Qrels, Run
    >>> from metrics.auditing.coverage import coverage
    >>> qrels, run = Qrels.from_dict({"q": {"a": 1}}), Run.from_dict({"q": {"a": 2, "b": 1}}, "r")
    >>> table = audit_table(Dataset("d", qrels, (run,)), {"r": coverage(qrels, run)}, (), str)
    >>> dict(zip(table.columns, table.rows[1]))["judged_share"]
    0.5
    """
    texts = []
    for each in sorted(found, key=lambda each: each.kind):
        # The sentences of a finding, of its change, and how to make it.
        sentences = each.text, f"The {each.mend}." if each.mend else "", advice(each.mend)
        texts.append([each.kind, each.about, " ".join(filter(None, sentences))])
    findings = Table.of(["finding", "about", "text"], texts)
    counted = Table.of_frame(grades(dataset.qrels).reset_index())
    return files_table(dataset, seen).saying(
        name="audit",
        parts=(
            findings.saying(heading={"findings": len(findings.rows)}),
            counted.saying(heading={"grades": dataset.qrels.name}),
        ),
    )


def files_table(dataset: Dataset, seen: Mapping[str, Coverage]) -> Table:
    """Return one row for each file: its contents, and how it matches the qrels, if there are any.

    ``seen``: the coverage of each run, by name.
    """
    if not dataset.is_judged:
        return Table.of(_FILE, [_file("run", run) for run in dataset.runs])
    rows = [_file("qrels", dataset.qrels) + [None] * len(_MATCH)]
    rows += [_file("run", run) + _matched(seen[run.name]) for run in dataset.runs]
    for judged in dataset.judged:
        of = seen[judged.name]
        sizes = [len(of.shared) + len(of.only_run), int(judged.retrieved.sum())]
        rows.append(["judged", judged.name, *sizes, None, None, *_matched(of)])
    return Table.of([*_FILE, *_MATCH], rows).saying(titles=_MATCH)


def shares_table(seen: Mapping[str, Coverage]) -> Table:
    """Return the judged share of each query's top k by run, the lowest first.

    Examples
    --------
    >>> from metrics import Qrels, Run
    >>> from metrics.auditing.coverage import coverage
    >>> qrels, run = Qrels.from_dict({"q": {"a": 1}}), Run.from_dict({"q": {"a": 2, "b": 1}})
    >>> shares_table({"r": coverage(qrels, run)}).rows
    (('q', 'r', 10, 0.5),)
    """
    rows = [
        (query, run, of.k, share) for run, of in seen.items() for query, share in of.judged.items()
    ]
    rows.sort(key=lambda row: row[3])
    return Table.of(["query", "run", "k", "judged_share"], rows).saying(
        name="audit-queries", titles=_MATCH
    )


def _file(what: str, pairs: Pairs) -> list[Any]:
    low, high = as_integer(pairs.value.min()), as_integer(pairs.value.max())
    return [what, pairs.name, len(pairs.queries), len(pairs), low, high]


def _matched(of: Coverage) -> list[Any]:
    queries = of.shared, of.only_qrels, of.only_run
    return [*map(len, queries), of.k, of.share, of.tied, of.cut]
