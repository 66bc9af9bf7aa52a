"""Files -> Run, Qrels, texts. The content decides the format; the name is only a hint."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from ..data import Note, Pairs, PairsT, Qrels, Run, Severity, exclusions
from ..words import count, listed, visible
from . import file_names
from .assemble import assemble
from .from_json.detect import read_json, read_lists
from .from_json.records import numbered, preview_of, read_records, renamed
from .from_tables.delimited import head_of, headerless, read_delimited, table_in
from .from_tables.picked import Picked, Preview, columns_told
from .from_trec.fast_file import read_quickly
from .from_trec.lines import read_trec
from .known import refuse_known
from .labels import LabelError, read_labels
from .problems import JUDGES, OTHER_ROLE, Budget, File, Problem, ReadError, weight
from .row_notes import of_pairs
from .rows import Found, Rows, require_few_lines
from .sources import PARQUET, Shared, Source, decode, is_folder, open_bytes, path_or_bytes, settled
from .text_forms import are_blocks, table_of_lines
from .texts import read_attributes, read_corpus, read_texts
from .told import telling
from .unpack import START, Member, packed_as, shortened, unpack

_BRACKETED = re.compile(r'[\[{]+[^\s"\[\],{}][^\s",]*(?<!:)[ \t]+[^\s",:\[\]{}]')
"""A first word such as [q1] and a second word: valid in TREC, but not in JSON."""

__all__ = ["OTHER_ROLE", "LabelError", "Picked", "Preview", "Problem", "ReadError", "preview_of"]
__all__ += ["read_all", "read_attributes", "read_corpus", "read_exclusions", "read_qrels"]
__all__ += ["read_run", "read_texts"]
__all__ += ["file_names", "problems", "sources", "workers"]


def read_run(source: Source, name: str = "", *, columns: Mapping[str, str] | None = None) -> Run:
    """Read a run: TREC, CSV, TSV, JSON, JSON Lines or Parquet; plain, gzipped or zipped.

    Parameters
    ----------
    source
        A path, the bytes of a file, or an open file.
    name
        The file's name in messages, when the source has none.
    columns
        The file's own names of columns, by what they contain: ``{"query": "search_term"}``.

    Raises
    ------
    ReadError
        With the file, line, column, what was found, what was expected, and the fix.
    RankscopeError
        When ``columns`` names a part that no file has.

    Examples
    --------
    >>> read_run(b"q1 Q0 d1 1 2.5 bm25", "bm25.run")
    Run('bm25': 1 queries, 1 rows)
    """
    with telling(columns):
        return _only(Run, read_all(Run, source, name), name)


def read_run_carefully(source: Source, name: str = "") -> Run:
    """Read a run as `read_run` does, for a file that the fast reader has declined."""
    return _only(Run, read_all(Run, source, name, is_declined=True), name)


def read_qrels(
    source: Source,
    name: str = "",
    *,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, float] | None = None,
) -> Qrels:
    """Read qrels: TREC, CSV, TSV, JSON, JSON Lines or Parquet; plain, gzipped or zipped.

    Parameters
    ----------
    source, name, columns
        As in `read_run`.
    labels
        The grade that each label counts, where the grades are words or letters.

    Raises
    ------
    ReadError, RankscopeError
        As `read_run` does.

    Examples
    --------
    >>> read_qrels(b"query,document,grade\\nq1,d1,3", "labels.csv")
    Qrels('labels': 1 queries, 1 rows)
    """
    with telling(columns, labels):
        return _only(Qrels, read_all(Qrels, source, name), name)


def read_exclusions(source: Source, name: str = "") -> dict[str, frozenset[str]]:
    """Read the documents to leave out of each query's ranking, for `Run.without`.

    The file has a row for each query and document, or is JSON, ``{query: [document]}``, in any of
    the formats of qrels, whose grades do not count here; or it is one of BRIGHT, with
    ``excluded_ids``.

    Parameters
    ----------
    source, name
        As in `read_run`.

    Raises
    ------
    ReadError, RankscopeError
        As `read_run` does.

    Examples
    --------
    >>> read_exclusions(b"query,document\\nq1,d1", "seen.csv")
    {'q1': frozenset({'d1'})}
    """
    return exclusions.of_pairs(read_qrels(source, name))


def read_all(
    kind: type[Pairs],
    source: Source,
    name: str = "",
    budget: Budget | None = None,
    picked: Picked | None = None,
    *,
    is_declined: bool = False,
) -> list[Pairs]:
    """Return all runs and qrels in a file that is read as a run or as qrels.

    A zip archive may contain several runs; a response of ``_rank_eval`` and a list of graded
    results contain a run and qrels at once.

    ``budget`` is the memory budget of all files that are read together, a new one by default.
    ``picked`` are the columns of a table, where its own names or cells do not show them.
    ``is_declined`` says whether the fast reader has declined the file.

    Raises ReadError as `read_run` does.

    Examples
    --------
    >>> read_all(Run, b'[{"doc_id": "d1", "relevant": true}]')
    [Run('input': 1 queries, 1 rows), Qrels('input': 1 queries, 1 rows)]
    """
    name = file_names.name_of(source, name)
    done = source.done if isinstance(source, Shared) else None
    file = File(file_names.shown(name), budget=budget or Budget(), done=done)
    source = path_or_bytes(source, file.name)
    if kind is Run and not isinstance(source, bytes) and is_folder(source):
        return _of_folder(source, name, file)
    source = settled(source)
    with open_bytes(source) as stream:
        pairs = None if picked or is_declined else _quickly(kind, stream, name, file)
        if pairs is None:
            return _unpacked(kind, stream, name, file, picked)
        notes = file_names.packing(name, _start(stream))
    file.keep(weight(pairs))
    return [_with_notes(pairs, notes)]


def _unpacked(
    kind: type[Pairs], stream: BinaryIO, name: str, file: File, picked: Picked | None = None
) -> list[Pairs]:
    """Return all runs and qrels in a file that the fast reader has declined as a whole."""
    file.budget.unpacked = 0
    start = _start(stream)
    members = file.once("unpacked", lambda: unpack(stream.read(), file))
    notes = file_names.packing(name, start, is_workbook=any(each.is_sheet for each in members))
    found: list[Pairs] = []
    for member in members:
        within = f" ({shortened(visible(member.name))})" if member.name != file.name else ""
        here = replace(file.member(member.name), name=file.name + within)
        # The fast reader has already declined plain and gzipped files.
        is_new = (within or packed_as(start) not in ("", "gz")) and picked is None
        quick = _quickly(kind, BytesIO(member.data), member.name, here) if is_new else None
        if quick is None:
            read = _carefully(kind, member, here, picked)
        else:
            read = [_with_notes(quick, member.notes)]
        found += read
        here.keep(sum(map(weight, read)))
    if len(members) > 1:
        listed = ", ".join(shortened(visible(member.name)) for member in members)
        notes.append(Note(f"The archive contains {listed}; all were read.", "N-ARCHIVE"))
    return [_with_notes(each, notes) for each in found]


def _start(stream: BinaryIO) -> bytes:
    """Return the first bytes of a file and rewind it."""
    stream.seek(0)
    start = stream.read(START)
    stream.seek(0)
    return start


def _of_folder(folder: str | Path, name: str, file: File) -> list[Pairs]:
    """Return the run in the Parquet files of a folder."""
    # Imported here, because it takes a tenth of a second and few runs are Parquet.
    from .from_tables import parquet

    files = parquet.files_of(Path(folder), file)
    run = parquet.read_quickly(parquet.ParquetRun(files, file), file_names.title(name))
    if run is not None:
        return [run]
    with files[0].open("rb") as stream:
        return _unpacked(Run, stream, name, file)


def _quickly(kind: type[Pairs], stream: BinaryIO, name: str, file: File) -> Pairs | None:
    """Return the rows of a plain TREC or Parquet file; None when it needs the careful readers."""
    if kind is Run and _start(stream).startswith(PARQUET):
        # Imported here, because it takes a tenth of a second and few runs are Parquet.
        from .from_tables import parquet

        file_names.require_claimed(name, "Parquet", file)
        run = parquet.ParquetRun([stream], file)
        return parquet.read_quickly(run, file_names.title(name))
    pairs = read_quickly(kind, stream, file_names.title(name), file)
    if pairs is None:
        return None
    file_names.require_claimed(name, "table", file)
    return _with_notes(pairs, of_pairs(pairs))


def _carefully(kind: type[Pairs], member: Member, file: File, picked: Picked | None) -> list[Pairs]:
    """Return the runs and qrels in a file that is not compressed."""
    rows, notes = rows_of(kind, member, file, picked)
    title = file_names.title(member.name)
    if Qrels in rows:
        read_labels(rows[Qrels], file)
    if judges := set(rows[Qrels].judges) if Qrels in rows else set():
        text = f"The grades of {count(len(judges), 'judge')} were read as those of one."
        notes.append(Note(text, JUDGES, Severity.WARNING if len(judges) > 1 else Severity.REMARK))
    return [
        _with_notes(assemble(each, part, file, name or title), [*notes, *member.notes])
        for each, found in rows.items()
        for name, part in (found.by(found.runs) or {"": found}).items()
    ]


def rows_of(
    kind: type[Pairs], member: Member, file: File, picked: Picked | None
) -> tuple[Found, list[Note]]:
    """Return the rows of a file that is not compressed, and the notes on its text.

    Raises ReadError as the format's reader does.
    """
    if member.data.startswith(PARQUET):
        # Imported here, because it takes a tenth of a second and few files are Parquet.
        from .from_tables.parquet import read_parquet

        file_names.require_claimed(member.name, "Parquet", file)
        return read_parquet(kind, member.data, file), []
    text, notes = file.once("text", lambda: decode(member.data, file))
    if file.told.columns and picked is None and (seen := preview_of(member.data, file)):
        picked = columns_told(seen, file.told.columns)
    if not text.strip(" \t\r\n"):
        return {kind: Rows()}, notes
    if picked and picked.keys:
        records, unit = numbered(text, file)
        return read_records(kind, renamed(records, picked), file, unit), [*notes, picked.note]
    if picked:
        named = picked.table(text)
        return read_delimited(kind, named, file), [*notes, *named.notes]
    if are_blocks(text):
        what, fix = "topics or documents", "Use the file as query texts or document texts."
        raise file.error(OTHER_ROLE, what, f"the rows of a {kind.__name__}", fix)
    refuse_known(text, file)
    start = text.lstrip(" \t\r\n")
    brackets = start[:1] in ("{", "[") and not _BRACKETED.match(start)
    if brackets or file_names.claimed(member.name) == "JSON":
        if start[:1] not in ("{", "[") and head_of(text):
            file_names.require_claimed(member.name, "table", file)
        file_names.require_claimed(member.name, "JSON", file)
        return read_json(kind, text, file), notes
    require_few_lines(text, file)
    file_names.require_claimed(member.name, "table", file)
    if lists := read_lists(kind, text, file):
        return lists, notes
    if table := table_of_lines(kind, text) or table_in(text) or headerless(kind, text, file):
        return read_delimited(kind, table, file), [*notes, *table.notes]
    return {kind: read_trec(kind, text, file)}, notes


def _with_notes(pairs: PairsT, notes: Sequence[Note]) -> PairsT:
    return pairs.noted((*notes, *pairs.notes)) if notes else pairs


def _only(kind: type[PairsT], read: list[Pairs], name: str) -> PairsT:
    """Return the one run, or the one set of qrels, that was read from a file."""
    found = of_kind(kind, read, name)
    if len(found) > 1:
        several = f"{len(found)} of type {kind.__name__}, {listed(each.name for each in found)}"
        file = File(file_names.shown(name) or "input")
        raise file.error("E-FORMAT", several, "one", "Put each in a file of its own.")
    return found[0]


def of_kind(kind: type[PairsT], read: Iterable[Pairs], name: str) -> list[PairsT]:
    """Return the runs, or the qrels, among what was read from a file; ReadError if there is none.

    A row may have a score without a grade, or a grade without a score.
    """
    if found := [pairs for pairs in read if isinstance(pairs, kind)]:
        return found
    lacks, is_other = ("score", "judgments") if kind is Run else ("grade", "a run")
    fix = f"Fill the column, or read the file as {is_other}."
    file = File(file_names.shown(name) or "input")
    raise file.error("E-FORMAT", f"no {lacks} in any row", f"a {lacks} in each row", fix)
