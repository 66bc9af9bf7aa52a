"""Pickers that several pages use: data, run and query, measure, convention."""

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any

import streamlit as st

from metrics import PRESETS, REGISTRY, TREC_EVAL, Convention, Dataset, Measure, Run, nDCG, parse
from metrics.conventions import CHOICES, OF_EVERY_MEASURE, PRESET_NOTES
from metrics.data import LARGEST_GRADE
from metrics.defaults import DEPTH, MEASURE
from metrics.editing import HandRanking
from metrics.measures import OWN_NUMBERS, Parameter
from metrics.rendering import convention_text, text
from metrics.scoring import naming
from metrics.teaching import Sample, samples

from . import state, user_data, widgets
from .streamlit_internals import Container

TYPED = "Two lists"
"""The title of data that are two typed lists."""


def typed_lists(dataset: Dataset) -> list[HandRanking]:
    """Return the lists of data that are two typed lists; of other data none."""
    if (dataset.title, len(dataset.runs), len(dataset.qrels.queries)) != (TYPED, 2, 1):
        return []
    (query,) = dataset.qrels.queries
    return [HandRanking.from_run(dataset.qrels, run, query) for run in dataset.runs]


def over_all(typed: HandRanking) -> Measure:
    """Return the measure of a typed list, whose cutoff is the number of its titles, if few."""
    return nDCG @ min(DEPTH, len(typed.entries))


def sources() -> dict[str, Sample]:
    """Return the data that can be opened: the user's own first, then the samples."""
    dataset = user_data.upload()
    if dataset is None:
        return samples.catalogue()
    usual = str(over_all(lists[0])) if (lists := typed_lists(dataset)) else MEASURE
    yours = Sample(state.YOURS, dataset.title, "your data", usual, lambda: dataset)
    return {state.YOURS: yours} | samples.catalogue()


def source_picker(
    key: str,
    default: str,
    fits: Callable[[Dataset], bool],
    **look: Any,
) -> Sample:
    """Choose the data; another choice also sets its own measure and cutoff.

    ``look``: ``drawn`` and ``said`` as in `widgets.option`.
    """
    gone(key)
    options = {name: s for name, s in sources().items() if fits(s.load())}

    def choose() -> None:
        state.forget(state.RUN, state.QUERY, state.A, state.B, state.PICKED, state.DOCUMENT)
        state.forget(state.RUNS, *state.OF_FILTER)
        measure = parse(options[state.value(key)].measure)
        state.put({state.MEASURE: measure.symbol, state.K: measure.cutoff or 0})

    titles = {name: sample.label for name, sample in options.items()}
    look = {"said": literal({name: s.title for name, s in options.items()}), **look}
    return options[widgets.option("Data", titles, key, default, choose, part="data", **look)]


def sentence(*words: tuple[str, str]) -> list[Container]:
    """Return the places of the settings in a sentence.

    ``words``: those before each place, and the part of the page that takes them with it when a
    lesson hides it.
    """
    with st.container(horizontal=True, key="sentence"):
        return [_place(*each) for each in words]


def _place(before: str, part: str) -> Container:
    widgets.words(before, part)
    return st.container(horizontal=True, width="content")


def literal(words: Mapping[str, str], look: str = "{}") -> Callable[[str], str]:
    """Return what says an option in a sentence: its beginning, literal, in a look of Markdown."""
    return lambda name: look.format(text.code(text.beginning(words.get(name) or name, _SAID)))


_SAID = 60
"""At most this many characters of an option are in a sentence."""


def lost(key: str) -> bool:
    """Return whether the link asks for uploaded data that no longer exist."""
    return state.asks(key) == state.YOURS and user_data.upload() is None


