"""Editing one ranking: pasted text, edits, undo, and links."""

from .hand_ranking import Entry, HandRanking, grade_scale
from .history import History, differences
from .log import SHEET, Grades, Log, Record, Said, Switch
from .origin import Origin
from .sheet import OfQuery
from .signature import LONGEST_NAME, LONGEST_NOTE, Signature
from .store import Change, Edits, Sheet, Writer

__all__ = ["LONGEST_NAME", "LONGEST_NOTE", "SHEET", "Change", "Edits", "Entry", "Grades"]
__all__ += ["HandRanking", "History", "Log", "OfQuery", "Origin", "Record", "Said", "Sheet"]
__all__ += ["Signature", "Switch", "Writer"]
__all__ += ["changed_grades", "differences", "edits", "grade_scale", "grades_link", "hand_ranking"]
__all__ += ["pasted", "ranking_link", "sheet"]
