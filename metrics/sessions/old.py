"""Saved sessions of version 1, which had queries, texts and edited rankings in their JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..data import TEXTS, Dataset, Qrels, Run
from ..editing.history import History
from ..editing.link import from_json
from ..reading.problems import File
from .dataset_tables import get_pairs, require_texts
from .edit_tables import history, query_of
from .tables import text

MOST_EDITS = 1_000


def edits(about: Mapping[str, Any], file: File) -> dict[str, History]:
    """The edited rankings, each with its steps as JSON texts.

    Raises
    ------
    ReadError, EditError, ValueError
        When they are something else, or too many.
    """
    if len(about["edits"]) > MOST_EDITS:
        found = f"{len(about['edits']):,} edited rankings"
        raise file.error("E-SIZE", found, f"at most {MOST_EDITS:,}", "Save fewer.")
    return {text(origin): _steps(origin, *each) for origin, *each in about["edits"]}


def data(about: Mapping[str, Any], members: dict[str, bytes], file: File) -> Dataset | None:
    """The data set, if there was one.

    Raises
    ------
    ReadError, DataError, ValueError
        When it is something else, or larger than the budget of the file allows.
    """
    if "tables" not in about:
        return None
    texts = {key: {k: text(v) for k, v in about[key].items()} for key in TEXTS}
    for each in texts.values():
        require_texts(each, file)
    first, *rest = ((each, tuple(map(text, each["queries"]))) for each in about["tables"])
    qrels = get_pairs(Qrels, *first, members, file)
    runs = tuple(get_pairs(Run, *each, members, file) for each in rest)
    return Dataset(text(about["title"]), qrels, runs, **texts)


def _steps(origin: str, *steps: str) -> History:
    rankings = [from_json(step) for step in steps]
    if {each.query for each in rankings} != {query_of(origin)}:
        raise ValueError("rankings of another query")
    return history(rankings)
