"""Every measure a second time, in plain Python: slow, and written from its definition alone.

A ``Case`` is one query whose documents have been put in order; a function per measure scores it.
The definitions are those of the papers and of trec_eval's sources, not those of ``metrics``.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain, permutations, product
from struct import pack, unpack
from typing import NamedTuple

NAN = math.nan


@dataclass
class Case:
    """One ranked query: grades in rank order (None: unjudged), the judgments, the choices."""

    ranked: list
    judgments: list
    convention: object
    options: dict

    def option(self, name, field=None):
        """A parameter of the measure; without it the convention's choice."""
        return self.options.get(name) or getattr(self.convention, field or name)

    @property
    def k(self):
        return self.options.get("k") or len(self.ranked)

    @property
    def top(self):
        return self.ranked[: self.k]

    @property
    def level(self):
        return self.option("rel", "level")

    def relevant(self, grade):
        return grade is not None and grade >= self.level

    def judged(self, grade):
        """Whether this grade is a judgment; one below 0 need not be."""
        return grade is not None and (grade >= 0 or self.convention.negative != "unjudged")

    @property
    def flags(self):
        return [self.relevant(grade) for grade in self.ranked]

    @property
    def total(self):
        return sum(map(self.relevant, self.judgments))

    @property
    def hits(self):
        return sum(map(self.relevant, self.top))

    @property
    def size(self):
        """The divisor of precision."""
        cut = "k" in self.options and self.convention.precision == "k"
        return self.options["k"] if cut else min(self.k, len(self.ranked))

    def gain(self, grade):
        if grade is None:
            return 0.0
        if grade < 0 and self.convention.negative != "subtract":
            return 0.0
        how = self.option("gain")
        if how == "linear":
            return grade
        if how == "exponential":
            return math.copysign(2 ** abs(grade) - 1, grade)
        if how == "binary":
            return (grade > 0) - (grade < 0)
        pairs = (pair.split(":") for pair in how[1:-1].split(","))
        return {float(level): float(gain) for level, gain in pairs}.get(grade, grade)

    @property
    def gains(self):
        return [self.gain(grade) for grade in self.ranked]

    @property
    def ideal(self):
        """The grades that the ideal ranking is made of."""
        seen = [grade for grade in self.ranked if grade is not None]
        if self.convention.ideal == "retrieved":
            return seen
        twice = self.convention.ideal == "doubled"
        return self.judgments + [grade for grade in self.top if grade is not None and twice]

    @property
    def all_ideal_gains(self):
        pools = {"judged": [], "retrieved": self.ranked, "doubled": self.top}
        unjudged = [None for grade in pools[self.convention.ideal] if grade is None]
        return sorted(map(self.gain, self.ideal + unjudged), reverse=True)

    @property
    def ideal_gains(self):
        return [gain for gain in self.all_ideal_gains if gain > 0]

    @property
    def ideal_depth(self):
        """The last rank of the ideal that counts; None: all count."""
        return self.options.get("k") if self.convention.ideal_cut == "k" else None


def over(part, whole):
    """A quotient; None when the divisor is 0."""
    return part / whole if whole else None


def dcg(case, gains):
    divisor = {
        "log2": lambda rank: math.log2(rank + 1),
        "jarvelin": lambda rank: 1 if rank < 2 else math.log2(rank),
        "ln": lambda rank: math.log(rank + 1),
    }[case.convention.discount]
    return sum(gain / divisor(rank) for rank, gain in enumerate(gains, 1))


def precisions(case):
    return [sum(case.flags[:i]) / i for i in range(1, len(case.ranked) + 1)]


def precision(case):
    return case.hits / case.size if case.size else 0.0


def f_measure(case):
    square = case.options.get("beta", 1.0) ** 2
    return (1 + square) * case.hits / (case.size + square * case.total) if case.hits else 0.0


def set_ap(case):
    return over(case.hits * precision(case), case.total)


