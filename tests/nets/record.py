"""Record what the nets open: the inputs of the fuzzers, and what people keep.

    python -m tests.nets.record

A file that is there already is left as it is: it stands for what somebody has kept. A new form of
a link, a session or a judged file gets a new row here, and so a file of its own.
"""

from __future__ import annotations

import io
import json
import lzma
import tarfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from metrics import PRESETS, Convention, Dataset, Qrels, Run, match
from metrics.auditing.intake import Given, add_files
from metrics.data import GROUP, Note, Severity
from metrics.editing import edits, grades_link, ranking_link
from metrics.editing.hand_ranking import Entry, HandRanking
from metrics.editing.history import History
from metrics.editing.log import SHEET, Said
from metrics.editing.origin import Origin
from metrics.editing.sheet import own_word
from metrics.editing.signature import Signature
from metrics.editing.store import Edits, Writer
from metrics.matching.judged import JudgedRankings
from metrics.matching.judged_file import packed_file
from metrics.sessions.session_file import Session, save
from metrics.sessions.workspace import Workspace
from metrics.teaching import lesson
from metrics.teaching.samples import FOLDER as SAMPLES
from metrics.teaching.samples import catalogue
from tests.fuzzing import judged_files, sessions
from tests.fuzzing.mutation import Mutator
from tests.fuzzing.readers import SEEDS
from tests.nets.kept import FOLDER, LINKS, WORKSPACE
from tests.nets.readings import FUZZED

INPUTS = 40
"""This many inputs of each fuzzer."""
_PACK = {"session": sessions.packed, "judged": judged_files.packed}
TIME = datetime(2026, 11, 25, 9, 30, tzinfo=UTC)
ADA = Signature("Ada", "2026-11-25T09:30:00Z", "names the model")
BOB = Signature("Bob é", "2026-11-25T10:00:00Z")
LINKED = Signature("from a link", "2026-11-25T11:00:00Z")
HOSTILE = "é 日 |%7C\t\"'<b>&;,"
SETTINGS = {"measure": "AP", "k": "3", "shown": "a%7Cb|c", "judge": "Ada", "judging": HOSTILE}


def main() -> None:
    """Write the files that are not there yet."""
    made: dict[Path, Callable[[], bytes]] = {FUZZED: fuzzed, LINKS: links}
    for name, session in _sessions().items():
        made[FOLDER / f"{name}.zip"] = lambda session=session: save(session)
    for name, judged in _judged().items():
        about = _ABOUT.get(name, {})
        made[FOLDER / f"{name}.judged.parquet"] = lambda judged=judged, about=about: packed_file(
            judged, **({"time": TIME} | about)
        )
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path, make in made.items():
        if not path.exists():
            path.write_bytes(make())
            print(f"recorded {path.name}: {path.stat().st_size:,} bytes")
    if not WORKSPACE.exists():
        _workspace()


def fuzzed() -> bytes:
    """Return an archive of the fuzzers' inputs, each as the bytes of a file."""
    stream = io.BytesIO()
    # Without a time, so that the archive is the same whenever it is made.
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for reader, seeds_of in SEEDS.items():
            seeds, mutator = seeds_of(), Mutator(20261125)
            for number in range(INPUTS):
                data = mutator.mutated(mutator.random.choice(seeds), seeds)
                data = _PACK.get(reader, bytes)(data)
                member = tarfile.TarInfo(f"{reader}/{number:02}")
                member.size = len(data)
                archive.addfile(member, io.BytesIO(data))
    return lzma.compress(stream.getvalue(), preset=9)


def links() -> bytes:
    """Return links of each kind by their names."""
    shop = catalogue()["shop"].load()
    grades = {"q01": {"d1": 2.0, "d2": None, HOSTILE: 0.5}, "q 2": {"d1": 0.0, "d3": -1.0}}
    made = {
        "ranking": {name: {"text": ranking_link.pack(each)} for name, each in _rankings().items()},
        "grades": {
            name: {"text": grades_link.pack(key, of), "key": key}
            for name, key, of in (
                ("of two queries", "0123456789abcdef", grades),
                ("of the shop", shop.key, {"q01": {"running-01": 1.0}}),
                ("none", shop.key, {}),
            )
        },
        "lesson": {
            "with texts": {"text": lesson.pack(lesson.Lesson("T é", "Read.", "What is nDCG?"))},
            "title": {"text": lesson.pack(lesson.Lesson("Only a title"))},
        },
    }
    # What a person may paste: of other data, cut, of a later version.
    first = made["ranking"]["plain"]["text"]
    made["ranking"] |= {
        "cut": {"text": first[:-5]},
        "of a later version": {"text": f"99{first[1:]}"},
        "no link": {"text": "hello"},
    }
    of_shop = made["grades"]["of the shop"]["text"]
    made["grades"]["of other data"] = {"text": of_shop, "key": "0" * 16}
    return (json.dumps(made, indent=1) + "\n").encode()


