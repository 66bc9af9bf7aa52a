"""A data set: qrels, runs, and the texts behind the ids."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from .data import TITLE, Document, PairsT, Qrels, Run
from .data.texts import JOINT, is_weight, repeats, weights
from .matching import JudgedRankings, Rankings

FEW_GROUPS = 50
"""Above this, values that do not repeat, such as remarks, are of one query each and no groups."""


@dataclass(frozen=True, eq=False)
class Dataset:
    """Qrels, the runs to evaluate, the texts to show beside the ids, and attributes of queries.

    Attributes
    ----------
    title
        The name on screen.
    qrels
        The judgments, with the grades that were changed by hand.
    runs
        The runs that are known as a whole.
    query_texts
        The text of each query, by its id.
    document_texts
        The title and the text of each document in one, by document id.
    query_attributes
        The attributes of queries, such as a device, by name, then by the query's id.
    document_fields
        The fields of a corpus other than the text, by the field's name, then by document id.
    part
        Which queries these are, if the data were cut to some of them.
    judged
        Judged rankings by the same judgments, of runs that are not known as a whole.
    uploaded
        The qrels as they were loaded, where grades were changed by hand; None where none was.
    judges
        The judgments of further judges, each under the judge's name; nothing is scored by them.
    under
        Where grades of several judges count by a rule: what edits belong to, as in `what_counts`.
    """

    title: str
    qrels: Qrels
    runs: tuple[Run, ...]
    query_texts: Mapping[str, str] = field(default_factory=dict)
    document_texts: Mapping[str, str] = field(default_factory=dict)
    query_attributes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    document_fields: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    part: str = ""
    judged: tuple[JudgedRankings, ...] = ()
    uploaded: Qrels | None = None
    judges: tuple[Qrels, ...] = ()
    under: str = ""

    @property
    def original(self) -> Qrels:
        """The qrels as they were loaded."""
        return self.qrels if self.uploaded is None else self.uploaded

    @property
    def key(self) -> str:
        """What edits of the data belong to: the digest of the qrels as they were loaded.

        Without a judgment it is that of the first run, which more runs do not change: the qrels of
        all such data with the same queries are equal.
        """
        if self.under:
            return self.under
        return self.original.digest if len(self.original) or not self.runs else self.runs[0].digest

    @property
    def judged_by(self) -> str:
        """Whose grades count, or by which rule, where there are several judges; else empty."""
        return f"judged by {self.qrels.name}" if self.judges or self.under else ""

    @cached_property
    def weights(self) -> dict[str, dict[str, float]]:
        """The attributes of numbers, 0 or more, whose names say how often a query is asked."""
        every = self.query_attributes.items()
        return {name: found for name, of in every if is_weight(name) and (found := weights(of))}

    @property
    def groupings(self) -> dict[str, Mapping[str, str]]:
        """The attributes that group queries: their values repeat, or are few and no weights."""
        return {
            name: of
            for name, of in self.query_attributes.items()
            if repeats(of) or (name not in self.weights and len({*of.values()}) <= FEW_GROUPS)
        }

    @property
    def is_judged(self) -> bool:
        """Whether there is any judgment; if not, the runs can be compared without scores."""
        return len(self.qrels) > 0

    @property
    def rankings(self) -> tuple[Rankings, ...]:
        """All that can be scored: the runs, then the judged rankings; no two of the same name."""
        return *self.runs, *self.judged

    @property
    def is_comparable(self) -> bool:
        """Whether there are two rankings, or judged ones, which stand beside the ideal."""
        return len(self.rankings) > 1 or bool(self.judged)

    def of(self, *rankings: Rankings) -> Dataset:
        """Return the same data with these rankings in the place of all.

        Parameters
        ----------
        *rankings
            Runs, and judged rankings of runs that are not known as a whole.
        """
        runs = tuple(each for each in rankings if isinstance(each, Run))
        judged = tuple(each for each in rankings if isinstance(each, JudgedRankings))
        return replace(self, runs=runs, judged=judged)

    def only(self, queries: Collection[str], part: str = "") -> Dataset:
        """Return the same data with the qrels and all rankings cut to these queries.

        Every number of the cut data comes from the same code as for the whole. Notes on the files
        stay, because they say how the rows were read.

        Parameters
        ----------
        queries
            Ids of queries; those that the data lack are left out.
        part
            Which queries these are, in words.

        Examples
        --------
        >>> pairs = {"q1": {"x": 1}, "q2": {"x": 1}}
        >>> data = Dataset("", Qrels.from_dict(pairs), (Run.from_dict(pairs),))
        >>> data.only(["q2", "q9"]).runs
        (Run('': 1 queries, 1 rows),)
        """

        def cut(pairs: PairsT) -> PairsT:
            return pairs.only(*queries).noted(pairs.notes)

        runs = tuple(map(cut, self.runs))
        judged = tuple(each.only(*queries) for each in self.judged)
        return replace(self, qrels=cut(self.qrels), runs=runs, judged=judged, part=part)

    def document(self, name: str) -> Document:
        """Return a document by its id; without a title, a text and fields where none is known.

        Parameters
        ----------
        name
            The document's id.

        Examples
        --------
        >>> texts, fields = {"d1": "Mouse. Wireless."}, {"title": {"d1": "Mouse"}}
        >>> qrels = Qrels.from_dict({"q1": {"d1": 1}})
        >>> Dataset("", qrels, (), document_texts=texts, document_fields=fields).document("d1")
        Document(title='Mouse', text='Wireless.', fields={})
        """
        fields = {key: of[name] for key, of in self.document_fields.items() if name in of}
        title = fields.pop(TITLE, "")
        text = self.document_texts.get(name, "")
        if title:
            text = text.removeprefix(title).removeprefix(JOINT)
        return Document(title, text, fields)

    def texts(self) -> Iterator[Mapping[str, str]]:
        """Yield the texts of each kind by id, those of attributes and of fields among them."""
        yield from (self.query_texts, self.document_texts)
        yield from self.query_attributes.values()
        yield from self.document_fields.values()
