"""Codes of the notes, and of two problems, that the code checks for."""

UNNAMED = "N-UNNAMED"
"""A query without a name got one, which matches no other file."""
LEVEL = "N-LEVEL"
"""All scores of every query are equal."""
ONLY_RELEVANT = "N-ONLY-RELEVANT"
"""The qrels have no judged non-relevant document."""
LOW_GRADES = "N-LOW-GRADES"
"""Grades above 0 are below the default level of relevance."""
NO_SCORES = "N-NO-SCORES"
"""The order of a run comes from its ranks or rows, because it has no scores."""
SCORES_COUNT_UP = "N-SCORES-COUNT-UP"
AS_BEIR = "N-BEIR"
"""A run has the columns of BEIR's qrels, and scores that look like grades."""
ASPECTS = "N-ASPECTS"
"""The qrels judge a document for each aspect of its query."""
JUDGES = "N-JUDGES"
"""A file names who gave its grades."""
UNUSED_COLUMNS = "N-UNUSED"
"""A table has columns that are not read."""
REPEAT = "E-DUP-DOC"
"""A document appears twice in a query."""
SEVERAL_JUDGES = "E-JUDGES"
"""Two judges graded one document, in a file that is read as one judge's."""
RANK_NUMBER = "N-RANK-NUMBER"
RANK_ORDER = "N-RANK-ORDER"
RANK_SWAPPED = "N-RANK-SWAPPED"
RANK_DISTANCE = "N-RANK-DISTANCE"
RANK_START = "N-RANK-START"
RANK_SHARED = "N-RANK-SHARED"
RANK_MISSING = "N-RANK-MISSING"

ABOUT_RANKS = frozenset(
    {
        *(LEVEL, NO_SCORES, SCORES_COUNT_UP),
        *(RANK_NUMBER, RANK_ORDER, RANK_SWAPPED, RANK_DISTANCE),
        *(RANK_START, RANK_SHARED, RANK_MISSING),
    }
)
"""Notes on the order of a run's documents, which refer to the ids in the file."""
