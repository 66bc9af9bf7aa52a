"""Paired tests, intervals and corrections: whether a difference of two runs could be chance."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..arrays import NOISE, Floats, stats
from ..defaults import CONFIDENCE, SEED

TIE = 1e-9
"""Differences up to this size are ties."""
EXACT = 36
"""Up to this many differing queries, every way to swap the runs counts."""
SAMPLES = 9_999
_RANKED = 400
"""Up to this many differing queries, every way to sign the ranks counts; with more, it takes long,
and the normal distribution gives p to three digits."""
_CHUNK = 500
_PARTS = 16
"""The means of all parts of this many differences take a millisecond."""
DIFFERING = 6
"""With fewer differing queries a mean delta has no interval: no test can then reject any mean."""
NONE = "none"
"""The name of the choice that tests nothing, for queries that were chosen by their outcome."""


@dataclass(frozen=True)
class Interval:
    """A way to make the interval of a mean difference.

    Attributes
    ----------
    name, key
        The name in a sentence, and in JSON.
    of
        The interval of ``(n,)`` differences, with a seed and a level; NaN where it has no ends.
    """

    name: str
    key: str
    of: Callable[[Floats, int, float], tuple[float, float]]


@dataclass(frozen=True)
class SignificanceTest:
    """A paired test of the hypothesis that A and B do not differ.

    Attributes
    ----------
    title, name, asks
        The name as a heading and in a sentence, and the meaning of the p-value.
    p
        The two-sided p-value of ``(n,)`` differences, with a seed for random tests.
    towards
        Above 0 where the test's statistic favours B, below 0 where it favours A. The statistic is
        not always the mean.
    interval
        The interval of the mean difference, with a seed and a level.
    exact
        For at most this many differences other than 0 every way counts; else p is that of draws, or
        of a normal distribution. 0: there are no ways to count.
    """

    title: str
    name: str
    asks: str
    p: Callable[[Floats, int], float]
    towards: Callable[[Floats], float]
    interval: Interval
    exact: int = 0

    def named(self, differing: int) -> str:
        """Return the name in a sentence, and whether p is exact for so many differences."""
        return f"exact {self.name}" if differing <= self.exact else self.name


def without_noise(deltas: Floats, largest: float = 0.0) -> Floats:
    """Return differences of scores, with those made equal that differ by rounding alone.

    A score is a sum of floats, so equal differences can come out as 0.2, 0.19999999999999996 and
    0.20000000000000007. Ranks, ties, wins and quantiles need them equal. Sorted by size from 0 up,
    each difference that is at most 1e-12 of the largest score above the one before takes its size,
    so that a sum of differences stays what it was.

    ``largest`` is the size of the largest score that the ``(n,)`` deltas come from; by default that
    of the largest delta.

    Examples
    --------
    >>> without_noise(np.array([0.6 - 0.4, 0.4 - 0.6, 0.2, 1e-17, 0.5])).tolist()
    [0.19999999999999996, -0.19999999999999996, 0.19999999999999996, 0.0, 0.5]
    """
    size = np.abs(deltas)
    apart = NOISE * max(largest, float(size.max(initial=0.0)))
    order = np.argsort(size, kind="stable")
    rising = np.append(0.0, size[order])
    starts = np.append(True, np.diff(rising) > apart)
    of_group = rising[np.flatnonzero(starts)][np.cumsum(starts) - 1]
    equal = np.empty(len(deltas))
    equal[order] = of_group[1:]
    return np.asarray(np.where(equal == 0, 0.0, np.copysign(equal, deltas)))


def randomisation(deltas: Floats, seed: int = SEED) -> float:
    """Return the share of all ways to swap A and B in some queries with a mean delta as large.

    Every way counts if at most 36 queries differ; otherwise 9,999 are drawn, and the observed one
    counts too: (b + 1)/(n + 1).

    ``deltas`` has ``(n,)`` a difference for each query.

    References
    ----------
    Fisher (1935); Smucker, Allan & Carterette, CIKM (2007).

    Examples
    --------
    >>> randomisation(np.array([0.5, 0.25, 0.125]))
    0.25
    """
    # Swapping two equal scores changes nothing.
    differing = deltas[deltas != 0]
    n = len(differing)
    if n == 0:
        return 1.0
    # A sum that is equal but for rounding is as large, also where all cancel out.
    observed = abs(differing.sum()) - NOISE * np.abs(differing).sum()
    if n <= EXACT:
        return _at_least(np.abs(differing), observed)
    kept = _drawn(differing.astype(float).tobytes(), seed)
    as_large = int((np.abs(2 * kept - differing.sum()) >= observed).sum())
    return (as_large + 1) / (SAMPLES + 1)


@lru_cache(maxsize=8)
def _drawn(differing: bytes, seed: int) -> Floats:
    """Return the sums of random parts of the differences.

    The test and the interval ask for the same parts, one after the other.
    """
    values = np.frombuffer(differing)
    lots, n = np.random.default_rng(seed), len(values)
    sums = np.empty(SAMPLES)
    for start in range(0, SAMPLES, _CHUNK):
        rows = min(_CHUNK, SAMPLES - start)
        bits = np.frombuffer(lots.bytes(rows * ((n + 7) // 8)), np.uint8).reshape(rows, -1)
        sums[start : start + rows] = np.unpackbits(bits, axis=1, count=n) @ values
    return sums


def _at_least(sizes: Floats, observed: float) -> float:
    """Return the share of all ways to sign the sizes whose sum is at least as far from 0.

    Each sum is one of the first half of the sizes plus one of the second half.
    """
    if observed <= 0:
        return 1.0
    first, second = _signed_sums(sizes[::2]), _signed_sums(sizes[1::2])
    below = int(np.searchsorted(second, observed - first).sum())
    # As many sums are as far below 0.
    return 2 * (1 - below / 2.0 ** len(sizes))


def _signed_sums(sizes: Floats) -> Floats:
    """Return ``(2ⁿ,)`` the sums of all ways to sign ``(n,)`` sizes, ascending."""
    sums = np.zeros(1)
    for size in sizes:
        # Two ascending halves, which a stable sort only merges.
        sums = np.sort(np.concatenate([sums - size, sums + size]), kind="stable")
    return sums


def paired_t(deltas: Floats, seed: int = SEED) -> float:
    """Student's t-test of the differences.

    Examples
    --------
    >>> round(paired_t(np.array([0.5, 0.25, 0.125])), 4)
    0.1181
    """
    if not deltas.any():
        return 1.0
    if np.ptp(deltas) == 0:
        # All differences are equal: t is infinite.
        return 0.0
    return float(stats.ttest_1samp(deltas, 0.0).pvalue)


def wilcoxon(deltas: Floats, seed: int = SEED) -> float:
    """Wilcoxon's signed-rank test; differences of 0 are left out, equal ones share their rank.

    Every way to sign the ranks counts if at most 400 queries differ; with more, the normal
    distribution stands for them. Differences that are equal but for rounding count as equal: see
    `without_noise`.

    Examples
    --------
    >>> wilcoxon(np.array([0.5, 0.25, 0.125]))
    0.25
    >>> wilcoxon(np.array([0.5, 0.25, 0.125, 0.0]))
    0.25
    """
    signed = _signed_ranks(deltas)
    if not len(signed):
        return 1.0
    if len(signed) > _RANKED:
        return float(stats.wilcoxon(signed, method="approx").pvalue)
    # Equal differences have the mean of their ranks: twice a rank is a whole number.
    doubled = np.rint(2 * signed).astype(np.int64)
    size, total = np.sort(np.abs(doubled)), int(np.abs(doubled).sum())
    low = int(min(doubled[doubled > 0].sum(), -doubled[doubled < 0].sum()))
    if 2 * low == total:
        return 1.0
    chances = np.zeros(low + 1)
    chances[0] = 1.0
    for rank in size[size <= low].tolist():
        chances[rank:] += chances[:-rank].copy()
        chances /= 2
    larger = int((size > low).sum())
    return float(2 * chances.sum() / 2.0**larger)


def _mean(deltas: Floats) -> float:
    return float(deltas.mean()) if len(deltas) else 0.0


def _signed_ranks(deltas: Floats) -> Floats:
    """Return the ranks of all differences but 0 by size, each with the difference's sign."""
    differing = without_noise(deltas)
    differing = differing[differing != 0]
    return np.asarray(np.sign(differing) * stats.rankdata(np.abs(differing)))