def average_precision_of(case):
    """The divisor of AP."""
    cutoff = case.options.get("k", math.inf)
    retrieved = min(sum(case.flags), cutoff)
    divisors = {
        "R": case.total,
        "capped": min(case.total, cutoff),
        "retrieved": retrieved,
        "top": sum(case.flags[: case.k]),
    }
    return divisors[case.convention.ap]


def average_precision(case):
    pairs = list(zip(case.flags, precisions(case), strict=True))[: case.k]
    return over(sum(value for flag, value in pairs if flag), average_precision_of(case))


def ndcg(case):
    return over(dcg(case, case.gains[: case.k]), dcg(case, case.ideal_gains[: case.ideal_depth]))


def ndcg_down_to(case, rank):
    return dcg(case, case.gains[:rank]) / dcg(case, case.ideal_gains[:rank])


def rndcg(case):
    ideal, n = case.ideal_gains, len(case.ranked)
    if not ideal:
        return None
    if not case.total:
        return 0.0
    ends = [i for i in range(1, len(ideal) + 1) if i == len(ideal) or ideal[i] != ideal[i - 1]]
    ends += [n] * (n > len(ideal) + 1)  # as in trec_eval, which has no end one rank further
    return sum(ndcg_down_to(case, end) for end in ends) / len(ends)


def ndcg_rel(case):
    ideal = case.ideal_gains
    if not ideal:
        return None
    ranks = [rank for rank, gain in enumerate(case.gains, 1) if gain > 0]
    end = max(len(case.ranked), len(ideal))
    found = sum(ndcg_down_to(case, rank) for rank in ranks)
    return (found + (len(ideal) - len(ranks)) * ndcg_down_to(case, end)) / len(ideal)


def g_measure(case):
    ideal, score, behind = case.ideal_gains, 0.0, 0.0
    for rank, gain in enumerate(case.gains):
        behind += max(1.0, ideal[rank] if rank < len(ideal) else 0.0) - gain
        score += gain / math.log2(2 + behind) if gain else 0.0
    return over(score, sum(ideal))


def bin_g(case):
    flags = case.flags
    terms = (1 / math.log2(2 + flags[:i].count(False)) for i in range(len(flags)) if flags[i])
    return over(sum(terms), case.total)


def compat(case):
    """Rank-biased overlap with the ideal ranking, as a share of the ideal's with itself."""
    p = case.options.get("p", 0.95)
    found = [(-grade, rank) for rank, grade in enumerate(case.ranked) if grade and grade > 0]
    missing = [grade for grade in case.judgments if grade > 0]
    for grade, _ in found:
        missing.remove(-grade)
    ideal = [rank for _, rank in sorted(found + [(-grade, math.inf) for grade in missing])]
    depth = max(len(case.ranked), len(ideal))
    weights = [p**i / (i + 1) for i in range(depth)]

    def shared(i):
        return sum(rank <= i for rank in ideal[: i + 1])

    best = sum(weight * min(i + 1, len(ideal)) for i, weight in enumerate(weights))
    return over(sum(weight * shared(i) for i, weight in enumerate(weights)), best)


def cascade(case, grades):
    """ERR of grades in rank order."""
    score, still = 0.0, 1.0
    for rank, grade in enumerate(grades, 1):
        p = (2 ** max(grade or 0, 0) - 1) / 2 ** case.options.get("max", 4.0)
        score += still * p / rank
        still *= 1 - p
    return score


def pfound(case):
    score, still = 0.0, 1.0
    for grade in case.top:
        found = max(grade or 0, 0) / case.options.get("max", 1.0)
        score += still * found
        still *= (1 - found) * case.options.get("p", 0.85)
    return score


def ideal_cascade(case, depth):
    return cascade(case, sorted(case.ideal, reverse=True)[:depth])


def nerr(case):
    return over(cascade(case, case.top), ideal_cascade(case, case.ideal_depth))


