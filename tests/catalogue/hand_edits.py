"""The catalogue of bad hand edits, settings, comparisons and links, and the ranking they edit."""

import json
import re
from pathlib import Path

from metrics.editing.hand_ranking import HandRanking

MANIFEST = Path(__file__).parents[1] / "data" / "bad_inputs" / "manifest.json"
CASES = {
    case["file"].rpartition("#")[2]: case
    for case in json.loads(MANIFEST.read_text("utf-8"))
    if case["format"] == "hand_edit"
}
BASE = HandRanking.of("q", {"d1": 3, "d2": 0, "d3": 1}, ["d1", "d2", "d3"])


def unmentioned(case, message):
    """Return the words that a message lacks; letters and numbers must be separate words in it.

    What is typed has lines with titles, which are rows and document ids in the catalogue.
    """
    message = re.sub(r"\bline (?=\d)", "row ", message, flags=re.IGNORECASE)
    message = message.replace("no title", "no document id")
    patterns = {
        word: rf"(?<!\w)(?<!\d[,.]){re.escape(word)}(?!\w|,\d|\.\d*[1-9])"
        if len(word) < 3
        else re.escape(word)
        for word in CASES[case]["must_mention"]
    }
    return {
        word for word, pattern in patterns.items() if not re.search(pattern, message, re.IGNORECASE)
    }
