"""Rankscope's metric core: runs, qrels, measures and the ledgers behind every score."""

from .agreement.agreement import Agreement, cohen_kappa, krippendorff_alpha
from .agreement.corrected import corrected, draw_queries
from .agreement.judge_noise import JudgeNoise, judge_noise
from .agreement.side_by_side import confusion, disagreements, majority
from .agreement.what_counts import what_counts
from .auditing.audit import fix_ids
from .bridging import ir_measure, lightgbm_metric, sklearn_scorer, xgboost_metric
from .comparing.comparison import Comparison, compare
from .comparing.decisive_labels import DecisiveLabels, decisive_labels
from .comparing.evidence import Evidence, evidence
from .comparing.judge_next import Candidate, JudgeNext, judge_next
from .comparing.leaderboard import Leaderboard, leaderboard
from .comparing.one_query import OneQuery, one_query
from .comparing.reversal import Reversal, reversal
from .conventions.convention import PRESETS, TREC_EVAL, Convention
from .data import Note, Qrels, Run
from .dataset import Dataset
from .deciding import Pairing, Statement, Verdict
from .errors import DataError, EditError, MeasureError, RankscopeError
from .exploring.ties import bounds
from .matching.batches import match, match_batches
from .matching.judged_file import JudgedFile, read_judged, save
from .matching.spark import match_spark
from .matching.streaming import match_file
from .measures import MEASURES, REGISTRY, Measure
from .measures import __getattr__ as __getattr__  # the measures, by their symbols
from .measures.ledger import Ledger
from .reading import (
    Problem,
    ReadError,
    read_attributes,
    read_exclusions,
    read_qrels,
    read_run,
    read_texts,
)
from .reading.judges import read_judges
from .scoring.evaluate import Scores, evaluate, explain, score, trace
from .scoring.naming import parse
from .scoring.own_measure import QueryGrades, own_measure
from .version import __version__ as __version__

__all__ = ["DataError", "EditError", "MeasureError", "RankscopeError", "ReadError"]
__all__ += ["Dataset", "Note", "Problem", "Qrels", "Run"]
__all__ += ["read_attributes", "read_exclusions", "read_judged", "read_judges"]
__all__ += ["read_qrels", "read_run", "read_texts"]
__all__ += ["PRESETS", "TREC_EVAL", "Convention"]
__all__ += ["JudgedFile", "fix_ids", "match", "match_batches", "match_file", "match_spark", "save"]
__all__ += ["REGISTRY", "Ledger", "Measure", "QueryGrades", "own_measure", "parse"]
__all__ += ["Scores", "bounds", "evaluate", "explain", "score", "trace"]
__all__ += ["Comparison", "Evidence", "OneQuery", "compare", "evidence", "one_query"]
__all__ += ["Leaderboard", "leaderboard"]
__all__ += ["Pairing", "Statement", "Verdict"]
__all__ += ["DecisiveLabels", "Reversal", "decisive_labels", "reversal"]
__all__ += ["Candidate", "JudgeNext", "judge_next"]
__all__ += ["Agreement", "cohen_kappa", "confusion", "disagreements", "krippendorff_alpha"]
__all__ += ["JudgeNoise", "corrected", "draw_queries", "judge_noise", "majority", "what_counts"]
__all__ += ["ir_measure", "lightgbm_metric", "sklearn_scorer", "xgboost_metric"]
__all__ += [*MEASURES]
