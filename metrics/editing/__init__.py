"""Editing one ranking: pasted text, edits, undo, and links."""

from .hand_ranking import Entry, HandRanking, grade_scale
from .history import History, differences
from .origin import Origin
from .signature import LONGEST_NAME, LONGEST_NOTE, Signature

__all__ = ["LONGEST_NAME", "LONGEST_NOTE", "Entry", "HandRanking", "History", "Origin", "Signature"]
__all__ += ["changed_grades", "differences", "edits", "grade_scale", "grades_link", "hand_ranking"]
__all__ += ["pasted", "ranking_link", "sheet"]
