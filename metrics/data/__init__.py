"""Runs, qrels and data sets: immutable, checked when they are created."""

from .dataset import TEXTS, TITLE, Dataset, Document
from .notes import Kind, Note
from .run_and_qrels import Pairs, PairsT, Qrels, Run

__all__ = [
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
