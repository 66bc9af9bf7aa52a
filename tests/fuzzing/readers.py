"""The readers that are fuzzed, and the files that the fuzzer starts from."""

from __future__ import annotations

import base64
import random
import zlib
from collections.abc import Callable
from contextlib import suppress

import numpy as np

from metrics import (
    Qrels,
    Run,
    evaluate,
    match,
    match_file,
    read_judged,
    read_judges,
    read_run,
    read_texts,
)
from metrics.auditing.audit import findings
from metrics.auditing.intake import Given, add_files, mended
from metrics.data import TEXTS, Pairs
from metrics.editing.hand_ranking import HandRanking
from metrics.editing.pasted import read_ranking
from metrics.editing.ranking_link import from_json, pack, to_json, unpack
from metrics.errors import RankscopeError
from metrics.matching.judged import JudgedRankings
from metrics.reading import read_all, read_corpus
from metrics.sessions.session_file import load
from tests.fuzzing import judged_files, sessions, valid
from tests.fuzzing.invariants import as_written, refusal, sound

_QRELS = Qrels.from_dict({"q1": {"d1": 2, "d2": 0, "é": 1}, "q2": {"d1": 1}})
_NAMES = (
    *("r.txt", "run.csv", "x.tsv", "r.json", "r.jsonl", "r.parquet", "r.run.gz", "r.zip", "noext"),
    *("", ".csv", "a/b\\c.txt", "\u202efdp.csv", "q.qrels", "\0", "r.exe", "x" * 300 + ".csv"),
)


def _tables(*kinds: type[Pairs]) -> Callable[[bytes], None]:
    def read(data: bytes) -> None:
        for kind in kinds:
            try:
                found = read_all(kind, data, "given")
            except RankscopeError as error:
                refusal(error)
                continue
            for pairs in found:
                sound(pairs)
                as_written(pairs, data)

    return read


def _run(data: bytes) -> None:
    """Match a run read whole and one reduced while it is read; both must agree."""
    _tables(Run)(data)
    found: list[JudgedRankings | None] = []
    for act in (lambda: match_file(_QRELS, data), lambda: match(_QRELS, read_run(data))):
        try:
            found.append(act())
        except RankscopeError as error:
            refusal(error)
            found.append(None)
    streamed, whole = found
    assert (streamed is None) == (whole is None)
    if streamed and whole:
        assert streamed.queries == whole.queries
        assert streamed.notes == whole.notes
        assert streamed.hits.document.equals(whole.hits.document)
        assert streamed.hits.rank.tolist() == whole.hits.rank.tolist()


def _texts(data: bytes) -> None:
    try:
        corpus = read_corpus(data, "given")
    except RankscopeError as error:
        refusal(error)
        return
    assert corpus.texts == read_texts(data, "given")
    for found in (corpus.texts, *corpus.fields.values()):
        assert all(found)
        assert {*found} <= {*corpus.texts}
        "\n".join([*found, *found.values(), *corpus.fields]).encode()


