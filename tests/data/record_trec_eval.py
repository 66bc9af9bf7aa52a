"""Record what trec_eval 10 prints of seeded data: its doubles, and its lines by many options.

python tests/data/record_trec_eval.py PATH/TO/trec_eval PATH/TO/trec_eval_with_all_digits

Both are builds of version 10.0 (https://github.com/usnistgov/trec_eval). It prints four digits; in
meas_print_single.c and meas_print_final.c of the second ``%6.4f`` became ``%a`` before ``make``.

It writes two files beside this one. trec_eval_10_doubles.json.gz: a list of ``{options, qrels, run,
values: {measure: {query: double}}}``. Floats of JSON keep all their bits.
trec_eval_10_lines.json.gz: ``{files: {name: text}, commands: [{words, printed}]}``.
"""

import gzip
import json
import subprocess
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

CASES, COMMANDS, SEED = 400, 300, 20261123
HERE = Path(__file__).parent
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


def files(random):
    """Qrels and runs as people have them: comments, a tag of two words, a query too few."""
    queries = [f"{number}" for number in range(301, 306)]
    pool = [f"FT{number:03}" for number in range(80)]
    qrels, run = ["# judged by hand\n"], []
    for query in queries:
        qrels += [f"{query} 0 FT{n:03} {random.choice([-1, 0, 0, 1, 2, 3])}\n" for n in range(50)]
        for rank, document in enumerate(random.sample(pool, random.randint(20, 60))):
            run.append(f"{query} Q0 {document} {rank} {random.randint(0, 99) / 8} STANDARD run\n")
    fewer = [line for line in run if not line.startswith("303")]
    return {"qrels": "".join(qrels), "run": "".join(run), "fewer": "".join(fewer)}


OPTIONS = [
    *(["-q"], ["-n", "-q"], ["-c"], ["-l2"], ["-l", "3"], ["-J"], ["-M", "10"], ["-M5"]),
    *(["-m", name] for name in ("map", "P", "recall", "ndcg_cut", "official", "all_trec", "set")),
    *(["-m", name] for name in ("success", "iprec_at_recall", "Rprec_mult", "unj", "runid")),
    *(["-mP.5,10"], ["-m", "recall.1000"], ["-m", "ndcg_cut.10,20,23.4"], ["-m", "map_cut.100"]),
    *(["-m", "ndcg.1=3,2=9"], ["-mset_F.0.5"], ["-m", "rbp.p=0.8"], ["-mutility.2,-1,0,0"]),
    *(["-m", "11pt_avg..25,.5,.75"], ["-miprec_at_recall..10,.20"], ["-m", "relstring.20"]),
    *(["-m", "Rprec_mult.5.0,0.2,0.35"], ["-m", "success.2,5"], ["-m", "num_q"], ["-m", "dcg"]),
    *(["-m", "binG"], ["-m", "G.2=5"], ["-m", "recip_rank"], ["-m", "bpref"], ["-m", "infAP"]),
    *(["--measure", "gm_map"], ["--level_for_rel", "2"], ["--complete_rel_info_wanted"]),
]


def command(random):
    """Words in any order, as trec_eval takes them; each measure once."""
    asked = random.sample(OPTIONS, random.randint(1, 5))
    once = {words[-1].lstrip("-m").split(".")[0]: words for words in asked}
    parts = [*once.values(), ["qrels"]]
    random.shuffle(parts)
    # Without -c version 10 stops at a judged query that the run lacks.
    complete = any(words[0] in ("-c", "--complete_rel_info_wanted") for words in parts)
    run = random.choice(["run", "fewer"]) if complete else "run"
    place = random.randint(parts.index(["qrels"]) + 1, len(parts))
    return [word for words in [*parts[:place], [run], *parts[place:]] for word in words]


def lines(program, folder):
    """What the program prints for each command: ``{files, commands}``."""
    random = Random(SEED)
    found = {"files": files(random), "commands": []}
    for name, text in found["files"].items():
        (folder / name).write_text(text)
    for _ in range(COMMANDS):
        words = command(random)
        done = subprocess.run(
            [program, *words], capture_output=True, text=True, check=True, cwd=folder
        )
        found["commands"].append({"words": words, "printed": done.stdout})
    return found


def keep(name, found):
    text = json.dumps(found, separators=(",", ":"))
    (HERE / name).write_bytes(gzip.compress(text.encode(), mtime=0))


def main(program, exact):
    random = Random(SEED)
    cases = [case(random) for _ in range(CASES)]
    with TemporaryDirectory() as folder:
        for each in cases:
            each["values"] = values(exact, each, Path(folder))
        keep("trec_eval_10_doubles.json.gz", cases)
        keep("trec_eval_10_lines.json.gz", lines(program, Path(folder)))


if __name__ == "__main__":
    main(*sys.argv[1:])
