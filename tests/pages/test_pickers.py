"""The pickers of measure, cutoff and convention, which several pages share."""

from functools import cache

from metrics import AP, PRESETS, REGISTRY, TREC_EVAL
from metrics.conventions.choices import CHOICES, OF_EVERY_MEASURE
from metrics.scoring.naming import title
from tests.cases import cases
from tests.pages.conftest import convention_line, opened, scores, with_choices


def choose(at, symbol):
    return scores(at.selectbox(key="measure").set_value(symbol).run())[0].label


def test_the_picker_offers_every_measure_under_all_its_names():
    options = opened().selectbox(key="measure").options
    shown = [" ".join(option.split()) for option in options]
    assert sorted(shown) == sorted(map(title, REGISTRY.values()))
    # The closed field has only the name: the others are behind a row of spaces.
    assert options[0].startswith("nDCG · normalised discounted cumulative gain" + " " * 20)


def test_another_measure_has_its_usual_cutoff():
    at = opened(example="laptop", measure="P", k=3)
    assert choose(at, "AP") == "AP"
    assert choose(at, "nDCG") == "nDCG@5"
    assert choose(at, "P") == "P@5"
    at.number_input(key="k").set_value(3).run()
    assert choose(at, "Bpref") == "Bpref"
    assert choose(at, "Success") == "Success@3"
    assert choose(at, "RR") == "RR"
    assert choose(at, "R") == "R@5"


def test_a_cutoff_in_the_link_is_that_of_any_measure():
    assert scores(opened(measure="AP", k=3))[0].label == "AP@3"


def test_the_level_is_beside_a_measure_that_depends_on_it():
    labels = {
        symbol: {n.label for n in opened(measure=symbol).number_input} for symbol in ("P", "nDCG")
    }
    assert "Relevant from grade" in labels["P"]
    assert "Relevant from grade" not in labels["nDCG"]


def test_every_choice_is_offered_first_those_that_affect_the_measure():
    at = with_choices(opened(measure="AP", gain="exponential"))
    offered = [box.key for box in at.selectbox if box.key in CHOICES]
    affecting = [name for name in (*AP.choices, *OF_EVERY_MEASURE) if name in CHOICES]
    assert offered[: len(affecting)] == affecting
    assert sorted(offered) == sorted(CHOICES)
    assert at.selectbox(key="gain").value == "exponential"
    assert "**No effect on this measure**" in [each.value for each in at.markdown]


@cases(
    ("link", "shown"),
    [
        ({}, "trec_eval: gain = grade, log₂(rank + 1), ideal of all judged"),
        (
            {"measure": "AP", "level": 2},
            "trec_eval: relevant from grade 2, divided by all relevant",
        ),
        (
            {"gain": "exponential"},
            "trec_eval, changed: gain = 2^grade − 1, log₂(rank + 1), ideal of all judged",
        ),
        (
            {"measure": "Bpref", "ties": "ascending", "queries": "qrels"},
            "MS MARCO: relevant from grade 1, ties by id, ascending, mean over all judged queries",
        ),
    ],
)
def test_the_convention_is_one_line(link, shown):
    assert convention_line(opened(**link)) == f"Convention {shown}"


@cache
def page_of(measure):
    """Return a page of this measure, on which one preset is chosen after the other."""
    return opened(measure=measure)


@cases("measure", ["nDCG", "AP"])
@cases("name", PRESETS)
def test_a_preset_sets_every_choice(name, measure):
    at = page_of(measure)
    preset = next(box for box in at.selectbox if box.label == "Preset")
    preset.set_value(name).run()
    assert not at.exception
    assert convention_line(at).startswith(f"Convention {name}:")
    for field in CHOICES:
        if any(box.key == field for box in at.selectbox) and (field, measure) != ("ties", "AP"):
            assert at.selectbox(key=field).value == getattr(PRESETS[name], field)
            default = getattr(TREC_EVAL, field)
            assert at.query_params.get(field, default) == getattr(PRESETS[name], field)


def test_a_preset_is_kept_by_other_measures_and_pages():
    at = opened(measure="AP")
    next(box for box in at.selectbox if box.label == "Preset").set_value("XGBoost").run()
    at.selectbox(key="measure").set_value("nDCG").run()
    assert convention_line(at).startswith("Convention XGBoost: gain = 2^grade − 1")
    with_choices(at.switch_page("pages/conventions.py").run())
    assert at.selectbox(key="gain").value == "exponential"
