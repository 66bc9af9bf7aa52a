"""The files of a command: read, matched, named and written, and refused where nothing matches."""

import argparse
import hashlib
import os
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Timer
from typing import Any

from .. import whole_file
from ..auditing.audit import SAME_IDS, fix_ids, nothing_matched, require_hits
from ..conventions.convention import TREC_EVAL, Convention
from ..data import Qrels, Run
from ..data.texts import weights as as_weights
from ..errors import DataError, NoOverlapError, RankscopeError
from ..matching.judged import JudgedRankings, Matcher, Rankings, judged_by, match
from ..matching.judged_file import ENDING, is_judged, read_judged
from ..matching.streaming import match_file
from ..reading import read_attributes, read_exclusions, read_qrels, read_run
from ..reading.judges import read_judges
from ..reading.known import ScoresError
from ..reading.problems import SEVERAL_JUDGES, ReadError
from ..reading.sources import is_folder, starts_as_parquet
from ..words import listed, quote, visible
from ..writing.reproduce import FLAGS, PARTS
from .options import STDIN, notes, use_fix

PATIENCE = 0.5
"""Seconds of work before a bar is worth showing."""

DEPTH = 20
"""Unjudged documents are kept down to this rank where not all can be."""

Progress = Callable[[float], None]


def qrels_of(args: argparse.Namespace) -> Qrels:
    """The judgments that count, without the documents that another file leaves out.

    They are those in the file of ``args.qrels``, or what `args.counts` makes of it and of
    ``args.judges``. Runs that are read by these judgments lack the documents left out.

    Raises RankscopeError where further judges are named and not whose grades count.
    """
    if args.counts is not None:
        qrels = _counted([args.qrels, *args.judges], args.counts)
    elif args.judges:
        raise RankscopeError("--judges needs --counts, whose grades count: --counts majority.")
    else:
        try:
            qrels = single_qrels(args.qrels)
        except ReadError as error:
            if any(each.code == SEVERAL_JUDGES for each in error.problems):
                notes(["say whose grades count, for example with --counts majority."], args)
            raise
    exclude = args.exclude
    return qrels.without(read_exclusions(_source(exclude), name_of(exclude))) if exclude else qrels


def single_qrels(path: str) -> Qrels:
    """The judgments in a file or on the standard input."""
    source = _source(path)
    if is_judged(source):
        raise DataError(f"{name_of(path)} holds judged rankings; name the qrels first.")
    with reading_shown(path):
        return read_qrels(source, name_of(path))


def _counted(paths: Iterable[str], rule: str) -> Qrels:
    # Imported here, because few commands need it.
    from ..agreement.what_counts import what_counts

    judges: dict[str, Qrels] = {}
    for path in paths:
        with reading_shown(path):
            more = read_judges(_source(path), name_of(path))
        if twice := [name for name in more if name in judges]:
            raise DataError(
                f"{name_of(path)}: a file before it has the judge {quote(twice[0])}, too."
            )
        judges |= more
    return what_counts(judges, rule)


def weights(path: str) -> dict[str, dict[str, float]]:
    """The weights of queries in a file, by the name of their column.

    Raises RankscopeError when no column has weights.
    """
    every = read_attributes(path)
    found = {name: each for name, of in every.items() if (each := as_weights(of))}
    if not found:
        lacks = listed([*every])
        raise RankscopeError(
            f"{path}: found no column of weights ({lacks}); expected numbers, 0 or more, that are "
            "not all equal. Correct the values, or leave out --weights."
        )
    return found


def run_or_judged(
    path: str, qrels: Qrels, convention: Convention | None, *, fix: str = ""
) -> Rankings:
    """The run in a file or on the standard input, or its judged rankings.

    These are in the file, or the run is in Parquet and too large for the memory. Without a
    convention, a file of judged rankings keeps its own.

    Raises DataError when the file holds rankings by other judgments, or by another convention.
    Raises NoOverlapError when these are rankings without a judged document.
    """
    source = _source(path)
    if is_judged(source):
        return _read_judged(source, path, qrels, convention, fix)
    if not fix and _is_large(source, name_of(path)):
        under = convention or TREC_EVAL
        rankings = match_file(qrels, source, under, name=name_of(path), depth=DEPTH)
        require_hits(rankings, name_of(path))
        return rankings
    with reading_shown(path):
        run = _read_run(source, name_of(path), qrels)
        return _fixed(qrels, run, fix).without(qrels.excluded)


