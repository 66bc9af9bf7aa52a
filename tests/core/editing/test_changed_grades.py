"""One store of grades: whatever list they are given in, all numbers are those of one qrels."""

from random import Random

import pytest

from metrics import Qrels, Run, compare, evaluate, read_qrels
from metrics.editing.changed_grades import (
    agreed,
    all_agreed,
    changed_in,
    with_grades,
    with_loaded_grades,
)
from metrics.editing.edits import add, backwards, move, remove, set_grade
from metrics.editing.hand_ranking import HandRanking
from metrics.editing.history import History
from metrics.editing.origin import Origin
from metrics.editing.pasted import read_ranking
from metrics.editing.sheet import SHEET, sheet, sheets, signatures, with_judgments
from metrics.editing.signature import Signature

MEASURES = ["nDCG@3", "AP", "RR", "P@2", "Bpref", "DCG"]
DOCUMENTS = [f"d{number}" for number in range(8)]
EVA = Signature("Eva", "2026-11-25T10:00:00Z")


class Lists:
    """The lists of all queries and runs, with the edits that a session would keep."""

    def __init__(self, qrels, runs):
        self.qrels, self.runs = qrels, runs
        self.histories = {}

    def shown(self, run, query):
        """The list as a page shows it, and its key."""
        origin = Origin.of(self.qrels, run, query)
        original = HandRanking.from_run(self.qrels, run, query)
        if origin in self.histories:
            return origin, self.histories[origin]
        now = changed_in(self.histories, self.qrels.digest).get(query, {})
        return origin, History(original, original.with_grades(now))

    def sheet(self, query):
        """The judge's sheet of a query, and its key."""
        origin = Origin(self.qrels.digest, SHEET, query)
        original = sheet(self.qrels, query)
        now = changed_in(self.histories, self.qrels.digest).get(query, {})
        return origin, self.histories.get(origin, History(original, original.with_grades(now)))

    def keep(self, origin, history):
        self.histories |= agreed(self.histories, origin, history, EVA)

    @property
    def store(self):
        return with_grades(self.qrels, changed_in(self.histories, self.qrels.digest))


def edited(draw, history):
    """Return a history after a random edit or step; an edit that makes no sense changes nothing."""
    ranking = history.present
    names = [entry.document for entry in ranking.entries]
    retrieved = [entry.document for entry in ranking.retrieved]
    name, grade = draw.choice(names), draw.choice([0, 1, 2, 0.5, None])
    match draw.randrange(10):
        case 0 | 1 | 2 | 3:
            if grade is None and name not in retrieved:
                return history
            return history.then(set_grade(ranking, name, grade))
        case 4:
            return history.then(move(ranking, name, draw.randint(1, 5)))
        case 5:
            return history.then(backwards(ranking))
        case 6:
            new = f"new{draw.randrange(5)}"
            return history if new in names else history.then(add(ranking, new, grade))
        case 7:
            return history.then(remove(ranking, name)) if len(retrieved) > 2 else history
        case 8:
            return draw.choice([History.undo, History.redo])(history)
        case _:
            own = read_ranking("3,0,1", ranking.query)
            titled = HandRanking(ranking.query, own.retrieved, own.unretrieved, "My list")
            return draw.choice([history.then(titled), history.undo(), history.reset()])


def judged(draw, history):
    """Return a sheet's history after a judgment of one or two documents, or a step."""
    if draw.random() < 0.3:
        return draw.choice([History.undo, History.redo])(history)
    judge = Signature(draw.choice(["Ada", "Bob"]), f"2026-11-25T09:30:{draw.randrange(60):02}Z")
    names = draw.sample([*DOCUMENTS, "new0"], draw.randint(1, 2))
    said = {name: (draw.choice([0, 1, 2, 0.5, None]), judge) for name in names}
    return history.then(with_judgments(history.present, said))


def data(draw):
    qrels = {
        query: {name: draw.randint(0, 2) for name in draw.sample(DOCUMENTS, 4)}
        for query in ("q1", "q2", "q3")
    }
    runs = [
        Run.from_dict(
            {q: {d: draw.random() for d in draw.sample(DOCUMENTS, 5)} for q in qrels}, name
        )
        for name in ("a", "b")
    ]
    return Qrels.from_dict(qrels), runs


