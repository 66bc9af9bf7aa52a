"""Grades written as words or letters -> numbers, by the scales that people use."""

import re
from collections.abc import Collection, Mapping, Sequence

from ..data import Severity
from ..words import count, listed, quote
from .problems import File, Problem, ReadError
from .rows import NUMBER, Rows

SCALES: tuple[dict[str, int], ...] = (
    {"true": 1, "false": 0, "yes": 1, "no": 0},
    {"relevant": 1, "irrelevant": 0, "not relevant": 0, "non-relevant": 0, "nonrelevant": 0},
    {"exact": 2, "partial": 1, "irrelevant": 0},
    {"e": 3, "s": 2, "c": 1, "i": 0},
    {"exact": 3, "substitute": 2, "complement": 1, "irrelevant": 0},
    {"perfect": 4, "excellent": 3, "good": 2, "fair": 1, "bad": 0},
    {"perfectly relevant": 3, "highly relevant": 2, "related": 1, "irrelevant": 0},
    {"highly relevant": 2, "relevant": 1, "not relevant": 0, "irrelevant": 0},
    {"highly relevant": 2, "partially relevant": 1, "not relevant": 0, "irrelevant": 0},
)
"""Known scales: of two answers, of WANDS, of Amazon's shopping queries (ESCI, as letters and as
words), of the web search engines, and of TREC."""
_LEVEL = re.compile(r"l([0-9])|([0-9]{1,2})\s*[-\u2013\u2014:.)]\s*[^\W\d].*")
"""A level that says its number: L2 of NTCIR, or "3 - Perfect"."""
_ALONE = {"relevant", "true", "yes"}
"""The labels of lists that have no others."""
_WORD = re.compile(r"[^\W\d]")
MOST = 20
"""More labels than this are no scale."""


class LabelError(ReadError):
    """Grades that are labels of no known scale; ``labels`` lists them in the order of the file."""

    def __init__(self, problem: Problem, labels: Sequence[str]) -> None:
        super().__init__([problem])
        self.labels = tuple(labels)


def scale_of(labels: Collection[str]) -> Mapping[str, int] | None:
    """Return what each label counts, by the first known scale that has them all.

    Examples
    --------
    >>> scale_of(["Exact", "Irrelevant"]), scale_of(["L0", "L2"]), scale_of(["3 - Perfect"])
    ({'Exact': 2, 'Irrelevant': 0}, {'L0': 0, 'L2': 2}, {'3 - Perfect': 3})
    >>> scale_of(["blue", "relevant"]) is None
    True
    """
    if len(labels) > MOST:
        return None
    plain = {label: label.strip().lower() for label in labels}
    levels = {label: _LEVEL.fullmatch(each) for label, each in plain.items()}
    if all(levels.values()):
        return {label: int(found[1] or found[2]) for label, found in levels.items() if found}
    if len(plain) < 2 and not {*plain.values()} <= _ALONE:
        return None
    scales = (scale for scale in SCALES if scale.keys() >= {*plain.values()})
    return next(({label: of[each] for label, each in plain.items()} for of in scales), None)


def is_label(text: str) -> bool:
    """Return whether a text is a label of a known scale.

    Examples
    --------
    >>> is_label("Exact"), is_label("shoes")
    (True, False)
    """
    return any(text.strip().lower() in scale for scale in SCALES)


def read_labels(rows: Rows, file: File) -> None:
    """Read grades that are words or letters as numbers, with a note; numbers stay as they are.

    Raises ReadError when no grade is a number, and the labels are those of no known scale.

    Examples
    --------
    >>> rows = Rows(line=[2, 3], value=["E", "I"], called={"value": "esci_label"})
    >>> read_labels(rows, File("a.csv"))
    >>> rows.value, str(rows.notes[0])
    (['3', '0'], "Labels of the column 'esci_label' were read as grades: 'E' as 3, 'I' as 0.")
    """
    labels = list(dict.fromkeys(filter(None, rows.value)))
    is_words = all(_WORD.search(each) and not NUMBER.fullmatch(each) for each in labels)
    if not 0 < len(labels) <= MOST or not is_words:
        return
    told = {label: grade for label, grade in file.told.labels.items() if label in labels}
    scale = told if len(told) == len(labels) else scale_of(labels)
    if scale is None and (len(labels) > 1 or is_label(labels[0])):
        found = f"{count(len(labels), 'label')} in place of grades: {listed(labels, 4)}"
        top = max(1, len(labels) - 1)
        example = ",".join(f"{label}={top - at}" for at, label in enumerate(labels[:4]))
        fix = f"Say what each of them counts (in a command: --labels {quote(example)})."
        line = next(line for line, value in zip(rows.line, rows.value, strict=True) if value)
        wrong = rows.problem(file, "E-LABEL", found, "grades that are numbers", fix, line, "value")
        raise LabelError(wrong, labels)
    if scale is not None:
        falling = sorted(scale.items(), key=lambda each: -each[1])
        of = ", ".join(f"{quote(label)} as {grade:g}" for label, grade in falling)
        where = f" of the column {quote(rows.called['value'])}" if "value" in rows.called else ""
        kind = Severity.REMARK if scale is told else Severity.WARNING
        rows.note(f"Labels{where} were read as grades: {of}.", "N-LABELS", kind)
        rows.value = [f"{scale[value]:g}" if value in scale else value for value in rows.value]
