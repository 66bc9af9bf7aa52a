"""What to judge next, and whether grades can still turn the verdict, against every completion."""

import math
import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import pytest

from metrics import Convention, DataError, MeasureError, Qrels, Run, compare, match, parse
from metrics.comparing import reversal as search
from metrics.comparing.judge_next import judge_next
from metrics.comparing.one_query import one_query
from metrics.comparing.reversal import reversal
from metrics.comparing.significance import TIE
from metrics.teaching.samples import catalogue
from tests.cases import cases
from tests.core.comparing.test_mean_range import in_order
from tests.core.comparing.test_reversal import CONVENTIONS, NAMES

MEASURES = ["nDCG@2", "nDCG", "AP", "AP@2", "RR", "P@2", "ERR", "Bpref", "RBP", "Rprec", "DCG@3"]
DRAWN = [
    *CONVENTIONS,
    Convention(undefined="skip"),
    Convention(undefined="skip", queries="qrels", unjudged="removed"),
    Convention(unjudged="removed", negative="nonrelevant"),
    Convention(ties="mean"),
]


def draw(seed):
    """Three queries, one of them without a judgment in most cases; a run may lack a query."""
    lots = random.Random(seed)
    scale = [(0, 1), (0, 1, 2), (0, 1, 3)][seed % 3]
    grades = {
        "q0": {f"j{i}": lots.choice(scale) for i in range(3)},
        "q1": {f"j{i}": lots.choice([0, 0, 1]) for i in range(2)},
        "q2": {"j0": 0} if lots.random() < 0.3 else {},
    }
    runs = []
    for name in "ab":
        lists = {}
        for query, few in grades.items():
            documents = [*few, *(f"u{i}" for i in range(2))]
            found = lots.sample(documents, lots.randint(1, len(documents)))
            lists[query] = {document: lots.randint(0, 4) for document in found}
        if lots.random() < 0.15:
            del lists[lots.choice(["q0", "q1", "q2"])]
        runs.append(Run.from_dict(lists, name))
    return Qrels.from_dict(grades), *runs, scale


def deltas(completions, query, a, b, name, convention):
    """B − A of one query under each of these grades; NaN where it has no score."""
    number = list(map(str, range(len(completions))))
    many = Qrels.from_dict(dict(zip(number, completions, strict=True)))
    runs = (
        Run.from_dict(dict.fromkeys(number, found[query]) if query in found else {})
        for found in (a.to_dict(), b.to_dict())
    )
    compared = compare(many, *runs, name, convention).per_query(name)
    return compared["delta"].reindex(number).to_numpy()


class Brute:
    """Every way to grade the listed documents, scored by `compare`."""

    def __init__(self, qrels, a, b, name, convention, scale, listed):
        known = qrels.to_dict()
        self.documents = {query: [d for q, d in listed if q == query] for query in qrels.queries}
        self.levels, self.deltas = {}, {}
        for query, documents in self.documents.items():
            levels = list(product(scale, repeat=len(documents)))
            every = [known[query] | dict(zip(documents, each, strict=True)) for each in levels]
            # Without a judgment and without a document to judge, nothing is ever scored.
            scored = (
                deltas(every, query, a, b, name, convention) if every[0] else np.array([np.nan])
            )
            self.levels[query], self.deltas[query] = levels, scored
        compared = compare(qrels, a, b, name, convention)
        self.delta = compared.summary(name).delta
        total, count = np.zeros(1), np.zeros(1)
        for scored in self.deltas.values():
            total = np.add.outer(total, np.nan_to_num(scored)).ravel()
            count = np.add.outer(count, ~np.isnan(scored)).ravel()
        self.means = (total[count > 0] / count[count > 0]) if (count > 0).any() else np.array([])
        self.scored = sum(not np.isnan(scored).all() for scored in self.deltas.values())

    def can_turn(self):
        """Whether either run is ahead as judged or in any of the ways."""
        every = np.append(self.means, self.delta)
        return bool((every > TIE).any() and (every < -TIE).any())

    def rises(self, query, sign):
        """How far each document and grade moves one end, for every way to reach that end."""
        worth = dict(zip(self.levels[query], (sign * self.deltas[query]).tolist(), strict=True))
        end = min(value for value in worth.values() if not math.isnan(value))
        for levels, value in worth.items():
            if value <= end + 1e-12:
                yield [
                    [
                        # A query that is left out adds nothing.
                        max(np.nan_to_num(worth[*levels[:i], grade, *levels[i + 1 :]]) - end, 0)
                        for grade in sorted({level[i] for level in worth})
                    ]
                    for i in range(len(levels))
                ]


def kinds(name, convention, scale):
    """The grades to try: for a measure of relevant documents, two of them."""
    measure = parse(name)
    level = measure.under(convention).level
    return scale if measure.graded else (0, *(g for g in scale if g >= level))[:2]


