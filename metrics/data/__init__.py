"""Runs, qrels and data sets: immutable, checked when they are created."""

from .dataset import NO_GROUP, TEXTS, TITLE, Dataset, Document
from .notes import Kind, Note
from .run_and_qrels import Pairs, PairsT, Qrels, Run

__all__ = [
    "NO_GROUP",
    "TEXTS",
    "TITLE",
    "Dataset",
    "Document",
    "Kind",
    "Note",
    "Pairs",
    "PairsT",
    "Qrels",
    "Run",
]
