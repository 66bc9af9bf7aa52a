"""Record what ndeval and ir_measures compute of queries with aspects, on seeded cases.

python tests/data/record_aspects.py ndeval NDEVAL   # the path of the compiled program
python tests/data/record_aspects.py ir_measures

It needs the tool itself, and writes aspects_TOOL.json.gz beside this file: ``{version, cases}``, a
case being ``{aspects: {query: {document: {aspect: grade}}}, run, options, values}``. The query
``all`` is ndeval's own mean. Half of the cases have many ties. ndeval orders equal scores as
trec_eval does (its ``-traditional``), and prints six digits.
"""

import csv
import gzip
import io
import json
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from random import Random

HERE = Path(__file__).parent
CASES, SEED = 300, 20261124


def case(random, grades):
    """A case: up to 4 queries of up to 5 aspects, rankings of 2 to 30 documents."""
    aspects, run = {}, {}
    for query in map(str, range(1, random.randint(1, 4) + 1)):
        names = [str(number) for number in range(1, random.randint(1, 5) + 1)]
        pool = [f"d{number}" for number in range(random.randint(4, 40))]
        judged = random.sample(pool, random.randint(1, len(pool)))
        sparse = [0] * random.choice([0, 4])
        aspects[query] = {
            document: {name: random.choice([*grades, *sparse]) for name in names}
            for document in judged
        }
        retrieved = random.sample(pool, random.randint(2, min(30, len(pool))))
        levels = random.choice([3, 10_000])
        run[query] = {document: random.randint(1, levels) / 8 for document in retrieved}
    if len(run) > 1 and random.random() < 0.2:
        run.pop(random.choice(list(run)))
    return {"aspects": aspects, "run": run}


def ndeval(program):
    random = Random(SEED)
    for _ in range(CASES):
        each = case(random, random.choice([[0, 1], [0, 0, 1, 2, 3]]))
        options = {
            "alpha": random.choice([0.5, 0.5, 0.3, 0.9, 1.0]),
            "beta": random.choice([0.5, 0.8]),
        }
        with tempfile.TemporaryDirectory() as folder:
            qrels, run = Path(folder, "qrels"), Path(folder, "run")
            qrels.write_text(
                "".join(
                    f"{query} {name} {document} {grade}\n"
                    for query, documents in each["aspects"].items()
                    for document, grades in documents.items()
                    for name, grade in grades.items()
                )
            )
            run.write_text(
                "".join(
                    f"{query} Q0 {document} 0 {score} t\n"
                    for query, scores in each["run"].items()
                    for document, score in scores.items()
                )
            )
            command = [program, "-traditional", "-alpha", str(options["alpha"])]
            command += ["-beta", str(options["beta"]), str(qrels), str(run)]
            printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        values = {}
        for row in csv.DictReader(io.StringIO(printed)):
            del row["runid"]
            query = {"amean": "all"}.get(topic := row.pop("topic"), topic)
            for name, value in row.items():
                values.setdefault(name, {})[query] = float(value)
        yield {**each, "options": options, "values": values}


def ir_measures(_):
    import ir_measures as ir

    names = [
        *("alpha_nDCG@5", "alpha_nDCG@20", "alpha_nDCG(alpha=0.3)@10", "alpha_nDCG(rel=2)@10"),
        *("alpha_DCG@2", "alpha_DCG@10", "ERR_IA@2", "ERR_IA@20", "ERR_IA(rel=2)@10"),
        *("nERR_IA@3", "nERR_IA@20", "NRBP", "NRBP(alpha=0.3,beta=0.8)", "nNRBP"),
        *("AP_IA", "AP_IA(rel=2)", "P_IA@5", "P_IA@20", "StRecall@2", "StRecall@10"),
        *("StRecall(rel=2)@5", "alpha_DCG@1", "ERR_IA@1"),
    ]
    measures = {name: ir.parse_measure(name) for name in names}
    random = Random(SEED)
    for _ in range(CASES):
        each = case(random, random.choice([[0, 1], [0, 0, 1, 2, 3], [-1, 0, 1, 2]]))
        qrels = [
            ir.Qrel(query, document, grade, name)
            for query, documents in each["aspects"].items()
            for document, grades in documents.items()
            for name, grade in grades.items()
        ]
        values = {}
        # One at a time: of measures with other options it sees an empty run.
        for name, measure in measures.items():
            for one in ir.iter_calc([measure], qrels, each["run"]):
                values.setdefault(name, {})[one.query_id] = float(one.value)
        yield {**each, "options": {}, "values": values}


TOOLS = {
    "ndeval": (ndeval, lambda: "4.5"),
    "ir_measures": (ir_measures, lambda: version("pyndeval")),
}


if __name__ == "__main__":
    tool, *path = sys.argv[1:]
    record, of = TOOLS[tool]
    content = {"version": of(), "cases": list(record(*path or [""]))}
    target = HERE / f"aspects_{tool}.json.gz"
    with gzip.GzipFile(target, "wb", mtime=0) as file:
        file.write(json.dumps(content, separators=(",", ":")).encode())
