"""A run reduced to its hits while it is read, so that memory stays small."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ..conventions.convention import TREC_EVAL, Convention, named
from ..data import Qrels, Run
from ..reading import file_names, read_run, read_run_carefully
from ..reading.from_trec.fast_file import (
    NotPlainError,
    PlainRows,
    in_one_place,
    only_tag,
    over_blocks,
)
from ..reading.problems import File
from ..reading.rank_column import Order, joined
from ..reading.sources import (
    Source,
    is_folder,
    open_bytes,
    path_or_bytes,
    settled,
    starts_as_parquet,
)
from ..reading.unpack import START
from .batches import Given
from .judged import JudgedRankings, Matcher, Reduced, gather, judged_by

Progress = Callable[[float], None]


def match_file(
    qrels: Given,
    source: Source,
    convention: Convention | str = TREC_EVAL,
    *,
    name: str = "",
    progress: Progress | None = None,
    depth: int = 0,
) -> JudgedRankings:
    """Return the result of ``match(qrels, read_run(source), convention)`` in less memory and time.

    A TREC run, plain or gzipped, and a run in Parquet are never in memory as a whole; other files
    are read as usual. Where the rows of a Parquet run are not in the order of the queries, DuckDB
    sorts them if it is installed, so that memory stays small.

    Parameters
    ----------
    qrels
        `Qrels`, ``{query: {document: grade}}``, or a frame.
    source
        As in `read_run`.
    convention
        A `Convention`, or the name of a preset, such as ``"ranx"``.
    name
        As in `read_run`.
    progress
        Called with the fraction of the file that is done, from above 0 to 1.
    depth
        Keep the unjudged documents down to this rank in `JudgedRankings.top`, to be shown.

    Raises
    ------
    DataError
        When the qrels have the wrong type.
    ReadError
        As `read_run` does.
    RankscopeError
        When no preset has the convention's name.

    Examples
    --------
    >>> qrels = Qrels.from_dict({"q1": {"d1": 1}})
    >>> match_file(qrels, b"q1 Q0 d2 1 2.5 bm25\\nq1 Q0 d1 2 2.0 bm25").hits.rank.tolist()
    [2]
    """
    report, matcher = progress or _silent, Matcher(Qrels.of(qrels), named(convention), depth=depth)
    file: str = file_names.name_of(source, name)
    read: Callable[[Source, str], Run] = read_run
    source = path_or_bytes(source, file)
    if not is_folder(source):
        source = settled(source)
    try:
        if is_folder(source) or starts_as_parquet(source):
            # Imported here, because it takes a tenth of a second and few runs are Parquet.
            from .parquet_run import judge_parquet

            judged = judge_parquet(matcher, source, file, report)
        else:
            judged = _in_parts(matcher, source, file, report)
    except NotPlainError:
        judged, read = None, read_run_carefully
    if judged is None:
        judged = judged_by(matcher, read(source, file))
    report(1.0)
    return judged


def _in_parts(
    matcher: Matcher, source: str | Path | bytes, file: str, progress: Progress
) -> JudgedRankings | None:
    """Return the judged rankings of a plain file; None when a query has rows in several places.

    Raises NotPlainError when the file needs the careful reader.
    """

    def reduce(part: PlainRows[Run]) -> tuple[tuple[str, ...], Reduced, Order, str]:
        return part.pairs.queries, matcher.reduce(part.pairs), part.order, part.pairs.tag

    done = []
    with open_bytes(source) as stream:
        size = stream.seek(0, os.SEEK_END)
        stream.seek(0)
        packed = file_names.packing(file, stream.read(START))
        stream.seek(0)
        for reduced, place in over_blocks(Run, stream, reduce):
            done.append(reduced)
            if place < size:
                progress(place / size)
    tag = only_tag(tag for _, _, _, tag in done)
    places = [queries for queries, _, _, _ in done]
    if not in_one_place(places):
        return None
    queries = tuple(query for part in places for query in part)
    file_names.require_claimed(file, "table", File(file_names.shown(file)))
    notes = *packed, *joined(order for _, _, order, _ in done).notes()
    judged = gather(matcher, (hits for _, hits, _, _ in done), queries)
    return replace(judged, notes=(*notes, *judged.notes), tag=tag)


def _silent(fraction: float) -> None:
    """Ignore the progress."""