def first_hit(case):
    ranks = [rank for rank, grade in enumerate(case.top, 1) if case.relevant(grade)]
    return 1 / ranks[0] if ranks else 0.0


def bpref(case):
    bad = [case.judged(grade) and not case.relevant(grade) for grade in case.ranked]
    total = case.total
    least = min(total, sum(case.judged(g) and not case.relevant(g) for g in case.judgments))
    above = [sum(bad[:i]) for i in range(len(bad)) if case.flags[i]]
    return over(sum(1 - min(n, total) / least if n else 1.0 for n in above), total)


def inf_ap(case):
    score, tiny = 0.0, 0.00001
    for i, flag in enumerate(case.flags):
        above = [grade for grade in case.ranked[:i] if grade is not None]
        judged = sum(map(case.judged, above))
        good = sum(map(case.relevant, above))
        expected = len(above) * (good + tiny) / (judged + 2 * tiny)
        score += (1 + expected) / (i + 1) if flag else 0.0
    return over(score, case.total)


def logarithm(score):
    return math.log(max(score or 0.0, 0.00001))


def possible_pairs(case):
    return sum(case.flags) * case.flags.count(False)


def accuracy(case):
    flags = case.flags
    right = sum(flags[i + 1 :].count(False) for i in range(len(flags)) if flags[i])
    return over(right, possible_pairs(case))


def rbp(case):
    p, how = case.options.get("p", 0.9), case.option("worth", "rbp")
    highest = max(case.judgments, default=0)

    def worth(grade):
        if how == "relevant":
            return float(case.relevant(grade))
        return max(grade or 0, 0) / (highest if how == "scaled" and highest > 1 else 1)

    return (1 - p) * sum(worth(grade) * p**i for i, grade in enumerate(case.top))


def rbp_residual(case):
    p = case.options.get("p", 0.9)
    return 1 - (1 - p) * sum(p**i for i, grade in enumerate(case.top) if case.judged(grade))


def r_precision(case):
    cutoff = int(case.options.get("times", 1.0) * case.total + 0.9)
    if not case.total:
        return None
    return sum(case.flags[:cutoff]) / cutoff if cutoff else 0.0


def interpolated(case, point):
    exact = point * case.total
    needed = int(exact + 0.9) if case.convention.recall_points == "up" else int(exact + 0.5)
    values = precisions(case)
    return max([v for i, v in enumerate(values, 1) if sum(case.flags[:i]) >= needed], default=0.0)


def eleven_points(case):
    tenths = ",".join(str(tenth / 10) for tenth in range(11))
    points = (case.options.get("points") or f"{{{tenths}}}")[1:-1].split(",")
    return sum(interpolated(case, float(point)) for point in points) / len(points)


def utility(case):
    hit, other, missed = (
        case.options.get(name, usual) for name, usual in (("hit", 1), ("other", -1), ("missed", 0))
    )
    found = sum(case.flags)
    return hit * found + other * (len(case.flags) - found) + missed * (case.total - found)


def novelty(case, flags, weight):
    """The gains of documents relevant for the query's one aspect, each less than the one above."""
    alpha = case.options["alpha"]
    terms = ((1 - alpha) ** sum(flags[:i]) * weight(i + 1) for i in range(len(flags)) if flags[i])
    return sum(terms)


def by_log(case):
    divisor = {
        "log2": lambda rank: math.log2(rank + 1),
        "jarvelin": lambda rank: max(1, math.log2(rank)),
        "ln": lambda rank: math.log(rank + 1),
    }[case.convention.discount]
    return lambda rank: 1 / divisor(rank)


def by_rank(case):
    return lambda rank: 1 / rank


def by_patience(case):
    return lambda rank: case.options["p"] ** (rank - 1)


def imagined(case, weight):
    """What k documents that are all relevant would earn; without an end for NRBP."""
    if "p" in case.options:
        return 1 / (1 - (1 - case.options["alpha"]) * case.options["p"])
    return novelty(case, [True] * case.options.get("k", case.total), weight)


