"""A run and its qrels under a convention: the hits that every score is made of."""

from .hits import Hits
from .judged import JudgedRankings, Rankings

__all__ = ["Hits", "JudgedRankings", "Rankings"]
