"""The data of a saved session as tables: Parquet files in its archive."""

import hashlib
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ..arrays import Ints, column, numbers
from ..auditing.audit import weight_of_judged
from ..data import GROUP, Pairs, PairsT, Qrels, Run, exclusions
from ..data.checks import LARGEST_GRADE
from ..dataset import Dataset
from ..matching import JudgedRankings
from ..matching.judged_file import ENDING, packed_file, read_within
from ..reading.from_json.parse import DamagedError, list_at, notes_at, object_at, text_at
from ..reading.from_tables.parquet import read_columns
from ..reading.problems import OVERHEAD, PER_ROW, Budget, File, weight, weight_of_texts
from ..words import quote

INTEGER, NUMBER, TEXT = pa.int64(), pa.float64(), pa.string()
_UNREADABLE = (pa.ArrowException, OSError, UnicodeDecodeError, OverflowError, MemoryError)
"""The exceptions of pyarrow for bytes that are not a whole Parquet file."""


def put(files: dict[str, bytes], stem: str, columns: Mapping[str, Any]) -> dict[str, str]:
    """Add a table to the files of an archive.

    Return the description that `Archive.get` reads: the file's name and digest.
    """
    stream = io.BytesIO()
    pq.write_table(pa.table(dict(columns)), stream, compression="zstd")
    name = f"{len(files)}-{stem}.parquet"
    files[name] = stream.getvalue()
    return {"file": name, "sha256": hashlib.sha256(files[name]).hexdigest()}