def novel(weight_of):
    def score(case):
        weight = weight_of(case)
        return (
            (over(novelty(case, case.flags[: case.k], weight), imagined(case, weight)) or 0.0)
            if case.total
            else None
        )

    return score


def novel_ideal(weight_of):
    def score(case):
        weight, n = weight_of(case), sum(map(case.relevant, case.ideal))
        best = novelty(
            case, [True] * (n if case.ideal_depth is None else min(n, case.ideal_depth)), weight
        )
        return (over(best, imagined(case, weight)) or 0.0) if case.total else None

    return score


def novel_share(weight_of):
    def score(case):
        ideal = novel_ideal(weight_of)(case)
        if not sum(map(case.relevant, case.ideal)):
            return None
        return over(novel(weight_of)(case) or 0.0, ideal) or 0.0

    return score


def judged_share(case):
    return sum(map(case.judged, case.top)) / len(case.top) if case.top else 0.0


def unjudged_share(case):
    size = case.k
    return sum(not case.judged(grade) for grade in case.top) / size if size else 0.0


def bad_retrieved(case):
    return sum(case.judged(grade) and not case.relevant(grade) for grade in case.ranked)


PROMISES = ("upward", "append", "below", "ideal", "bounded", "monotone_in_k")
"""What a measure can promise, y or n in this order.

- upward: swapping a document with the worse one directly above it never lowers the score.
- append: a document that nobody judged, added at the end, changes nothing.
- below: the order below the cutoff changes nothing.
- ideal: the ideal order of all judged documents scores 1, if there is something to find.
- bounded: the score is from 0 to 1, but for the rounding of the sum.
- monotone_in_k: a deeper cutoff never lowers the score.

A point where there is no cutoff to speak of.
"""


class Row(NamedTuple):
    """A measure: its score, its promises of the whole ranking and at a cutoff, names to compare."""

    score: Callable
    promises: str
    names: str
    mean: bool = False
    """Whether its mean over the orders of equal scores is a sum of lines."""


