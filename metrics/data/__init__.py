"""Runs, qrels and data sets: immutable, checked when they are made."""

from .dataset import TEXTS, Dataset
from .pairs import Pairs, PairsT, Qrels, Run

__all__ = ["TEXTS", "Dataset", "Pairs", "PairsT", "Qrels", "Run"]
