"""The tab Two judges: how far judges agree, where they do not, and what it does to a verdict."""

from functools import partial

import pandas as pd
import streamlit as st

from metrics import TREC_EVAL, Dataset, Qrels, RankscopeError, parse
from metrics.agreement.agreement import Agreement
from metrics.agreement.disagreements import scales_differ
from metrics.rendering import judge_charts, text
from metrics.teaching.samples import catalogue

from .. import by_hand, cache, data_notes, show, state, widgets
from . import further_judges, holding
from .one_query import Words

_SAMPLE = "two-judges"
_NO_REASON = "No reason was given."
_COEFFICIENTS = (
    "Kappa compares the agreement with that of chance; every disagreement counts the same. With "
    "weights it counts by the difference of the grades (linear) or its square (quadratic). Alpha "
    "also takes more than two judges and missing grades; ordinal: only the order of grades counts."
)
_MOST_GRADES = 30
"""At most this many different grades are counted in a chart."""
_REASON = 80
"""At most this many characters of a reason are in the list."""


def draw(dataset: Dataset, words: Words) -> None:
    """Show the agreement of two judges, their disagreements, and whether a verdict holds."""
    judges = further_judges.judges_of(dataset)
    if len(judges) < 2:
        _alone(dataset)
        return
    a, b, of_runs = _chosen(dataset, judges, words)
    found = cache.agreement(a, b)
    if not found["same grade"].pairs:
        st.info(_nothing_in_common(a, b))
        return
    if b.name in by_hand.given_anew(dataset):
        told = f"The grades of {text.code(b.name)} were given anew, and no score counts them."
        data_notes.line(told, "Adopt them", partial(by_hand.adopt, dataset, b.name))
    drawn = _picture(judges, a, b, of_runs)
    _disagreements(dataset, a, b)
    _coefficients(judges, found)
    if drawn:
        with st.expander("The pictures as tables"):
            for table in drawn:
                show.table(table)
            if of_runs:
                st.caption(holding.INTERVALS)
    holding.download(cache.of_most(judges), len(judges))


def _picture(
    judges: dict[str, Qrels], a: Qrels, b: Qrels, of_runs: holding.Asked | None
) -> list[pd.DataFrame]:
    """Show where two judges agree, how far, and who wins under each; return what is drawn."""
    left, right = st.columns([5, 6], gap="large")
    with left:
        grades = _confusion(a, b)
    with right:
        _answer(a, b, cache.agreement(a, b))
        winners = holding.section(judges, a, b, of_runs) if of_runs else None
    return [table for table in (grades, winners) if table is not None]


def _alone(dataset: Dataset) -> None:
    """Take a second judge's file, and show what two judges give in a sample."""
    st.subheader("Add a second judge", anchor=False)
    st.markdown(
        "How far do two judges agree, and is the winner of two runs the same under either? Add a "
        "person or a model, or judge yourself: under **Judge**, type your name, and hide others' "
        "grades."
    )
    with st.popover("Add judges", type="primary"):
        further_judges.adder(dataset)
    sample = catalogue()[_SAMPLE]
    judged = sample.load()
    judges = further_judges.judges_of(judged)
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("**What you will see, drawn from a sample**", width="content")
            data = {state.EXAMPLE: _SAMPLE}
            show_it = partial(state.open_page, state.JUDGE, data, *state.OF_RANKING)
            st.button("Open this sample", on_click=show_it, type="tertiary")
        person, model, *_ = judges.values()
        one, other, *_ = judged.runs
        _picture(judges, person, model, ((one, other), parse(sample.measure), TREC_EVAL))


def _chosen(
    dataset: Dataset, judges: dict[str, Qrels], words: Words
) -> tuple[Qrels, Qrels, holding.Asked | None]:
    """Choose two judges, by default the qrels and the first of the others, and two runs."""
    titles = {name: text.visible(name) for name in judges}
    if len(dataset.original):
        titles[next(iter(judges))] += " (the qrels)"
    subject, settings = words
    with subject:
        a, b = holding.pair("Judge", titles, (state.JUDGE_A, state.JUDGE_B), apart=True)
        widgets.words("in")
    with settings:
        of_runs = holding.asked(dataset) if len(dataset.runs) > 1 else None
        widgets.words(", or")
        with widgets.phrase("Add judges", "add judges"):
            further_judges.adder(dataset)
    return judges[a], judges[b], of_runs


def _nothing_in_common(a: Qrels, b: Qrels) -> str:
    """Return why two judges cannot be compared, and what to do."""
    judges = f"{text.code(a.name)} and {text.code(b.name)}"
    if set(a.queries).isdisjoint(b.queries):
        return f"{judges} judged no query in common. Check that the query ids match."
    return (
        f"{judges} judged no document in common, but the same queries. Judge the same documents, "
        "or check that the document ids match."
    )


