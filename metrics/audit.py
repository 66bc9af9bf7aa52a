"""What could mislead in a data set: ids that do not match, queries on one side only."""

from __future__ import annotations

from .data import Qrels, Run
from .dataset import Dataset
from .errors import DataError


def require_overlap(qrels: Qrels, run: Run) -> None:
    """Refuse a run of which no query was judged.

    Raises
    ------
    DataError
        Naming an id of each side.

    Examples
    --------
    >>> require_overlap(Qrels.from_dict({"1": {"d": 1}}), Run.from_dict({"q1": {"d": 1}}, "bm25"))
    Traceback (most recent call last):
    ...
    metrics.errors.DataError: bm25: 0 of 1 queries are in the qrels. The run says 'q1', the \
qrels say '1'. Make the query ids the same in both files, character for character.
    """
    if not set(run.queries) & set(qrels.queries):
        raise DataError(
            f"{run.name}: 0 of {len(run.queries)} queries are in the qrels. The run says "
            f"{run.queries[0]!r}, the qrels say {qrels.queries[0]!r}. Make the query ids the same "
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