def _rankings() -> dict[str, HandRanking]:
    plain = HandRanking.of("q", {"a": 3.0, "b": 0.0, "c": 0.5, "d": -2.0}, ["b", "a", "x"])
    of_run = {
        key: HandRanking.from_run(data.qrels, data.runs[0], data.qrels.queries[0])
        for key in ("shop", "ambiguous", "two-judges")
        for data in [catalogue()[key].load()]
    }
    tied = edits.toggle_tie(edits.toggle_tie(plain, "a"), "x")
    return {
        "plain": plain,
        "tied": tied,
        "titled": replace(plain, title="My list é"),
        "reordered": edits.backwards(edits.move(plain, "d", 1)),
        "graded": edits.set_grade(edits.set_grade(plain, "x", 2.0), "a", None),
        "hostile": HandRanking(HOSTILE, (Entry(HOSTILE, 1.0), Entry("日", None, tied=True))),
        "of aspects, titled": replace(of_run["ambiguous"], title="By meaning"),
    } | {f"of {key}": of for key, of in of_run.items()}


def _sessions() -> dict[str, Session]:
    """Return a session with each kind of content, and with all."""
    shop, ambiguous = (catalogue()[key].load() for key in ("shop", "ambiguous"))
    judges = _uploaded("two_judges")
    hostile = Qrels.from_dict({HOSTILE: {HOSTILE: 2, "d": -1.5}, "q": {}}, HOSTILE)
    hostile = replace(hostile, reasons={HOSTILE: {"d": f"line\n{HOSTILE}"}})
    notes = [Note(f"assumed {HOSTILE}", "N-A"), Note("known", "N-B", Severity.REMARK)]
    run = Run.from_dict({HOSTILE: {"d": 5e-324, HOSTILE: -1e308}, "other": {"d": 1 / 3}}, HOSTILE)
    odd = Dataset(
        "Your data",
        hostile.noted(notes),
        (replace(run, tag="t é").noted(notes), run.renamed("b")),
        {HOSTILE: HOSTILE},
        {"d": "title. text"},
        {GROUP: {HOSTILE: "group"}},
        {"title": {"d": "title"}, "[url": {HOSTILE: "/"}, "none": {}},
    )
    judged = tuple(replace(each, name=name) for name, each in _of_shop().items())
    unjudged = add_files(
        [Given(path.name, path.read_bytes()) for path in _runs("shop_search")]
    ).unjudged
    assert unjudged is not None
    ours, theirs = _edits(judges), _edits(ambiguous)
    both = Edits(
        {**ours.histories, **theirs.histories},
        {**ours.applied, **theirs.applied},
        ours.log.merged(theirs.log),
    )
    return {
        "empty": Session(),
        "settings": Session(settings=SETTINGS),
        "uploaded": Session(_uploaded("shop_search")),
        "aspects": Session(ambiguous),
        "judges": Session(judges),
        "hostile": Session(odd),
        "judged": Session(Dataset("Your data", shop.qrels, shop.runs[:1], judged=judged)),
        "unjudged": _session(unjudged, _edits_without_grades(unjudged)),
        "edits": _session(None, _edits(shop)),
        "edits_of_aspects": _session(None, _edits(ambiguous)),
        "everything": _session(
            replace(
                judges,
                judged=(replace(match(judges.qrels, judges.runs[0]), name="judged"),),
                judges=(*judges.judges, hostile.renamed("Bob")),
            ),
            both,
            SETTINGS,
        ),
    }


def _runs(folder: str) -> list[Path]:
    return sorted((SAMPLES / folder).glob("*.run"))


def _uploaded(folder: str) -> Dataset:
    """Return the data of a sample's files, as they are uploaded."""
    files = [*_runs(folder), *sorted((SAMPLES / folder).glob("*.t*"))]
    dataset = add_files([Given(path.name, path.read_bytes()) for path in files]).dataset
    assert dataset is not None
    return dataset