@pytest.mark.parametrize("part", range(4))
def test_any_edits_give_the_numbers_of_the_exported_qrels(part, tmp_path):
    """200 random sequences of edits of all lists, with steps back, own lists and other orders."""
    changed = reordered = titled = signed = in_lists = 0
    for seed in range(part * 50, part * 50 + 50):
        draw = Random(seed)
        lists = Lists(*data(draw))
        for _ in range(draw.randint(3, 25)):
            query = draw.choice(["q1", "q2", "q3"])
            if draw.random() < 0.3:
                origin, history = lists.sheet(query)
                lists.keep(origin, judged(draw, history))
                continue
            origin, history = lists.shown(draw.choice(lists.runs), query)
            lists.keep(origin, edited(draw, history))
        store = lists.store
        by = {}
        of = sheets(lists.histories, lists.qrels.digest)
        for (query, document), signature in signatures(of).items():
            assert store.to_dict()[query].get(document) == of[query].grades.get(document)
            by[query, document] = signature.judge
        for query, grades in changed_in(lists.histories, lists.qrels.digest).items():
            for document, grade in grades.items():
                assert grade is None or (query, document) in by
        signed += len(by)
        in_lists += list(by.values()).count("Eva")
        path = tmp_path / f"{seed}.txt"
        store.save(path)
        exported = read_qrels(path)
        assert {q: g for q, g in store.to_dict().items() if g} == exported.to_dict()
        scores = [evaluate(exported, run, MEASURES) for run in lists.runs]
        compared = compare(store, *lists.runs, MEASURES)
        for run, of_run in zip(lists.runs, scores, strict=True):
            for query in exported.queries:
                _, history = lists.shown(run, query)
                ranking = history.present
                titled += bool(ranking.title)
                assert history.of_query.grades == store.to_dict()[query]
                if ranking.title or history.reordered or not ranking.retrieved:
                    reordered += history.reordered
                    continue
                name = draw.choice(MEASURES)
                assert ranking.ledger(name).scores[0] == of_run.per_query.loc[query, name]
        for name in MEASURES:
            delta = scores[1].value(name) - scores[0].value(name)
            assert compared.summary(name).delta == pytest.approx(delta, abs=1e-12)
        changed += store is not lists.qrels
    # Each kind of edit occurs, and is not passed over.
    assert changed > 40
    assert reordered
    assert titled
    assert signed > 40
    assert in_lists > 40


def test_a_grade_of_one_list_is_that_of_the_other_and_its_undo_does_not_take_it_back():
    lists = Lists(*data(Random(3)))
    a, b = lists.runs
    origin, history = lists.shown(b, "q1")
    document = history.present.retrieved[0].document
    lists.keep(origin, history.then(backwards(history.present)))
    other, of_a = lists.shown(a, "q1")
    if document not in of_a.present.grades:
        of_a = of_a.then(of_a.present.with_grades({document: 0}))
    lists.keep(other, of_a.then(set_grade(of_a.present, document, 7)))
    assert lists.shown(b, "q1")[1].present.grades[document] == 7
    undone = lists.shown(b, "q1")[1].undo()
    lists.keep(origin, undone)
    assert not undone.reordered
    assert lists.store.to_dict()["q1"][document] == 7
    # The list in which it was given takes it back for all.
    lists.keep(other, lists.shown(a, "q1")[1].undo())
    assert lists.shown(b, "q1")[1].present.grades.get(document) != 7


def test_the_same_grades_are_the_same_qrels():
    qrels, (a, _) = data(Random(1))
    lists = Lists(qrels, [a])
    origin, history = lists.shown(a, "q1")
    document = next(iter(history.present.grades))
    graded = history.then(set_grade(history.present, document, 9))
    lists.keep(origin, graded)
    assert lists.store.digest != qrels.digest
    lists.keep(origin, graded.undo())
    assert lists.store is qrels


def test_all_grades_can_be_taken_back_and_each_list_can_undo_that():
    lists = Lists(*data(Random(2)))
    for run in lists.runs:
        origin, history = lists.shown(run, "q2")
        document = history.present.retrieved[0].document
        lists.keep(origin, history.then(set_grade(history.present, document, 5)))
    before = lists.store
    lists.histories |= with_loaded_grades(lists.histories, lists.qrels.digest)
    assert lists.store is lists.qrels
    origin, history = lists.shown(lists.runs[0], "q2")
    lists.keep(origin, history.undo())
    assert lists.store.to_dict() == before.to_dict()


def test_rankings_edited_apart_agree_when_they_are_opened():
    """Sessions saved before grades were shared hold each list's own."""
    qrels = Qrels.from_dict({"q": {"x": 1, "y": 0}})
    runs = [Run.from_dict({"q": {"x": 2, name: 1}}, name) for name in ("a", "b")]
    histories = {}
    for run, (document, grade) in zip(runs, [("x", 3), ("y", 2)], strict=True):
        original = HandRanking.from_run(qrels, run, "q")
        edit = original.with_grades({document: grade})
        histories[Origin.of(qrels, run, "q")] = History(original, original).then(edit)
    both = all_agreed(histories)
    assert [each.of_query.grades for each in both.values()] == [{"x": 3, "y": 2}] * 2
    assert all_agreed(both) == both


def test_reasons_stay_with_the_grades_that_they_are_for():
    qrels = Qrels.from_dict({"q": {"x": 1, "y": 0}})
    object.__setattr__(qrels, "reasons", {"q": {"x": "good", "y": "bad"}})
    assert with_grades(qrels, {"q": {"x": 2}}).reasons == {"q": {"y": "bad"}}
    assert with_grades(qrels, {"q": {"x": 1}}) is qrels
