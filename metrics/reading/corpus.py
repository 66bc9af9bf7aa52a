"""The texts of documents by id, collected record by record, with the records' other fields."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from ..data.column_names import SYNONYMS, first_of, plain
from ..data.texts import JOINT, TITLE
from ..words import quote
from .from_json.parse import HALF
from .problems import File, ReadError

_IDS = ("_id", "id", *SYNONYMS["document"], *SYNONYMS["query"])
EXPECTED = "a unique id, a tab and a text, or a record with _id and text"
FIX = "Give every line a unique id and a text."
_TITLES = (TITLE, "name")
_TEXTS = (
    *("text", "texts", "contents", "content", "body", "passage", "abstract", "document"),
    *("query_text", "query", "description", "label"),
    *("group", "groups", "category", "type", "topic"),
)
"""Possible names of the column of texts or groups, the most certain first."""
_PARTS = {name for part in SYNONYMS.values() for name in part}
"""The names of the columns of a run or qrels."""
_MANY = 1_000
"""More names than this are not those of columns, but ids."""
_NUMBERED = {"", "unnamed:_0"}
"""The names of a first column that numbers the rows."""


@dataclass(frozen=True)
class Entry:
    """One document: its id, title, text and other fields, and the unit that numbers it."""

    key: str
    title: str
    text: str
    fields: dict[str, str]
    unit: str = "line"


@dataclass(frozen=True)
class TextColumns:
    """The names of the columns of a table or the keys of a record, by what they contain.

    Attributes
    ----------
    key, title, text
        The names of the id, the title and the text; empty where there is none.
    """

    names: tuple[str, ...]
    key: str
    title: str
    text: str

    @property
    def needed(self) -> tuple[str, str]:
        """The names of the values that a record must have: its id, and its text or title."""
        return self.key, self.text or self.title

    @cached_property
    def others(self) -> dict[str, str]:
        """The names of the other fields, without spaces around them, by the name in the file."""
        used = {self.key, self.title, self.text}
        others = (name for name in self.names if name not in used)
        return {name: name.strip() for name in others if plain(name) not in _NUMBERED}

    def entry(self, values: Mapping[str, str], unit: str) -> Entry:
        """Return the document with these values, by name."""
        fields = {
            shown: values[name]
            for name, shown in self.others.items()
            if values[name] not in ("", "{}", "[]")
        }
        title, text = values.get(self.title, ""), values.get(self.text, "")
        return Entry(values[self.key], title, text, fields, unit)


def columns_of(names: Sequence[str]) -> TextColumns | None:
    """Return the columns with these names; None if they have no id, or neither text nor title.

    The columns of a run or qrels are not those of texts.

    Examples
    --------
    >>> columns_of(["docno", "Title", "url"])
    TextColumns(names=('docno', 'Title', 'url'), key='docno', title='Title', text='')
    """
    return _columns_of(tuple(names)) if len(names) <= _MANY else None


# Most records of a file have the same keys.
@lru_cache(maxsize=64)
def _columns_of(names: tuple[str, ...]) -> TextColumns | None:
    found = first_of(_IDS, names)
    known = set(map(plain, names))
    numbered = any(known & {*SYNONYMS[part]} for part in ("score", "grade", "rank"))
    ids = all(known & {*SYNONYMS[part]} for part in ("query", "document"))
    if found is None or (numbered and ids and not known & {*_TITLES, *_TEXTS} - _PARTS):
        return None
    key, others = names[found], [name for at, name in enumerate(names) if at != found]
    title, text = (
        others[at] if (at := first_of(known, others)) is not None else ""
        for known in (_TITLES, _TEXTS)
    )
    return TextColumns(names, key, title, text) if title or text else None


@dataclass
class Corpus:
    """The documents read so far.

    Attributes
    ----------
    texts
        The title and the text of each document in one, by id.
    fields
        The titles, and the other fields by name; each by the id of the document.
    """

    texts: dict[str, str] = field(default_factory=dict)
    fields: dict[str, dict[str, str]] = field(default_factory=dict)

    def add(self, entry: Entry, number: int, file: File) -> None:
        """Add a document from this line or row of a file.

        Raises
        ------
        ReadError
            For an id that is empty or appears twice, two titles, a lone surrogate, and anything
            above the limits.
        """
        text = JOINT.join(filter(None, (entry.title, entry.text)))
        fields = ({TITLE: entry.title} if entry.title else {}) | entry.fields
        if wrong := self._wrong(entry, text, fields, file):
            raise ReadError([file.problem(*wrong, number, unit=entry.unit)])
        self.texts[entry.key] = text
        for name, value in fields.items():
            self.fields.setdefault(name, {})[entry.key] = value

    def _wrong(
        self, entry: Entry, text: str, fields: Mapping[str, str], file: File
    ) -> tuple[str, str, str, str] | None:
        """Return the code, what was found, what was expected and the fix of a broken rule."""
        key, values = entry.key, (entry.key, text, *fields, *fields.values())
        if not key or key in self.texts:
            found = f"the id {quote(key)} again" if key else "an empty id"
            return "E-FIELDS", found, EXPECTED, FIX
        if TITLE in entry.fields:
            fix = "Rename one of the columns."
            return "E-FIELDS", f"two titles of {quote(key)}", "one title", fix
        if half := next(filter(HALF.search, values), ""):
            return "E-FIELDS", f"a lone surrogate in {quote(half)}", EXPECTED, FIX
        if len(longest := max((key, *fields), key=len)) > file.limits.id:
            found = f"the id {quote(longest)}, {len(longest):,} characters: too long"
            return "E-ID", found, file.at_most("id", " characters"), "Use a shorter id."
        if (size := max(map(len, values))) > file.limits.line:
            found = f"a text of {size:,} characters: too long"
            return "E-SIZE", found, file.at_most("line"), "Shorten the text."
        if len(self.fields.keys() | fields.keys()) > (most := file.limits.columns):
            found = f"more than {most:,} fields"
            return "E-SIZE", found, file.at_most("columns"), "Leave some out."
        return None
