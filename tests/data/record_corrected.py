"""Record prediction-powered means as another program computes them, for tests/core/agreement.

python tests/data/record_corrected.py

It needs the package ``ppi-python``, and writes corrected_ppi_py.json.gz beside this file:
``{version, cases}``, a case being ``{human, model, others, weight, value, standard_error}``. The
standard error divides variances by the number of scores, not by one less.
"""

import gzip
import json
from importlib.metadata import version
from pathlib import Path

import numpy as np
import ppi_py
from scipy.stats import norm

HERE = Path(__file__).parent
CASES, SEED = 200, 20261201


def case(random):
    """Scores of 5 to 40 queries by both judges, and of 2 to 80 by the model alone."""
    many, rest = int(random.integers(5, 40)), int(random.integers(2, 80))
    truth = random.normal(0.02, 0.2, many + rest)
    errors = random.normal(0.05, random.uniform(0.01, 0.3), many + rest)
    model = np.round(random.uniform(0, 1.2) * truth + errors, 3)
    human, weight = np.round(truth[:many], 3), round(float(random.uniform()), 3)
    parts = human, model[:many], model[many:]
    low, high = (float(end.item()) for end in ppi_py.ppi_mean_ci(*parts, alpha=0.05, lam=weight))
    return {
        **dict(zip(("human", "model", "others"), map(np.ndarray.tolist, parts), strict=True)),
        "weight": weight,
        "value": float(ppi_py.ppi_mean_pointestimate(*parts, lam=weight).item()),
        "standard_error": (high - low) / 2 / float(norm.ppf(0.975)),
    }


def main():
    random = np.random.default_rng(SEED)
    found = {"version": version("ppi-python"), "cases": [case(random) for _ in range(CASES)]}
    text = json.dumps(found, separators=(",", ":"))
    (HERE / "corrected_ppi_py.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main()
