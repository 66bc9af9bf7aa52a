"""Runs and qrels: immutable, checked when they are created; documents and their texts."""

from .checks import LARGEST_GRADE
from .exclusions import LEFT_OUT, Exclusions
from .notes import Note, Severity
from .run_and_qrels import Pairs, PairsT, Qrels, Run
from .texts import GROUP, NO_GROUP, TEXTS, TITLE, Document

__all__ = ["GROUP", "LARGEST_GRADE", "LEFT_OUT", "NO_GROUP", "TEXTS", "TITLE", "Document"]
__all__ += ["Exclusions", "Note", "Pairs", "PairsT", "Qrels", "Run", "Severity"]
