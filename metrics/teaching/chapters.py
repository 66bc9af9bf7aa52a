"""Six chapters to read: each has prose, a list to move, and the readings shown beside the list.

They are written in ``chapters.md``. The quoted lines of a chapter are its list, with a grade before
each title, and its readings. Each result is a field, computed from the list: ``{AP}``, ``{AP, 5 to
4}`` after a move, ``{AP, 3 with 4}`` after a swap, ``{nDCG@5, MLflow}`` under another convention,
``{= 1/9 - 1/10}``, ``{title 2}`` of a rank, or the name of a fact (`_facts`).
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from ..conventions.convention import PRESETS, TREC_EVAL, Convention
from ..conventions.gains import gain_function
from ..editing.edits import move, swap, toggle_tie
from ..editing.hand_ranking import HandRanking
from ..measures.ledger import Ledger
from ..scoring.expressions import read
from ..scoring.naming import parse
from .pitfalls import PITFALLS
from .which_measure import DEPTHS

Reading = tuple[str, Convention]
"""A measure, and the convention under which it scores a list."""
_FIELD = re.compile(r"\{([^{}]*)\}")
_MOVED: dict[str, Callable[[HandRanking, int, int], HandRanking]] = {
    "to": lambda ranking, start, end: move(ranking, _title(ranking, start), end),
    "with": swap,
}


@dataclass(frozen=True)
class Chapter:
    """A chapter: paragraphs around one list.

    Attributes
    ----------
    title
        The heading, which is also the chapter's name in links.
    opening, rest
        The paragraphs above the list and those below it, as Markdown.
    ranking
        The list. The ids of its documents are their titles.
    readings
        What is shown beside the list, by name. Its rows show what they earn under the first one.
    """

    title: str
    opening: str
    rest: str
    ranking: HandRanking
    readings: Mapping[str, Reading]


def scored(ranking: HandRanking, reading: Reading) -> Ledger:
    """Return the ledger of a list under a reading."""
    measure, convention = reading
    return ranking.ledger(parse(measure), convention)


@cache
def chapters() -> dict[str, Chapter]:
    """Return the chapters by title, in their order.

    Examples
    --------
    >>> list(chapters())[:2]
    ['What a grade is', 'One answer, or all']
    """
    written = Path(__file__).with_suffix(".md").read_text("utf-8")
    made = [_chapter(text) for text in re.split(r"^# ", written, flags=re.MULTILINE)[1:]]
    return {chapter.title: chapter for chapter in made}


def _chapter(text: str) -> Chapter:
    title, _, text = text.partition("\n")
    opening, quoted, rest = re.split(r"((?:^> .*\n)+)", text, flags=re.MULTILINE)
    (_, query), *lines = (line[2:].split(": ", 1) for line in quoted.splitlines())
    grades, missing, readings = {}, 0, {}
    for key, value in lines:
        if key.startswith("reading "):
            measure, _, tool = value.partition(", ")
            readings[key.removeprefix("reading ")] = (measure, PRESETS[tool or "trec_eval"])
        else:
            grades[value] = float(key.removeprefix("missing "))
            missing += key.startswith("missing ")
    ranking = HandRanking.of(query, grades, list(grades)[: len(grades) - missing])
    facts = _facts(ranking)

    def filled(text: str) -> str:
        while (now := _FIELD.sub(lambda field: _text(field[1], ranking, facts), text)) != text:
            text = now
        return text.strip()

    return Chapter(title, filled(opening), filled(rest), ranking, readings)


def _text(field: str, ranking: HandRanking, facts: Mapping[str, str]) -> str:
    """Return what a field stands for."""
    if field in facts:
        return facts[field]
    if field.startswith("= "):
        return _digits(read(field[2:]).value)
    if field.startswith("title "):
        return _title(ranking, int(field[6:]))
    measure, _, how = field.partition(", ")
    if " " not in how:
        return _value(ranking, measure, PRESETS[how or "trec_eval"])
    start, way, end = how.split()
    return _value(_MOVED[way](ranking, int(start), int(end)), measure)


def _title(ranking: HandRanking, rank: int) -> str:
    """Return the title at a rank; those that are not retrieved come after the last one."""
    return (*ranking.retrieved, *ranking.unretrieved)[rank - 1].document


def _value(ranking: HandRanking, measure: str, convention: Convention = TREC_EVAL) -> str:
    return _digits(float(scored(ranking, (measure, convention)).scores[0]))


def _digits(value: float) -> str:
    return f"{value:.2f}"


def _facts(ranking: HandRanking) -> dict[str, str]:
    """Return what the prose names that is not the score of one list."""
    size = len(ranking.retrieved)
    hits = [rank for rank, entry in enumerate(ranking.retrieved, 1) if entry.grade]
    terms = scored(ranking, (f"DCG@{size}", TREC_EVAL)).contribution
    relevant = [entry.document for entry in ranking.entries if entry.grade]
    alone = ranking.with_grades(dict.fromkeys(relevant[1:], 0.0))
    tied = toggle_tie(ranking, _title(ranking, 3))
    rules = (Convention(ties="input"), Convention(ties="descending"))
    low, high = sorted(_value(tied.evaluated(rule), f"nDCG@{size}", rule) for rule in rules)
    best = np.array([max(entry.grade or 0 for entry in ranking.entries)])
    gains = {tool: gain_function(rule.gain)(best)[0] for tool, rule in PRESETS.items()}
    return {
        "query": ranking.query,
        "size": str(size),
        "relevant": str(len(relevant)),
        **{f"{measure} alone": _value(alone, measure) for measure in ("RR", "AP")},
        "stops": "; ".join(
            f"at rank {rank}, {n} of {rank} pages ({_digits(n / rank)})"
            for n, rank in enumerate(hits, 1)
        ),
        "terms": " + ".join(_digits(float(each)) for each in terms if each),
        "tied low": low,
        "tied high": high,
        **{f"gain, {tool}": f"{gain:g}" for tool, gain in gains.items()},
        **dict(
            zip(("voice", "model", "page", "_", "rerank"), map(str, DEPTHS.values()), strict=True)
        ),
        "pitfalls": str(len(PITFALLS)),
    }