def _answer(a: Qrels, b: Qrels, found: dict[str, Agreement]) -> None:
    """Show in one sentence how far two judges agree, and in another in which direction not."""
    same, kappa = found["same grade"], found["Cohen's kappa"]
    agreed = round(same.coefficient * same.pairs)
    pairs = text.count(same.pairs, "document")
    st.subheader(f"The judges agree on {agreed:,} of {pairs}", anchor=False)
    undefined = kappa.why and kappa.coefficient != kappa.coefficient
    said = f"Kappa is undefined: {text.code(kappa.why)}" if undefined else _in_words(kappa)
    unlike = cache.unlike(a, b)
    alone = text.count(len(a) - same.pairs, "document")
    st.markdown(
        f"{said} {text.code(b.name)} is more generous than {text.code(a.name)} on "
        f"{unlike.higher:,} and stricter on {unlike.lower:,}. Only {text.code(a.name)} judged "
        f"{alone}, only {text.code(b.name)} {len(b) - same.pairs:,}."
    )
    if tops := scales_differ(a, b):
        highest = " and ".join(f"{top:g}" for top in tops)
        st.warning(
            f"The highest grades of the two are {highest}. If these are two scales, agreement says "
            "little: bring both to one scale first.",
            icon=":material/straighten:",
        )


def _in_words(kappa: Agreement) -> str:
    value = f"Cohen's kappa is **{text.number(kappa.coefficient, 2)}**"
    if not kappa.why:
        value += f", 95 % interval {text.number(kappa.low, 2)} to {text.number(kappa.high, 2)}"
    return f"{value} (0 is chance, 1 is perfect)."


def _coefficients(judges: dict[str, Qrels], found: dict[str, Agreement]) -> None:
    """Show the coefficients with their intervals."""
    st.subheader("Agreement", anchor=False, help=_COEFFICIENTS)
    rows = dict(found)
    if len(judges) > 2:
        rows[f"alpha, all {len(judges)} judges"] = cache.alpha(judges)
    frame = pd.DataFrame(
        [(each.coefficient, each.low, each.high, each.pairs) for each in rows.values()],
        pd.Index(list(rows), name="coefficient"),
        ["value", "low", "high", "documents"],
    )
    show.table(frame)
    same = found["same grade"]
    if same.why:
        st.caption(text.code(same.why))
        return
    st.caption(
        f"95 % intervals: {text.count(same.queries, 'query', 'queries')} left out one by one "
        "(jackknife), Student's t on Fisher's z. 1 is perfect agreement; for kappa and alpha, 0 is "
        "what chance gives. The share of equal grades does not subtract chance."
    )


def _confusion(a: Qrels, b: Qrels) -> pd.DataFrame | None:
    """Show how often each grade of A met each grade of B, and return it as a table."""
    try:
        met = cache.met(a, b)
    except RankscopeError as error:
        st.info(text.code(str(error)))
        return None
    if len(met) > _MOST_GRADES:
        st.info(f"{len(met):,} different grades are too many for a chart.")
        return None
    one, other = text.visible(a.name), text.visible(b.name)
    show.chart(judge_charts.met(met, one, other), "met")
    st.caption(
        "The larger a square, the more documents. On the shaded diagonal the grades are the same."
    )
    rows = pd.Index([f"{one}: {grade:g}" for grade in met.index], name="documents")
    return pd.DataFrame(met.to_numpy(), rows, [f"{other}: {grade:g}" for grade in met.columns])


def _disagreements(dataset: Dataset, a: Qrels, b: Qrels) -> None:
    """List the documents with different grades, and open one with both reasons."""
    unlike = cache.unlike(a, b)
    listed, total = unlike.largest, unlike.higher + unlike.lower
    if not total:
        return
    st.subheader("Disagreements")
    names = {"A": text.visible(a.name), "B": text.visible(b.name)}
    grades = {f"grade, {name}": listed[side] for side, name in names.items()}
    shown = listed[["query", "document"]].assign(**grades)
    for side, name in names.items():
        reasons = [text.beginning(each, _REASON) for each in listed[f"reason {side}"]]
        if any(reasons):
            shown[f"reason, {name}"] = reasons
    ticked = show.picking_table(
        shown.set_index("query"),
        f"disagreements_{dataset.original.digest}_{a.digest}_{b.digest}",
        # Without the reasons, which are also below, the table fits a phone.
        widths={"query": 46, "document": 88, **dict.fromkeys(grades, 95)},
        lines=2,
    )
    more = f"The {len(listed)} largest of {total:,}." if total > len(listed) else ""
    st.caption(f"Largest difference first. Tick a row to open it below. {more}".rstrip())
    place = ticked if ticked is not None and ticked < len(listed) else 0
    row = listed.iloc[place]
    query, document = str(row["query"]), str(row["document"])
    with st.container(border=True):
        st.markdown(f"Query {text.code(query)}, document {text.code(document)}")
        texts = dataset.query_texts.get(query, ""), dataset.document_texts.get(document, "")
        for label, words in zip(("Query", "Document"), texts, strict=True):
            if words:
                st.text(f"{label}: {text.legible(words)}")
        for column, side, judge in zip(st.columns(2), "AB", (a, b), strict=True):
            with column:
                st.markdown(f"**{text.code(judge.name)}: grade {text.grade(row[side])}**")
                st.text(text.legible(str(row[f"reason {side}"])) or _NO_REASON)
