"""Completions that are scored together have the scores of each one judged by itself."""

import random

import numpy as np
import pytest

from metrics import Convention, Qrels
from metrics.comparing import reversal as search
from metrics.comparing.judge_next import judge_next
from metrics.comparing.one_query import one_query
from metrics.comparing.reversal import reversal
from metrics.comparing.significance import TIE
from tests.core.comparing.test_judge_next import deltas, kinds, open_end, shares
from tests.core.comparing.test_mean_range import in_order


@pytest.mark.parametrize("few", [False, True], ids=["all are tried", "some are tried"])
@pytest.mark.parametrize("name", ["RR@7", "AP@7", "ERR@7", "nERR@7", "AP", "ERR"])
def test_moves_are_those_of_each_completion_judged_by_itself(name, few, monkeypatch):
    scale, sure = kinds(name, Convention(), (0, 1, 2)), 0
    if few:
        monkeypatch.setattr(search, "MOST_LINES", 2_000 if len(scale) == 2 else 8_000)
    for seed in range(8):
        lots = random.Random(seed)
        # Some documents are above the cutoff in one list, and below it in the other.
        ids = [*"jklm", *(f"u{i}" for i in range(7))]
        a, b = (in_order({"q": lots.sample(ids, len(ids))}) for _ in "ab")
        known = dict(zip("jklm", lots.sample([0, 0, 1, 2], 4), strict=True))
        qrels = Qrels.from_dict({"q": known})
        found = judge_next(qrels, a, b, name)
        ends, sign = reversal(one_query(qrels, a, b, name, "q")), open_end(found)
        end = known | (ends.low_grades if sign > 0 else ends.high_grades)
        every = [end, *(end | {each.document: g} for each in found.order for g in scale)]
        value, *moved = sign * deltas(every, "q", a, b, name, Convention())
        assert sign * value == pytest.approx(ends.reached_low if sign > 0 else ends.reached_high)
        rises = np.reshape(moved, (-1, len(scale))) - value
        assert (rises >= -TIE).all()
        stated = np.array([[each.move, each.expected] for each in found.order])
        direct = np.stack([rises.max(axis=1), rises @ shares(qrels, scale)], axis=1)
        assert np.allclose(stated, direct, 0, 1e-12)
        sure += ends.exact
    assert (sure < 8) == few
