"""The second route agrees with the ledger wherever there is one."""

import math
import random

import pytest

from metrics import Convention, Qrels, Run, parse, trace
from metrics.exploring.cross_check import ROUTES, second_route
from tests.core.measures.test_reference import FIELDS, GRADES, asked


@pytest.mark.parametrize("symbol", ROUTES)
@pytest.mark.parametrize("k", ["", "@1", "@3", "@9"])
def test_two_routes_agree(symbol, k):
    measure, draw, shown = parse(symbol + k), random.Random(symbol + k), 0
    for _ in range(150):
        grades = {d: draw.choice(GRADES) for d in draw.sample("abcdefgh", draw.randint(1, 8))}
        scores = {d: draw.choice([1, 2, 3, 4]) for d in draw.sample("abcdefgh", 5)}
        convention = Convention(**{name: draw.choice(v) for name, v in FIELDS.items()})
        if not asked(symbol, {"k": 1} if k else {}, {"q": grades}, convention):
            continue
        run = Run.from_dict({"q": scores})
        ledger = trace(Qrels.from_dict({"q": grades}), run, measure, "q", convention)
        route = second_route(ledger, "q")
        if route is not None:
            assert math.isclose(route.value, ledger.scores[0], rel_tol=1e-9, abs_tol=1e-11), route
            shown += 1
    assert shown > 15


def test_where_there_is_no_second_route():
    qrels, run = Qrels.from_dict({"q": {"a": 1}}), Run.from_dict({"q": {"a": 1}})
    assert second_route(trace(qrels, run, "infAP", "q"), "q") is None
    mean = Convention(ties="mean")
    assert second_route(trace(qrels, run, "P", "q", mean), "q") is None
