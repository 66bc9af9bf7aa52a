"""The convention behind a number, in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ..conventions.choices import OF_EVERY_MEASURE
from ..conventions.convention import Convention, presets_like
from ..measures.base import Measure

OF_ONE = ("ties", "unjudged")
"""The choices named for the score of one ranking, whatever the measure."""
OF_MEANS = (*OF_ONE, "queries", "undefined")
"""The choices named for a mean over queries, whatever the measure."""


def in_words(convention: Convention, general: Iterable[str], *measures: Measure) -> str:
    """Return the differences from trec_eval, then the other choices that affect these measures.

    ``general``: choices that are named in any case, beside those of the measures.
    """
    matter = tuple(dict.fromkeys(name for measure in measures for name in measure.choices))
    every = (*matter, *OF_EVERY_MEASURE)
    others = _sentences(convention, (*matter, *general), every)
    return f"{convention.label_in(every)} ({others})"


MAIN = ("gain", "discount", "ideal", "level", "precision", "ap", "rbp")
"""The choices that a line names whatever their value; the others where they are not trec_eval's."""


def line(convention: Convention, measure: Measure, preset: str = "") -> str:
    """Return the convention in one line: its name, and the choices that matter most.

    ``preset``: its name; by default the first preset with these choices.

    Examples
    --------
    >>> from metrics import parse
    >>> line(Convention(), parse("nDCG"))
    'trec_eval: gain = grade, log₂(rank + 1), ideal of all judged'
    >>> line(Convention(ties="input", level=2), parse("AP"))
    'trec_eval, changed: relevant from grade 2, divided by all relevant, ties in input order'
    """
    matter = (*measure.choices, *OF_EVERY_MEASURE)
    differing = convention.differences(matter)
    same = presets_like(convention, [name for name in matter if name != "level"])
    name = preset or next(iter(same), "trec_eval, changed")
    named = convention.brief(each for each in matter if each in MAIN or each in differing)
    return f"{name}: {', '.join(named)}" if named else name


def of_others(convention: Convention, measure: Measure, others: Iterable[Measure]) -> str:
    """Return the choices that affect these measures but not ``measure``; may be empty."""
    known = {*measure.choices, *OF_EVERY_MEASURE}
    matter = dict.fromkeys(name for other in others for name in other.choices)
    return _sentences(convention, [name for name in matter if name not in known])


def _sentences(convention: Convention, choices: Iterable[str], unless: Collection[str] = ()) -> str:
    """Return the choices in words, except those of ``unless`` that differ from trec_eval."""
    sentences, differing = convention.sentences(), convention.differences(unless)
    return "; ".join(sentences[name] for name in choices if name not in differing)
