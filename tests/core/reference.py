"""Every measure a second time: plain Python over sorted lists, slow, without a ledger.

Written from the definitions and from trec_eval's sources, so that the two ways can only agree by
being right. A measure is a function of the grades in rank order (None: nobody judged the
document), of all grades that judges gave, retrieved or not, and of the options: the convention's
choices and the measure's own parameters.
"""

import math
import struct
from itertools import groupby, permutations, product
from types import SimpleNamespace

from metrics import parse

EPSILON = FLOOR = 0.00001
"""trec_eval's INFAP_EPSILON and MIN_GEO_MEAN."""

MEASURES = {}
SHARES = set()
"""The measures that are 0/0 where there is nothing to find."""


def measure(name, share=False):
    def register(function):
        MEASURES[name] = function
        SHARES.update([name] if share else [])
        return function

    return register


def scores(qrels, run, measure, convention):
    """The score of each evaluated query; NaN where the convention leaves the query out."""
    measure = parse(measure)
    o = options(measure, convention)
    queries = [q for q in qrels if qrels[q] and (o.queries == "qrels" or q in run)]
    return {q: score(qrels[q], run.get(q, {}), measure.symbol, o) for q in queries}


def options(measure, convention):
    """The choices of the convention, under the names of its fields, and the parameters."""
    o = SimpleNamespace(**vars(convention))
    own = {name: value for name, value in vars(measure).items() if value is not None}
    o.level, o.gain = own.pop("rel", o.level), own.pop("gain", o.gain)
    o.rbp, o.k = own.pop("worth", o.rbp), own.pop("cutoff", None)
    vars(o).update(own)
    return o


def score(grades, run, name, o):
    judged = list(grades.values())
    found = []
    for documents in orders(run, o):
        ranked = [grades.get(document) for document in documents]
        if o.unjudged == "removed":
            ranked = [g for g in ranked if is_judged(g, o)]
        nothing = nothing_to_find(name, ranked, judged, o)
        if nothing and o.undefined == "skip":
            found.append(math.nan)
        elif nothing and name in SHARES:
            found.append(1.0 if o.undefined == "one" else 0.0)
        else:
            found.append(MEASURES[name](ranked, judged, o))
    return sum(found) / len(found)


def orders(run, o):
    """The orders of the documents that the scores and the tie rule leave possible."""

    def value(document):
        single = struct.unpack("f", struct.pack("f", run[document]))[0]
        return single if o.scores == "single" else run[document]

    documents = list(run)
    if o.ties != "input":
        documents.sort(key=str.encode, reverse=o.ties == "descending")
    documents.sort(key=value, reverse=True)
    if o.ties != "mean":
        return [documents]
    groups = [list(group) for _, group in groupby(documents, key=value)]
    return [sum(order, ()) for order in product(*map(permutations, groups))]


def nothing_to_find(name, ranked, judged, o):
    if name in ("NumRet", "Judged", "Unjudged", "RBPres"):
        return False
    if name in ("IDCG", "nDCG", "RnDCG", "nDCGrel", "G"):
        return not any(ideal_gains(ranked, judged, o))
    if name == "DCG":
        return not any(gain(g, o) for g in judged)
    if name in ("IERR", "nERR"):
        return not any(satisfied(g, o) for g in ideal_grades(ranked, judged, o))
    if name in ("ERR", "Compat"):
        return not any(g > 0 for g in judged)
    if name in ("AP", "LogAP") and o.ap == "retrieved":
        return hits(ranked, o) == 0
    return relevant(judged, o) == 0


# Grades, gains, and the ideal ranking.


def is_relevant(grade, o):
    return grade is not None and grade >= o.level


def is_judged(grade, o):
    return grade is not None and (grade >= 0 or o.negative != "unjudged")


def relevant(grades, o):
    return sum(is_relevant(g, o) for g in grades)


hits = relevant


