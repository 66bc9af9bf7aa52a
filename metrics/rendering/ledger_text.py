"""A score as a sentence, its terms, and how an edit changed them; without streamlit."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from ..editing.edits import move
from ..editing.hand_ranking import HandRanking
from ..exploring.curves import ROUNDS_TO_0, by_document, largest
from ..exploring.what_if import score_all
from ..measures import Measure
from ..measures.ledger import Ledger
from ..scoring.expressions import equals
from ..scoring.formula import nothing_to_find, terms
from ..scoring.plain_formula import as_text
from . import text

NAMED = 2
"""At most this many documents are named after an edit."""
MOST_TRIED = 100
"""No move is looked for in rankings of more documents: each edit would wait for it."""
_LONGEST_NAME = 40
_LOG = re.compile(r"log2(?:\((\d+)\+(\d+)\))?")


class Part(NamedTuple):
    """A part of a sentence: literal text, with a tooltip, and the document it belongs to.

    ``word``: the word of the glossary that the tooltip defines.
    """

    text: str
    tooltip: str = ""
    document: str = ""
    strong: bool = False
    word: str = ""


def score(ledger: Ledger, query: str) -> list[Part]:
    """Return the score as a sentence that spells out every abbreviation.

    Examples
    --------
    >>> ledger = HandRanking.of("q", {"a": 1, "b": 2}, ["a", "b"]).ledger("nERR@2")
    >>> print("".join(part.text for part in score(ledger, "q")).partition(" = ")[2])
    ERR@2 ÷ IERR@2 (ideal ERR) = 0.1504 ÷ 0.2129 = 0.7064
    """
    measure, value = ledger.measure, text.number(ledger.score(query))
    named = [_term(measure)._replace(strong=True), Part(f" ({measure.full_name}) = ")]
    if not measure.parts:
        sign = text.near(ledger.score(query), ledger.table(query)["contribution"]) or "= "
        return [*named, Part(f"sum of the contributions {sign}"), Part(value, strong=True)]
    top, bottom = ledger.parts
    above, below = (text.number(part.score(query)) for part in (top, bottom))
    empty = nothing_to_find(ledger, query)
    sign = "= by convention" if empty else equals(f"{above}/{below}", value)
    return [
        *named,
        _term(top.measure),
        Part(" ÷ "),
        _term(bottom.measure),
        Part(f" (ideal {top.measure.symbol}) = {above} ÷ {below} {sign} "),
        Part(value, strong=True),
    ]


def _term(measure: Measure) -> Part:
    return Part(str(measure), described(measure), word=measure.symbol)


def described(measure: Measure) -> str:
    """Return a measure's name without abbreviations, what it means, and the name of its mean."""
    of_queries = f" Mean over queries: {measure.mean_names[0]}." if measure.mean_names else ""
    return f"{measure}, {measure.full_name}. {measure.meaning}{of_queries}"


def substituted(ledger: Ledger, query: str) -> list[Part]:
    """Return the score's arithmetic with this ranking's numbers, each term with its document.

    Examples
    --------
    >>> ledger = HandRanking.of("q", {"a": 1, "b": 2}, ["a", "b"]).ledger("nDCG@2")
    >>> print("".join(part.text for part in substituted(ledger, "q")))
    (1 ÷ log₂ 2 + 2 ÷ log₂ 3) ÷ 2.6309 = 0.8597
    >>> ledger = HandRanking.of("q", {"a": 1}, list("bcdefghij")).ledger("nDCG")
    >>> print("".join(part.text for part in substituted(ledger, "q")))
    0 ÷ 1.0000 = 0.0000
    """
    if nothing_to_find(ledger, query):
        return [Part("There is nothing relevant to find, so the convention sets the score.")]
    top = ledger.parts[0]
    found: list[Part] = []
    for document, latex in terms(top, query):
        found += [Part(" + "), Part(_readable(latex), text.visible(document), document)]
    written = found[1:] or [Part("0")]
    end = ""
    if ledger.ideal is not None:
        end = f" ÷ {text.number(ledger.ideal.score(query))}"
        written = [Part("("), *written, Part(")")] if found else written
    value = text.number(ledger.score(query))
    sign = equals("".join(part.text for part in written) + end, value)
    return [*written, Part(f"{end} {sign} {value}")]


