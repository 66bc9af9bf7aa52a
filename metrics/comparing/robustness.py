"""Whether the winner changes with the cutoff, or with a choice on which tools disagree."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from ..conventions.choices import CHOICES
from ..conventions.convention import TREC_EVAL, Convention
from ..data import Qrels
from ..defaults import ALPHA, SEED, TEST
from ..errors import MeasureError, RankingError
from ..matching.judged import Rankings, match
from ..measures import Measure
from ..scoring.evaluate import mean, score
from .comparison import align
from .evidence import PairedTest
from .significance import TIE

CUTOFFS = (1, 3, 5, 10, 20, None)
"""The cutoffs tried; None: the whole ranking."""
OF_RANKING = frozenset({"ties", "unjudged", "own_document", "scores", "queries", "negative"})
"""The choices that affect the ranking itself; all others apply after it."""
_TRIED = ("ties", "unjudged")


@dataclass(frozen=True)
class Setting:
    """One way to score both runs, and its result.

    Attributes
    ----------
    choice
        The difference from the chosen convention in words; empty: none.
    towards
        Above 0 where the test's statistic favours B, below 0 where it favours A.
    """

    choice: str
    cutoff: int | None
    delta: float
    p: float
    towards: float

    @property
    def doubtful(self) -> bool:
        """Whether the difference may be noise, or the test favours the other run.

        With a single query, every difference may be noise.
        """
        return not (self.p < ALPHA and self.towards * self.delta > 0)


def settings(
    qrels: Qrels,
    a: Rankings,
    b: Rankings,
    measure: Measure,
    convention: Convention = TREC_EVAL,
    test: str = TEST,
    seed: int = SEED,
) -> list[Setting]:
    """Return two runs compared at every cutoff, and with each relevant choice changed.

    Choices that the measure refuses are left out, and those that rank a run anew where only its
    judged rankings are known.

    Examples
    --------
    >>> from metrics import Run, parse
    >>> qrels = Qrels.from_dict({"q": {"x": 1, "y": 2}})
    >>> a, b = Run.from_dict({"q": {"x": 2, "y": 1}}), Run.from_dict({"q": {"y": 2, "x": 1}})
    >>> found = settings(qrels, a, b, parse("nDCG"))
    >>> {setting.choice for setting in found if setting.cutoff == 1 and not setting.delta}
    {'gain: 1 for grades above 0'}
    """
    cuts = CUTOFFS if measure.suffix == "cutoff" else (None,)
    measures = {cut: replace(measure, cutoff=cut) for cut in cuts}
    plain = tuple(match(qrels, run, convention) for run in (a, b))
    found, asked = list[Setting](), PairedTest(test, seed=seed)

    @cache
    def tested(content: bytes) -> tuple[float, float]:
        """Return p and a number for the favoured run: many settings share their deltas."""
        deltas = np.frombuffer(content)
        return asked.p(deltas), asked.towards(deltas)

    for _, choice, other in one_changed(qrels, measure, convention):
        changed = {name for name in OF_RANKING if getattr(convention, name) != getattr(other, name)}
        try:
            sides = [
                side.under(**vars(other))
                # Without ties, every order of ties is the same.
                if not changed
                or (changed == {"ties"} and (side.hits.first == side.hits.last).all())
                else match(qrels, run, other)
                for run, side in zip((a, b), plain, strict=True)
            ]
            compared = align(*(score(side, measures.values()) for side in sides))
        except (MeasureError, RankingError):
            continue
        for cut, each in measures.items():
            deltas = compared.deltas(each)
            found.append(Setting(choice, cut, mean(deltas), *tested(deltas.tobytes())))
    return found


def that_change_a_delta(found: Sequence[Setting]) -> tuple[list[Setting], list[str]]:
    """Return the settings without the choices that change no delta, and these choices."""
    unchanged = {each.cutoff: each.delta for each in found if not each.choice}
    differ = {
        each.choice
        for each in found
        if not abs(each.delta - unchanged.get(each.cutoff, math.nan)) <= TIE
    }
    idle = dict.fromkeys(each.choice for each in found if each.choice not in {"", *differ})
    return [each for each in found if each.choice not in idle], list(idle)


def one_changed(
    qrels: Qrels, measure: Measure, convention: Convention
) -> Iterator[tuple[str, str, Convention]]:
    """Yield the convention, then the same with each single choice changed that affects the measure.

    Each comes with the name of the changed field, and the new value in words; both are empty for
    the convention itself.
    """
    yield "", "", convention
    tried: dict[str, list[Any]] = {
        name: list(choice.values)
        for name, choice in CHOICES.items()
        if name in measure.choices or name in _TRIED
    }
    if not measure.linear:
        tried["ties"].remove("mean")
    if not (qrels.value < 0).any():
        tried.pop("negative", None)
    if "level" in measure.choices:
        tried["level"] = sorted({float(value) for value in qrels.value if value > 0})
    for name, values in tried.items():
        for value in values:
            if value != getattr(convention, name):
                other = replace(convention, **{name: value})
                yield name, other.sentences()[name], other
