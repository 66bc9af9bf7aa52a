"""The tab Two judges: how far judges agree, where they do not, and what it does to a verdict."""

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations

import pandas as pd
import streamlit as st

from metrics import TREC_EVAL, Agreement, Dataset, Qrels, RankscopeError, parse
from metrics.agreement import side_by_side
from metrics.rendering import judge_charts, text
from metrics.teaching import samples

from .. import by_hand, cache, data_notes, show, state, widgets
from ..streamlit_internals import Container
from . import further_judges, holding
from .one_query import ANEW, Words
from .taken import as_qrels

PURPOSE = "How far two judges agree, and whether both name the same better run."
_COEFFICIENTS = (
    "Kappa compares the agreement with that of chance; every disagreement counts the same. With "
    "weights it counts by the difference of the grades (linear) or its square (quadratic). Alpha "
    "also takes more than two judges and missing grades; ordinal: only the order of grades counts."
)
_MOST_GRADES = 30
"""At most this many different grades are counted in a chart."""
_SCALE = 3
_REASON = 80
"""At most this many characters of a reason are in the list."""
_TITLE = 160
"""At most this many characters of a query or a title are in the list."""
_FIRST = 5
"""At most this many disagreements are listed before one asks for all."""
_ALL, _LISTED = "_all_disagreements", "_listed_square"


def draw(dataset: Dataset, words: Words, adding: Container) -> None:
    """Show the agreement of two judges, their disagreements, and whether a verdict holds.

    ``adding``: the place of the door to further judges, where there are two.
    """
    judges = further_judges.judges_of(dataset)
    if len(judges) < 2:
        _alone(dataset, words[0])
        return
    with adding, widgets.phrase("Add judges", "Add judges"):
        further_judges.adder(dataset)
    a, b, of_runs = _chosen(dataset, judges, words)
    found = cache.agreement(a, b)
    if not found["same grade"].pairs:
        st.info(_nothing_in_common(a, b))
        return
    if name := state.value(state.SCALE):
        told = f"Grades of **{text.code(name)}** are stretched to the scale of the others."
        data_notes.line(told, "As given", partial(state.forget, state.SCALE))
    for name, counts in by_hand.adopted(dataset).items():
        _adopting(dataset, name, counts)
    # A square of other judges is another square.
    squares = f"chart_met_{a.digest[:16]}_{b.digest[:16]}"
    tables, with_errors = _picture(judges, a, b, of_runs, squares)
    of_most = cache.of_most(judges)
    _disagreements(dataset, judges, (a, b), *show.picked(squares))
    # Last: it takes long, and nothing above waits for it.
    drawn = [*tables, with_errors()]
    with st.expander("All coefficients, and the pictures as tables"):
        _coefficients(judges, found)
        for table in drawn:
            if table is not None:
                show.table(table)
        if of_runs:
            st.caption(holding.INTERVALS)
    two = len(judges) == 2
    what = "lower" if two else "most frequent"
    grade = "lower of both grades" if two else "most frequent grade"
    row = ", as in the third row above" if of_runs else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        show.download(f"Download the {what} grades", *as_qrels(of_most, of_most.name))
        st.caption(f"Qrels: every document that anybody judged, with the {grade}{row}.")
    if not of_runs:
        holding.about_most(judges)


def _adopting(dataset: Dataset, judge: str, counts: bool, place: str = "") -> None:
    """Say whether the grades that a judge gave anew count, and let them."""
    given = holding.grades_of(judge, *holding.SENTENCE)
    if counts:
        st.caption(f"{given} count on all pages.")
        return
    told, adopt = f"{given} count here, and in no score of another page.", by_hand.adopt
    data_notes.line(told, "Adopt them", partial(adopt, dataset, judge), f"adopt_{place}_{judge}")


def _picture(
    judges: dict[str, Qrels], a: Qrels, b: Qrels, of_runs: holding.Asked | None, squares: str = ""
) -> tuple[list[pd.DataFrame | None], Callable[[], pd.DataFrame | None]]:
    """Show who wins under each of two judges, and where they agree, which is returned as a table.

    Also returned is what adds the errors of B, as `holding.section` does.
    ``squares``: the key of the picture whose squares list their documents.
    """
    left, right = st.columns([6, 5], gap="medium") if of_runs else [st.container()] * 2
    with left:
        with_errors = holding.section(judges, a, b, of_runs) if of_runs else lambda: None
    # Last, so that what a square lists is below it on a phone, too.
    with right:
        grades = _confusion(a, b, squares)
        _answer(a, b)
    return [grades], with_errors