def check(qrels, a, b, name, convention, scale):
    """Compare range, answer, moves and order with all completions; return the answer."""
    found = judge_next(qrels, a, b, name, convention, scale)
    tried = kinds(name, convention, scale)
    listed = [(each.query, each.document) for each in found.order]
    assert len(set(listed)) == len(listed)
    brute = Brute(qrels, a, b, name, convention, tried, listed)
    assert found.delta == pytest.approx(brute.delta, abs=1e-12, nan_ok=True)
    if not len(brute.means):
        assert math.isnan(found.over.low)
        assert found.can_turn is False
        return None
    ends = brute.means.min(), brute.means.max()
    assert (found.over.low, found.over.high) == pytest.approx(ends, abs=1e-12)
    assert (found.over.reached_low, found.over.reached_high) == pytest.approx(ends, abs=1e-12)
    assert found.can_turn is brute.can_turn()
    shared = set(a.queries) & set(b.queries)
    compared = qrels if convention.queries == "qrels" else qrels.only(*shared)
    check_moves(found, brute, compared, tried)
    check_order(found, qrels, a, b, convention)
    return found.can_turn


def open_end(found):
    """1 where the low end of the range keeps the verdict open, −1 where the high one does."""
    lead = found.delta if abs(found.delta) > TIE else found.over.low + found.over.high
    return 1 if lead > -TIE else -1


def shares(qrels, scale):
    """The share of each grade among the judgments, with one more of each."""
    grades = [max(g for g in scale if g <= max(grade, 0)) for grade in qrels.value.tolist()]
    counts = np.array([grades.count(grade) + 1 for grade in scale])
    return counts / counts.sum()


def check_moves(found, brute, qrels, scale):
    """Each query's moves are those at some completion that reaches the end in question."""
    likely = shares(qrels, scale)
    by_document = {(each.query, each.document): each for each in found.order}
    for query, documents in brute.documents.items():
        if not documents:
            continue
        given = [by_document[query, document] for document in documents]
        stated = np.array([[each.move, each.expected] for each in given]) * brute.scored
        ways = (
            np.array([[max(rise), np.dot(rise, likely)] for rise in way])
            for way in brute.rises(query, open_end(found))
        )
        assert any(np.allclose(stated, way, 0, 1e-10) for way in ways)


def check_order(found, qrels, a, b, convention):
    """Documents are in the order of what is expected, their rank, their query, and A before B."""
    known, best = qrels.to_dict(), {}
    for run in (a, b):
        # With all open documents judged, each has a line, and only those keep others down.
        every = {query: dict(known[query]) for query in qrels.queries}
        for each in found.order:
            every[each.query][each.document] = 0
        side = match(Qrels.from_dict(every), run, convention)
        hits = side.hits
        names = [side.queries[number] for number in hits.query.tolist()]
        for key in zip(names, hits.document.to_pylist(), hits.rank.tolist(), strict=True):
            best.setdefault(key[:2], []).append((key[2], run.name))
    place = {query: number for number, query in enumerate(qrels.queries)}
    keys = []
    for each in found.order:
        rank, name = min(best[each.query, each.document])
        assert each.rank == rank
        keys.append((-each.expected, rank, place[each.query], name))
    assert keys == sorted(keys)


@cases("convention", DRAWN, ids=range(len(DRAWN)))
def test_range_answer_and_moves_are_those_of_all_completions(convention):
    answers = Counter()
    for seed in range(3 * len(MEASURES)):
        name = MEASURES[seed % len(MEASURES)]
        if convention.ties == "mean" and not parse(name).linear:
            name = "nDCG@2"
        qrels, a, b, scale = draw(seed + 100 * DRAWN.index(convention))
        if convention.gain == "{1:2,2:1}":
            scale = (0, 1, 2)
            qrels = Qrels.from_dict(
                {q: {d: min(g, 2) for d, g in few.items()} for q, few in qrels.to_dict().items()}
            )
        answers[check(qrels, a, b, name, convention, scale)] += 1
    assert min(answers[True], answers[False]) >= 2


@cases("name", NAMES)
def test_every_measure_has_a_sound_answer(name):
    answers = Counter()
    for seed in range(2):
        qrels, a, b, scale = draw(seed + 50 * NAMES.index(name))
        try:
            answers[check(qrels, a, b, name, Convention(), scale)] += 1
        except MeasureError as error:
            # Only refusals that a plain comparison makes, too.
            with pytest.raises(MeasureError, match=str(error)[:20]):
                compare(qrels, a, b, name)
    assert answers.total() in (0, 2)