def _edits(data: Dataset) -> Edits:
    """Return edits of two runs of one query and of another query, and what judges said of it."""
    first, second = data.qrels.queries[:2]
    ada, bob = Writer(data.key[:16]), Writer(data.key[15::-1])
    begun = HandRanking.from_run(data.qrels, data.runs[0], first)
    top, other = (entry.document for entry in begun.retrieved[:2])
    found = _edited(
        *(Edits(), data, data.runs[0], first, ada),
        lambda now: edits.move(now, top, 3),
        lambda now: edits.toggle_tie(now, top),
        lambda now: edits.add(now, "new é", 2.0),
        lambda now: edits.remove(now, other),
        edits.backwards,
        History.undo,
    )
    # The grade is the query's, so that the other run's list has it too.
    start = HandRanking.from_run(data.qrels, data.runs[1], first).retrieved[0].document
    found = _edited(
        *(found, data, data.runs[1], first, ada),
        lambda now: edits.set_grade(now, start, 0.5),
        History.undo,
        History.redo,
        lambda now: edits.set_grade(now, start, 1.0),
    )
    for writer, word, said in (
        (ada, "", {"d é": Said(2.0, ADA), "x": Said(None, BOB, unclear=True)}),
        (bob, "", {"d é": Said(1.0, LINKED), "y": Said(0.0, BOB), top: Said(None, BOB)}),
        (bob, own_word("Bob é"), {"d é": Said(3.0, BOB)}),
        (ada, "", {"y": Said(2.0, ADA)}),
    ):
        change = found.judging(data.key, {second: said}, writer, len(found.log.records), word)
        found = found.with_change(change, writer.tab)
    on, last = Origin(data.key, SHEET, second), found.log.records[-1]
    change = found.switching({on: found.log.undoing(data.key, second, last.name)}, ada)
    begun = HandRanking.from_run(data.qrels, data.runs[0], second)
    mine = HandRanking.of(second, {"m": 1.0}, ["m", "n"])
    mine = replace(mine, title="Mine", aspects=begun.aspects)
    return _edited(
        *(found.with_change(change, ada.tab), data, data.runs[0], second, ada),
        edits.backwards,
        lambda now: mine,
    )


def _edited(
    before: Edits,
    data: Dataset,
    run: Run,
    query: str,
    writer: Writer,
    *steps: Callable[[Any], HandRanking | History],
) -> Edits:
    """Return edits with further ones of a list, each made of its ranking, or of its history."""
    origin = Origin(data.key, run.digest, query)
    original = HandRanking.from_run(data.qrels, run, query)
    for number, step in enumerate(steps, 1):
        history = before.history(origin, original)
        if step in (History.undo, History.redo):
            after = step(history)
        else:
            after = history.then(step(history.present))
        change = before.editing(origin, history, after, ADA, writer, number)
        before = before.with_change(change, writer.tab)
    return before


def _edits_without_grades(data: Dataset) -> Edits:
    run, query = data.runs[0], data.qrels.queries[0]
    second = HandRanking.from_run(data.qrels, run, query).retrieved[1].document
    writer = Writer("0a1b2c3d4e5f6071")
    return _edited(Edits(), data, run, query, writer, lambda now: edits.set_grade(now, second, 2.0))


def _session(data: Dataset | None, of: Edits, settings: Mapping[str, str] | None = None) -> Session:
    applied = {origin: of.applied[origin] for origin in of.histories}
    return Session(data, of.histories, settings or {}, applied, of.log)


def _of_shop() -> dict[str, JudgedRankings]:
    shop = catalogue()["shop"].load()
    return {
        "of_run": match(shop.qrels, shop.runs[0]),
        "of_ranx": match(shop.qrels, shop.runs[1], PRESETS["ranx"]),
    }


def _judged() -> dict[str, JudgedRankings]:
    """Return judged rankings of each form that a file can have."""
    ambiguous = catalogue()["ambiguous"].load()
    qrels = Qrels.from_dict(
        {"q1": {"a": 2, "b": 1, "c": 0}, "q2": {"a": -1.5}, "q3": {}, HOSTILE: {HOSTILE: 1}},
        HOSTILE,
    )
    run = Run.from_dict(
        {"q1": {"x": 3.0, "b": 2.0, "a": 2.0, "y": 2.0}, "q9": {"a": 1.0}, HOSTILE: {HOSTILE: 1}},
        "odd",
    )
    run = run.noted([Note(HOSTILE, "N-A"), Note("known", "N-B", Severity.REMARK)])
    odd = Convention(ties="mean", queries="qrels", unjudged="removed", level=2.0)
    return _of_shop() | {
        "of_aspects": match(ambiguous.qrels, ambiguous.runs[1]),
        "every": match(qrels, run, every=True),
        "odd": match(qrels, replace(run, tag="t é"), odd),
        "gains": match(qrels, run, Convention(gain="{1:0.5,2:0.9}", level=0.5)),
    }


_ABOUT = {
    "of_run": {"tags": ["nightly", "é"], "commit": "1a2b3c", "name": "bm25 of today"},
    "odd": {"run_digest": "sha256 0123", "name": HOSTILE},
}


def _workspace() -> None:
    """Write a workspace with two data sets, edits, the logs of two writers, and settings."""
    folder = Workspace(WORKSPACE)
    ambiguous = catalogue()["ambiguous"].load()
    folder.keep(ambiguous)
    data = _uploaded("two_judges")
    folder.keep(data)
    made = _edits(data)
    for origin, history in made.histories.items():
        folder.keep_edit(origin, history, made.applied[origin])
    for each in made.log.records:
        folder.log.append(each.writer, [each])
    folder.keep_settings(SETTINGS)


if __name__ == "__main__":
    main()
