"""What could mislead in a data set: ids that do not match, missing judgments, odd files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..conventions.convention import TREC_EVAL
from ..data import Dataset, Pairs, Qrels, Run
from ..errors import NoOverlapError
from ..judging.judged import JudgedRankings
from ..scoring.evaluate import evaluate
from ..words import count, listed, quote
from .coverage import ENOUGH, Coverage, coverage
from .id_mismatch import Mend, for_documents, for_queries, for_run

MEASURE = "nDCG@10"
"""The measure whose mean shows what missing queries do."""
FRAGMENT = 3
"""A run of fewer documents is an example: its coverage is shown, and nothing concluded from it."""


@dataclass(frozen=True)
class Finding:
    """One thing to know about a file.

    Attributes
    ----------
    about
        What it concerns: a run's name, or ``qrels``.
    warns
        Whether it may make a number misleading; else it is only worth knowing.
    mend
        A change to the run that would help.
    """

    about: str
    said: str
    warns: bool = True
    mend: Mend | None = None

    def __str__(self) -> str:
        return f"{self.about}: {self.said}" + (f" The {self.mend}." if self.mend else "")


def require_overlap(qrels: Qrels, run: Run) -> None:
    """Refuse a run of which no query was judged.

    Raises
    ------
    NoOverlapError
        Naming an id of each side, and the likely reason.

    Examples
    --------
    >>> require_overlap(Qrels.from_dict({"1": {"d": 1}}), Run.from_dict({"q1": {"d": 1}}, "bm25"))
    Traceback (most recent call last):
    ...
    metrics.errors.NoOverlapError: bm25: 0 of 1 queries overlap with the qrels: the run says \
'q1', the qrels say '1'. The query ids differ by a prefix: 'q1' would be '1', and 1 of 1 id would \
match. Make the ids the same in both files, character for character.
    """
    if not set(run.queries) & set(qrels.queries):
        raise apart(run.name, run.queries, qrels.queries, for_run(run, qrels))


def require_scored(judged: JudgedRankings, name: str) -> None:
    """Refuse judged rankings of which no query is in the run, as `require_overlap` does.

    Raises
    ------
    NoOverlapError
        Naming an id of each side, and the likely reason.
    """
    if set(judged.queries) <= set(judged.missing_from_run):
        run, qrels = judged.missing_from_qrels, judged.missing_from_run
        raise apart(name, run, qrels, for_queries(run, qrels))


def apart(name: str, run: Sequence[str], qrels: Sequence[str], mend: Mend | None) -> NoOverlapError:
    """What to say of a run and qrels that share no query, and of the likely reason."""
    reason = f" The {mend}." if mend else ""
    return NoOverlapError(
        f"{name}: 0 of {len(run):,} queries overlap with the qrels: the run says "
        f"{quote(run[0])}, the qrels say {quote(qrels[0])}.{reason} Make the ids the same "
        "in both files, character for character."
    )


def findings(dataset: Dataset, seen: Mapping[str, Coverage] | None = None) -> list[Finding]:
    """What was assumed while reading, and what does not match.

    Parameters
    ----------
    seen
        The coverage of each run, by its name, where it is known already.

    Examples
    --------
    >>> qrels = Qrels.from_dict({"q1": {"d": 2, "e": 0}, "q2": {"d": 1, "f": 0}})
    >>> run = Run.from_dict({"q1": {"d": 3, "e": 2, "x": 1}}, "bm25")
    >>> for finding in findings(Dataset("mine", qrels, (run,))):
    ...     print(finding)
    bm25: 1 of 2 judged queries is missing from the run: 'q2'. A mean over all judged queries \
counts it as 0, one over the run's own leaves it out. Mean nDCG@10, as trec_eval: 0.5000 with \
zeros, 1.0000 without.
    bm25: 33.3% of the top 10 documents were not judged; from 5% on, more judgments may change \
