"""Tables of ledgers for a page."""

from metrics import Convention, parse
from metrics.editing.hand_ranking import HandRanking
from metrics.rendering import tables
from tests.cases import cases


@cases(
    ("convention", "ranks"),
    [
        (Convention(), ["3", "4", "–"]),
        (Convention(unjudged="removed"), ["1", "2", "–"]),
        (Convention(own_document="removed"), ["2", "3", "–"]),
    ],
)
def test_the_ideal_names_the_ranks_that_were_scored(convention, ranks):
    ranking = HandRanking.of("q", {"a": 3, "b": 2, "c": 1}, ["q", "x", "a", "b"])
    ledger = ranking.ledger(parse("nDCG"), convention)
    assert tables.ideal(ledger.ideal, "q", {})["is at"].tolist() == ranks
    assert ledger.table("q").index.tolist()[-2:] == list(map(int, ranks[:2]))
