"""Conventions in words: the one behind a number, and why another gives another number."""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence

import numpy as np

from ..arrays import NOISE
from ..conventions.choices import CHOICES, OF_EVERY_MEASURE
from ..conventions.convention import Convention, presets_like
from ..conventions.gains import gain_function
from ..editing.hand_ranking import HandRanking
from ..exploring import curves
from ..exploring.convention_search import Reading, Step
from ..measures import Measure
from ..measures.ledger import Ledger
from ..words import joined
from . import text

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


NAMED = 3
"""At most this many documents are named in a sentence."""
_GRADES = 6
"""At most this many grades are."""


def argument(reading: Reading, now: Ledger, steps: Sequence[Step]) -> str:
    """Return who counts by a convention, and why its score is not the current one, in lines.

    ``now``: the ledger under the current convention; ``steps`` lead from there to this one.
    """
    lines = [f"**{reading.name}**"]
    if math.isnan(reading.value):
        lines.append(no_score(reading, now.measure))
    elif abs(reading.value - float(now.scores[0])) >= NOISE:
        many = ", " in reading.name
        lines += [f"{_clause(step, many)}." for step in steps if _changes(step)]
    lines += [f"Not in this number: {each}." for each in reading.exceptions]
    return "  \n".join(lines)


def score(reading: Reading, now: Ledger) -> str:
    """Return the score under a convention, and how far it is from the current one."""
    if math.isnan(reading.value):
        return "no score"
    delta = reading.value - float(now.scores[0])
    change = "as chosen" if abs(delta) < NOISE else text.signed(delta)
    return f"**{text.number(reading.value)}** {change}"


def no_score(reading: Reading, measure: Measure) -> str:
    """Return why a convention gives no score."""
    if not reading.problem:
        return "This query is left out of the mean."
    if reading.convention.ties == "mean" and not measure.linear:
        return "This measure has no mean over the orders of equal scores."
    return "Negative gains leave no ideal to divide by."


def _changes(step: Step) -> bool:
    """Return whether a step changes a score or one of its parts."""
    sides = zip(step.before.parts, step.after.parts, strict=True)
    return any(not abs(a.scores[0] - b.scores[0]) < NOISE for a, b in sides)


def _clause(step: Step, many: bool) -> str:
    """Return what the tool does otherwise, and which numbers and documents that changes."""
    verb, rest = REASONS.get(step.choice, _another_rule)(step)
    return f"{'They' if many else 'It'} {verb}{'' if many else 's'} {rest}{_numbers(step)}"


def _numbers(step: Step) -> str:
    """Return the numerator and denominator that changed, or else the documents."""
    if step.before.measure.parts:
        parts = changed_parts(step.before, step.after)
        # No line ends within a pair.
        pairs = [f"{part} {a:.3f} → {b:.3f}".replace(" ", "\xa0") for part, a, b in parts]
        return f" ({', '.join(pairs)})"
    tables = [ledger.table(step.now.query) for ledger in (step.before, step.after)]
    changed = text.largest(curves.by_document(*tables), text.code)
    return f" ({changed})" if changed else ""


def changed_parts(before: Ledger, after: Ledger) -> list[tuple[str, float, float]]:
    """Return the symbol of a numerator or denominator that changed, and its value on both sides."""
    sides = zip(before.parts, after.parts, strict=True)
    scores = ((a.measure.symbol, float(a.scores[0]), float(b.scores[0])) for a, b in sides)
    return [(part, a, b) for part, a, b in scores if abs(a - b) >= NOISE]


def _gain(step: Step) -> tuple[str, str]:
    if step.after.convention.gain == "binary":
        return "count", "every grade above 0 as 1"
    grades = np.array(sorted({*step.now.grades.values()}))
    was, now = (gain_function(each.convention.gain)(grades) for each in (step.before, step.after))
    # Fractions can be many: the highest are named.
    matter = np.flatnonzero((was != 0) | (now != 0))[-_GRADES:]
    named, gains = (joined(map(text.grade, of[matter].tolist())) for of in (grades, now))
    return "count", f"grade{'s' * (len(matter) > 1)} {named} as {gains}"


def _discount(step: Step) -> tuple[str, str]:
    was, now = (ledger.convention.brief(["discount"])[0] for ledger in (step.before, step.after))
    return "divide", f"gains by {now}, not by {was}"