MEASURES = {
    "P": Row(precision, "yn.ny. yyynyn", "P P@1 P@3 P(rel=2)@2", mean=True),
    "R": Row(
        lambda case: over(case.hits, case.total), "yy.yy. yyynyy", "R R@2 R(rel=2)@3", mean=True
    ),
    "RCap": Row(
        lambda case: over(case.hits, min(case.k, case.total) or case.total),
        "yn.yy. yyyyyn",
        "RCap RCap@2",
        mean=True,
    ),
    "F": Row(f_measure, "yn.ny. yyynyn", "F F@2 F(beta=2)@3 F(beta=0.5)@2", mean=True),
    "F1": Row(f_measure, "yn.ny. yyynyn", "F1 F1@3", mean=True),
    "SetAP": Row(set_ap, "yn.ny.", "SetAP", mean=True),
    "AP": Row(average_precision, "yy.yy. yyynyy", "AP AP@2 AP(rel=2)@3"),
    "DCG": Row(
        lambda case: dcg(case, case.gains[: case.k]),
        "yy.nn. yyynny",
        "DCG DCG@2 DCG(gain=exponential)@3",
        mean=True,
    ),
    "IDCG": Row(
        lambda case: dcg(case, case.all_ideal_gains[: case.ideal_depth]),
        "yy.nn. yyynny",
        "IDCG IDCG@2",
        mean=True,
    ),
    "nDCG": Row(ndcg, "yy.yy. yyyyyn", "nDCG nDCG@2 nDCG(gain=exponential)@3", mean=True),
    "RnDCG": Row(rndcg, "yn.yy.", "RnDCG"),
    "nDCGrel": Row(ndcg_rel, "yy.yy.", "nDCGrel"),
    "Compat": Row(compat, "yn.yy.", "Compat Compat(p=0.5)"),
    "NumRet": Row(lambda case: len(case.ranked), "yn.nn.", "NumRet", mean=True),
    "NumRel": Row(lambda case: case.total, "yy.nn.", "NumRel NumRel(rel=2)", mean=True),
    "NumRelRet": Row(lambda case: case.hits, "yy.nn. yyynny", "NumRelRet NumRelRet@2", mean=True),
    "NumNonrelRet": Row(bad_retrieved, "yy.nn.", "NumNonrelRet NumNonrelRet(rel=2)", mean=True),
    "Judged": Row(judged_share, "yn.yy. ynyyyn", "Judged Judged@2", mean=True),
    "Unjudged": Row(unjudged_share, "yn.ny. nnynyn", "Unjudged Unjudged@3", mean=True),
    "Utility": Row(
        utility, "yn.nn.", "Utility Utility(hit=2,other=-0.5) Utility(missed=-3)", mean=True
    ),
    "ERR": Row(lambda case: cascade(case, case.top), "yy.ny. yyynyy", "ERR ERR(max=3)@2"),
    "IERR": Row(
        lambda case: ideal_cascade(case, case.ideal_depth), "yy.ny. yyynyy", "IERR IERR(max=3)@2"
    ),
    "PFound": Row(pfound, "yy.ny. yyynyy", "PFound(max=4) PFound(max=3,p=0.5)@2"),
    "nERR": Row(nerr, "yy.yy. yyyyyn", "nERR nERR@2"),
    "RR": Row(first_hit, "yy.yy. yyyyyy", "RR RR@2 RR(rel=2)"),
    "Success": Row(lambda case: float(case.hits > 0), "yy.yy. yyyyyy", "Success Success@2"),
    "Bpref": Row(bpref, "yy.yy.", "Bpref Bpref(rel=2)"),
    "infAP": Row(inf_ap, "yy.ny.", "infAP infAP(rel=2)"),
    "LogAP": Row(lambda case: logarithm(average_precision(case)), "yy.nn.", "LogAP"),
    "LogBpref": Row(lambda case: logarithm(bpref(case)), "yy.nn.", "LogBpref"),
    "G": Row(g_measure, "ny.yy.", "G G(gain=exponential)"),
    "binG": Row(bin_g, "yy.yy.", "binG"),
    "Accuracy": Row(accuracy, "yn.yy.", "Accuracy"),
    "RBP": Row(rbp, "yy.ny. yyynyy", "RBP RBP(p=0.5)@2 RBP(worth=relevant)", mean=True),
    "RBPres": Row(rbp_residual, "ny.ny. nyynyn", "RBPres RBPres(p=0.5)@2", mean=True),
    "Rprec": Row(r_precision, "yy.yy.", "Rprec Rprec(times=0.5) Rprec(times=2)", mean=True),
    "IPrec": Row(
        lambda case: interpolated(case, case.options["recall"]),
        "yy.yy.",
        "IPrec@0 IPrec@0.3 IPrec@0.5 IPrec@1",
    ),
    "AvgIPrec": Row(
        eleven_points, "yy.yy.", "AvgIPrec AvgIPrec(rel=2) AvgIPrec(points={0,0.25,0.75})"
    ),
    "AllRel": Row(
        lambda case: float(0 < case.total == case.hits), "yy.yy. yyynyy", "AllRel AllRel(rel=3)@5"
    ),
    "StRecall": Row(
        lambda case: float(case.hits > 0) if case.total else None,
        "yy.yy. yyyyyy",
        "StRecall StRecall@2",
    ),
    "AllAspects": Row(
        lambda case: float(case.hits > 0), "yy.yy. yyyyyy", "AllAspects AllAspects@1"
    ),
    "P_IA": Row(
        lambda case: precision(case) if case.total else None,
        "yn.ny. yyynyn",
        "P_IA P_IA@2",
        mean=True,
    ),
    "AP_IA": Row(
        lambda case: over(
            sum(
                v
                for flag, v in list(zip(case.flags, precisions(case), strict=True))[: case.k]
                if flag
            ),
            case.total,
        ),
        "yy.yy. yyynyy",
        "AP_IA AP_IA@2",
    ),
    "alpha_DCG": Row(novel(by_log), "yy.yy. yyynyn", "alpha_DCG alpha_DCG(alpha=0.3)@2"),
    "alpha_IDCG": Row(novel_ideal(by_log), "yy.yy. yyynyn", "alpha_IDCG alpha_IDCG@2"),
    "alpha_nDCG": Row(
        novel_share(by_log), "yy.yy. yyyyyn", "alpha_nDCG alpha_nDCG@2 alpha_nDCG(rel=2)@3"
    ),
    "ERR_IA": Row(novel(by_rank), "yy.yy. yyynyn", "ERR_IA ERR_IA@2"),
    "IERR_IA": Row(novel_ideal(by_rank), "yy.yy. yyynyn", "IERR_IA IERR_IA@2"),
    "nERR_IA": Row(novel_share(by_rank), "yy.yy. yyyyyn", "nERR_IA nERR_IA@2"),
    "NRBP": Row(novel(by_patience), "yy.ny.", "NRBP NRBP(alpha=0.2,p=0.8)"),
    "INRBP": Row(novel_ideal(by_patience), "yy.ny.", "INRBP"),
    "nNRBP": Row(novel_share(by_patience), "yy.yy.", "nNRBP"),
}
"""A query that is judged as a whole has one aspect; `test_aspects` has queries with several."""
ALWAYS_DEFINED = {"NumRet", "Judged", "Unjudged", "RBPres"}


