"""The part of a text that matches a query, in pieces with the query's terms marked."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import cache

from ..words import legible

Pieces = list[tuple[str, bool]]
"""The pieces of a text in order, each with whether it is marked."""

SEARCHED = 20_000
"""At most this many characters of a text are searched for the terms of a snippet."""
SNIPPET = 220
"""At most this many characters of a text are in a snippet."""
_COMMON = (
    "a an and are as at be by can do does for from how i in is it my of on or that the to was what "
    "when where which who why with you your"
)
STOP = frozenset(_COMMON.split())
"""Words that say nothing about a document's topic."""
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff]"
)
"""Characters of scripts without spaces between words: Thai, Lao, Burmese, Khmer, kana, Han."""
_BLANKS = re.compile(r"\s+")


def terms(query: str) -> frozenset[str]:
    """Return the terms of a query, in one case and one Unicode form, without `STOP` words.

    A run of characters of a script without spaces has its pairs of neighbours as terms. A query of
    stop words alone has these.

    Examples
    --------
    >>> sorted(terms("the Best CAFÉ of best")), sorted(terms("日本語")), sorted(terms("The Who"))
    (['best', 'café'], ['日本', '本語'], ['the', 'who'])
    """
    found = frozenset(term for _, _, term in _terms(query))
    return found - STOP or found


def marked(text: str, wanted: frozenset[str]) -> Pieces:
    """Return a text in pieces, with the wanted terms marked and invisible characters visible.

    Examples
    --------
    >>> marked("The best cafés: CAFE, Café", terms("best café"))
    [('The ', False), ('best', True), (' cafés: CAFE, ', False), ('Café', True)]
    """
    pieces: Pieces = []
    end = 0
    for start, stop in _matches(text, wanted):
        if end < start:
            pieces.append((legible(text[end:start]), False))
        pieces.append((legible(text[start:stop]), True))
        end = stop
    if end < len(text):
        pieces.append((legible(text[end:]), False))
    return pieces


def snippet(text: str, wanted: frozenset[str], longest: int = SNIPPET) -> Pieces:
    """Return the part of a text with the most different terms, in pieces as `marked` does.

    Examples
    --------
    >>> snippet("One two three four five six", terms("five"), 15)
    [('… ', False), ('four ', False), ('five', True), (' six', False)]
    """
    text = _BLANKS.sub(" ", text[:SEARCHED]).strip()
    if len(text) <= longest:
        return marked(text, wanted)
    first, last = _densest(text, wanted, longest)
    # As much text before the terms as after them, cut between words if a blank is near.
    start = max(0, min(first - (longest - (last - first)) // 2, len(text) - longest))
    if start:
        start = max(start, text.find(" ", start - 1, min(first, start + longest // 4)) + 1)
    stop = min(len(text), start + longest)
    if stop < len(text):
        blank = text.rfind(" ", max(last, start + longest * 3 // 4), stop + 1)
        stop = blank if blank > 0 else stop
    before, after = [("… ", False)] * (start > 0), [(" …", False)] * (stop < len(text))
    return [*before, *marked(text[start:stop], wanted), *after]


def _densest(text: str, wanted: frozenset[str], longest: int) -> tuple[int, int]:
    """Return the part of at most this length with the most different terms; (0, 0) if none."""
    found = [
        (start, stop, term)
        for start, stop, term in _terms(text)
        if term in wanted and stop - start <= longest
    ]
    inside: Counter[str] = Counter()
    best, most, first = (0, 0), 0, 0
    for _, stop, term in found:
        inside[term] += 1
        while found[first][0] < stop - longest:
            inside[found[first][2]] -= 1
            first += 1
        different = sum(number > 0 for number in inside.values())
        if different > most:
            most, best = different, (found[first][0], stop)
    return best


def _matches(text: str, wanted: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Yield the parts of a text that are wanted terms, joined where they overlap or touch."""
    begin = end = -1
    for start, stop, term in _terms(text):
        if term not in wanted:
            continue
        if start > end:
            if end > begin:
                yield begin, end
            begin = start
        end = stop
    if end > begin:
        yield begin, end


def _terms(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where each term begins and ends, and the term in one case and Unicode form."""
    for word in _word().finditer(text):
        start, stop = word.span()
        if stop - start > 2 and _UNSPACED.match(word[0]):
            for place in range(start, stop - 1):
                yield place, place + 2, _folded(text[place : place + 2])
        else:
            yield start, stop, _folded(word[0])


def _folded(word: str) -> str:
    return word.casefold() if word.isascii() else _form(word)


def _form(word: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", word).casefold())


@cache
def _word() -> re.Pattern[str]:
    """Return the pattern of a word: characters of one kind of script, with their marks."""
    # The letters of `re` include no combining marks, and without these Hindi vowels split words.
    codes = (code for code in range(0x300, 0x10000) if not 0xD800 <= code < 0xE000)
    marks = "".join(chr(code) for code in codes if unicodedata.category(chr(code))[0] == "M")
    letter = rf"(?!{_UNSPACED.pattern})[^\W_]"
    return re.compile(rf"{_UNSPACED.pattern}+|{letter}(?:{letter}|[{marks}])*")
