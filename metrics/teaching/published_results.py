"""The convention behind a printed result that the usual convention does not reproduce."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from ..conventions.convention import PRESETS
from ..editing.hand_ranking import HandRanking
from ..exploring.convention_search import search
from ..exploring.published_numbers import verdict
from ..scoring.evaluate import evaluate
from ..scoring.naming import parse
from .samples import Sample

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Behind:
    """The convention behind a printed number.

    Attributes
    ----------
    found
        The convention that reproduces the number, in words; empty if none does.
    tried
        The conventions that were tried, in words.
    """

    found: str
    tried: str


def convention_behind(sample: Sample, row: pd.Series[str]) -> Behind:
    """Return the convention under which a sample's data reproduce a printed number.

    Parameters
    ----------
    row
        A row of `recomputed`. A mean is recomputed under every preset, the score of one query
        under every combination of choices that matter to it.
    """
    dataset = sample.load()
    measure, printed = parse(row["measure"]), row["printed"]
    run = next(run for run in dataset.runs if run.name == row["run"])
    if row["query"] == "mean":
        means = {
            name: evaluate(dataset.qrels, run, str(measure), preset).value(str(measure))
            for name, preset in PRESETS.items()
        }
        found = [name for name, value in means.items() if verdict(printed, value) == "agrees"]
        return Behind(found[0] if found else "", f"{len(means)} presets")
    under = partial(HandRanking.from_run, dataset.qrels, run, row["query"])
    result = search(printed, under, measure)
    found = [" and ".join(reading.differs) for reading in result.found[:1]]
    return Behind(found[0] if found else "", f"{result.tried} combinations of choices")
