"""The texts behind ids: a document of a corpus, and the roles of the files they come from."""

from collections.abc import Mapping
from dataclasses import dataclass

TEXTS = ("query_texts", "document_texts", "query_groups")
"""The roles of files other than the qrels and runs, which are also fields of `Dataset`."""
NO_GROUP = "no group"
"""The group of the queries that have none."""
TITLE = "title"
"""The name of the titles among the fields of a corpus."""
JOINT = ". "
"""The characters between the title and the text of a document."""


@dataclass(frozen=True)
class Document:
    """A document of a corpus: its title, its text, and its other fields by name."""

    title: str
    text: str
    fields: Mapping[str, str]
