"""One measure explained: an example to edit, its meaning, its formula, and when to use it."""

import streamlit as st

from metrics import REGISTRY, TREC_EVAL, Measure, RankscopeError, parse
from metrics.conventions import CHOICES
from metrics.editing import pasted
from metrics.rendering import text
from metrics.scoring import formula, naming
from metrics.teaching import which_measure
from metrics.teaching.measure_index import PICTURED, usual

from .. import ledger_view, links, pickers, show, state, widgets
from ..streamlit_internals import Container
from . import cards, glossary
from .reading import figure

ROOM = cards.ONE
_USUAL = parse("nDCG@5")
_OWN_GRADES = f"{text.grades(PICTURED.retrieved)} | {text.grades(PICTURED.unretrieved)}"
_LONGEST = 40
"""At most this many characters of the grades are in the sentence."""


def measures() -> None:
    """Show a measure on a list to move, beside another one if wanted, then its explanation."""
    of_measure, of_other, of_grades = pickers.sentence(
        ("", "measure"), (", shown", "measure"), (", on", "data")
    )
    with of_measure:
        measure = pickers.measure_picker(_USUAL)
    with of_other:
        others = [symbol for symbol in REGISTRY if symbol != measure.symbol]
        names = {"": "alone"} | {name: naming.title(REGISTRY[name]) for name in others}
        # A usual choice can have a cutoff of its own.
        names |= {name: name for _, name, _ in which_measure.USES.values() if name not in REGISTRY}
        said = {name: f"beside {name}" if name else "alone" for name in names}
        other = widgets.option("Compare with", names, state.AGAINST, said=said.__getitem__)
    with of_grades:
        grades = widgets.settled(state.GRADES, _OWN_GRADES, str, _grades, "", within=_opening)
    try:
        ranking = PICTURED if grades == _OWN_GRADES else pasted.read_ranking(grades, "example")
        second = usual(REGISTRY[other]) if other in REGISTRY else parse(other or str(measure))
        compared = [measure, second] if other else [measure]
        readings = {str(each): (str(each), TREC_EVAL) for each in compared}
        ranking, beside = figure(f"measure {grades}", ranking, readings)
        ledger = ranking.ledger(measure)
    except RankscopeError as error:
        _named(measure)
        st.error(text.refusal(error))
        return
    with beside:
        _named(measure)
    st.header("Formula", anchor=False)
    show.formula(formula.symbols(measure, ledger.convention))
    if not measure.parts:
        show.formula(formula.substituted(ledger, ranking.query))
    labels = {name: choice.label for name, choice in CHOICES.items()}
    names_of = [labels.get(name, "Relevant from grade") for name in measure.choices]
    st.markdown(
        f"**Range**: {measure.value_range}. **Depends on**: "
        f"{', '.join(names_of) or 'no choice of the convention'}. **Source**: {measure.source}"
    )
    texts = [measure.meaning, measure.use, measure.avoid, *names_of]
    glossary.links(" ".join(texts), "measure")
    st.header("Line by line", anchor=False)
    st.markdown(f"**{measure} = {text.number(float(ledger.scores[0]))}** for these grades.")
    ledger_view.lines(ledger, ranking, {}, "measure")
    st.caption(f"Convention: {measure.label(ledger.convention)}.")
    links.inspect_button(ranking, measure, ledger.convention, "measure")


def _opening(grades: str) -> Container:
    own = grades == _OWN_GRADES
    said = "our list" if own else text.code(text.beginning(grades, _LONGEST))
    return widgets.phrase("Grades", said)


def _grades() -> str:
    return st.text_input("Grades in rank order | not retrieved", key=state.GRADES, width=300)


def _spelling(name: str) -> str:
    return name.casefold().replace("z", "s")


def _named(measure: Measure) -> None:
    """Show the measure's full name, its other names, its meaning, and when to use it."""
    full = f"{measure.full_name[0].upper()}{measure.full_name[1:]}"
    st.header(f"{full} ({measure.symbol})", anchor=False)
    # A name that differs in its spelling alone is for the search.
    spelled = {_spelling(each): each for each in reversed(measure.also)}
    other = ", ".join(spelled[each] for each in spelled if each != _spelling(measure.full_name))
    other = f" Also called {other}." if other else ""
    mean = f" Mean over queries: {', '.join(measure.mean_names)}." if measure.mean_names else ""
    st.markdown(
        f"{measure.meaning}{other}{mean}\n\n"
        f"**Use it for**: {measure.use}\n\n**Not for**: {measure.avoid}"
    )
