"""The drop box: files of every kind, each recognised by its content, and read in callbacks.

All files are accepted together, or none; those that wait for others, or for an answer, stay listed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from metrics import Dataset, RankscopeError
from metrics.auditing import intake, recognition
from metrics.data import TEXTS
from metrics.limits import current
from metrics.reading import LabelError, Picked, Preview, file_names, preview_of, problems
from metrics.rendering import text
from metrics.sessions import session_file

from .. import pickers, show, state, user_data
from ..inline import component
from ..user_data import Listed
from . import column_picker, label_scale, upload_limit

WHAT = "**Drop judgments, runs, texts**, a saved session, or one zip of them here"
_KEPT = 5_000_000
"""Accepted files of at most this many bytes stay in the list, where their role can be changed."""


def files(invitation: str) -> None:
    """Show the drop box."""
    with st.container(key="drop_box"):
        st.markdown(invitation)
        st.file_uploader(
            # Any extension: the format is detected from the content, and our errors name the fix.
            "Files",
            key=user_data.fresh(state.FILES),
            accept_multiple_files=True,
            on_change=_read_files,
            label_visibility="collapsed",
        )


def waiting() -> None:
    """Show which uploads failed, and the files that wait for others or for an answer."""
    _failed(key="failed_uploads")
    if (listed := user_data.listed()) and not listed.is_accepted:
        with st.container(border=True):
            files_of(listed)


def add(new: Sequence[intake.Given]) -> None:
    """Read new files, together with those that wait for others or for an answer."""
    listed = user_data.listed()
    before = listed.before if listed and not listed.is_accepted else user_data.upload()
    # Files replace typed lists, which stay where they were typed.
    before = None if before and pickers.typed_lists(before) else before
    take([*_waiting(), *new], before)


def _waiting() -> list[intake.Given]:
    """Return the listed files that were not refused, while they are not part of the data."""
    listed = user_data.listed()
    if listed is None or listed.is_accepted:
        return []
    every = zip(listed.files, listed.seen, strict=True)
    return [file for file, seen in every if not seen.refusal]


def take(given: Sequence[intake.Given], before: Dataset | None) -> None:
    """Add files to the data if all are valid and nothing is missing; list them anyway."""
    with show.spinner("Reading …"):
        given, taken, previews = _read_alike(given, before)
        # Inside the spinner, because a click in the meantime ends this run where the spinner ends.
        if taken.dataset:
            user_data.set_upload(taken.dataset)
        kept = given if taken.dataset is None or _size(given) <= _KEPT else ()
        of = taken.seen, taken.needs, before, taken.dataset is not None, previews, taken.unjudged
        user_data.listed.put(Listed(tuple(kept), *of))
        # A file that asks for its columns says there why.
        asked = [taken.seen[place].refusal for place in previews]
        asked += [each for each in taken.problems if isinstance(each, LabelError)]
        others = [each for each in taken.problems if not any(each is other for other in asked)]
        refuse("\n".join(map(str, others)), taken.apart)
        notes = [*map(str, taken.notes), *_left_behind(before, taken.dataset)]
        state.put({state.NOTES: "\n".join([*notes, *upload_limit.refused()])})


def _read_alike(
    given: Sequence[intake.Given], before: Dataset | None
) -> tuple[Sequence[intake.Given], intake.Taken, Mapping[int, Preview]]:
    """Read files; those whose columns are not known as files of the same shape were read.

    Returns the files, the result, and the first rows of those that are not known yet, by place.
    """
    taken = intake.add_files(given, before)
    previews = {
        place: found
        for place, (file, seen) in enumerate(zip(given, taken.seen, strict=True))
        if column_picker.asks(seen) and isinstance(file.data, bytes)
        if (found := preview_of(file.data, problems.File(file_names.shown(file.name))))
    }
    known = user_data.picked()
    again = {
        place: known[found.shape]
        for place, found in previews.items()
        if found.shape in known and given[place].picked is None
    }
    if not again:
        return given, taken, previews
    # The columns belong to the file from now on, so that they are tried once.
    return _read_alike(
        [replace(f, picked=again.get(at, f.picked)) for at, f in enumerate(given)], before
    )


def _size(files: Sequence[intake.Given]) -> int:
    return sum(len(file.data) for file in files if isinstance(file.data, bytes))


def refuse(why: str, apart: user_data.Apart | None = None) -> None:
    """Report why nothing was changed, and hold data that can be mended; empty clears both."""
    state.put({state.PROBLEMS: why})
    user_data.apart.put(apart)


def files_of(listed: Listed) -> None:
    """Show the files of the last upload, what each holds, and the role that can be changed."""
    for place, seen in enumerate(listed.seen):
        with st.container(horizontal=True, vertical_alignment="center"):
            with st.container(width="stretch", gap=None):
                st.text(text.visible(seen.name))
                if seen.holds:
                    st.caption(seen.holds)
            _role(listed, place, seen)
        if place in listed.previews:
            found, is_open = listed.previews[place], place == min(listed.previews)
            column_picker.question(place, seen, found, _pick, is_open=is_open)
        label_scale.question(place, seen, _scale)
    _status(listed)


def _role(listed: Listed, place: int, seen: intake.Seen) -> None:
    """Show the role of one file, and a button that removes the file from the list."""
    is_fixed = not listed.files
    options = tuple(dict.fromkeys((*seen.fits, *recognition.ROLES)))
    st.selectbox(
        f"Use {text.code(seen.name)} as",
        options,
        index=options.index(seen.role) if seen.role else None,
        key=user_data.fresh(f"{state.ROLE}{place}"),
        format_func=lambda role: recognition.CALLED[role].removeprefix("a "),
        placeholder=_placeholder(listed, place),
        label_visibility="collapsed",
        width=190,
        disabled=is_fixed,
        on_change=_change_role,
        args=(place,),
    )
    key, remove = user_data.fresh(f"remove{place}"), partial(_remove, [place])
    icon = ":material/close:"
    st.button("Remove", key=key, type="tertiary", icon=icon, disabled=is_fixed, on_click=remove)


def _placeholder(listed: Listed, place: int) -> str:
    """Return what is shown instead of a role."""
    if place in listed.previews:
        return "Choose its columns"
    refusal = listed.seen[place].refusal
    if isinstance(refusal, LabelError):
        return "Give labels grades"
    return "Not read" if refusal else "Choose what it is"


def _status(listed: Listed) -> None:
    """Say what keeps the files waiting; what was refused can be left out, here or by its error."""
    if listed.is_accepted:
        return
    asked = [seen.name for seen in listed.seen if seen.is_open]
    if listed.previews:
        names = [listed.seen[place].name for place in listed.previews]
        st.warning(f"Choose the columns of {_called(names)}.")
    if not state.message(state.PROBLEMS):
        leave_out(left_out(listed))
    if asked:
        st.warning(f"Choose the kind of {_called(asked)}: the content fits several.")
    if listed.needs and not any(seen.refusal for seen in listed.seen):
        needed = " and ".join({"qrels": "the qrels", "run": "a run"}[it] for it in listed.needs)
        st.info(f"Still needed: {needed}.")
        if listed.unjudged:
            _without_judgments(listed.unjudged)


def left_out(listed: Listed | None) -> list[int]:
    """Return the places of the files that were refused, if others wait for them."""
    seen = () if listed is None or listed.is_accepted else listed.seen
    refused = [place for place, each in enumerate(seen) if each.refusal]
    return refused if len(refused) < len(seen) else []


def leave_out(refused: Sequence[int]) -> None:
    """Show a button that leaves out the files that were refused, if there are some."""
    if refused:
        key, leave = user_data.fresh("leave_out"), partial(_remove, refused)
        st.button("Leave out what is not read", key=key, on_click=leave)


def _without_judgments(dataset: Dataset) -> None:
    """Offer what can be done with runs alone, or with texts alone."""
    several = len(dataset.runs) > 1
    with st.container(horizontal=True):
        label = "Compare without judgments" if several else "Open without judgments"
        page = state.COMPARE if several else state.INSPECT
        st.button(label, on_click=_open_unjudged, args=(dataset, page))
        st.button("Judge them here", on_click=_open_unjudged, args=(dataset, state.JUDGE))


def _open_unjudged(dataset: Dataset, page: str) -> None:
    user_data.set_upload(dataset)
    state.open_page(page, {state.EXAMPLE: state.YOURS})


def _called(names: Sequence[str]) -> str:
    return text.code(names[0]) if len(names) == 1 else f"these {len(names)} files"


def _read_files() -> None:
    """Read the files of the box, all or none; a session is opened alone."""
    given = [
        intake.Given(file.name, file.getvalue())
        for file in state.value(user_data.fresh(state.FILES)) or []
    ]
    user_data.empty_fields()
    # The list keeps what is in an archive, so that counts, and not the archive.
    unpacked = [each for file in given for each in intake.members(file)]
    if (size := _size([*_waiting(), *unpacked])) > (most := current().session):
        refuse(
            f"The files have {size:,} bytes; a session holds at most {most:,} (limit session). "
            "Upload fewer files, or cut rankings at a smaller depth."
        )
    elif sessions := [file for file in given if session_file.is_session(file.data)]:
        _open_session(sessions, given)
    elif unpacked:
        add(unpacked)


def _open_session(sessions: Sequence[intake.Given], given: Sequence[intake.Given]) -> None:
    """Open a saved session, which replaces everything else and so must be alone."""
    if len(given) > 1:
        names = ", ".join(file.name for file in sessions)
        refuse(f"{names}: found a saved session among other files. Open it on its own.")
        return
    (file,) = given
    try:
        saved = session_file.load(bytes(file.data), file.name)
    except RankscopeError as error:
        refuse(str(error))
        return
    user_data.open_session(saved)
    runs = text.count(len(saved.dataset.rankings), "run") if saved.dataset else "no data"
    edits = text.count(len(saved.edited), "edited query", "edited queries")
    state.put({state.NOTES: f"The saved session is open: {runs}, {edits}."})


def _change_role(place: int) -> None:
    """Read all listed files again, one of them in another role."""
    role = state.value(user_data.fresh(f"{state.ROLE}{place}"))
    if (listed := user_data.listed()) and role:
        file = listed.files[place]
        # Columns of texts are not those of rows.
        same = file.picked and file.picked.is_texts == (role in TEXTS)
        _again(listed, place, replace(file, role=role, picked=file.picked if same else None))


def _pick(place: int, columns: Picked) -> None:
    """Read all listed files again, one of them with these columns, and remember them."""
    if not (listed := user_data.listed()):
        return
    user_data.picked.put({**user_data.picked(), listed.previews[place].shape: columns})
    _again(listed, place, replace(listed.files[place], picked=columns, role=""))


def _scale(place: int, labels: label_scale.Scale) -> None:
    """Read all listed files again, one of them with what its labels count."""
    if listed := user_data.listed():
        _again(listed, place, replace(listed.files[place], labels=labels))


def _again(listed: Listed, place: int, changed: intake.Given) -> None:
    """Read all listed files again, one of them changed."""
    user_data.empty_fields()
    take([*listed.files[:place], changed, *listed.files[place + 1 :]], listed.before)


def _remove(places: Sequence[int]) -> None:
    """Remove files from the list, and read the others again; data can be restored."""
    listed, before, now = user_data.listed(), user_data.until_now(), user_data.upload()
    if listed is None:
        return
    kept = [file for at, file in enumerate(listed.files) if at not in places]
    user_data.empty_fields()
    if kept:
        take(kept, listed.before)
        if user_data.upload() is not now:
            user_data.aside.put(before)
        return
    if listed.is_accepted:
        user_data.drop(listed.before)
    user_data.listed.put(None)
    refuse("")
    state.put({state.NOTES: ""})


def _left_behind(before: Dataset | None, after: Dataset | None) -> list[str]:
    """Return a note about edits whose rankings are no longer in the data."""
    if before is None or after is None or before.qrels.digest == after.qrels.digest:
        return []
    edits = sum(qrels == before.qrels.digest for qrels, _ in user_data.session().edited)
    if not edits:
        return []
    many = text.count(edits, "edited query belongs", "edited queries belong")
    them = "It" if edits == 1 else "They"
    return [f"{many} to the previous qrels. {them} will reappear when you load those again."]


_failed = component("failed_uploads", __file__)
"""Says what to do about each upload that failed, where Streamlit shows only a status code.

The browser makes the sentences, because without a connection nothing else can.
"""
