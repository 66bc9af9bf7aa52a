"""The convention behind a number, in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from metrics import Convention, Measure
from metrics.conventions.choices import OF_EVERY_MEASURE

OF_ONE = ("ties", "unjudged")
"""What is said of one ranking's score, whatever the measure."""
OF_MEANS = (*OF_ONE, "queries", "undefined")


def said(convention: Convention, general: Iterable[str], *measures: Measure) -> str:
    """What differs from trec_eval, then the other choices that these measures depend on.

    ``general``: the choices beside the measures' own that are said where they do not differ.
    """
    matter = tuple(dict.fromkeys(name for measure in measures for name in measure.choices))
    every = (*matter, *OF_EVERY_MEASURE)
    others = _sentences(convention, (*matter, *general), every)
    return f"{convention.label_in(every)} ({others})"


def of_others(convention: Convention, measure: Measure, others: Iterable[Measure]) -> str:
    """What these measures depend on and ``measure`` does not; empty for nothing."""
    known = {*measure.choices, *OF_EVERY_MEASURE}
    matter = dict.fromkeys(name for other in others for name in other.choices)
    return _sentences(convention, [name for name in matter if name not in known])


def _sentences(convention: Convention, choices: Iterable[str], unless: Collection[str] = ()) -> str:
    """The choices in words, without those of ``unless`` that differ from trec_eval."""
    sentences, told = convention.sentences(), convention.differences(unless)
    return "; ".join(sentences[name] for name in choices if name not in told)
