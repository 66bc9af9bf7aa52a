"""What could mislead in a data set: ids that do not match, queries on one side only."""

from __future__ import annotations

from .data import Qrels, Run
from .dataset import Dataset
from .errors import NoOverlapError
from .judged import JudgedRankings


def require_overlap(qrels: Qrels, run: Run) -> None:
    """Refuse a run of which no query was judged.

    Raises
    ------
    NoOverlapError
        Naming an id of each side.

    Examples
    --------
    >>> require_overlap(Qrels.from_dict({"1": {"d": 1}}), Run.from_dict({"q1": {"d": 1}}, "bm25"))
    Traceback (most recent call last):
    ...
    metrics.errors.NoOverlapError: bm25: 0 of 1 queries are in the qrels. The run says 'q1', the \
qrels say '1'. Make the query ids the same in both files, character for character.
    """
    if not set(run.queries) & set(qrels.queries):
        raise _apart(run.name, run.queries, qrels.queries)


def require_scored(judged: JudgedRankings, name: str) -> None:
    """Refuse judged rankings of which no query is in the run, as `require_overlap` does.

    Raises
    ------
    NoOverlapError
        Naming an id of each side.
    """
    if set(judged.queries) <= set(judged.missing_from_run):
        raise _apart(name, judged.missing_from_qrels, judged.missing_from_run)


def _apart(name: str, run: tuple[str, ...], qrels: tuple[str, ...]) -> NoOverlapError:
    return NoOverlapError(
        f"{name}: 0 of {len(run)} queries are in the qrels. The run says "
        f"{run[0]!r}, the qrels say {qrels[0]!r}. Make the query ids the same "
        "in both files, character for character."
    )


def notes(dataset: Dataset) -> list[str]:
    """Sentences on what was assumed while reading and on what does not match.

    Examples
    --------
    >>> qrels = Qrels.from_dict({"q1": {"d": 1}, "q2": {"d": 1}})
    >>> notes(Dataset("mine", qrels, (Run.from_dict({"q1": {"d": 1}}, "bm25"),)))
    ['Run 1 lacks 1 of 2 judged queries.']
    """
    said = []
    judged = set(dataset.qrels.queries)
    for number, run in enumerate(dataset.runs, 1):
        said += [f"Run {number}: {note}" for note in run.notes]
        shared = len(judged.intersection(run.queries))
        if shared < len(judged):
            said.append(
                f"Run {number} lacks {len(judged) - shared} of {len(judged)} judged queries."
            )
        if shared < len(run.queries):
            said.append(f"Run {number} has {len(run.queries) - shared} queries that nobody judged.")
    return said
