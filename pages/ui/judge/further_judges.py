"""The judges of a data set: its qrels, those that come with it, and those that were uploaded."""

from collections import Counter
from collections.abc import Mapping, Sequence

import streamlit as st

from metrics import Dataset, Qrels, RankscopeError, read_judges
from metrics.agreement import what_counts
from metrics.editing import OfQuery, sheet
from metrics.limits import current
from metrics.reading import file_names, problems
from metrics.reading.judges import MOST, MOST_CELLS, named
from metrics.rendering import text
from metrics.teaching import Sample

from .. import by_hand, cache, pickers, show, state, user_data, widgets

# Keys that are not widgets begin with _, so that no link and no saved session can set them.
_UPLOADED, _REFUSED, _FILES = "_judges", "_judges_refused", "judge_files"
_RULES = "_rules"
"""The data whose grades were counted last, and by which rule those of each data count."""
_LISTED = 5
"""The notes on at most this many uploaded judges are listed."""


def judges_of(dataset: Dataset) -> dict[str, Qrels]:
    """Return all judges by name: the qrels first, where there are any.

    Who gave grades here under a name is a judge, too, beside the grades as they were loaded.
    """
    return _with(dataset, _uploaded(dataset), _here(dataset))


def counting(sample: Sample, drawn: bool = True, before: str = ", judged by") -> Dataset:
    """Choose whose grades count, where there are several judges; return the data with those.

    ``drawn``: as in `widgets.option`. ``before``: the words before it in a sentence.
    """
    dataset = sample.load()
    judges = () if dataset.judged else _names(dataset)
    if len(judges) < 2:
        if asked := state.arrived_with(state.COUNTS):
            state.set_unknown(state.COUNTS, asked, "These data have one judge.")
            state.forget(state.COUNTS)
        return dataset
    options = _options(dataset, judges)
    known: tuple[str, dict[str, str]] = state.value(_RULES) or ("", {})
    of, chosen = known
    if of not in ("", dataset.key):
        # Each data set has a rule of its own.
        state.put({state.COUNTS: chosen.get(dataset.key, "")})
    if (gone := state.value(state.COUNTS)) and gone not in options:
        state.set_unknown(state.COUNTS, gone, "That judge has gone.")
    widgets.words(before * drawn, "data")
    said = pickers.literal(options)
    rule = widgets.option(
        "Whose grades count", options, state.COUNTS, "", part="data", drawn=drawn, said=said
    )
    state.put({_RULES: (dataset.key, {**chosen, dataset.key: rule})})
    if not rule:
        return dataset
    return what_counts.counted(dataset, rule, cache.counting(_counting(dataset), rule))


def _options(dataset: Dataset, judges: Sequence[str]) -> dict[str, str]:
    """Return the rules for judges with these names and, as an empty text, that of none."""
    loaded = (dataset.original.name or "qrels") if len(dataset.original) else ""
    changed = loaded and by_hand.changed_grades(dataset)
    said = [f"{name} as loaded" if changed and name == loaded else name for name in judges]
    rules = dict(zip(what_counts.rules(judges), what_counts.rules(said).values(), strict=True))
    if loaded == judges[0] and not changed:
        del rules[f"only {loaded}"]
    options = {"": loaded or by_hand.JUDGED_HERE} | rules
    # The browser says which one is chosen by its text.
    many = Counter(options.values())
    return {
        rule: f"{each} ({rule})" if rule and many[each] > 1 else each
        for rule, each in options.items()
    }


def with_edited_rules(dataset: Dataset) -> list[Dataset]:
    """Return data, and the same by each rule under which grades were changed by hand."""
    judges = () if dataset.judged else _names(dataset)
    known = {key for key, _ in user_data.all_edits().log.of_query}
    rules = what_counts.rules(judges) if len(judges) > 1 else ()
    edited = [rule for rule in rules if what_counts.key_under(dataset.key, rule) in known]
    under = [(rule, cache.counting(_counting(dataset), rule)) for rule in edited]
    return [dataset, *(what_counts.counted(dataset, *each) for each in under)]


def _counting(dataset: Dataset) -> dict[str, Qrels]:
    """Return the judges whose grades can count: who judges anew changes no number."""
    every = _with(dataset, _uploaded(dataset), by_hand.judges(dataset)).items()
    return {name: judge for name, judge in every if len(judge)}


def _names(dataset: Dataset) -> Sequence[str]:
    """Return the names of `_counting`, without making the grades of each on each run of a page."""
    here = by_hand.names(dataset)
    first = [dataset.original.name or "qrels"] if len(dataset.original) else []
    with_it = () if is_own(dataset) else dataset.judges
    others = (judge.name for judge in (*with_it, *_uploaded(dataset)) if len(judge))
    listed = [*first, *here, *others]
    # One of two of a name is renamed, or left out, so that the loaded qrels need not come first.
    return listed if len({*listed}) == len(listed) else [*_counting(dataset)]


def _here(dataset: Dataset) -> dict[str, OfQuery]:
    return {**by_hand.judges(dataset), **by_hand.given_anew(dataset)}