def gain(grade, o):
    if grade is None or (grade < 0 and o.negative != "subtract"):
        return 0.0
    if o.gain == "linear":
        return float(grade)
    if o.gain == "exponential":
        return math.copysign(2.0 ** abs(grade) - 1, grade)
    pairs = [pair.split(":") for pair in o.gain.strip("{}").split(",")]
    return {float(key): float(value) for key, value in pairs}.get(grade, float(grade))


def ideal_grades(ranked, judged, o):
    pools = {"judged": judged, "retrieved": ranked, "doubled": ranked[: o.k] + judged}
    return sorted(pools[o.ideal], key=lambda g: -math.inf if g is None else g, reverse=True)


def ideal_gains(ranked, judged, o):
    return sorted((gain(g, o) for g in ideal_grades(ranked, judged, o)), reverse=True)


def dcg(gains):
    return sum(g / math.log2(rank + 1) for rank, g in enumerate(gains, 1))


# Sets: the order inside the top k does not count.


def depth(ranked, o):
    """What P@k is divided by."""
    returned = o.k is None or o.precision == "returned"
    return min(len(ranked), o.k or len(ranked)) if returned else o.k


@measure("P")
def precision(ranked, judged, o):
    return hits(ranked[: o.k], o) / depth(ranked, o) if ranked else 0.0


@measure("R", share=True)
def recall(ranked, judged, o):
    return hits(ranked[: o.k], o) / relevant(judged, o)


@measure("RCap", share=True)
def capped_recall(ranked, judged, o):
    if not ranked:
        return 0.0
    return hits(ranked[: o.k], o) / min(o.k or len(ranked), relevant(judged, o))


@measure("F")
def f(ranked, judged, o):
    if not hits(ranked[: o.k], o):
        return 0.0
    p, r = precision(ranked, judged, o), recall(ranked, judged, o)
    return (1 + o.beta**2) * p * r / (o.beta**2 * p + r)


@measure("F1")
def f1(ranked, judged, o):
    return f(ranked, judged, SimpleNamespace(**vars(o) | {"beta": 1.0}))


@measure("SetAP", share=True)
def set_average_precision(ranked, judged, o):
    return precision(ranked, judged, o) * recall(ranked, judged, o)


@measure("Success")
def success(ranked, judged, o):
    return 1.0 if hits(ranked[: o.k], o) else 0.0


@measure("NumRet")
def retrieved(ranked, judged, o):
    return len(ranked)


@measure("NumRel")
def number_of_relevant(ranked, judged, o):
    return relevant(judged, o)


@measure("NumRelRet")
def number_of_hits(ranked, judged, o):
    return hits(ranked[: o.k], o)


@measure("NumNonrelRet")
def number_of_known_misses(ranked, judged, o):
    return sum(is_judged(g, o) and not is_relevant(g, o) for g in ranked)


@measure("Utility")
def utility(ranked, judged, o):
    return hits(ranked, o) - (len(ranked) - hits(ranked, o))


@measure("Judged")
def share_of_judged(ranked, judged, o):
    top = ranked[: o.k]
    return sum(is_judged(g, o) for g in top) / len(top) if top else 0.0


@measure("Unjudged")
def share_of_unjudged(ranked, judged, o):
    unjudged = sum(not is_judged(g, o) for g in ranked[: o.k])
    return unjudged / (o.k or len(ranked)) if ranked else 0.0


@measure("Rprec", share=True)
def r_precision(ranked, judged, o):
    cutoff = int(o.times * relevant(judged, o) + 0.9)
    return hits(ranked[:cutoff], o) / cutoff if cutoff else 0.0


# Where the relevant documents stand.


def ranks_of_relevant(ranked, o):
    return [rank for rank, g in enumerate(ranked, 1) if is_relevant(g, o)]


@measure("RR")
def reciprocal_rank(ranked, judged, o):
    ranks = ranks_of_relevant(ranked[: o.k], o)
    return 1 / ranks[0] if ranks else 0.0