def lost(ledger: Ledger, query: str, digits: int = 4) -> str:
    """Return what a ranking lacks to the ideal one, and the document that loses most.

    ``query``: the ledger's only one; ``digits``: the decimals. Empty for a measure without an
    ideal ranking.

    Examples
    --------
    >>> ledger = HandRanking.of("q", {"a": 1, "b": 2}, ["a", "b"]).ledger("nDCG@2")
    >>> lost(ledger, "q")
    '≈ 0.3691 of 2.6309 lost: b (at 2, best at 1) costs 0.7381, the others win back ≈ 0.3691'
    """
    if ledger.ideal is None:
        return ""
    tables = [each.table(query) for each in ledger.parts]
    lacks = by_document(*tables)
    total = float(lacks.sum())
    if total < ROUNDS_TO_0:
        return "nothing lost: no order is better"
    worst = str(lacks.idxmax())
    hits = ledger.judged.hits
    ranks = dict(zip(hits.document.to_pylist(), hits.rank.tolist(), strict=True))
    where = f"at {ranks[worst]}" if worst in ranks else "not retrieved"
    where += f", best at {tables[1].index[tables[1]['document'].tolist().index(worst)]}"
    name = text.shortened(text.visible(worst), 2 * _LONGEST_NAME)
    top = float(lacks.max())
    shown, most = (text.number(each, digits) for each in (total, top))
    earned, best = (float(each.scores[0]) for each in ledger.parts)
    of = f"{text.near(total, (best, -earned), digits)}{shown} of {text.number(best, digits)} lost"
    if most == shown:
        return f"{of}: {name} {where}"
    # One that loses more than all together is made up for by others, which earn more.
    if top > total:
        back = f"{text.near(top - total, (top, -total), digits)}{text.number(top - total, digits)}"
        return f"{of}: {name} ({where}) costs {most}, the others win back {back}"
    return f"{of}, {most} by {name} ({where})"


def within_reach(ledger: Ledger, ranking: HandRanking, digits: int = 4) -> tuple[float | None, str]:
    """Return the score of all documents in order of grade, and it in words, for a short ranking.

    The words begin with the document whose move to rank 1 adds most, if one adds; of several the
    one with the highest grade.

    Examples
    --------
    >>> ranking = HandRanking.of("q", {"a": 1, "b": 1}, ["a", "x", "b"])
    >>> within_reach(ranking.ledger("AP"), ranking)
    (1.0, ': b to rank 1 adds 0.1667; all in order of grade reach 1.0000')
    >>> within_reach(ranking.ledger("P@5"), ranking)
    (0.4, ': all in order of grade reach 0.4000')
    >>> ranking = HandRanking.of("q", {"a": 1, "b": 2}, ["x", "a", "b"])
    >>> within_reach(ranking.ledger("AP"), ranking)
    (1.0, ': b to rank 1 adds 0.2500; all in order of grade reach 1.0000')
    """
    listed = sorted(ranking.entries, key=lambda entry: -(entry.grade or 0))
    names = [entry.document for entry in listed if entry.grade]
    if len(listed) > MOST_TRIED or not names:
        return None, ""
    best = HandRanking(ranking.query, tuple(replace(each, tied=False) for each in listed), ())
    tried = [ranking, *(move(ranking, name, 1) for name in names), best]
    now, *moved, most = score_all(tried, ledger.measure, ledger.judged.convention).tolist()
    adds = {name: value - now for name, value in zip(names, moved, strict=True)}
    name = max(adds, key=adds.__getitem__)
    shown = text.shortened(text.visible(name), 2 * _LONGEST_NAME)
    by = f"{shown} to rank 1 adds {text.number(adds[name], digits)}; "
    said = by if adds[name] >= ROUNDS_TO_0 else ""
    return most, f": {said}all in order of grade reach {text.number(most, digits)}"


def change(before: Ledger, after: Ledger, digits: int = 4) -> str:
    """Return how the score of a ledger's only query changed, with its sign.

    Examples
    --------
    >>> of = [HandRanking.of("q", {"a": 1}, order).ledger("RR") for order in (["b", "a"], ["a"])]
    >>> change(*of, digits=2), change(of[1], of[1])
    ('+0.50', 'no change')
    """
    by = float(after.scores[0]) - float(before.scores[0])
    if abs(by) < ROUNDS_TO_0:
        return "no change"
    shown = text.signed(by, digits)
    return shown if shown[0] in "+−" else f"less than {10**-digits:g}"


def moved(
    was: Ledger, now: Ledger, rankings: Sequence[HandRanking], digits: int = 4, edited: str = ""
) -> str:
    """Return the document that changed the score most, and how; empty if nothing did.

    ``edited``: the document that was moved, which is named instead if it earns more or less.

    Examples
    --------
    >>> rankings = tuple(HandRanking.of("q", {"a": 1}, order) for order in (["b", "a"], ["a"]))
    >>> moved(*[ranking.ledger("RR") for ranking in rankings], rankings, digits=2)
    'a, rank 2 → 1: +0.50; '
    """
    by = float(now.scores[0] - was.scores[0])
    if not abs(by) >= ROUNDS_TO_0:
        return ""
    every = by_document(*(each.parts[0].table(rankings[0].query) for each in (was, now)))
    name = edited if every.get(edited, 0) else str((every * by).idxmax())
    shown = text.shortened(text.visible(name), _LONGEST_NAME)
    own, whole = (text.signed(each, digits) for each in (every[name], every.sum()))
    # The move of one moves others.
    together = "" if own == whole else f", with the others {whole}"
    # What is earned is no part of a ratio.
    of = f" in {now.parts[0].measure.symbol}" if now.ideal else ""
    return f"{shown}{_place(name, rankings)}: {own}{together}{of}; "


