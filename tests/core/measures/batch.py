"""Many cases judged as the queries of one run: a call costs the same for one or for hundreds."""

import numpy as np

from metrics import Qrels, Run, match


def together(parts):
    """The queries of many cases as those of one; a case's number is before its queries' ids."""
    return {f"{number} {query}": of for number, part in parts.items() for query, of in part.items()}


def judged_together(cases, convention):
    """The judged rankings of cases by number, each with ``qrels`` and a ``run``."""
    qrels, run = (
        together({n: case[part] for n, case in cases.items()}) for part in ("qrels", "run")
    )
    return match(Qrels.from_dict(qrels), Run.from_dict(run), convention)


def close(ours, theirs, relative, absolute):
    """`math.isclose` for arrays; NaN is close to nothing."""
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    largest = np.maximum(np.abs(ours), np.abs(theirs))
    return np.abs(ours - theirs) <= np.maximum(relative * largest, absolute)