@measure("AP", share=True)
def average_precision(ranked, judged, o):
    divisor = relevant(ranked if o.ap == "retrieved" else judged, o)
    if o.ap != "R" and o.k is not None:
        divisor = min(divisor, o.k)
    ranks = ranks_of_relevant(ranked[: o.k], o)
    return sum(seen / rank for seen, rank in enumerate(ranks, 1)) / divisor


@measure("LogAP")
def log_average_precision(ranked, judged, o):
    found = hits(ranked, o)
    return math.log(max(average_precision(ranked, judged, o), FLOOR) if found else FLOOR)


@measure("IPrec")
def interpolated_precision(ranked, judged, o):
    exact = o.recall * relevant(judged, o)
    # C's lround: halves go away from zero.
    needed = math.floor(exact + 0.5) if o.recall_points == "nearest" else int(exact + 0.9)
    found = list(enumerate(ranks_of_relevant(ranked, o), 1))
    return max((seen / rank for seen, rank in found if seen >= needed), default=0.0)


@measure("AvgIPrec")
def eleven_points(ranked, judged, o):
    points = [SimpleNamespace(**vars(o) | {"recall": tenths / 10}) for tenths in range(11)]
    return sum(interpolated_precision(ranked, judged, point) for point in points) / 11


@measure("Bpref", share=True)
def binary_preference(ranked, judged, o):
    r = relevant(judged, o)
    n = sum(is_judged(g, o) for g in judged) - r
    total, above = 0.0, 0
    for g in ranked:
        if is_relevant(g, o):
            total += 1 - min(above, r) / min(n, r) if above else 1
        elif is_judged(g, o):
            above += 1
    return total / r


@measure("LogBpref")
def log_binary_preference(ranked, judged, o):
    r = relevant(judged, o)
    return math.log(max(binary_preference(ranked, judged, o), FLOOR) if r else FLOOR)


@measure("infAP", share=True)
def inferred_average_precision(ranked, judged, o):
    total, rel, nonrel, pooled = 0.0, 0, 0, 0
    for above, g in enumerate(ranked):
        if is_relevant(g, o):
            expected = (rel + EPSILON) / (rel + nonrel + 2 * EPSILON)
            in_pool = (rel + nonrel + pooled) / above if above else 0
            total += 1 / (above + 1) + above / (above + 1) * in_pool * expected
            rel += 1
        elif is_judged(g, o):
            nonrel += 1
        elif g is not None:
            pooled += 1
    return total / relevant(judged, o)


@measure("Accuracy", share=True)
def pairwise_accuracy(ranked, judged, o):
    pairs = [
        above
        for i, one in enumerate(ranked)
        for other in ranked[i + 1 :]
        for above, below in [(is_relevant(one, o), is_relevant(other, o))]
        if above != below
    ]
    return sum(pairs) / len(pairs) if pairs else 0.0


@measure("binG", share=True)
def binary_g(ranked, judged, o):
    total, missed = 0.0, 0
    for g in ranked:
        if is_relevant(g, o):
            total += 1 / math.log2(2 + missed)
        else:
            missed += 1
    return total / relevant(judged, o)


# Readers who go on with probability p, or until they are satisfied.


@measure("RBP")
def rank_biased_precision(ranked, judged, o):
    highest = max(judged)

    def worth(g):
        if o.rbp == "relevant":
            return is_relevant(g, o)
        if g is None or g <= 0:
            return 0.0
        return g / highest if o.rbp == "scaled" else g

    return (1 - o.p) * sum(worth(g) * o.p**above for above, g in enumerate(ranked[: o.k]))


@measure("RBPres")
def rank_biased_residual(ranked, judged, o):
    top = ranked[: o.k]
    unknown = sum(o.p**above for above, g in enumerate(top) if not is_judged(g, o))
    return (1 - o.p) * unknown + o.p ** len(top)


def satisfied(grade, o):
    """How likely a document is to end the search."""
    if grade is None or grade <= 0:
        return 0.0
    return (2 ** min(grade, o.max) - 1) / 2**o.max


def cascade(grades, o):
    total, reading = 0.0, 1.0
    for rank, g in enumerate(grades, 1):
        total += reading * satisfied(g, o) / rank
        reading *= 1 - satisfied(g, o)
    return total