def _alone(dataset: Dataset, subject: Container) -> None:
    """Lead to a second judge, and show what two judges give in a sample."""
    with subject:
        widgets.words("The judges of")
    sample = samples.catalogue()["two-judges"]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**One judge so far.**", width="content")
        with st.popover("Add a file", type="primary", help="The grades of a person or a model."):
            further_judges.adder(dataset)
        anew = partial(state.put, {state.JUDGING: state.ONE_JUDGE, state.BLIND: ANEW})
        st.button("Judge yourself", on_click=anew)
        data = {state.EXAMPLE: sample.key}
        show_it = partial(state.open_page, state.JUDGE, data, *state.OF_RANKING)
        st.button("Open a sample with two", on_click=show_it)
    judged = sample.load()
    person, model, *_ = further_judges.judges_of(judged).values()
    one, other, *_ = judged.runs
    with st.container(border=True):
        st.caption("What two judges show, drawn from that sample")
        of_runs = (one, other), parse(sample.measure), TREC_EVAL
        judges = {each.name: each for each in (person, model)}
        _picture(judges, person, model, of_runs)[1]()


def _chosen(
    dataset: Dataset, judges: dict[str, Qrels], words: Words
) -> tuple[Qrels, Qrels, holding.Asked | None]:
    """Choose two judges, by default the first two who judged a document both, and two runs."""
    titles = {name: text.visible(name) for name in judges}
    if len(dataset.original):
        titles[next(iter(judges))] += " (the qrels)"
    pairs = combinations(judges, 2)
    met = (
        pair
        for pair in pairs
        if cache.agreement(*(judges[each] for each in pair))["same grade"].pairs
    )
    titles = {name: titles[name] for name in (*next(met, ()), *titles)}
    subject, settings = words
    with subject:
        a, b = holding.pair("Judge", titles, (state.JUDGE_A, state.JUDGE_B), apart=True)
        widgets.words("in")
    with settings:
        of_runs = holding.asked(dataset) if len(dataset.runs) > 1 else None
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


def _answer(a: Qrels, b: Qrels) -> None:
    """Show how far two judges agree, in which direction not, and by which kappa."""
    found, both = cache.agreement(a, b), cache.of_both(a, b)
    same, kappa = found["same grade"], found["Cohen's kappa"]
    agreed, known = round(same.coefficient * same.pairs), not math.isnan(kappa.coefficient)
    pairs = text.count(same.pairs, "document")
    value = f": kappa {text.number(kappa.coefficient, 2)}" if known else ""
    means = "Cohen's kappa, unweighted: at 0 they agree as often as by chance, at 1 always."
    why = means if known else f"Kappa is undefined: {kappa.why}"
    said = f"The judges agree on {agreed:,} of {pairs}{value}"
    st.subheader(said, anchor=False, help=_COEFFICIENTS)
    only = len(a) - same.pairs, len(b) - same.pairs
    alone = (
        f" {text.count(only[0], 'document')} {'was' if only[0] == 1 else 'were'} judged by "
        f"{text.code(a.name)} alone, {only[1]:,} by {text.code(b.name)} alone."
    )
    st.markdown(
        f"{why} {text.code(b.name)} gave {both.higher:,} higher grades than {text.code(a.name)}, "
        f"and {both.lower:,} lower ones.{alone if any(only) else ''}"
    )


def _coefficients(judges: dict[str, Qrels], found: dict[str, Agreement]) -> None:
    """Show the coefficients with their intervals."""
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
        st.caption(same.why)
        return
    st.caption(
        f"95 % intervals: {text.count(same.queries, 'query', 'queries')} left out one by one "
        "(jackknife), Student's t on Fisher's z. The share of equal grades includes chance."
    )


def _confusion(a: Qrels, b: Qrels, squares: str) -> pd.DataFrame | None:
    """Show how often each grade of A met each grade of B, and return it as a table."""
    # Who judged a few documents has not used a scale.
    if min(len(a), len(b)) >= _SCALE and (tops := side_by_side.scales_differ(a, b)):
        highest = " and ".join(f"{top:g}" for top in tops)
        st.warning(
            f"The highest grades of the two are {highest}. If these are two scales, agreement says "
            "little: bring both to one scale first.",
            icon=":material/straighten:",
        )
        lower = min(a, b, key=lambda judge: float(judge.value.max()))
        label = f"Count {min(tops):g} of {text.code(lower.name)} as {max(tops):g}"
        st.button(label, on_click=state.put, args=({state.SCALE: lower.name},))
    try:
        met = cache.met(a, b)
    except RankscopeError as error:
        st.info(text.code(str(error)))
        return None
    if len(met) > _MOST_GRADES:
        st.info(f"{len(met):,} different grades are too many for a chart.")
        return None
    one, other = text.visible(a.name), text.visible(b.name)
    drawn = judge_charts.met(met, one, other)
    if squares:
        show.picking_chart(drawn, squares)
    else:
        show.chart(drawn, "met")
    press = " Press a square for its documents." if squares else ""
    st.caption(f"Shaded: the same grade.{press}")
    rows = pd.Index([f"{one}: {grade:g}" for grade in met.index], name="documents")
    return pd.DataFrame(met.to_numpy(), rows, [f"{other}: {grade:g}" for grade in met.columns])