def _ideal(step: Step) -> tuple[str, str]:
    if not step.before.measure.parts:
        return _another_rule(step)
    was, now = (_in_ideal(ledger, step.now.query) for ledger in (step.before, step.after))
    easier = step.after.parts[1].scores[0] < step.before.parts[1].scores[0]
    so = f", so the ideal is {'easier' if easier else 'harder'}"
    if lost := was - now:
        retrieved = {entry.document for entry in step.now.retrieved}
        if not retrieved & lost.keys():
            named = _documents(lost, step.now)
            return "never see", f"{named}, judged but not retrieved{so}"
    if twice := [document for document, times in now.items() if times > 1]:
        once = [document for document in now.keys() - was.keys() if document not in twice]
        also = f", and also {_documents(sorted(once), step.now)}" if once else ""
        return "count", f"{_documents(twice, step.now)} twice in the ideal{also}{so}"
    if gained := now - was:
        return "count", f"{_documents(gained, step.now)} in the ideal{so}"
    return _another_rule(step)


def _in_ideal(ledger: Ledger, query: str) -> Counter[str]:
    return Counter(ledger.parts[1].table(query)["document"])


def _moved(step: Step) -> str:
    """Return the judged documents whose ranks changed."""
    was, now = (
        {entry.document: rank for rank, entry in enumerate(ranking.retrieved, 1)}
        for ranking in (step.was, step.now)
    )
    moved = [
        f"{text.code(document)} is at rank {rank}, not {was[document]}"
        for document, rank in now.items()
        if was.get(document, rank) != rank and step.now.grades.get(document)
    ]
    return f", so {_listed(moved)}" if moved else ""


def _ap(step: Step) -> tuple[str, str]:
    words = CHOICES["ap"].values
    rest = f"by {words[step.after.convention.ap]}, not by {words[step.before.convention.ap]}"
    level = step.after.convention.level
    missed = [e.document for e in step.now.unretrieved if e.grade is not None and e.grade >= level]
    if step.after.convention.ap == "retrieved" and missed:
        rest += f", so {_documents(missed, step.now)} cost nothing, though not retrieved"
    return "divide", rest


def _another_rule(step: Step) -> tuple[str, str]:
    choice = CHOICES[step.choice]
    was, now = (getattr(ledger.convention, step.choice) for ledger in (step.before, step.after))
    usual = "set", f"the {choice.name} to {{now}}, not to {{was}}"
    verb, rest = _WORDED.get(f"{step.choice}={now}", _WORDED.get(step.choice, usual))
    return verb, rest.format(was=choice.values[was], now=choice.values[now]) + _moved(step)


def _documents(names: Iterable[str], ranking: HandRanking) -> str:
    return _listed(
        [f"{text.code(name)} (grade {text.grade(ranking.grades.get(name))})" for name in names]
    )


def _listed(parts: Sequence[str]) -> str:
    """Return the parts in a sentence, at most `NAMED`, and how many more there are."""
    rest = len(parts) - NAMED
    return joined([*parts[:NAMED], *([text.count(rest, "other")] if rest > 0 else [])])


REASONS: dict[str, Callable[[Step], tuple[str, str]]] = {
    "gain": _gain,
    "discount": _discount,
    "ideal": _ideal,
    "ap": _ap,
}
"""The verb and the rest of the sentence about a choice, from what it changed."""
_WORDED = {
    "ideal_cut=k": ("count", "only the top k of the ideal ranking"),
    "ideal_cut=whole": ("count", "the ideal ranking to its end, not only its top k"),
    "ties": ("order", "equal scores {now}"),
    "ties=mean": ("take", "the mean over all orders of equal scores"),
    "unjudged=zero": ("keep", "unjudged documents in the ranking"),
    "unjudged=removed": ("remove", "unjudged documents"),
    "own_document=kept": ("keep", "the document with the query's id"),
    "own_document=removed": ("remove", "the document with the query's id"),
    "precision": ("divide", "by {now}, not by {was}"),
    "rbp": ("count", "the gain as {now}, not as {was}"),
    "negative": ("treat", "negative grades as {now}; not as {was}"),
    "scores": ("read", "scores as {now}, not as {was}"),
    "recall_points": ("reach", "recall p at {now}; not at {was}"),
}
"""The same of choices that differ in words alone, by their names or with their new values."""