def not_rejected(
    deltas: Floats, seed: int = SEED, level: float = CONFIDENCE
) -> tuple[float, float]:
    """Return the interval of the means that the randomisation test does not reject.

    Subtract a mean from all differences: the test rejects it where too few parts of the differences
    have a mean on its other side. So the ends are means of parts, at the rank that the level asks
    for: of all parts if there are at most 16 differences, else of 9,999 drawn ones, each with the
    rest. At fewer than 6 differences no mean is rejected, and the interval has no ends.

    References
    ----------
    Hartigan, Journal of the American Statistical Association 64 (1969): typical values.

    Examples
    --------
    >>> not_rejected(np.array([0.25, 0.0, 0.5, 0.25, 0.5, 0.0]))
    (0.0, 0.5)
    >>> not_rejected(np.array([0.25, 0.0, 0.5, 0.25, 0.5]))
    (nan, nan)
    """
    n = len(deltas)
    if n <= _PARTS:
        sums, sizes = np.zeros(1), np.zeros(1)
        for value in deltas:
            sums, sizes = np.append(sums, sums + value), np.append(sizes, sizes + 1)
        means, ways = sums[1:] / sizes[1:], float(len(sums))
    else:
        differing = deltas[deltas != 0]
        sums = _drawn(differing.astype(float).tobytes(), seed)
        # As many ones in the same parts are the sizes of these.
        sizes = _drawn(np.ones(len(differing)).tobytes(), seed)
        # Of the differences of 0, each part has about half.
        sizes = sizes + np.random.default_rng([seed, n]).binomial(n - len(differing), 0.5, SAMPLES)
        sums, sizes = np.append(sums, deltas.sum() - sums), np.append(sizes, n - sizes)
        means, ways = sums[sizes > 0] / sizes[sizes > 0], 2.0 * (SAMPLES + 1)
    # The test counts the part that is empty, too.
    rank = math.ceil((1 - level) / 2 * ways - NOISE) - 1
    if rank < 1:
        return math.nan, math.nan
    ends = np.partition(means, (rank - 1, len(means) - rank))[[rank - 1, -rank]]
    # The last bits of sums differ from machine to machine, and an end of 0 can come out beside it.
    digits = -math.floor(math.log10(NOISE * (np.abs(deltas).max() or 1.0)))
    low, high = (np.round(ends, digits) + 0.0).tolist()
    return low, high