@measure("ERR")
def expected_reciprocal_rank(ranked, judged, o):
    return cascade(ranked[: o.k], o)


@measure("IERR")
def ideal_expected_reciprocal_rank(ranked, judged, o):
    return cascade(ideal_grades(ranked, judged, o)[: o.k], o)


@measure("nERR", share=True)
def normalised_expected_reciprocal_rank(ranked, judged, o):
    ideal = ideal_grades(ranked, judged, o)
    best = cascade(ideal[: o.k] if o.ideal_cut == "k" else ideal, o)
    return cascade(ranked[: o.k], o) / best


def overlap(ranking, ideal, p, down_to):
    """Rank-biased overlap of two lists, as a share of what equal endless lists would have."""
    weights = [p**i for i in range(down_to)]
    shared = [len({*ranking[:i]} & {*ideal[:i]}) / i for i in range(1, down_to + 1)]
    return sum(w * s for w, s in zip(weights, shared, strict=True)) / sum(weights)


@measure("Compat", share=True)
def compatibility(ranked, judged, o):
    missing = sorted(judged)
    for g in ranked:
        if g is not None:
            missing.remove(g)
    documents = list(enumerate([*ranked, *missing]))
    ideal = [(i, g) for i, g in documents if g is not None and g > 0]
    # The ideal nearest to the run: equal grades in the run's order, what it lacks last.
    ideal.sort(key=lambda document: -document[1])
    ranking, ideal = list(range(len(ranked))), [i for i, _ in ideal]
    down_to = max(len(ranking), len(ideal))
    return overlap(ranking, ideal, o.p, down_to) / overlap(ideal, ideal, o.p, down_to)


# Gains.


@measure("DCG")
def discounted_cumulative_gain(ranked, judged, o):
    return dcg([gain(g, o) for g in ranked[: o.k]])


@measure("IDCG")
def ideal_discounted_cumulative_gain(ranked, judged, o):
    return dcg(ideal_gains(ranked, judged, o)[: o.k])


@measure("nDCG", share=True)
def normalised_dcg(ranked, judged, o):
    ideal = ideal_gains(ranked, judged, o)
    best = dcg(ideal[: o.k] if o.ideal_cut == "k" else ideal)
    return discounted_cumulative_gain(ranked, judged, o) / best


@measure("RnDCG", share=True)
def ndcg_at_the_ends_of_levels(ranked, judged, o):
    if relevant(judged, o) == 0:
        return 0.0
    gains = [gain(g, o) for g in ranked]
    ideal = [g for g in ideal_gains(ranked, judged, o) if g > 0]
    ends = [i for i in range(1, len(ideal)) if ideal[i] != ideal[i - 1]] + [len(ideal)]
    # trec_eval looks for the end only after the rank at which the ideal is over.
    if len(gains) > len(ideal) + 1:
        ends.append(len(gains))
    return sum(dcg(gains[:end]) / dcg(ideal[:end]) for end in ends) / len(ends)


@measure("nDCGrel", share=True)
def ndcg_at_the_relevant(ranked, judged, o):
    gains = [gain(g, o) for g in ranked]
    ideal = [g for g in ideal_gains(ranked, judged, o) if g > 0]
    places = [rank for rank, g in enumerate(gains, 1) if g > 0]
    at_places = [dcg(gains[:rank]) / dcg(ideal[:rank]) for rank in places]
    at_the_end = (len(ideal) - len(places)) * dcg(gains) / dcg(ideal)
    return (sum(at_places) + at_the_end) / len(ideal)


@measure("G", share=True)
def normalised_gain(ranked, judged, o):
    ideal = [g for g in ideal_gains(ranked, judged, o) if g > 0]
    total, behind = 0.0, 0.0
    for above, g in enumerate(ranked):
        behind += max(1.0, ideal[above] if above < len(ideal) else 0.0) - gain(g, o)
        total += gain(g, o) / math.log2(2 + behind)
    return total / sum(ideal)