scores.
    """
    found = [*_noted("qrels", dataset.qrels), *_of_qrels(dataset.qrels)]
    for run in dataset.runs:
        found += _noted(run.name, run)
        of_run = seen[run.name] if seen else coverage(dataset.qrels, run)
        found += _of_run(dataset.qrels, run, of_run)
    return found


def notes(dataset: Dataset) -> list[str]:
    """The findings as sentences."""
    return list(map(str, findings(dataset)))


def assumed(qrels: Qrels, *runs: Run) -> list[str]:
    """The rules that were applied to read these, or to change their ids, each with its file.

    Examples
    --------
    >>> from metrics import read_run
    >>> assumed(Qrels.from_dict({"q": {"d": 1}}), read_run(b"q Q0 d 1 2", "bm25.run"))
    ['bm25: 5 columns: the run tag is missing, which changes no number.']
    """
    every = (("qrels", qrels), *((run.name, run) for run in runs))
    return [f"{about}: {note}" for about, pairs in every for note in pairs.notes if note.warns]


def _noted(about: str, pairs: Pairs) -> list[Finding]:
    """What was noted while reading."""
    return [Finding(about, note.text, note.warns) for note in pairs.notes]


def _of_qrels(qrels: Qrels) -> list[Finding]:
    """What the grades leave open."""
    said = []
    relevant = set(qrels.query[qrels.value >= TREC_EVAL.level].tolist())
    without = [query for number, query in enumerate(qrels.queries) if number not in relevant]
    if relevant and without:
        what = count(len(without), "query has", "queries have")
        said.append(
            f"{what} no relevant document: {listed(without)}. trec_eval scores such a query 0, "
            "others 1 or not at all."
        )
    if len(qrels) >= FRAGMENT and set(np.unique(qrels.value).tolist()) == {0.0, 1.0}:
        said.append("Grades are only 0 and 1: graded measures see no more than binary ones.")
    return [Finding("qrels", text, warns=False) for text in said]


def _of_run(qrels: Qrels, run: Run, seen: Coverage) -> list[Finding]:
    """What a run and its qrels do not share."""
    warns = len(run) >= FRAGMENT
    found = []
    if _are_grades(run, qrels):
        said = "Every row of it is a row of the qrels, grade and all: were these given as a run?"
        found.append(Finding(run.name, said))
    if seen.only_qrels:
        said = _missing(seen) + _means(qrels, run, len(seen.shared))
        found.append(Finding(run.name, said, warns, _for_queries(seen)))
    if seen.only_run:
        what = count(len(seen.only_run), "query", "queries")
        of = len(seen.shared) + len(seen.only_run)
        said = (
            f"{what} of {of:,} in the run {'was' if len(seen.only_run) == 1 else 'were'} not "
            f"judged and left out: {listed(seen.only_run)}. {len(seen.shared):,} of {of:,} were."
        )
        # Rows were left out, however few there are.
        found.append(Finding(run.name, said))
    if seen.shared and not seen.judged.any():
        said = f"0% of the top {seen.k} documents were judged: every score is that of an unknown."
        found.append(Finding(run.name, said, warns, for_documents(run, qrels)))
    elif seen.share < ENOUGH:
        said = (
            f"{1 - seen.share:.1%} of the top {seen.k} documents were not judged; from "
            f"{1 - ENOUGH:.0%} on, more judgments may change scores."
        )
        # Where some ids match, only a reason that leaves no doubt is one.
        mend = for_documents(run, qrels)
        mend = mend if mend and mend.is_sure else None
        found.append(Finding(run.name, said, warns and mend is not None, mend))
    if seen.cut:
        what = count(seen.cut, "query", "queries")
        said = f"In {what} equal scores stand on both sides of rank {seen.k}: ties decide."
        found.append(Finding(run.name, said, warns=False))
    return found


def _are_grades(run: Run, qrels: Qrels) -> bool:
    """Whether the scores of a run are the grades of its documents."""
    if len(run) > len(qrels) or not np.isin(run.value, np.unique(qrels.value)).all():
        return False
    if run.digest == qrels.digest:
        return True
    if len(run) < FRAGMENT or len(np.unique(run.value)) == 1:
        return False
    grades = qrels.to_dict()
    return all(
        documents.items() <= grades.get(query, {}).items()
        for query, documents in run.to_dict().items()
    )


def _missing(seen: Coverage) -> str:
    number, of = len(seen.only_qrels), len(seen.only_qrels) + len(seen.shared)
    is_missing = "query is" if of == 1 else "queries is" if number == 1 else "queries are"
    return (
        f"{number:,} of {of:,} judged {is_missing} missing from the run: "
        f"{listed(seen.only_qrels)}. A mean over all judged queries counts "
        f"{'it' if number == 1 else 'them'} as 0, one over the run's own leaves "
        f"{'it' if number == 1 else 'them'} out."
    )


def _means(qrels: Qrels, run: Run, shared: int) -> str:
    """What the missing queries do to the mean under each policy."""
    if not shared:
        return ""
    both, every = (
        float(evaluate(qrels, run, MEASURE, replace(TREC_EVAL, queries=policy)).mean.iloc[0])
        for policy in ("both", "qrels")
    )
    return f" Mean {MEASURE}, as trec_eval: {every:.4f} with zeros, {both:.4f} without."


def _for_queries(seen: Coverage) -> Mend | None:
    """What makes the queries match that stand on one side alone."""
    return for_queries(seen.only_run, seen.only_qrels) if seen.only_run else None