def gone(key: str) -> None:
    """If the data that the link asks for are gone, say so, offer a way on, and end the page."""
    if not lost(key):
        return
    st.warning(
        "The data for this page were uploaded in a session that has ended: the page was reloaded "
        "or opened in another tab, or the server restarted. Upload the data again, or open a "
        "saved session."
    )
    st.button("Go to Data", type="primary", on_click=state.open_page, args=(state.DATA_PAGE, {}))
    st.button("Show a sample", on_click=state.forget, args=(key,))
    unknown_links()
    st.stop()


def query_picker(
    dataset: Dataset, drawn: bool = True, below: Callable[[], object] = lambda: None
) -> tuple[Run, str]:
    """Choose a run and a query, if there is more than one.

    ``drawn``: as in `widgets.option`. ``below``: draws what is below the menu of queries.
    """
    runs = {run.name: run for run in dataset.runs}
    queries = dataset.qrels.queries
    if len(runs) == len(queries) == 1:
        return dataset.runs[0], dataset.qrels.queries[0]
    widgets.words("of" * drawn, "data")
    names = dict(zip(runs, runs, strict=True))
    run = widgets.option("Run", names, state.RUN, part="data", drawn=drawn, said=literal({}))
    if len(queries) == 1:
        return runs[run], queries[0]
    texts, said = dataset.query_texts, literal(dataset.query_texts)
    widgets.words("for" * drawn, "data")
    query = widgets.one_of(
        "Query", queries, texts, state.QUERY, "data", drawn=drawn, said=said, below=below
    )
    return runs[run], query


FIRST = "nDCG", "P", "R", "AP", "RR", "Success"
"""The measures used most are listed first: "precision" finds P before R-precision."""


def measure_picker(default: Measure) -> Measure:
    """Choose a measure, its cutoff if it has one, and its own parameters."""
    symbols = dict.fromkeys((*FIRST, *sorted(REGISTRY, key=str.casefold)))
    usual = default.cutoff or 0
    symbol = widgets.option(
        "Measure",
        {symbol: _listed(REGISTRY[symbol]) for symbol in symbols},
        state.MEASURE,
        default.symbol,
        on_change=partial(_to_usual_form, usual),
        width=_WIDTH,
        part="measure",
        said=str,
    )
    measure = REGISTRY[symbol]
    values: dict[str, Any] = {}
    if measure.suffix == "cutoff":
        values["cutoff"] = _cutoff(usual) or None
    for name in measure.__dataclass_fields__:
        if name in OWN_NUMBERS:
            values[name] = _parameter(name, OWN_NUMBERS[name], getattr(measure, name))
    return measure(**values)


_WIDTH = 330
"""The width of the field in pixels: nDCG fits with its full name."""
_LETTERS = 100
"""At most this many letters are visible in the field."""


def _listed(kind: type[Measure]) -> str:
    """Return a measure's title with its other names out of sight in the closed field.

    They are behind spaces, of which the open list shows only one.
    """
    name = f"{kind.symbol} · {kind.full_name}"
    return name.ljust(_LETTERS) + naming.title(kind).removeprefix(name)


def _to_usual_form(usual: int) -> None:
    """Give a measure that was just chosen its own parameters, and the cutoff it usually has."""
    # Another measure has its own defaults: p is 0.9 in RBP and 0.95 in Compat.
    state.forget(*OWN_NUMBERS)
    measure = REGISTRY[state.value(state.MEASURE)]
    if measure.suffix == "cutoff" and not measure.usually_cut:
        state.put({state.K: 0})
    elif measure.suffix == "cutoff" and not state.last(state.K):
        state.put({state.K: usual or DEPTH})


_CUTOFF = "Cutoff k"