def last_edit(
    before: Ledger, after: Ledger, rankings: tuple[HandRanking, HandRanking], edited: str = ""
) -> list[Part]:
    """Return what an edit changed: the largest changes of what documents earn, and the score.

    ``edited``: the document that was edited, which comes first.

    Examples
    --------
    >>> rankings = tuple(HandRanking.of("q", {"a": 1}, order) for order in (["b", "a"], ["a"]))
    >>> ledgers = [ranking.ledger("RR") for ranking in rankings]
    >>> print("".join(part.text for part in last_edit(*ledgers, rankings)))
    a, rank 2 → 1: +0.5000.
    """
    query = rankings[0].query
    tops = before.parts[0], after.parts[0]
    every = by_document(*(top.table(query) for top in tops))
    ordered, _ = largest(every, len(every))
    deltas = sorted(ordered.items(), key=lambda each: each[0] != edited)
    found: list[Part] = []
    for document, delta in deltas[:NAMED]:
        name, whole = str(document), text.visible(str(document))
        found += [
            Part(". " if found else ""),
            Part(text.shortened(whole, _LONGEST_NAME), whole, name, strong=True),
            Part(f"{_place(name, rankings)}: {text.signed(delta)}"),
        ]
    changes = [delta for _, delta in deltas]
    if others := changes[NAMED:]:
        changes[NAMED:] = [sum(others)]
        found.append(Part(f". {text.count(len(others), 'other')}: {text.signed(sum(others))}"))
    found += _effect_on_score(before, after, query, changes)
    found.append(Part("." if found else "No document earns more or less than before."))
    was, now = ({each.document for each in one.retrieved if each.tied} for one in rankings)
    if now - was:
        (rule,) = after.convention.brief(["ties"])
        found.append(Part(f" {rule.capitalize()}."))
    return found


def _effect_on_score(
    before: Ledger, after: Ledger, query: str, changes: Sequence[float]
) -> Sequence[Part]:
    """Return what changes of the sum make of the score; nothing where one is its change."""
    total = text.signed(sum(changes))
    several = f". Together {text.near(sum(changes), changes)}" if len(changes) > 1 else ""
    delta = Part(change(before, after), strong=True)
    if before.ideal is None or after.ideal is None:
        return [Part(several), delta] if several else []
    was, now = before.ideal.score(query), after.ideal.score(query)
    if abs(now - was) >= ROUNDS_TO_0:
        ideal, of = after.ideal.measure, [each.score(query) for each in (before, after)]
        moves = [(ideal, (was, now)), (after.measure, of)]
        words = [f"{name} {' → '.join(map(text.number, ends))}" for name, ends in moves]
        sign = text.near(of[1] - of[0], (of[1], -of[0]))
        return [Part(f"{'. ' if changes else ''}{', '.join(words)}: {sign}"), delta]
    if not now or not changes:
        return []
    quotient = text.signed(after.score(query) - before.score(query))
    sign = equals(f"{total}/{text.number(now)}", quotient)
    return [Part(f"{several and several + total} ÷ {text.number(now)} {sign} "), delta]


def _place(document: str, rankings: Sequence[HandRanking]) -> str:
    """Return where a document was and is, and its grades if the edit changed them."""
    (was, old), (now, new) = (_rank_and_grade(document, each) for each in rankings)
    moved = f" {now}" if now == _NOWHERE else f" at {now}"
    if was != now:
        moved = f", {was} → rank {now}" if was == _NOWHERE else f", rank {was} → {now}"
    return moved if old == new else f"{moved}, grade {old} → {new}"


_NOWHERE = "not retrieved"


def _rank_and_grade(document: str, ranking: HandRanking) -> tuple[str, str]:
    for rank, entry in enumerate(ranking.retrieved, 1):
        if entry.document == document:
            return f"{rank:,}", text.grade(entry.grade)
    return _NOWHERE, text.grade(ranking.grades.get(document))


def _readable(latex: str) -> str:
    """Return a term on one line: ``2 ÷ log₂ 5``, ``1/4 · 2/3``."""
    shown = _LOG.sub(_log, as_text(latex)).replace("-", "−")
    return shown.replace("·", " · ") if "·" in shown else shown.replace("/", " ÷ ")


def _log(found: re.Match[str]) -> str:
    return "log₂" if found[1] is None else f"log₂ {int(found[1]) + int(found[2])}"