def test_it_stops_only_where_no_grades_turn_the_verdict_even_when_not_all_can_be_tried(monkeypatch):
    monkeypatch.setattr(search, "MOST_LINES", 2_000)
    answers = Counter()
    for seed in range(12):
        lots = random.Random(seed)
        ids = [*"jklm", *(f"u{i}" for i in range(7))]
        many = {"q": lots.sample(ids, len(ids)), "p": ["j", "k"]}
        a, b = (in_order(many | {"q": lots.sample(ids, len(ids))}) for _ in "ab")
        grades = dict(zip("jklm", lots.choice([(1, 0, 1, 0), (1, 1, 1, 1)]), strict=True))
        qrels = Qrels.from_dict({"q": grades, "p": {"j": lots.choice([0, 1]), "k": 0}})
        if seed % 2:
            # B is better on p by more than a few grades in q can outweigh.
            b = Run.from_dict(b.to_dict() | {"p": {"k": 1}})
        for some in range(7):
            known = {f"u{i}": lots.choice([0, 1]) for i in range(some)}
            now = Qrels.from_dict(qrels.to_dict() | {"q": grades | known})
            found = judge_next(now, a, b, "AP")
            listed = [(each.query, each.document) for each in found.order]
            brute = Brute(now, a, b, "AP", Convention(), (0, 1), listed)
            answers[found.can_turn] += 1
            assert found.can_turn in (None, brute.can_turn())
            assert found.over.low <= brute.means.min() + 1e-12
            assert found.over.high >= brute.means.max() - 1e-12
    assert min(answers[True], answers[False]) >= 5


@pytest.fixture(scope="module")
def shop():
    data = catalogue()["shop"].load()
    runs = {run.name: run for run in data.runs}
    return data.qrels, runs["bm25"], runs["char_ngrams"]


@pytest.mark.parametrize("name", ["nDCG@5", "RR@5"])
def test_judging_in_this_order_from_nothing_ends_with_the_final_winner(shop, name):
    qrels, a, b = shop
    truth, grades = qrels.to_dict(), np.unique(qrels.value)
    found = judge_next(Qrels.from_dict({query: {} for query in truth}), a, b, name, grades=grades)
    assert math.isnan(found.delta)
    pool = {(each.query, each.document) for each in found.order}
    known = {query: {} for query in truth}
    width = math.inf
    for number in range(len(pool)):
        if found.can_turn is False:
            break
        assert found.over.high - found.over.low <= width + 1e-12
        width = found.over.high - found.over.low
        first = found.order[0]
        known[first.query][first.document] = truth[first.query].get(first.document, 0)
        found = found.judged(first.query, first.document, known[first.query][first.document])
        if number % 25 == 0:
            fresh = judge_next(Qrels.from_dict(known), a, b, name, grades=grades)
            assert (found.over, found.order) == (fresh.over, fresh.order)
            assert found.delta == pytest.approx(fresh.delta, abs=1e-12)
    assert number < len(pool) - 20
    judged_all = Qrels.from_dict(
        {q: {d: truth[q].get(d, 0) for p, d in pool if p == q} for q in truth}
    )
    final = compare(judged_all, a, b, name).summary(name).delta
    assert found.over.low - 1e-12 <= final <= found.over.high + 1e-12
    assert final > 0
    assert found.over.low >= -TIE


def test_the_order_does_not_depend_on_the_order_of_rows(shop):
    qrels, a, b = shop
    few = Qrels.from_dict({q: dict([*each.items()][::3]) for q, each in qrels.to_dict().items()})

    def turned(pairs):
        return {query: dict([*each.items()][::-1]) for query, each in pairs.to_dict().items()}

    found = judge_next(few, a, b, "nDCG@5")
    other = judge_next(turned(few), turned(a), turned(b), "nDCG@5")
    assert (found.delta, found.over, found.order) == (other.delta, other.over, other.order)
    assert any(one.expected == two.expected for one, two in pairwise(found.order))


def test_only_documents_near_the_top_are_listed():
    qrels = Qrels.from_dict({"q": {"j": 1}})
    a, b = in_order({"q": [*"juvw"]}), in_order({"q": [*"xjuy"]})
    listed = {each.document for each in judge_next(qrels, a, b, "nDCG@2").order}
    assert listed == {"u", "x"}
    own = Convention(ideal="retrieved")
    assert {each.document for each in judge_next(qrels, a, b, "nDCG@2", own).order} == set("uvwxy")


@cases(("negative", "left"), [("unjudged", {"u", "v"}), ("nonrelevant", {"v"})])
def test_a_negative_grade_is_open_where_the_convention_takes_it_for_unjudged(negative, left):
    qrels = Qrels.from_dict({"q": {"j": 1, "u": -1}})
    a, b = in_order({"q": [*"uj"]}), in_order({"q": [*"vj"]})
    convention = Convention(negative=negative)
    found = judge_next(qrels, a, b, "RR", convention)
    assert {each.document for each in found.order} == left
    # The range over all grades has the same documents, on every page.
    one = reversal(one_query(qrels, a, b, "RR", "q", convention))
    assert one.low_grades.keys() == left
    assert (found.over.low, found.over.high) == (one.low, one.high)


