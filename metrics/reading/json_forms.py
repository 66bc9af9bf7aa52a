"""The forms of JSON in which a query's documents stand together."""

from __future__ import annotations

from typing import Any

from ..data import Pairs, Qrels, Run
from .cells import count_down
from .faults import require_room
from .header import SYNONYMS, plain
from .json_parts import WORDS, is_pair, part, parts_of, require_once, require_query, require_whole
from .parse_json import Members, Number, kind_of
from .problems import File, count, quote
from .rows import NUMBER, Rows

_TRUE_FALSE = {True: "1", False: "0"}
RELEVANT = "1"
"""The grade of a document in a bare list of relevant ids."""


class Sheet:
    """What was found so far, query by query."""

    def __init__(self, kind: type[Pairs], file: File) -> None:
        self.kind = kind
        self.file = file
        self._rows: dict[type[Pairs], Rows] = {}
        self._seen: set[str] = set()
        self._unnamed = 0
        self._counts: dict[str, tuple[int, str]] = {}

    def found(self) -> dict[type[Pairs], Rows]:
        """The rows of each kind, with what was assumed.

        Raises
        ------
        ReadError
            When there is none of the kind that is asked for.
        """
        for what, (number, first) in self._counts.items():
            for rows in self._rows.values():
                rows.notes.append(f"{count(number, *WORDS[what])} {first}.")
        return self._rows or {self.kind: Rows()}

    def add_query(self, query: str, content: Any) -> None:
        """One query's documents: with values, in order, or as records with grades."""
        if isinstance(content, Members) and isinstance(content.first("retrieved"), list):
            self.add_judged(query, content)
            return
        self.name(query)
        if isinstance(content, Members):
            self._values(self.kind, query, content)
        elif not isinstance(content, list):
            fix = "Nest the values by query id, then by document id."
            expected = "an object: {query: {document: value}}"
            found = f"{kind_of(content)} as query {quote(query)}"
            raise self.file.error("E-JSON", found, expected, fix)
        elif content and all(is_pair(each) for each in content):
            self._values(self.kind, query, [(each[0], each[1]) for each in content])
        elif content and all(isinstance(each, Members) for each in content):
            self._judged_rows(query, content)
        else:
            self._listed(self.kind, query, content)

    def add_judged(self, query: str, record: Members) -> None:
        """A record with what was retrieved, and what is relevant or the grades."""
        require_once(record, self.file)
        named = next((v for k, v in record if plain(k) in SYNONYMS["query"]), None)
        query = query or (str(named) if isinstance(named, str) else self._numbered())
        self.name(query)
        self._listed(Run, query, record.first("retrieved"))
        grades = part(record, "relevance_scores", Members, query, self.file)
        relevant = part(record, "relevant", list, query, self.file)
        if grades is not None:
            self._values(Qrels, query, grades)
            listed = [each for each in relevant or [] if isinstance(each, str)]
            missing = set(listed) - {document for document, _ in grades}
            if missing:
                fix = "Give it a grade in relevance_scores too."
                found = f"{quote(min(missing))} of query {quote(query)} in relevant alone"
                raise self.file.error("E-JSON", found, "one set of judgments", fix)
        elif relevant is not None:
            self._listed(Qrels, query, relevant)
        else:
            fix = "Give relevant, a list of ids, or relevance_scores, {id: grade}."
            found = f"no judgments for query {quote(query)}"
            raise self.file.error("E-JSON", found, "relevant or relevance_scores", fix)

    def add_unnamed(self, entry: list[Any]) -> None:
        """A query without a name: ranked ids and judgments, or a list of graded records."""
        query = self._numbered()
        self.name(query)
        if entry and all(isinstance(each, Members) for each in entry):
            self._judged_rows(query, entry)
            return
        if len(entry) != 2 or not isinstance(entry[0], list):
            expected = "two parts: ranked ids and judgments"
            fix = "Give [[id, …], [[id, grade], …]] for each query."
            raise self.file.error("E-JSON", f"{len(entry)} parts in a query", expected, fix)
        ranked, judgments = entry
        self._listed(Run, query, ranked)
        if isinstance(judgments, Members):
            self._values(Qrels, query, judgments)
        elif not isinstance(judgments, list):
            found = f"{kind_of(judgments)} as the judgments of query {quote(query)}"
            fix = "Give [id, …], [[id, grade], …] or {id: grade}."
            raise self.file.error("E-JSON", found, "a list or an object", fix)
        elif all(is_pair(each) for each in judgments):
            self._values(Qrels, query, [(each[0], each[1]) for each in judgments])
        else:
            self._listed(Qrels, query, judgments)

    def note(self, what: str, first: str) -> None:
        """Count something that was assumed; the first of them is named."""
        number, known = self._counts.get(what, (0, first))
        self._counts[what] = number + 1, known

    def put(self, kind: type[Pairs], query: str, document: Any, value: Any) -> None:
        """One more row; the value a number, a text of one, or true or false for a grade."""
        rows = self._rows.setdefault(kind, Rows())
        require_room(len(rows.line), self.file)
        where = f"for {quote(query)}, {quote(str(document))}"
        if isinstance(document, Number):
            self.note("id", f"{where}: kept as it is written")
        elif not isinstance(document, str):
            found = f"{kind_of(document)} as a document id of query {quote(query)}"
            raise self.file.error("E-ID", found, "ids that are text", "Write it in quotes.")
        require_whole(document, where, self.file)
        if isinstance(value, str) and not isinstance(value, Number) and NUMBER.fullmatch(value):
            self.note("string", where)
        elif not isinstance(value, Number):
            fix = "Write it as a number, without quotes."
            raise self.file.error("E-NUMBER", f"{kind_of(value)} {where}", "a number", fix)
        elif not NUMBER.fullmatch(value):
            fix = "Write it with digits and a decimal point."
            raise self.file.error("E-NUMBER", f"{value} {where}", "a number", fix)
        rows.add(0, query, str(document), str(value))

    def _values(
        self, kind: type[Pairs], query: str, content: Members | list[tuple[Any, Any]]
    ) -> None:
        if not content:
            self.note("bare", quote(query))
        documents = [document for document, _ in content]
        values = [value for _, value in content]
        # Whole queries at a time, as long as nothing in them has to be told.
        kinds = {*map(type, documents)}, {*map(type, values)}
        if kinds == ({str}, {Number}) and (query + "".join(documents)).isascii():
            rows = self._rows.setdefault(kind, Rows())
            require_room(len(rows.line) + len(documents) - 1, self.file)
            rows.extend(query, documents, values)
            return
        for document, value in content:
            self.put(kind, query, document, value)

    def _listed(self, kind: type[Pairs], query: str, documents: list[Any]) -> None:
        """Documents in rank order, or those that are relevant."""
        if not documents:
            self.note("bare", quote(query))
        what = "order" if kind is Run else "listed"
        self.note(what, quote(query))
        self._rows.setdefault(kind, Rows()).lists_relevant |= kind is Qrels
        scores = count_down([query] * len(documents))
        for document, score in zip(documents, scores, strict=True):
            self.put(kind, query, document, Number(score if kind is Run else RELEVANT))

    def _judged_rows(self, query: str, records: list[Members]) -> None:
        """Records of a document with its score, or with its grade and in rank order, or both."""
        found = [parts_of(record) for record in records]
        wanted = {key for parts in found for key in parts} & {"score", "grade"} or {"grade"}
        for record, parts in zip(records, found, strict=True):
            require_once(record, self.file)
            if not parts.keys() >= {"document", *wanted}:
                told = f"a record of {', '.join(quote(key) for key, _ in record)} in {quote(query)}"
                fix = "Give each document's id and grade."
                raise self.file.error("E-JSON", told, "doc_id and relevant", fix)
        if "score" in wanted:
            # Where nothing else is said, a score is what was asked for: BEIR's grades are scores.
            kind = Run if "grade" in wanted else self.kind
            for parts in found:
                self.put(kind, query, parts["document"], parts["score"])
        else:
            self._listed(Run, query, [parts["document"] for parts in found])
        for parts in found if "grade" in wanted else ():
            grade = parts["grade"]
            number = Number(_TRUE_FALSE[grade]) if isinstance(grade, bool) else grade
            self.put(Qrels, query, parts["document"], number)

    def name(self, query: str) -> None:
        """Begin a query.

        Raises
        ------
        ReadError
            When it was there before, or is no id.
        """
        require_query(query, self.file)
        if query in self._seen:
            fix = "Merge the two entries."
            found = f"the query {quote(query)} twice (a duplicate key)"
            raise self.file.error("E-DUP-QUERY", found, "each query once", fix)
        self._seen.add(query)

    def _numbered(self) -> str:
        self._unnamed += 1
        query = f"q{self._unnamed}"
        self.note("unnamed", "here")
        return query
