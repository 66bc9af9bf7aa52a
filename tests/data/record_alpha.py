"""Record Krippendorff's alpha as another program computes it, for tests/core/agreement.

python tests/data/record_alpha.py

It needs the package ``krippendorff``, and writes alpha_krippendorff.json.gz beside this file:
``{version, cases}``, a case being ``{grades: [[grade or null, ...] of each judge], alpha: {level of
measurement: double}}``. Cases have missing, negative and fractional grades, judges who rarely judge
and documents that one judge or none graded.
"""

import gzip
import json
from importlib.metadata import version
from pathlib import Path
from random import Random

import krippendorff

HERE = Path(__file__).parent
CASES, SEED = 300, 20261125
SCALES = ([0, 1], [0, 1, 2, 3], [-2, 0, 1, 4], [0, 0.25, 0.5, 1], [1, 2, 3, 10], list(range(11)))


def case(random):
    """The grades of 2 to 6 judges for 3 to 40 documents; None is missing."""
    scale, documents = random.choice(SCALES), random.randint(3, 40)
    usual = [random.choice(scale) for _ in range(documents)]
    judges = []
    for _ in range(random.randint(2, 6)):
        missing, wrong = random.choice([0, 0.1, 0.3, 0.7]), random.choice([0.1, 0.4, 1])
        judges.append(
            [
                None
                if random.random() < missing
                else random.choice(scale)
                if random.random() < wrong
                else grade
                for grade in usual
            ]
        )
    return judges


def shared(judges):
    """The grades of documents that at least two judges graded."""
    for of_document in zip(*judges, strict=True):
        grades = [grade for grade in of_document if grade is not None]
        yield from grades if len(grades) > 1 else []


def main():
    random, cases = Random(SEED), []
    while len(cases) < CASES:
        judges = case(random)
        if len(set(shared(judges))) < 2:
            continue  # alpha is undefined
        data = [[float("nan") if grade is None else grade for grade in each] for each in judges]
        alpha = {
            level: float(krippendorff.alpha(reliability_data=data, level_of_measurement=level))
            for level in ("nominal", "ordinal", "interval")
        }
        cases.append({"grades": judges, "alpha": alpha})
    found = {"version": version("krippendorff"), "cases": cases}
    text = json.dumps(found, separators=(",", ":"))
    (HERE / "alpha_krippendorff.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main()
