"""One store of edits: whoever gives a grade and where, all numbers are those of one qrels."""

import os
from random import Random

import pytest

from metrics import Qrels, Run, compare, evaluate, read_qrels
from metrics.editing.changed_grades import with_grades
from metrics.editing.edits import add, backwards, move, remove, set_grade
from metrics.editing.hand_ranking import HandRanking
from metrics.editing.history import History
from metrics.editing.log import ANEW, SHEET, Log, Said
from metrics.editing.origin import Origin
from metrics.editing.pasted import read_ranking
from metrics.editing.sheet import by_judge, grades_of, own_word, signatures
from metrics.editing.signature import Signature
from metrics.editing.store import NOTHING, Change, Edits, Sheet, Writer
from metrics.sessions.session_file import Session, load, save

SEQUENCES = int(os.environ.get("RANKSCOPE_SEQUENCES", "160"))
"""How many random sequences are drawn; 10,000 take a quarter of an hour."""
MEASURES = ["nDCG@3", "AP", "RR", "P@2", "Bpref", "DCG"]
KINDS = ["list", "cut", "judge", "step", "anew", "adopt", "link", "reset", "reload"]
DOCUMENTS = [f"d{number}" for number in range(8)]
QUERIES = "q1", "q2", "q3"


def said(grade, judge="Ada", minute=30, note=""):
    return Said(grade, Signature(judge, f"2026-11-25T09:{minute:02}:00Z", note), grade is None)


class Team:
    """Tabs that share a workspace: its records, those that each tab knows, and what is loaded."""

    def __init__(self, qrels, runs):
        self.qrels, self.runs, self.shared, self.tabs = qrels, runs, [], []
        self.loaded = qrels.to_dict()
        self.begin("Ada")

    def begin(self, judge):
        """Begin a tab with what the workspace has."""
        self.tabs.append(Tab(self, f"tab{len(self.tabs)}", judge))
        self.tabs[-1].receive()

    def holds(self, records):
        """What counts by a list of records, in plain Python: grade and judge, by query."""
        records = sorted(records, key=lambda each: (each.counter, each.writer, each.number))
        on = {}
        for each in records:
            on[each.name] = True
            on |= dict.fromkeys(each.off, False) | dict.fromkeys(each.again, True)
        found = {}
        for each in records:
            if on[each.name] and not each.on.run.startswith(ANEW):
                for document, of in each.said.items():
                    found.setdefault(each.on.query, {})[document] = of
        return found

    def grades(self, records):
        """The grades of all queries by a list of records, in plain Python."""
        found = {query: dict(grades) for query, grades in self.loaded.items()}
        for query, of in self.holds(records).items():
            for document, each in of.items():
                found.setdefault(query, {})[document] = each.grade
        return {
            query: {name: grade for name, grade in of.items() if grade is not None}
            for query, of in found.items()
        }


class Tab:
    """A tab of a team, as the pages have it: its edits, and the records that it knows."""

    def __init__(self, team, name, judge):
        self.team, self.judge, self.writer = team, judge, Writer(name)
        self.edits, self.records, self.number = Edits(), {}, 0

    @property
    def by(self):
        return Signature(self.judge, "2026-11-25T10:00:00Z")

    def commit(self, change, cut=False):
        """Keep a change in the workspace, then in the tab; ``cut``: not any more in the tab."""
        self.team.shared += change.records
        if not cut:
            self.records |= {each.name: each for each in change.records}
            self.edits = self.edits.with_change(change, self.writer.tab)

    def receive(self):
        """Take up what others have given, in any order."""
        draw = Random(len(self.team.shared))
        shared = draw.sample(self.team.shared, len(self.team.shared))
        self.records |= {each.name: each for each in shared}
        log = self.edits.log.merged(Log.of(shared))
        assert log.merged(Log.of(shared)) is log
        self.edits = Edits(self.edits.histories, self.edits.applied, log)

    def shown(self, run, query):
        """The list as a page shows it, and its key."""
        origin = Origin.of(self.team.qrels, run, query)
        original = HandRanking.from_run(self.team.qrels, run, query)
        return origin, self.edits.history(origin, original)

    def edit(self, run, query, edit, cut=False):
        """Make an edit or a step in a list, unless the event is applied already."""
        origin, before = self.shown(run, query)
        self.number += not cut
        if self.edits.events(origin).get(self.writer.tab, 0) < self.number:
            after = edit(before)
            change = self.edits.editing(origin, before, after, self.by, self.writer, self.number)
            self.commit(change, cut)
            if not cut:
                # What is shown then is what was made of what was shown.
                now = self.shown(run, query)[1].present
                assert (now.retrieved, now.grades) == (
                    after.present.retrieved,
                    after.present.grades,
                )

    def sheet(self, query, word=SHEET):
        origin = Origin(self.team.qrels.digest, word, query)
        loaded = {} if word.startswith(ANEW) else self.team.loaded.get(query, {})
        return Sheet.of(self.edits.log, origin, loaded, self.writer.tab, self.judge)

    def judge_it(self, given, word=""):
        key = self.team.qrels.digest
        self.commit(self.edits.judging(key, given, self.writer, None, word))

    def switch(self, switches):
        self.commit(self.edits.switching(switches, self.writer))

    def take_back(self, query, those=lambda each: True):
        key = self.team.qrels.digest
        names = tuple(each.name for each in self.edits.log.counted(key, query) if those(each))
        self.switch({Origin(key, SHEET, query): (names, ())})

    def reload(self, whole):
        """Go on in a new tab with what this one held; ``whole``: as a saved session."""
        edits = self.edits
        if whole:
            held = Session(None, edits.histories, {}, edits.applied, edits.log)
            again = load(save(held), "s.zip")
            assert again.log == edits.log
            edits = Edits(again.edits, again.applied, again.log)
        self.team.tabs.append(tab := Tab(self.team, f"tab{len(self.team.tabs)}", self.judge))
        tab.edits, tab.records = edits, dict(self.records)

    @property
    def store(self):
        return with_grades(self.team.qrels, self.edits.log.changed(self.key, self.team.qrels))

    @property
    def key(self):
        return self.team.qrels.digest


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