def to_find(name, case):
    """How much there is to find in the query, in the measure's own terms."""
    if name in ALWAYS_DEFINED:
        return 1
    if name in {"DCG", "IDCG"}:
        return sum(abs(case.gain(grade)) for grade in case.judgments)
    if name in {"nDCG", "RnDCG", "nDCGrel", "G"}:
        return sum(case.ideal_gains[: case.ideal_depth])
    if name in {"ERR", "IERR", "PFound", "Compat"}:
        return sum(grade > 0 for grade in case.judgments)
    if name == "nERR":
        return sum(grade > 0 for grade in case.ideal)
    if name in {"AP", "LogAP"}:
        return average_precision_of(case)
    if name in {"alpha_nDCG", "nERR_IA", "nNRBP"}:
        return sum(map(case.relevant, case.ideal))
    return possible_pairs(case) if name == "Accuracy" else case.total


def single(score):
    return unpack("f", pack("f", score))[0]


def orders(run, convention):
    """Every order of the documents that the convention averages over; else its one order."""
    near = single if convention.scores == "single" else float
    names = list(run)
    if convention.ties != "input":
        names.sort(reverse=convention.ties != "ascending")
    values = sorted({near(score) for score in run.values()}, reverse=True)
    groups = [[name for name in names if near(run[name]) == value] for value in values]
    if convention.ties != "mean":
        return [list(chain(*groups))]
    return [list(chain(*parts)) for parts in product(*map(permutations, groups))]


def plain(name, case):
    """The score of one order."""
    undefined = case.convention.undefined
    if undefined == "skip" and not to_find(name, case):
        return NAN
    score = MEASURES[name].score(case)
    return score if score is not None else float(undefined == "one")


def reference(name, grades, run, convention, options):
    """The score of one query: a dict of grades, a dict of scores, and all choices."""
    scores = []
    for order in orders(run, convention):
        ranked = [grades.get(document) for document in order]
        case = Case(ranked, list(grades.values()), convention, options)
        if convention.unjudged == "removed":
            case.ranked = [grade for grade in ranked if case.judged(grade)]
        scores.append(plain(name, case))
    return sum(scores) / len(scores)
