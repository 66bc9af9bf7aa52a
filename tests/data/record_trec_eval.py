"""Record the doubles of trec_eval 10: what a build that prints ``%a`` says of seeded cases.

python tests/data/record_trec_eval.py PATH/TO/trec_eval

trec_eval prints four digits; in meas_print_single.c and meas_print_final.c of version 10.0
(https://github.com/usnistgov/trec_eval) ``%6.4f`` became ``%a`` before ``make``. It writes
trec_eval_10_doubles.json.gz beside this file: the cases, a list of ``{options, qrels, run,
values: {measure: {query: double}}}``. Floats of JSON keep all their bits.
"""

import gzip
import json
import subprocess
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

CASES, SEED = 400, 20261123
OUT = Path(__file__).with_name("trec_eval_10_doubles.json.gz")
GRADES = {"binary": [0, 1], "graded": [0, 0, 1, 2, 3], "negative": [-1, 0, 0, 1, 2]}


def case(random):
    """One case: some queries of 5 to 60 documents, many of them tied or unjudged."""
    grades = GRADES[random.choice(list(GRADES))]
    options = [*random.choice([[], [], ["-l", "2"]]), *random.choice([[], [], ["-J"]])]
    qrels, run = {}, {}
    for query in (f"q{number}" for number in range(random.randint(1, 3))):
        pool = [f"d{number}" for number in range(random.randint(5, 60))]
        judged = {document: random.choice(grades) for document in pool if random.random() < 0.7}
        # trec_eval reads past its memory where a query has no grade of 0 or more.
        qrels[query] = judged | {"d0": 1}
        retrieved = random.sample(pool, random.randint(1, len(pool)))
        # trec_eval divides 0 by 0 where -J leaves nothing of a query.
        retrieved += [] if "d0" in retrieved else ["d0"]
        most = random.choice([4, 1000])
        run[query] = {document: random.randint(0, most) / 8 for document in retrieved}
    return {"options": options, "qrels": qrels, "run": run}


def values(program, case, folder):
    """What the program prints for each query: ``{measure: {query: double}}``."""
    qrels, run = folder / "qrels", folder / "run"
    qrels.write_text(
        "".join(f"{q} 0 {d} {g}\n" for q, of in case["qrels"].items() for d, g in of.items())
    )
    run.write_text(
        "".join(f"{q} Q0 {d} 0 {s} t\n" for q, of in case["run"].items() for d, s in of.items())
    )
    command = [program, *case["options"], "-q", "-m", "all_trec", qrels, run]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = {}
    for line in printed.splitlines():
        name, query, value = line.split()
        if query != "all" and name != "relstring":
            number = float.fromhex(value) if "0x" in value else float(value)
            found.setdefault(name, {})[query] = number
    return found


def main(program):
    random = Random(SEED)
    cases = [case(random) for _ in range(CASES)]
    with TemporaryDirectory() as folder:
        for each in cases:
            each["values"] = values(program, each, Path(folder))
    text = json.dumps(cases, separators=(",", ":"))
    OUT.write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main(sys.argv[1])