def given(draw, judge):
    names = draw.sample([*DOCUMENTS, "new0"], draw.randint(1, 2))
    return {
        name: said(draw.choice([0, 1, 2, 0.5, None]), judge, draw.randrange(60)) for name in names
    }


def data(draw):
    qrels = {
        query: {name: draw.randint(0, 2) for name in draw.sample(DOCUMENTS, 4)} for query in QUERIES
    }
    runs = [
        Run.from_dict(
            {q: {d: draw.random() for d in draw.sample(DOCUMENTS, 5)} for q in qrels}, name
        )
        for name in ("a", "b")
    ]
    return Qrels.from_dict(qrels), runs


def act(draw, team, tab):
    """Do one random thing in a tab; return what it was."""
    query, kind = draw.choice(QUERIES), draw.randrange(20)
    run = draw.choice(team.runs)
    if kind < 8:
        tab.edit(run, query, lambda history: edited(draw, history))
        return "list"
    if kind < 9:
        # The edit is in the workspace, and was cut off there: it is sent again.
        seed = draw.random()
        tab.number += 1
        tab.edit(run, query, lambda history: edited(Random(seed), history), cut=True)
        many = len(team.shared)
        tab.receive()
        tab.number -= 1
        tab.edit(run, query, lambda history: edited(Random(seed), history))
        assert len(team.shared) - many in (0, 1)
        return "cut"
    if kind < 12:
        tab.judge_it({query: given(draw, tab.judge)})
        return "judge"
    if kind < 15:
        sheet = tab.sheet(query)
        tab.switch({sheet.origin: draw.choice([sheet.undo, sheet.undo, sheet.redo])})
        return "step"
    if kind < 16:
        tab.judge_it({query: given(draw, tab.judge)}, own_word(tab.judge))
        return "anew"
    if kind < 17:
        for of in tab.edits.log.anew(tab.key).values():
            tab.judge_it(of)
        return "adopt"
    if kind < 18:
        if draw.random() < 0.5:
            tab.judge_it({query: given(draw, "from a link")})
        else:
            tab.take_back(
                query, lambda each: {x.signed.judge for x in each.said.values()} == {"from a link"}
            )
        return "link"
    if kind < 19:
        tab.take_back(query)
        return "reset"
    tab.reload(whole=draw.random() < 0.1)
    return "reload"