def judged(
    qrels: Qrels,
    path: str,
    convention: Convention,
    progress: Progress,
    *,
    fix: str = "",
    depth: int | None = None,
) -> JudgedRankings:
    """A run's rankings, judged while they are read, or read as a whole where ids change.

    With ``depth``, the rankings are to be kept as a file: they have unjudged documents down to this
    depth, and a digest, of the file's bytes or of the run where ids change.

    Raises DataError when the file holds judged rankings, and these are to be kept, or are by other
    judgments or another convention. Raises NoOverlapError when no document of the run is judged.
    """
    source, name, down_to = _source(path), name_of(path), depth or 0
    if is_judged(source):
        if depth is not None:
            raise DataError(f"{name} holds judged rankings already; match the run itself.")
        return _read_judged(source, path, qrels, convention, fix)
    if fix:
        return _as_whole(
            qrels, _fixed(qrels, _read_run(source, name, qrels), fix), convention, down_to
        )
    try:
        found = match_file(qrels, source, convention, name=name, progress=progress, depth=down_to)
    except ScoresError as error:
        return _as_whole(qrels, error.run(qrels, name), convention, down_to)
    if not len(found.hits):
        # Only a whole run shows the reason.
        require_matched(qrels, read_run(source, name))
    return found if depth is None or found.digest else replace(found, digest=_digest(source))


def _as_whole(qrels: Qrels, run: Run, convention: Convention, depth: int) -> JudgedRankings:
    require_matched(qrels, run)
    return replace(judged_by(Matcher(qrels, convention, depth=depth), run), digest=run.digest)


def _read_run(source: str | bytes, name: str, qrels: Qrels) -> Run:
    try:
        return read_run(source, name)
    except ScoresError as error:
        return error.run(qrels, name)


def _fixed(qrels: Qrels, run: Run, fix: str) -> Run:
    return fix_ids(qrels, run, parts=fix == PARTS) if fix else run


def _is_large(source: str | bytes, name: str) -> bool:
    """Whether a run is in Parquet and has more rows than are read into memory."""
    is_file = isinstance(source, bytes) or Path(source).is_file()
    if not is_folder(source) and not (is_file and starts_as_parquet(source)):
        return False
    # Imported here, because it takes a tenth of a second and few runs are Parquet.
    from ..matching.parquet_run import is_large

    return is_large(source, name)


def _read_judged(
    source: str | bytes, path: str, qrels: Qrels, convention: Convention | None, fix: str
) -> JudgedRankings:
    """The rankings in a file, after a check that they are by these judgments and this convention.

    Raises DataError when they are not; the message names the differences. Raises NoOverlapError
    when no document is judged. Raises RankscopeError when ids should change, which takes the run
    itself.
    """
    name = name_of(path)
    if fix:
        raise RankscopeError(
            f"{FLAGS[fix]} changes runs, and {name} holds judged rankings. Use it when you match "
            "the run."
        )
    rankings = read_judged(source, name).judged
    try:
        rankings = match(qrels, rankings, convention or rankings.convention)
    except DataError as error:
        raise DataError(f"{name}: {error}") from error
    require_hits(rankings, name)
    return rankings


def _digest(source: str | bytes) -> str:
    """The SHA-256 of a file's bytes; empty for a folder, which has no bytes of its own."""
    if isinstance(source, bytes):
        return f"sha256 {hashlib.sha256(source).hexdigest()}"
    if not Path(source).is_file():
        return ""
    with Path(source).open("rb") as stream:
        return f"sha256 {hashlib.file_digest(stream, 'sha256').hexdigest()}"


def require_matched(qrels: Qrels, run: Run) -> None:
    """Refuse a run without a judged document.

    Raises NoOverlapError with an id of each side, the likely reason and the fix.
    """
    if nothing := nothing_matched(qrels, run):
        raise NoOverlapError(f"{nothing} {use_fix(nothing.mend) or SAME_IDS}")


