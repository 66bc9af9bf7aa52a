"""The reasons for another convention's score, and the documents that they name."""

import math
from dataclasses import replace

from metrics import PRESETS, REGISTRY, TREC_EVAL, Convention, parse
from metrics.editing.hand_ranking import Entry, HandRanking
from metrics.editing.pasted import read_ranking
from metrics.exploring.convention_search import choices, merged, presets, steps
from metrics.rendering.convention_text import argument
from metrics.rendering.convention_text import score as score_of
from tests.cases import cases, scaled

GRADED = read_ranking("3,2,3,0,1,2 | 3,2", "q")
TIED = HandRanking(
    "q",
    (Entry("a", 3), Entry("b", 0), Entry("c", 2, tied=True), Entry("d", None), Entry("e", 1)),
    (Entry("f", 2),),
)
TIED_FIRST = HandRanking("q", (Entry("b", 0), Entry("a", 1, tied=True)), ())
NEGATIVE = HandRanking("q", (Entry("a", -1), Entry("b", 2), Entry("c", 0)), (Entry("d", 1),))


def told(ranking, measure, convention=TREC_EVAL, kind=presets):
    measure, under = parse(measure), ranking.evaluated
    now = under(convention).ledger(measure, convention)
    readings = merged(kind(under, measure, convention), float(now.scores[0]))
    return {
        reading.name: argument(reading, now, steps(reading, under, measure, convention))
        for reading in readings
    }


def test_the_steps_lead_from_one_score_to_the_other():
    measure, convention = parse("nDCG@6"), PRESETS["LightGBM"]
    (reading,) = (r for r in presets(GRADED.evaluated, measure) if r.name == "LightGBM")
    first, second = steps(reading, GRADED.evaluated, measure, TREC_EVAL)
    assert (first.choice, second.choice) == ("gain", "ideal")
    assert first.before.scores[0] == GRADED.ledger(measure).scores[0]
    assert (first.after, first.now) == (second.before, second.was)
    assert second.after.scores[0] == GRADED.ledger(measure, convention).scores[0] == reading.value


def test_tools_that_differ_alike_have_one_sentence():
    sentences = told(GRADED, "nDCG@6")
    assert len(sentences) == 7
    assert [name for name in sentences if "XGBoost" in name] == ["LightGBM, XGBoost"]
    assert (
        "They count grades 1, 2 and 3 as 1, 3 and 7 (DCG\xa06.861\xa0→\xa013.848"
        in (sentences["LightGBM, XGBoost"])
    )


@cases(
    ("ranking", "measure", "tool", "reason"),
    [
        (TIED_FIRST, "RR", "MS MARCO", "It orders equal scores by document id, ascending, so "),
        (TIED, "nDCG", "scikit-learn", "It takes the mean over all orders of equal scores"),
        (GRADED, "P@10", "XGBoost", "They divide by min(k, documents retrieved), not by k"),
        (GRADED, "RBP", "ranx", "It counts the gain as the grade, not as the grade divided by"),
        (GRADED, "nDCG@6", "LlamaIndex", "It counts the ideal ranking to its end, not only"),
        (NEGATIVE, "nDCG", "scikit-learn", "Negative gains leave no ideal"),
    ],
)
def test_a_reason_says_what_the_tool_does(ranking, measure, tool, reason):
    (sentence,) = (each for name, each in told(ranking, measure).items() if tool in name)
    assert reason in sentence


def test_the_way_back_is_explained_too():
    (sentence,) = (
        each
        for name, each in told(GRADED, "nDCG@6", Convention(ideal="retrieved")).items()
        if "trec_eval" in name
    )
    assert "in the ideal, so the ideal is harder (IDCG\xa07.141\xa0→\xa08.740)" in sentence


def test_ids_are_literal():
    hostile = HandRanking(
        "q",
        tuple(replace(each, document=f"![{each.document}](x)") for each in TIED.retrieved),
        tuple(replace(each, document=f"![{each.document}](x)") for each in TIED.unretrieved),
    )
    sentences = " ".join(
        sentence
        for measure in ("nDCG", "AP", "P@10", "nDCGrel")
        for kind in (presets, choices)
        for sentence in told(hostile, measure, kind=kind).values()
    )
    outside = sentences.split("`")[::2]
    assert "![" in sentences
    assert not any("![" in each for each in outside)


@cases("ranking", [GRADED, TIED, NEGATIVE])
@cases("kind", [presets, choices])
@cases("symbol", REGISTRY)
def test_every_score_that_changes_has_a_reason(symbol, kind, ranking):
    measure = parse(f"{symbol}@0.3" if REGISTRY[symbol].needs else scaled(symbol))
    now = ranking.ledger(measure)
    score = float(now.scores[0])
    for reading in merged(kind(ranking.evaluated, measure), score):
        sentence = argument(reading, now, steps(reading, ranking.evaluated, measure, TREC_EVAL))
        if math.isnan(reading.value):
            assert score_of(reading, now) == "no score"
        elif abs(reading.value - score) > 1e-9:
            assert "  \nIt " in sentence or "  \nThey " in sentence