def _pasted(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    link = "1." + base64.urlsafe_b64encode(zlib.compress(data)).decode().rstrip("=")
    for read in (
        lambda: read_ranking(text, "q"),
        lambda: from_json(text),
        lambda: unpack(text),
        lambda: unpack(link),
    ):
        try:
            ranking = read()
        except RankscopeError as error:
            refusal(error)
        else:
            _kept(ranking)


def _kept(ranking: HandRanking) -> None:
    assert unpack(pack(ranking)) == from_json(to_json(ranking)) == ranking
    assert all(entry.document for entry in ranking.entries)
    assert len(ranking.run) == len(ranking.retrieved)
    assert np.isfinite(ranking.qrels.value).all()


def _intake(data: bytes) -> None:
    chance = random.Random(zlib.crc32(data))
    parts = data.split(b"\n~~~\n")
    roles = ("qrels", "run", "run", "qrels", *TEXTS, "", "", "")
    uploads = [
        Given(chance.choice(_NAMES[:1] if chance.random() < 0.9 else _NAMES), part, role)
        for part, role in zip(parts, chance.sample(roles, len(roles)), strict=False)
    ]
    if chance.random() < 0.7:
        uploads = [Given(each.name, each.data, roles[n % 3]) for n, each in enumerate(uploads)]
    taken = add_files(uploads)
    for error in taken.problems:
        refusal(error)
    for pairs in taken.read:
        sound(pairs)
    datasets = [taken.dataset] if taken.dataset else []
    if taken.dataset:
        assert add_files(reversed(uploads), taken.dataset).read
    if taken.apart:
        datasets.append(mended(*taken.apart))
    for dataset in datasets:
        with suppress(RankscopeError):
            for run in dataset.runs:
                evaluate(dataset.qrels, run, ["AP", "nDCG@10"])
        found = findings(dataset)
        "\n".join(map(str, found)).encode()
        for one in found:
            if one.mend:
                for run in mended(dataset, {one.about: one.mend}).runs:
                    sound(run)


def _session(data: bytes) -> None:
    try:
        session = load(sessions.packed(data), "s.zip")
    except RankscopeError as error:
        refusal(error)
    else:
        sessions.kept(session)


def _judged(data: bytes) -> None:
    try:
        file = read_judged(judged_files.packed(data))
    except RankscopeError as error:
        refusal(error)
    else:
        judged_files.kept(file)


def _judges(data: bytes) -> None:
    """Each judge is sound, has a name of its own, and no judgment of another."""
    try:
        judges = read_judges(data, "given")
    except RankscopeError as error:
        refusal(error)
        return
    assert judges
    for name, qrels in judges.items():
        assert qrels.name == name
        sound(qrels)
        for query, reasons in qrels.reasons.items():
            assert reasons.keys() <= qrels.to_dict()[query].keys()


READERS: dict[str, Callable[[bytes], None]] = {
    "trec_run": _run,
    "trec_qrels": _tables(Qrels),
    **dict.fromkeys(("table", "json", "jsonl", "parquet", "packed"), _tables(Run, Qrels)),
    "texts": _texts,
    "pasted": _pasted,
    "intake": _intake,
    "session": _session,
    "judged": _judged,
    "judges": _judges,
}
SEEDS: dict[str, Callable[[], list[bytes]]] = {
    "trec_run": lambda: [*valid.TREC.values(), *valid.catalogued("trec_run", "good")],
    "trec_qrels": lambda: [
        *valid.TREC.values(),
        b"q1 1 d1 1\nq1 2 d1 0\nq1 2 d2 3\nq2 1 d1 1\n",
        *valid.catalogued("trec_qrels", "good"),
    ],
    "table": lambda: [
        *valid.TABLES.values(),
        b"query,subtopic,document,grade\nq1,a,d1,1\nq1,b,d1,0\nq1,b,d2,2\nq2,,d1,1\n",
        *valid.catalogued("csv"),
    ],
    "json": lambda: [
        *(*valid.JSON.values(), *valid.SEARCH_TOOLS.values(), *valid.catalogued("json")),
    ],
    "jsonl": lambda: [*valid.LINES.values(), *valid.catalogued("json")],
    "parquet": lambda: [*valid.parquet(), *valid.catalogued("parquet")],
    "packed": lambda: [
        *(each for of in (valid.TREC, valid.JSON, valid.TABLES) for each in valid.archives(of)),
        *valid.packed(valid.TREC),
        *valid.catalogued("compressed"),
    ],
    "texts": lambda: [*valid.TEXTS.values(), *valid.archives(valid.TEXTS)],
    "pasted": lambda: list(valid.PASTED.values()),
    "intake": lambda: [
        b"\n~~~\n".join(each)
        for each in (
            (valid.TREC["qrels"], valid.TREC["run"], valid.TREC["shuffled"]),
            (valid.TREC["run"], valid.TREC["qrels"], valid.JSON["values"]),
            (b"1 0 d1 1\n2 0 d2 0", b"q1 Q0 d1 1 2 t\nq2 Q0 d2 1 3 t", valid.TREC["run"]),
            (b"q1 0 X:d1 1\nq1 0 d\xd0\xb0 0", b"Q1 Q0 d1 1 2 t", b"q1 Q0 D1 1 2 t"),
            (b"q1 0 007 1\nq1 0 d2.0 0", b"q1.0 Q0 7 1 2 t", b"q1 Q0 d2 1 2 t\nq1 Q0 7 2 1 t"),
            (b"q1 0 D1.txt 1\nq1 0 d3 2", b"q1 Q0 d1 1 2 t", b"q1 Q0 x/d1 1 2 t"),
            (b"q1 0 d1 1", b"d1 Q0 q1 1 2 t", *valid.TEXTS.values()),
            (valid.JSON["request"], valid.JSON["response"], valid.TABLES["csv"]),
            (valid.parquet()[0], *valid.archives(valid.TREC)[-1:], valid.TABLES["tsv"]),
        )
    ],
    "session": sessions.described,
    "judged": judged_files.seeds,
    "judges": lambda: [
        *(*valid.JUDGES.values(), *valid.archives(valid.JUDGES), *valid.judges_in_parquet()),
        *(valid.TREC["qrels"], valid.TABLES["pipes"], valid.JSON["grades"]),
    ],
}