@dataclass(frozen=True)
class Archive:
    """The files of a session that is opened, each of which is read once."""

    members: dict[str, bytes]
    file: File

    def get(
        self, about: Mapping[str, Any], types: Mapping[str, pa.DataType], per_row: int = OVERHEAD
    ) -> list[pa.ChunkedArray]:
        """Return the columns of a table, and remove its file from the members.

        ``types`` has the type of each column; the texts of the last column of texts are kept for
        each row, with ``per_row`` bytes beside them.

        Raises DamagedError when the table is missing, was changed, or has other columns or an empty
        cell. Raises ReadError when the table is too large.
        """
        name = text_at(about, "file")
        if (content := self.members.pop(name, None)) is None:
            raise DamagedError("a table that is missing or listed twice")
        if hashlib.sha256(content).hexdigest() != text_at(about, "sha256"):
            raise DamagedError(f"{quote(name)}, which was changed")
        kept = [name for name, of in types.items() if of == TEXT][-1]
        try:
            schema = pq.read_schema(pa.BufferReader(content))
            if (schema.names, schema.types) != ([*types], [*types.values()]):
                raise DamagedError(f"columns with other names or other types in {quote(name)}")
            table = read_columns(content, [*types], kept, per_row, self.file)
        except _UNREADABLE as error:
            raise DamagedError(f"{quote(name)}, which cannot be read as a table") from error
        if any(column.null_count for column in table.columns):
            raise DamagedError(f"a row with an empty cell in {quote(name)}")
        return list(table.columns)

    def rows(
        self, of: Mapping[str, Any], key: str, types: Mapping[str, pa.DataType]
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of the table under a key of a description, as `get` reads it."""
        table = self.get(object_at(of, key), types)
        return zip(*(column.to_pylist() for column in table), strict=True)


def columns(
    rows: Iterable[tuple[object, ...]], types: Mapping[str, pa.DataType]
) -> dict[str, pa.Array]:
    """Return rows as columns of these types."""
    of_column = zip(*listed, strict=True) if (listed := [*rows]) else ((),) * len(types)
    return {
        name: pa.array(values, of)
        for (name, of), values in zip(types.items(), of_column, strict=True)
    }


def integers(column: pa.ChunkedArray) -> Ints:
    """Return a column of whole numbers as an array."""
    return numbers(column.combine_chunks()) if len(column) else np.zeros(0, np.int64)


def parts(group: Ints, groups: int) -> list[slice]:
    """Return the rows of each group.

    Raises DamagedError when the rows are not in the order of the groups, or of a group that does
    not exist.

    Examples
    --------
    >>> parts(np.array([0, 2, 2]), 3)
    [slice(0, 1, None), slice(1, 1, None), slice(1, 3, None)]
    """
    if len(group) and not (0 <= group[0] <= group[-1] < groups and (np.diff(group) >= 0).all()):
        raise DamagedError("rows that are not in the order of their groups")
    ends = np.searchsorted(group, np.arange(groups), "right").tolist()
    return [slice(start, end) for start, end in zip([0, *ends], ends, strict=False)]


_ROWS = {"query": INTEGER, "document": TEXT, "value": NUMBER}
_QUERIES = {"table": INTEGER, "id": TEXT}
_TEXTS = {"field": INTEGER, "id": TEXT, "text": TEXT}
_REASONS = {"query": TEXT, "document": TEXT, "reason": TEXT}
_EXCLUDED = {"query": TEXT, "document": TEXT}
_ASPECTS = {"query": TEXT, "grade": NUMBER, "aspect": TEXT, "document": TEXT}


def put_data(dataset: Dataset, files: dict[str, bytes]) -> dict[str, Any]:
    """Add the tables to the files of an archive; return the description that `get_data` reads."""
    tables = dataset.qrels, *dataset.runs
    of_queries = ((number, query) for number, each in enumerate(tables) for query in each.queries)
    # Without attributes there is one without values, as where a session had the group alone.
    made = dataset if dataset.query_attributes else replace(dataset, query_attributes={GROUP: {}})
    attributes = [*made.query_attributes]
    every = enumerate(made.texts())
    of_texts = ((number, key, text) for number, of in every for key, text in of.items())
    return {
        "title": dataset.title,
        "tables": [_put_pairs(each, files) for each in tables],
        "queries": put(files, "queries", columns(of_queries, _QUERIES)),
        "texts": put(files, "texts", columns(of_texts, _TEXTS)),
        "fields": list(dataset.document_fields),
        **({} if attributes == [GROUP] else {"attributes": attributes}),
        **_put_explained(dataset.qrels, files),
        "judged": [_put_judged(each, files) for each in dataset.judged],
        "judges": [_put_judge(each, files) for each in dataset.judges],
    }


def get_data(about: Mapping[str, Any], archive: Archive) -> Dataset:
    """Return the dataset that `put_data` wrote.

    Raises DamagedError or DataError when the tables were changed. Raises ReadError when they are
    larger than the budget of the file allows.
    """
    tables = list_at(about, "tables", dict)
    if not tables:
        raise DamagedError("data without qrels")
    limits = archive.file.limits
    number, ids = archive.get(object_at(about, "queries"), _QUERIES)
    every = ids.to_pylist()
    queries = [tuple(every[here]) for here in parts(integers(number), len(tables))]
    fields = list_at(about, "fields", str)
    attributes = list_at(about, "attributes", str) if "attributes" in about else [GROUP]
    for names in (fields, attributes):
        if len(names) > limits.columns or len(set(names)) < len(names):
            raise DamagedError("a field that is listed twice, or too many fields")
        if not all(0 < len(name) <= limits.id for name in names):
            raise DamagedError("a field whose name is empty or too long")
    many = 2 + len(attributes) + len(fields)
    found = iter(_texts(object_at(about, "texts"), many, archive))
    query_texts, document_texts = next(found), next(found)
    of_attributes = {name: of for name in attributes if (of := next(found))}
    of_fields = dict(zip(fields, found, strict=True))
    first, *rest = zip(tables, queries, strict=True)
    qrels = _explained(get_pairs(Qrels, *first, archive), about, archive)
    runs = tuple(get_pairs(Run, *each, archive) for each in rest)
    of_texts = query_texts, document_texts, of_attributes, of_fields
    data = Dataset(text_at(about, "title"), qrels, runs, *of_texts)
    return replace(
        data,
        judged=tuple(_get_judged(each, qrels, archive) for each in list_at(about, "judged", str)),
        judges=tuple(_get_judge(each, archive) for each in list_at(about, "judges", dict)),
    )


def get_pairs(
    kind: type[PairsT], about: Mapping[str, Any], queries: tuple[str, ...], archive: Archive
) -> PairsT:
    """Return the run or qrels of a table whose rows name these queries by number.

    Raises DamagedError or DataError when the table was changed or has other columns. Raises
    ReadError when the table is larger than the budget of the file allows.
    """
    query, document, value = archive.get(about, _ROWS, PER_ROW)
    index = integers(query)
    if len(index) and not 0 <= index.min() <= index.max() < len(queries):
        raise DamagedError("rows of a query that is not listed")
    if len(set(queries)) < len(queries):
        raise DamagedError("a query that is listed twice")
    values = numbers(value.combine_chunks()) if len(value) else np.zeros(0)
    try:
        documents = pa.concat_arrays(document.chunks) if len(document) else pa.array([], TEXT)
    except pa.ArrowInvalid as error:
        # One column of texts holds at most 2 GB, and a saved column is always a single one.
        raise DamagedError("more characters of document ids than a table holds") from error
    pairs = kind.checked(queries, index, documents, values, text_at(about, "name"))
    archive.file.keep(weight(pairs))
    return replace(pairs.noted(notes_at(about, "notes")), tag=text_at(about, "tag"))


def require_ids(ids: Iterable[str], file: File) -> None:
    """Refuse ids that no upload can contain.

    Raises DamagedError when one is empty or too long.
    """
    if not all(0 < len(each) <= file.limits.id for each in ids):
        raise DamagedError("an id that is empty or too long")


def require_texts(texts: Mapping[str, str], file: File) -> None:
    """Refuse texts that no upload can contain, or more than the budget allows.

    Raises DamagedError when an id is empty or too long, or a text is too long. Raises ReadError
    when the texts are larger than the budget of the file allows.
    """
    require_ids(texts, file)
    if any(len(text) > file.limits.line for text in texts.values()):
        raise DamagedError("a text that is too long")
    file.keep(weight_of_texts(texts))


def _texts(about: Mapping[str, Any], groups: int, archive: Archive) -> list[dict[str, str]]:
    """Return the texts of each group, by id."""
    number, ids, values = archive.get(about, _TEXTS)
    found: list[dict[str, str]] = []
    for here in parts(integers(number), groups):
        size = here.stop - here.start
        keys, texts = (every.slice(here.start, size).to_pylist() for every in (ids, values))
        found.append(dict(zip(keys, texts, strict=True)))
        if len(found[-1]) < size:
            raise DamagedError("a text that is listed twice")
        require_texts(found[-1], archive.file)
    return found


def _explained(qrels: Qrels, about: Mapping[str, Any], archive: Archive) -> Qrels:
    """Return the qrels with the reasons, the aspects and the exclusions of the tables."""
    reasons: dict[str, dict[str, str]] = {}
    for query, document, reason in archive.rows(about, "reasons", _REASONS):
        of_query = reasons.setdefault(query, {})
        if document in of_query:
            raise DamagedError("a reason that is listed twice")
        of_query[document] = reason
    require_ids(reasons, archive.file)
    for of_query in reasons.values():
        require_texts(of_query, archive.file)
    aspects: dict[str, dict[str, dict[str, float]]] = {}
    for query, grade, name, document in archive.rows(about, "aspects", _ASPECTS):
        of_document = aspects.setdefault(query, {}).setdefault(document, {})
        is_possible = 0 < len(name) <= archive.file.limits.id and abs(grade) <= LARGEST_GRADE
        if name in of_document or not is_possible:
            raise DamagedError("an aspect that is listed twice, or has no possible name or grade")
        of_document[name] = grade
    qrels = replace(qrels, reasons=reasons, aspects=aspects)
    # Sessions of earlier versions have none.
    if "excluded" not in about:
        return qrels
    excluded = exclusions.of_rows(archive.rows(about, "excluded", _EXCLUDED))
    require_ids(chain(excluded, *excluded.values()), archive.file)
    return replace(qrels, excluded=excluded)


def _put_explained(qrels: Qrels, files: dict[str, bytes]) -> dict[str, Any]:
    """Add the tables of reasons, aspects and exclusions; return their description."""
    reasons = ((query, *each) for query, of in qrels.reasons.items() for each in of.items())
    about = {
        "reasons": put(files, "reasons", columns(reasons, _REASONS)),
        "aspects": put(files, "aspects", _aspects(qrels)),
    }
    if qrels.excluded:
        rows = exclusions.in_rows(qrels.excluded)
        about["excluded"] = put(files, "excluded", columns(rows, _EXCLUDED))
    return about


def _aspects(qrels: Qrels) -> dict[str, pa.Array]:
    """Return the grade of each document for each aspect as columns."""
    rows = (
        (query, grade, name, document)
        for query, of_query in qrels.aspects.items()
        for document, grades in of_query.items()
        for name, grade in grades.items()
    )
    return columns(rows, _ASPECTS)


def _put_judged(judged: JudgedRankings, files: dict[str, bytes]) -> str:
    """Add the file of judged rankings; return its name."""
    name = f"{len(files)}{ENDING}"
    files[name] = packed_file(judged)
    return name


def _get_judged(name: str, qrels: Qrels, archive: Archive) -> JudgedRankings:
    """Return the judged rankings of a file, by the qrels of the session."""
    if name not in archive.members:
        raise DamagedError("judged rankings that are missing or listed twice")
    # The rows of the file are gone once its hits are kept, so only these count.
    apart = replace(archive.file, budget=Budget())
    judged = read_within(archive.members.pop(name), apart).judged.by(qrels)
    archive.file.keep(weight_of_judged(judged))
    return judged


def _put_judge(judge: Qrels, files: dict[str, bytes]) -> dict[str, Any]:
    """Add the tables of a further judge; return their description."""
    return {
        **_put_pairs(judge, files),
        "queries": put(files, "queries", {"id": pa.array(judge.queries, TEXT)}),
        **_put_explained(judge, files),
    }


def _get_judge(about: Mapping[str, Any], archive: Archive) -> Qrels:
    (ids,) = archive.get(object_at(about, "queries"), {"id": TEXT})
    return _explained(get_pairs(Qrels, about, tuple(ids.to_pylist()), archive), about, archive)


def _put_pairs(pairs: Pairs, files: dict[str, bytes]) -> dict[str, Any]:
    """Add a table; return its description, with the name, tag and notes of the run or qrels."""
    query, value = column(pairs.query), column(pairs.value)
    rows = {"query": query, "document": pairs.document, "value": value}
    return {
        **put(files, "qrels" if isinstance(pairs, Qrels) else "run", rows),
        "name": pairs.name,
        "tag": pairs.tag,
        "notes": [[note.text, note.code, note.kind] for note in pairs.notes],
    }