@pytest.mark.parametrize("part", range(4))
def test_any_edits_of_any_tabs_give_the_numbers_of_the_exported_qrels(part, tmp_path):
    """Random sequences in some tabs, against a fold of all their records in plain Python."""
    seen = {}
    for seed in range(part * SEQUENCES // 4, (part + 1) * SEQUENCES // 4):
        draw = Random(seed)
        team = Team(*data(draw))
        for judge in draw.sample(["Bob", "", "Eva"], draw.randint(0, 2)):
            team.begin(judge)
        for _ in range(draw.randint(3, 25)):
            tab = draw.choice(team.tabs)
            if draw.random() < 0.3:
                tab.receive()
            kind = act(draw, team, tab)
            seen[kind] = seen.get(kind, 0) + 1
            assert judged(tab.store.to_dict()) == judged(team.grades(tab.records.values()))
        for tab in team.tabs:
            tab.receive()
            assert {each.name for each in tab.edits.log.records} == {x.name for x in team.shared}
            assert tab.edits.log.counting(tab.key) == team.holds(team.shared)
            assert tab.store.to_dict() == team.tabs[0].store.to_dict()
        if seed % 2 == 0:
            require_fresh(draw, team, draw.choice(team.tabs), tmp_path / f"{seed}.txt", seen)
    # Each kind of action occurs, and is not passed over.
    kinds = {*KINDS, "titled", "reordered", "changed"}
    assert kinds - seen.keys() == set()


def judged(grades):
    """The grades without queries that have none."""
    return {query: of for query, of in grades.items() if of}


def require_fresh(draw, team, tab, path, seen):
    """Check that every number is that of a fresh evaluation of the exported qrels."""
    store = tab.store
    seen |= {"changed": True} if store is not team.qrels else {}
    store.save(path)
    exported = read_qrels(path)
    assert {q: g for q, g in store.to_dict().items() if g} == exported.to_dict()
    scores = [evaluate(exported, run, MEASURES) for run in team.runs]
    compared = compare(store, *team.runs, MEASURES)
    for run, of_run in zip(team.runs, scores, strict=True):
        for query in exported.queries:
            _, history = tab.shown(run, query)
            ranking = history.present
            for kind, is_so in (
                ("titled", bool(ranking.title)),
                ("reordered", history.reordered),
            ):
                seen |= {kind: True} if is_so else {}
            if not history.is_own(ranking):
                assert ranking.grades == store.to_dict()[query]
            if ranking.title or history.reordered or not ranking.retrieved:
                continue
            name = draw.choice(MEASURES)
            assert ranking.ledger(name).scores[0] == of_run.per_query.loc[query, name]
    for name in MEASURES:
        delta = scores[1].value(name) - scores[0].value(name)
        assert compared.summary(name).delta == pytest.approx(delta, abs=1e-12)


def small():
    """A team of one tab, and two runs that rank all documents of one query."""
    qrels = Qrels.from_dict({"q": {"a": 1, "b": 0}})
    runs = [
        Run.from_dict({"q": {"a": 3, "b": 2, "c": 1}}, "A"),
        Run.from_dict({"q": {"c": 3, "b": 2, "a": 1}}, "B"),
    ]
    team = Team(qrels, runs)
    return team, team.tabs[0]


def grade(tab, run, document, value):
    tab.edit(run, "q", lambda list_: list_.then(set_grade(list_.present, document, value)))


def signers(tab):
    """The grade and the judge of each document about which something was said."""
    found = tab.edits.log.counting(tab.key)
    return {d: (found[q][d].grade, by.judge) for (q, d), by in signatures(found).items()}


def test_a_grade_of_one_list_is_that_of_the_other_whose_undo_does_not_take_it_back():
    team, tab = small()
    a, b = team.runs
    tab.edit(b, "q", lambda list_: list_.then(backwards(list_.present)))
    grade(tab, a, "c", 7)
    assert tab.shown(b, "q")[1].present.grades == {"a": 1, "b": 0, "c": 7}
    tab.edit(b, "q", History.undo)
    assert not tab.shown(b, "q")[1].reordered
    assert tab.store.to_dict()["q"]["c"] == 7
    # The list in which it was given takes it back for all, and gives it again.
    tab.edit(a, "q", History.undo)
    assert tab.shown(b, "q")[1].present.grades == {"a": 1, "b": 0}
    tab.edit(a, "q", History.redo)
    assert tab.shown(b, "q")[1].present.grades["c"] == 7


def test_who_takes_back_a_grade_leaves_one_that_was_given_since():
    """Two judges grade one document: both entries are there, and each takes back its own."""
    team, ada = small()
    grade(ada, team.runs[0], "c", 3)
    team.begin("Bob")
    bob = team.tabs[1]
    bob.judge_it({"q": {"c": said(1, "Bob")}})
    ada.receive()
    assert signers(ada) == {"c": (1, "Bob")}
    assert ada.sheet("q").others("c") == {"Ada": 3}
    # Each is a judge of those grades, whoever counts.
    judges = by_judge(ada.edits.log.judges(ada.key))
    assert {name: of.to_dict()["q"] for name, of in judges.items()} == {
        "Ada": {"c": 3},
        "Bob": {"c": 1},
    }
    ada.edit(team.runs[0], "q", History.undo)
    bob.receive()
    assert signers(bob) == {"c": (1, "Bob")}
    bob.switch({bob.sheet("q").origin: bob.sheet("q").undo})
    assert signers(bob) == {}
    assert bob.sheet("q").undo == NOTHING
    assert [each.grade for each in bob.edits.log.records[0].said.values()] == [3]


def test_nobody_takes_back_what_somebody_else_said_on_the_sheet():
    team, ada = small()
    ada.judge_it({"q": {"a": said(3, "Ada")}})
    team.begin("Bob")
    assert team.tabs[1].sheet("q").undo == NOTHING
    assert team.tabs[1].sheet("q").grades["a"] == 3
    # Ada does, in another tab of hers, too.
    team.begin("Ada")
    again = team.tabs[2]
    again.switch({again.sheet("q").origin: again.sheet("q").undo})
    assert again.sheet("q").grades["a"] == 1
    again.switch({again.sheet("q").origin: again.sheet("q").redo})
    assert again.sheet("q").grades["a"] == 3


def test_thirty_judgments_are_taken_back_one_by_one_and_given_again():
    _, tab = small()
    states = [tab.sheet("q").grades]
    for number in range(30):
        tab.judge_it({"q": {"abc"[number % 3]: said(number % 4 + 0.5)}})
        states.append(tab.sheet("q").grades)
    for before in reversed(states[:-1]):
        assert tab.sheet("q").before == before
        tab.switch({tab.sheet("q").origin: tab.sheet("q").undo})
        assert tab.sheet("q").grades == before
    for after in states[1:]:
        tab.switch({tab.sheet("q").origin: tab.sheet("q").redo})
        assert tab.sheet("q").grades == after


def test_a_loaded_grade_that_a_list_gives_again_is_nobody_s():
    team, tab = small()
    a = team.runs[0]
    grade(tab, a, "a", 3)
    grade(tab, a, "c", 2)
    assert signers(tab) == {"a": (3, "Ada"), "c": (2, "Ada")}
    grade(tab, a, "a", 1)
    assert signers(tab) == {"c": (2, "Ada")}
    tab.edit(a, "q", History.undo)
    assert signers(tab) == {"a": (3, "Ada"), "c": (2, "Ada")}
    tab.edit(a, "q", History.reset)
    assert signers(tab) == {}
    assert tab.store is team.qrels
    tab.edit(a, "q", History.undo)
    assert signers(tab) == {"a": (3, "Ada"), "c": (2, "Ada")}


def test_a_reset_in_a_list_takes_away_nothing_that_was_said_beside_it():
    team, tab = small()
    tab.judge_it({"q": {"a": said(3), "new": said(None)}})
    grade(tab, team.runs[0], "a", 1)
    assert signers(tab) == {"a": (1, "Ada"), "new": (None, "Ada")}


def test_the_order_of_a_list_is_no_entry_and_its_steps_hold_no_grades():
    team, tab = small()
    a = team.runs[0]
    tab.edit(a, "q", lambda list_: list_.then(backwards(list_.present)))
    assert tab.edits.log.records == []
    grade(tab, a, "c", 2)
    tab.edit(a, "q", lambda list_: list_.then(move(list_.present, "c", 3)))
    kept = tab.edits.histories[Origin.of(team.qrels, a, "q")]
    assert {x.grade for each in (*kept.past, kept.present) for x in each.entries} == {None}
    # The steps before and after have the grades of then.
    shown = tab.shown(a, "q")[1]
    assert shown.before.grades == shown.present.grades == {"a": 1, "b": 0, "c": 2}
    assert shown.undo().present.grades["c"] == 2
    tab.edit(a, "q", History.undo)
    shown = tab.shown(a, "q")[1]
    assert "c" not in shown.before.grades
    assert shown.redo().present.grades["c"] == 2


def test_the_ranking_before_the_first_edit_has_the_grades_that_hold_without_all_edits():
    def first():
        tab.edit(a, "q", lambda list_: list_.then(move(list_.present, "c", 1)))
        return tab.shown(a, "q")[1].first(tab.key, tab.edits.log).grades

    # A step that was taken back and given again is one of them.
    team, tab = small()
    a = team.runs[0]
    grade(tab, a, "c", 2)
    tab.edit(a, "q", History.undo)
    tab.edit(a, "q", History.redo)
    assert first() == {"a": 1, "b": 0}
    # So is one that took away what a judge had said beside the list.
    team, tab = small()
    tab.judge_it({"q": {"a": said(3)}})
    grade(tab, a, "a", 1)
    grade(tab, a, "c", 2)
    tab.edit(a, "q", lambda list_: list_.reset())
    assert first() == {"a": 3, "b": 0}


def test_grades_given_anew_count_once_they_are_adopted():
    team, tab = small()
    word = own_word("Ada")
    tab.judge_it({"q": {"a": said(0), "c": said(3)}}, word)
    assert tab.store is team.qrels
    assert tab.sheet("q", word).grades == {"a": 0, "c": 3}
    (of,) = tab.edits.log.anew(tab.key).values()
    tab.judge_it(of)
    assert tab.store.to_dict() == {"q": {"a": 0, "b": 0, "c": 3}}
    assert by_judge(tab.edits.log.judges(tab.key))["Ada"].to_dict() == {"q": {"a": 0, "c": 3}}
    # The same once more changes nothing, and is no step.
    many = len(tab.edits.log.records)
    tab.judge_it(of)
    assert len(tab.edits.log.records) == many


def test_a_session_that_is_opened_among_others_counts_as_it_did():
    """Its queries count as they did in it; what others said of other queries stays."""
    team, ada = small()
    ada.judge_it({"q": {"a": said(3)}, "other": {"x": said(1)}})
    saved = ada.edits.log
    ada.judge_it({"q": {"a": said(2), "c": said(2)}, "more": {"y": said(1)}})
    base, change = ada.edits.opening({}, saved, ada.writer, alone=False)
    # What all have is not said again; of q the later words are taken back.
    assert [(each.on.query, each.said, len(each.off)) for each in change.records] == [("q", {}, 1)]
    ada.edits = base
    ada.commit(change)
    assert grades_of(ada.edits.log.counting(ada.key)) == {
        "q": {"a": 3},
        "other": {"x": 1},
        "more": {"y": 1},
    }
    # What another judge said since stays, and so do grades that never counted.
    team.begin("Bob")
    bob = team.tabs[1]
    bob.judge_it({"q": {"c": said(0, "Bob")}})
    bob.judge_it({"q": {"a": said(0, "Bob")}}, own_word("Bob"))
    ada.receive()
    base, change = ada.edits.opening({}, saved, ada.writer, alone=False)
    assert change.records == ()
    assert len(base.log.anew(ada.key)) == 1
    # Alone, nothing else is left.
    base, change = ada.edits.opening({}, saved, ada.writer, alone=True)
    assert base.with_change(change, "t").log == saved
    assert bob.sheet("q").grades == {"a": 3, "b": 0, "c": 0}


def test_an_event_that_the_log_has_is_applied_whatever_the_session_knows():
    team, tab = small()
    origin, before = tab.shown(team.runs[0], "q")
    after = before.then(set_grade(before.present, "c", 2))
    change = tab.edits.editing(origin, before, after, tab.by, tab.writer, 4)
    tab.commit(change, cut=True)
    assert tab.edits.events(origin) == {}
    tab.receive()
    assert tab.edits.events(origin) == {"tab0": 4}
    assert tab.edits.with_change(Change(numbers={origin: 6}), "tab0").events(origin) == {"tab0": 6}


def test_the_same_judgment_again_is_no_entry_and_keeps_its_time():
    _, tab = small()
    tab.judge_it({"q": {"a": said(2, minute=30, note="why")}})
    tab.judge_it({"q": {"a": said(2, minute=31, note="why")}})
    assert len(tab.edits.log.records) == 1
    for other in (said(1, note="why"), said(2, "Bob", note="why"), said(2, note="other")):
        tab.judge_it({"q": {"a": other}})
    assert len(tab.edits.log.records) == 4


def test_the_same_grades_are_the_same_qrels():
    team, tab = small()
    grade(tab, team.runs[0], "a", 5)
    assert tab.store is not team.qrels
    assert tab.store.digest != team.qrels.digest
    tab.edit(team.runs[0], "q", History.undo)
    assert tab.store is team.qrels


def test_a_word_that_a_later_one_replaced_is_no_step_back():
    """Undo on the desk shows something, or is not offered."""
    team, ada = small()
    ada.judge_it({"q": {"a": said(3)}})
    grade(ada, team.runs[0], "a", 2)
    assert ada.sheet("q").undo == NOTHING
    ada.edit(team.runs[0], "q", History.undo)
    assert ada.sheet("q").grades["a"] == 3
    assert ada.sheet("q").undo != NOTHING


def test_who_judges_anew_has_one_word_however_blanks_are_typed():
    assert own_word("Ada  B ") == own_word("Ada B") != own_word("AdaB")