def _with(
    dataset: Dataset, uploaded: Sequence[Qrels], judged: Mapping[str, OfQuery]
) -> dict[str, Qrels]:
    here = sheet.by_judge(judged)
    qrels = dataset.original if here else dataset.qrels
    first = [qrels if qrels.name else qrels.renamed("qrels")] if len(qrels) else []
    with_it = () if is_own(dataset) else dataset.judges
    found = named(_without_repeats([*first, *here.values(), *with_it, *uploaded]))
    tops = {name: float(each.value.max()) for name, each in found.items() if len(each)}
    if tops.get(name := state.in_link(state.SCALE, found), 0) > 0:
        found[name] = what_counts.stretched(found[name], max(tops.values()))
    return found


def _without_repeats(judges: Sequence[Qrels]) -> list[Qrels]:
    """Leave out who is there again under the same name, with all these grades and maybe more.

    So is who graded here, and took the grades away to a file that was added.
    """
    return [
        judge
        for place, judge in enumerate(judges)
        if not any(
            (len(other), -at) > (len(judge), -place) and _has(other, judge)
            for at, other in enumerate(judges)
        )
    ]


def _has(judge: Qrels, other: Qrels) -> bool:
    """Return whether a judge gave every grade of another of the same name."""
    if judge.name != other.name:
        return False
    grades = judge.to_dict()
    return all(of.items() <= grades.get(query, {}).items() for query, of in other.to_dict().items())


def adder(dataset: Dataset) -> None:
    """Show the field for files of further judges, and a button that removes those."""
    # Any extension: the format is detected from the content, and our errors name the fix.
    key = user_data.fresh(_FILES)
    st.file_uploader(
        "Files of further judges",
        key=key,
        accept_multiple_files=True,
        on_change=_read,
        args=(dataset,),
    )
    st.caption(
        "A qrels file in any format is one judge. A table of query and document with a column "
        "`judge`, or one column of grades per judge, holds several. Reasons are kept."
    )
    if refused := state.message(_REFUSED):
        st.error(text.code(refused))
    if held := _uploaded(dataset):
        for judge in held[:_LISTED]:
            words = f"{text.count(len(judge), 'judgment')}. {' '.join(map(str, judge.notes))}"
            st.text(text.visible(f"{judge.name}: {words}".rstrip()))
        st.button(
            f"Remove {text.count(len(held), 'uploaded judge')}", on_click=_put, args=(dataset, ())
        )


def is_own(dataset: Dataset) -> bool:
    """Return whether the data are the user's: their judges are kept and saved with them."""
    own = user_data.upload()
    return own is not None and own.key == dataset.key


def _uploaded(dataset: Dataset) -> Sequence[Qrels]:
    """Return the judges that were uploaded for these data; for a sample, in this session."""
    if is_own(dataset):
        return dataset.judges
    held: dict[str, Sequence[Qrels]] = state.value(_UPLOADED) or {}
    return held.get(dataset.key, ())


def _put(dataset: Dataset, judges: Sequence[Qrels]) -> None:
    if is_own(dataset):
        user_data.set_judges(judges)
    else:
        state.put({_UPLOADED: {**(state.value(_UPLOADED) or {}), dataset.key: judges}})
    state.put({_REFUSED: ""})


def _read(dataset: Dataset) -> None:
    """Add the judges in the files; all, or none where one file is refused."""
    files = state.value(user_data.fresh(_FILES)) or []
    user_data.empty_fields()
    if not files:
        return
    try:
        with show.spinner("Reading …"):
            judges = [*_uploaded(dataset)]
            for file in files:
                file_names.uploaded(file.name)
                judges += read_judges(file.getvalue(), file.name).values()
            _require_room(dataset, judges)
    except RankscopeError as error:
        state.put({_REFUSED: str(error)})
        return
    before, after = judges_of(dataset), _with(dataset, judges, _here(dataset))
    _put(dataset, judges)
    # Who adds a judge wants to see the new one.
    if shown := next((name for name in after if name not in before), ""):
        state.put({state.JUDGE_B: shown})


def _require_room(dataset: Dataset, judges: Sequence[Qrels]) -> None:
    """Refuse more judges than can be compared, or than a session may hold.

    Raises RankscopeError with the limit and what to do.
    """
    every = [dataset.qrels, *judges, *(() if is_own(dataset) else dataset.judges)]
    rows = sum(map(len, every))
    fix = "Remove judges, or upload those to be compared."
    if len(every) > MOST:
        raise RankscopeError(f"There would be {len(every):,} judges; at most {MOST}. {fix}")
    if rows * len(every) > MOST_CELLS:
        raise RankscopeError(
            f"{len(every)} judges with {rows:,} judgments are too many to compare; at most "
            f"{MOST_CELLS // len(every):,} judgments of that many judges. {fix}"
        )
    if (size := sum(map(problems.weight, judges))) > (most := current().session):
        raise RankscopeError(
            f"The judges take {size:,} bytes; a session holds at most {most:,} (limit session). "
            f"{fix}"
        )