def _cutoff(usual: int) -> int:
    """Choose how many ranks count; 0: the whole ranking."""

    def change() -> None:
        state.put({state.K: 0 if state.value(state.WHOLE) else usual or DEPTH})

    def draw() -> int:
        k = int(state.value(state.K))
        if k:
            means = "Only the top k ranks count."
            k = int(widgets.number_field(_CUTOFF, state.K, (1, widgets.LARGEST), 1, means))
        else:
            # The field keeps its place, so that the box beside it does not move when it is ticked.
            st.number_input(_CUTOFF, value=None, placeholder="all", disabled=True, width=130)
        state.put({state.WHOLE: not k})
        st.checkbox("Whole ranking", key=state.WHOLE, on_change=change)
        return k

    read = partial(widgets.in_range, kind=int, low=0, high=widgets.LARGEST)

    def within(k: int) -> Container:
        widgets.words("at" if k else "over")
        return widgets.phrase(_CUTOFF, f"{k:,}" if k else "all ranks")

    return widgets.settled(state.K, usual, read, draw, "measure", within=within)


def _parameter(name: str, parameter: Parameter, default: float | None) -> float:
    low, high = parameter.limits or (0, 0)
    widgets.words("with", "measure")
    return widgets.number(
        name,
        name,
        (low + high) / 2 if default is None else default,
        (low, high),
        step=1.0 if high > 1 else 0.05,
        tooltip=f"{parameter.meaning.capitalize()}: {parameter.range}.",
        part="measure",
        width=130,
        said=lambda value: f"{name} = {value:g}",
    )


def convention_picker(measures: Collection[Measure]) -> Convention:
    """Choose the convention: first the choices that affect these measures, then all others."""
    convention, draw = convention_choice(measures)
    draw()
    return convention


def convention_choice(measures: Collection[Measure]) -> tuple[Convention, Callable[[], None]]:
    """Return the convention, and what draws its picker, which a page can do after its score."""
    affecting = _affecting(measures)
    others = {name: each.values for name, each in CHOICES.items() if name not in affecting}
    first, *further = measures
    place = st.container(horizontal=True, width="content")
    level = TREC_EVAL.level
    if "level" in first.choices:
        widgets.words(", relevant from", "convention")
        level = _level(in_words=True)
    elif any("level" in measure.choices for measure in further):
        level = _level(drawn=False)
    if "convention" in state.hidden():
        return Convention(**_choices(affecting | others), level=level), lambda: None
    # The line is written above the choices, so it needs their values before they are drawn.
    convention = Convention(**_known(affecting | others), level=level)
    return convention, partial(_convention, place, convention, measures, affecting, others)


def _convention(
    place: Container,
    convention: Convention,
    measures: Collection[Measure],
    affecting: Mapping[str, Mapping[str, str]],
    others: Mapping[str, Mapping[str, str]],
) -> None:
    """Show a convention in one line, which opens its presets and choices."""
    first, *_ = measures
    preset = _preset_like(convention, affecting)
    with place:
        widgets.words(", convention")
        opened = widgets.phrase("Convention", preset or _nearest(convention, affecting))
    with opened:
        st.markdown(f"Convention {convention_text.line(convention, first, preset)}")
        _preset(preset)
        words = convention_text.in_words(convention, convention_text.OF_MEANS, first)
        st.markdown(f"{words}.")
        if "level" not in first.choices and any("level" in each.choices for each in measures):
            _level()
        # Twenty fields are a fifth of what a change of the page costs.
        with st.expander("Change one choice", key=state.CHOICES, on_change="rerun") as choices:
            _choices(affecting, drawn=bool(choices.open))
            if others:
                many = "these measures" if len(measures) > 1 else "this measure"
                st.markdown(f"**No effect on {many}**")
                _choices(others, drawn=bool(choices.open))


def _affecting(measures: Collection[Measure]) -> dict[str, dict[str, str]]:
    """Return the values of each choice that affects these measures; their own choices first."""
    own = dict.fromkeys(name for measure in measures for name in measure.choices)
    values = {name: CHOICES[name].values for name in (*own, *OF_EVERY_MEASURE) if name in CHOICES}
    if not all(measure.linear for measure in measures):
        values["ties"] = {name: words for name, words in values["ties"].items() if name != "mean"}
    return values


