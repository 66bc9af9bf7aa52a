"""The convention behind a number, in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ..conventions.choices import OF_EVERY_MEASURE
from ..conventions.convention import Convention
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


def of_others(convention: Convention, measure: Measure, others: Iterable[Measure]) -> str:
    """Return the choices that affect these measures but not ``measure``; may be empty."""
    known = {*measure.choices, *OF_EVERY_MEASURE}
    matter = dict.fromkeys(name for other in others for name in other.choices)
    return _sentences(convention, [name for name in matter if name not in known])


def _sentences(convention: Convention, choices: Iterable[str], unless: Collection[str] = ()) -> str:
    """Return the choices in words, except those of ``unless`` that differ from trec_eval."""
    sentences, differing = convention.sentences(), convention.differences(unless)
    return "; ".join(sentences[name] for name in choices if name not in differing)
