"""Rankscope's metric core: runs, qrels, measures and the ledgers behind every score."""

from .comparing.comparison import Comparison, compare
from .conventions.convention import PRESETS, TREC_EVAL, Convention
from .data import Dataset, Qrels, Run
from .errors import DataError, EditError, MeasureError, RankscopeError
from .exploring.ties import bounds
from .judging.judged import judge
from .judging.streaming import judge_file
from .measures import REGISTRY, Measure
from .measures.ledger import Ledger
from .reading import Problem, ReadError, read_qrels, read_run, read_texts
from .scoring.evaluate import Scores, evaluate, explain, trace
from .scoring.naming import parse
from .version import __version__ as __version__

__all__ = [
    "PRESETS",
    "REGISTRY",
    "TREC_EVAL",
    "Comparison",
    "Convention",
    "DataError",
    "Dataset",
    "EditError",
    "Ledger",
    "Measure",
    "MeasureError",
    "Problem",
    "Qrels",
    "RankscopeError",
    "ReadError",
    "Run",
    "Scores",
    "bounds",
    "compare",
    "evaluate",
    "explain",
    "judge",
    "judge_file",
    "parse",
    "read_qrels",
    "read_run",
    "read_texts",
    "trace",
]
