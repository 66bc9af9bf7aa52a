"""Every measure by what it is for, and where it looks in a list."""

from ..editing.pasted import read_ranking
from ..measures import Measure

TASKS: dict[str, tuple[str, ...]] = {
    "The first hit": ("RR", "Success", "ERR", "nERR", "IERR", "PFound"),
    "The top k": ("P", "R", "RCap", "F1", "F", "SetAP"),
    "Every hit": ("AP", "Rprec", "IPrec", "AvgIPrec"),
    "Fading with the rank": ("nDCG", "DCG", "IDCG", "nDCGrel", "RnDCG", "G", "binG", "RBP"),
    "Every aspect or need": (
        *("alpha_nDCG", "alpha_DCG", "alpha_IDCG", "ERR_IA", "nERR_IA", "IERR_IA"),
        *("NRBP", "nNRBP", "INRBP", "AP_IA", "P_IA", "StRecall", "AllAspects", "AllRel"),
    ),
    "Unjudged documents": ("Judged", "Unjudged", "Bpref", "infAP", "RBPres"),
    "Other orders": ("Accuracy", "Compat"),
    "Hard queries": ("LogAP", "LogBpref"),
    "Counts and costs": ("NumRet", "NumRel", "NumRelRet", "NumNonrelRet", "Utility"),
}
"""The symbols of the measures, by where they look, then by task; the usual one first."""

K = 5
"""The cutoff of a measure that usually has one."""
PICTURED = read_ranking(
    """Umbrellas of the year, 0
How to waterproof old boots, 2
Knots that hold, 1
Boots in the sale, ?
Boots for wet trails, 2
Ten raincoats, 0
Socks that dry overnight, 1
Winter boots after a month, 2
|
Eleven boots in a peat bog, 3""",
    "boots that stay dry",
)
"""The list on which each measure is pictured: hits, others, and one that is not judged."""
LONGER = read_ranking("0,2,1,?,2,0,1,2,0,0,1,0,3,0,0,1,0,0,2,0,0,1,0,1 | 3", "a longer list")
"""The same grades and more, so that each usual cutoff but the deepest has its own picture."""
_HIGHEST = max(PICTURED.grades.values())


def usual(kind: type[Measure]) -> Measure:
    """Return a measure in its usual form, with a scale that has the pictured grades.

    Examples
    --------
    >>> from metrics import REGISTRY
    >>> [str(usual(REGISTRY[symbol])) for symbol in ("P", "AP", "IPrec", "PFound")]
    ['P@5', 'AP', 'IPrec@0.5', 'PFound(max=3)@5']
    """
    scale = {"max": _HIGHEST} if getattr(kind, "max", _HIGHEST) < _HIGHEST else {}
    if kind.suffix == "cutoff":
        return kind(K if kind.usually_cut else None, **scale)
    return kind() @ 0.5 if kind.needs else kind()