def _level(*, in_words: bool = False, drawn: bool = True) -> float:
    """Choose the lowest relevant grade; ``in_words``: in a sentence."""
    return widgets.number(
        "Relevant from grade",
        state.LEVEL,
        TREC_EVAL.level,
        (0.001, LARGEST_GRADE),
        step=1.0,
        part="convention",
        width=150,
        said=(lambda level: f"grade {level:g}") if in_words else None,
        drawn=drawn,
    )


def _known(offered: Mapping[str, Collection[str]]) -> dict[str, str]:
    """Return the value of each choice, before it is drawn."""
    for name, values in offered.items():
        state.recall(name, state.among(values))
    values = {name: state.value(name) for name in offered}
    return {name: value for name, value in values.items() if value in offered[name]}


def _choices(offered: Mapping[str, Mapping[str, str]], drawn: bool = True) -> dict[str, str]:
    return {
        name: widgets.option(
            CHOICES[name].label,
            values,
            name,
            getattr(TREC_EVAL, name),
            part="convention",
            drawn=drawn,
        )
        for name, values in offered.items()
    }


def _preset_like(convention: Convention, offered: Mapping[str, Collection[str]]) -> str:
    """Return the preset with these choices: one with all, the one last picked, or the first."""
    same = [name for name in PRESETS if not _unlike(name, convention, offered)]
    picked = state.value(state.PRESET)
    return min(same, key=lambda name: (PRESETS[name] != convention, name != picked), default="")


def _unlike(
    preset: str, convention: Convention, offered: Mapping[str, Collection[str]]
) -> list[str]:
    """Return the choices in which a convention differs from a preset."""
    of_preset = PRESETS[preset]
    differing = convention.differences(offered, of_preset)
    # A mean over all orders of ties can be chosen for some measures only.
    return [name for name in differing if getattr(of_preset, name) in offered[name]]


def _nearest(convention: Convention, offered: Mapping[str, Collection[str]]) -> str:
    """Return the preset with the fewest other choices, and what a convention has instead."""
    unlike = {name: _unlike(name, convention, offered) for name in PRESETS}
    preset = min(unlike, key=lambda name: len(unlike[name]))
    named = convention.brief(unlike[preset])
    if (more := len(named) - _NAMED) > 0:
        return f"{preset} with {', '.join(named[:_NAMED])} and {more} more"
    return f"{preset} with {' and '.join(named)}"


_NAMED = 2
"""At most this many choices are named in a sentence."""


def _preset(now: str) -> None:
    """Pick a preset, which sets every choice."""

    def choose() -> None:
        preset = PRESETS[state.value(state.PRESET)]
        state.put({name: getattr(preset, name) for name in CHOICES})

    none = {} if now else {"": "none of these"}
    state.put({state.PRESET: now})
    st.selectbox(
        "Preset",
        [*none, *PRESETS],
        format_func=lambda name: none.get(name, name),
        key=state.PRESET,
        on_change=choose,
        filter_mode="contains",
    )
    if now:
        st.caption(PRESET_NOTES[now])


def upload_button() -> None:
    """Show a button that opens the page for uploads."""
    go = partial(state.open_page, state.DATA_PAGE, {})
    st.button("Upload", type="tertiary", key="upload", on_click=go)


_SHOWN = 80
"""At most this many characters of a link's value are shown."""


def unknown_links() -> None:
    """Warn about values in the link that this session does not have."""
    for key, (wanted, why) in state.take_unknown().items():
        if key == state.CHANGED:
            st.warning(f"{text.code(why)} The page shows the grades without those of the link.")
            continue
        shown = wanted if len(wanted) <= _SHOWN else f"{wanted[: _SHOWN - 1]}…"
        reason = f" {text.code(why)}" if why else ""
        if wanted == state.YOURS:
            data = user_data.upload()
            reason = (
                " This page needs a whole run; Compare opens judged rankings."
                if data and data.judged
                else " Your data have too few runs for this page."
            )
        st.warning(
            f"The link asks for {key} = {text.code(shown)}, which is not available here; "
            f"the page shows the default instead.{reason}"
        )