def test_the_grades_are_those_of_the_qrels_or_one():
    a, b = in_order({"q": [*"xy"]}), in_order({"q": [*"yx"]})
    ends = []
    for grades, qrels in (
        (None, {"q": {}}),
        (None, {"q": {"z": 0}}),
        ([3], {"q": {}}),
        (None, {"q": {}, "p": {"z": 3}}),
    ):
        ends.append(judge_next(qrels, a, b, "DCG@1", grades=grades).over.high)
    assert ends == [1, 1, 3, 3]
    with pytest.raises(DataError, match="grade 2 is not one of 0, 3"):
        judge_next({"q": {}}, a, b, "DCG@1", grades=[3]).judged("q", "x", 2)
    with pytest.raises(DataError, match="'p' is not among the compared queries"):
        judge_next({"q": {}, "p": {}}, a, b, "DCG@1").judged("p", "x", 1)


def test_with_nothing_to_judge_nothing_can_turn():
    a, b = in_order({"q": [*"xy"]}), in_order({"q": [*"yx"]})
    found = judge_next({"q": {"x": 1, "y": 0}}, a, b, "RR")
    assert (found.delta, found.over.low, found.can_turn, found.order) == (-0.5, -0.5, False, ())
    nothing = judge_next({"p": {"x": 1}}, a, b, "RR")
    assert (nothing.order, nothing.can_turn) == ((), None)
    assert math.isnan(nothing.over.low)


def test_a_lead_that_can_only_become_a_tie_does_not_turn():
    a, b = in_order({"q": [*"jx"]}), in_order({"q": [*"jy"]})
    found = judge_next({"q": {"j": 1}}, a, b, "P@2", grades=[1])
    assert (found.delta, found.over.low, found.over.high, found.can_turn) == (0, -0.5, 0.5, True)
    found = found.judged("q", "y", 1)
    assert (found.delta, found.over.low, found.over.high, found.can_turn) == (0.5, 0, 0.5, False)
    assert [each.document for each in found.order] == ["x"]


def test_a_lead_that_is_certain_to_go_turns():
    # Without the unjudged documents B leads; once they are judged, it cannot.
    removed = Convention(unjudged="removed")
    a, b = in_order({"q": [*"xj"]}), in_order({"q": [*"yzkj"]})
    found = judge_next({"q": {"j": 1, "k": 0}}, a, b, "RR", removed, [0])
    assert (found.delta, found.over.high) == (-0.5, pytest.approx(-0.25))
    assert found.can_turn is False
    a, b = in_order({"q": [*"kj"]}), in_order({"q": [*"xyzj"]})
    found = judge_next({"q": {"j": 1, "k": 0}}, a, b, "RR", removed, [0])
    assert (found.delta, found.over.low, found.over.high) == (0.5, -0.25, -0.25)
    assert found.can_turn is True


def test_a_query_that_is_left_out_is_not_part_of_the_mean():
    qrels = {"q": {"j": 1}, "p": {"k": 0}}
    a, b = in_order({"q": [*"uj"], "p": ["k"]}), in_order({"q": ["j"], "p": ["k"]})
    for undefined, share in (("skip", 1), ("zero", 2)):
        found = judge_next(qrels, a, b, "RR", Convention(undefined=undefined))
        (only,) = found.order
        assert (found.delta, found.over.high, only.move) == (0.5 / share,) * 3


def test_unknown_bounds_leave_the_answer_open():
    a, b = in_order({"q": [*"xy"]}), in_order({"q": [*"yx"]})
    found = judge_next({"q": {"x": 1}}, a, b, "RR")
    assert (found.delta, found.can_turn) == (-0.5, False)
    for reached, high, says in ((0.1, 0.2, True), (-0.1, 0.2, None), (-0.1, 0.0, False)):
        other = replace(found)
        vars(other)["over"] = replace(found.over, reached_high=reached, high=high)
        assert other.can_turn is says


def test_what_cannot_be_searched_is_refused():
    a, b = (in_order({"q": [f"{side}{i}" for i in range(300)]}) for side in "ab")
    with pytest.raises(MeasureError, match="too many to try"):
        judge_next({"q": {}}, a, b, "infAP")
    qrels = Qrels.from_dict({"q": {"a0": 1}})
    with pytest.raises(DataError, match="Pass both runs as a whole"):
        judge_next(qrels, a, match(qrels, b), "RR")
    name = next(name for name in NAMES if parse(name).by_aspect)
    with pytest.raises(MeasureError, match="depends on the aspects"):
        judge_next(Qrels.from_aspects({"q": {"1": {"a0": 1}}}), a, b, name)