def student(values: Floats, seed: int = SEED, level: float = CONFIDENCE) -> tuple[float, float]:
    """Return Student's interval of the mean; NaN for fewer than two values.

    References
    ----------
    Student, Biometrika 6 (1908).

    Examples
    --------
    >>> student(np.array([0.25, 0.25]))
    (0.25, 0.25)
    >>> low, high = student(np.array([0.5, 0.25, 0.125]))
    >>> round(low, 4), round(high, 4)
    (-0.1827, 0.766)
    """
    if len(values) < 2:
        return math.nan, math.nan
    middle, n = float(values.mean()), len(values)
    if np.ptp(values) == 0:
        return float(values[0]), float(values[0])
    half = float(stats.t.ppf((1 + level) / 2, n - 1) * values.std(ddof=1)) / math.sqrt(n)
    return middle - half, middle + half


_NOT_REJECTED = Interval("inverted randomisation test", "randomisation", not_rejected)
_STUDENT = Interval("Student's t", "student_t", student)
TESTS = {
    "randomisation": SignificanceTest(
        "Randomisation",
        "randomisation test",
        "the share of random A/B swaps with a difference at least this large",
        randomisation,
        _mean,
        _NOT_REJECTED,
        EXACT,
    ),
    "t": SignificanceTest(
        "Paired t",
        "paired t-test",
        "if deltas were normally distributed around 0, this share of means would be as large",
        paired_t,
        _mean,
        _STUDENT,
    ),
    "wilcoxon": SignificanceTest(
        "Wilcoxon signed rank",
        "Wilcoxon signed-rank test",
        "the share of random signs of the ranked deltas with a rank sum at least as uneven",
        wilcoxon,
        lambda deltas: float(_signed_ranks(deltas).sum()),
        _NOT_REJECTED,
        _RANKED,
    ),
    NONE: SignificanceTest(
        "No test",
        "no test",
        "not computed",
        lambda deltas, seed: math.nan,
        _mean,
        _NOT_REJECTED,
    ),
}
"""The tests by their names in links."""


def interval_of_scores(scores: Floats) -> tuple[float, float]:
    """Return the 95 % interval of a mean score, cut at the lowest and the highest score.

    Student's interval reaches beyond them where many scores are at the end of their range. It holds
    the true mean of 10,000 samples of 5, 10, 30 and 150 scores in 93, 96, 95 and 95 % if they are
    symmetric, in 88, 90, 92 and 94 % if they are exponential.

    Examples
    --------
    >>> interval_of_scores(np.array([1.0, 1.0, 0.5]))[1]
    1.0
    """
    low, high = student(scores)
    if len(scores) < 2:
        return low, high
    return max(low, float(scores.min())), min(high, float(scores.max()))


def effect(deltas: Floats) -> float:
    """Return the mean difference in standard deviations of the differences; NaN where they are 0.

    Examples
    --------
    >>> effect(np.array([0.0, 1.0]))
    0.7071067811865475
    """
    spread = float(deltas.std(ddof=1)) if len(deltas) > 1 else 0.0
    # Deltas that differ only in their last bits are equal.
    noise = NOISE * float(np.abs(deltas).max(initial=0.0))
    return float(deltas.mean()) / spread if spread > noise else math.nan


def holm(values: Iterable[float]) -> list[float]:
    """Return p-values with Holm's correction, so that all together err as often as a single one.

    NaN stays NaN and does not count.

    References
    ----------
    Holm, Scandinavian Journal of Statistics 6 (1979).

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    raw = np.array(list(values), float)
    corrected: Floats = np.full(len(raw), np.nan)
    order = np.argsort(raw)[: np.count_nonzero(~np.isnan(raw))]  # NaN comes last
    times = np.arange(len(order), 0, -1)
    corrected[order] = np.maximum.accumulate(np.minimum(1.0, times * raw[order]))
    return [float(value) for value in corrected]
