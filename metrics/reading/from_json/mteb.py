"""MTEB's predictions: the scores of a task's documents, by subset and split.

Source: ``AbsTask._save_task_predictions`` of https://github.com/embeddings-benchmark/mteb
"""

from ...data import Run
from ...words import listed, quote
from .parse import Members
from .sheet import Sheet

MTEB_KEY = "mteb_model_meta"


def is_of_mteb(value: Members) -> bool:
    """Return whether a value is a file of predictions, which names its model."""
    return isinstance(value.first(MTEB_KEY), Members)


def read_mteb(sheet: Sheet, value: Members) -> None:
    """Add the predictions of the one subset and split as a run.

    Raises
    ------
    ReadError
        When there are several or none, or they are not scores by query and document.
    """
    found = {
        f"{subset} {split}": content
        for subset, splits in value
        if subset != MTEB_KEY and isinstance(splits, Members)
        for split, content in splits
        if isinstance(content, Members)
    }
    if len(found) != 1:
        what = f"{len(found)} subsets and splits{f': {listed(found)}' if found else ''}"
        fix = "Keep one subset and split in each file."
        raise sheet.file.error("E-JSON", what, "the predictions of one", fix)
    (content,) = found.values()
    for query, documents in content:
        if not isinstance(documents, Members):
            expected, fix = "scores by document", "Use a task of retrieval."
            raise sheet.odd(documents, f"query {quote(query)}", expected, fix)
        sheet.name(query)
        sheet.values(Run, query, documents)