def titles(paths: Iterable[str]) -> list[str]:
    """What to call each run: its file's name without endings, the path where names are equal.

    Raises RankscopeError when a file appears twice.

    Examples
    --------
    >>> titles(["runs/bm25.run.gz", "dense.judged.parquet"]), titles(["a/x.run", "b/x.run"])
    (['bm25', 'dense'], ['a/x.run', 'b/x.run'])
    """
    paths = list(paths)
    for path in paths:
        if paths.count(path) > 1:
            raise RankscopeError(f"{path} appears twice; name each run once.")
    stems = [_stem(name_of(path)) for path in paths]
    return stems if len(set(stems)) == len(stems) else paths


def _stem(name: str) -> str:
    if name.endswith(ENDING):
        return Path(name).name.removesuffix(ENDING)
    return Path(name.removesuffix(".gz")).stem


def only_one_stdin(options: Mapping[str, Any]) -> None:
    """Refuse arguments that read two files from the standard input."""
    names = [options.get(option) for option in ("qrels", "run", "exclude", "human")]
    several = (name for of in ("runs", "judges") for name in options.get(of, ()))
    if [*names, *several].count(STDIN) > 1:
        raise RankscopeError("Only one file can be -, the standard input.")


def bar(title: str, quiet: bool) -> Progress:
    """A line on a terminal that shows how much is done, once the work has taken a while."""
    began = time.monotonic()

    def draw(done: float) -> None:
        if quiet or not sys.stderr.isatty() or time.monotonic() - began < PATIENCE:
            return
        full = round(done * 30)
        line = f"{title} [{'#' * full}{' ' * (30 - full)}] {done:4.0%}"
        # At the end the line is wiped, so that only results and notes stay.
        print(f"\r{line if done < 1 else ''}\x1b[K", end="", file=sys.stderr, flush=True)

    return draw


@contextmanager
def reading_shown(path: str) -> Iterator[None]:
    """Say on a terminal which file is read, once that has taken a while, and until it is done."""
    if not sys.stderr.isatty():
        yield
        return
    line = f"reading {visible(name_of(path))} …"
    say = Timer(PATIENCE, print, (line,), {"end": "", "file": sys.stderr, "flush": True})
    say.daemon = True
    say.start()
    try:
        yield
    finally:
        say.cancel()
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _source(path: str) -> str | bytes:
    """The path of a file or folder; the bytes of a pipe, which can be read only once."""
    if path == STDIN:
        return sys.stdin.buffer.read()
    here = Path(path)
    return path if here.is_file() or here.is_dir() else here.read_bytes()


def name_of(path: str) -> str:
    """The name of a file or folder in messages."""
    return "stdin" if path == STDIN else path.rstrip("/") or path


def protect(inputs: Iterable[str], *outputs: str | None) -> None:
    """Refuse to write over an input, whatever name leads to it, or twice to one file.

    A folder that is an input counts as the files in it. An output that is None is not written.

    Raises RankscopeError with the file that would be lost.
    """
    names = list(inputs)
    names += [str(path) for each in names if os.path.isdir(each) for path in Path(each).rglob("*")]
    taken = {_identity(name, 0): name for name in names}
    for output in filter(None, outputs):
        identity = _identity(output, 1)
        if identity and identity in taken:
            raise RankscopeError(
                f"{visible(output)} would be written over {visible(taken[identity])}. "
                "Choose another file for the output."
            )
        taken[identity] = output


def write(path: str, text: str) -> None:
    """Write a file, or to the standard output, which ``-``, /dev/stdout and its file name.

    Raises OSError when the file cannot be written.
    """
    # Another file in the place of the redirected output would lose what is printed after it.
    if path == STDIN or (os.path.exists(path) and os.path.samestat(os.stat(path), os.fstat(1))):
        sys.stdout.write(text)
    else:
        whole_file.write(Path(path), text.encode())


def _identity(path: str, stream: int) -> tuple[int, int] | str | None:
    """Return what all names of one file share; None for a device or a pipe: nothing is lost there.

    ``stream``: the descriptor that ``-`` stands for.
    """
    try:
        status = os.stat(stream if path == STDIN else path)
    except OSError:
        return os.path.realpath(path)
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None