def _disagreements(
    dataset: Dataset, judges: dict[str, Qrels], pair: tuple[Qrels, Qrels], square: str = ""
) -> None:
    """List the documents with different grades, or those of a square; each opens with reasons."""
    a, b = pair
    both = cache.of_both(a, b)
    total = both.higher + both.lower
    listed = both.listed[both.listed["difference"] != 0].head(cache.MOST_LISTED)
    where = f", largest difference first, {text.code(a.name)} → {text.code(b.name)}"
    if square:
        one, other = map(float, square.split(","))
        listed = both.listed[(both.listed["A"] == one) & (both.listed["B"] == other)]
        total = cache.met(a, b).to_dict()[other][one]
        where = (
            f": {text.code(a.name)} gave {one:g}, {text.code(b.name)} gave {other:g}. Press the "
            "square again to list all disagreements"
        )
    if not total:
        return
    if square and state.value(_LISTED) != square:
        # The list may be below the screen.
        st.toast(f"{text.count(total, 'document')} with these grades: listed below.")
    state.put({_LISTED: square})
    agree = square and one == other
    st.subheader("Agreements" if agree else "Disagreements", anchor=False)
    key = (a.digest, b.digest)
    shown = listed if state.value(_ALL) == key else listed[:_FIRST]
    if not square:
        # Who comes back from judging a document finds it.
        of_query, document, *_ = state.value(state.PAPER) or ("", "")
        laid = (both.listed["query"] == of_query) & (both.listed["document"] == document)
        shown = pd.concat([shown, both.listed[laid].drop(shown.index, errors="ignore")])
    st.caption(f"{len(shown):,} of {total:,}{where}.")
    most = text.most_dots(a.value.tolist() + b.value.tolist())
    of = [judge.only(*shown["query"]) for judge in judges.values() if judge.digest not in key]
    others = [(judge.name, judge.to_dict(), judge.reasons) for judge in of]
    with st.container(key="disagreements", gap=None):
        for row in shown.to_dict("records"):
            query, name = str(row["query"]), str(row["document"])
            said = [
                (judge.name, float(row[side]), str(row[f"reason {side}"]))
                for judge, side in zip(pair, "AB", strict=True)
            ]
            said += [
                (judge, grades[query][name], reasons.get(query, {}).get(name, ""))
                for judge, grades, reasons in others
                if name in grades.get(query, {})
            ]
            _disagreement(dataset, query, name, said, most)
    if len(shown) < len(listed):
        show_all = partial(state.put, {_ALL: key})
        st.button(f"Show all {len(listed):,}", type="tertiary", on_click=show_all)


def _disagreement(
    dataset: Dataset, query: str, name: str, said: Sequence[tuple[str, float, str]], most: int
) -> None:
    """Show a query, a document and what judges said of it; opened, also what the row cuts.

    ``said``: each judge's name, grade and reason, first those of the two who are compared."""
    document, words = dataset.document(name), dataset.query_texts.get(query, "")
    asked = text.beginning(words or query, _TITLE)
    title = text.beginning(document.title or document.text or name, _TITLE)
    grades = " → ".join(text.dots(grade, most) for _, grade, _ in said[:2])
    notes = [f"{text.code(judge)}: {text.dots(grade, most)}" for judge, grade, _ in said[2:]]
    notes += [
        f"{text.code(judge)}: {text.code(text.beginning(reason, _REASON))}"
        for judge, _, reason in said[:2]
        if reason
    ]
    heading = f"{grades} *{text.code(asked)}* **{text.code(title)}**"
    # Who comes back from judging a document finds it open, and can let the grade count there.
    back = (state.value(state.PAPER) or ())[:2] == (query, name)
    anew = by_hand.adopted(dataset) if back else {}
    heading += f" *{' · '.join(notes)}*" if notes else ""
    with st.expander(heading, expanded=back, key="sought" if back else None):
        for written, shown in ((words, asked), (dataset.document_texts.get(name, ""), title)):
            if written.strip() not in ("", shown):
                st.text(text.legible(written))
        for column, (judge, grade, reason) in zip(st.columns(len(said)), said, strict=True):
            with column:
                st.markdown(f"**{text.code(judge)}: grade {text.grade(grade)}**")
                st.text(text.legible(reason) or "No reason was given.")
                if judge in anew:
                    _adopting(dataset, judge, anew[judge], "here")
        with st.container(horizontal=True, vertical_alignment="center"):
            # Another judge's grade, so it changes nobody's.
            judge_it = partial(state.lay_out, query, name, **{state.BLIND: ANEW})
            st.button("Judge it yourself", on_click=judge_it, key=f"judge_{query}\n{name}")
            st.caption(f"Query {text.code(query)}, document {text.code(name)}")
