"""The data that the workspace keeps: open or remove one."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from metrics import RankscopeError
from metrics.rendering import text
from metrics.sessions.workspace import KeptData, Workspace

from .. import show, state, user_data, workspace


def section() -> None:
    """List the data in the workspace; nothing where the server has none."""
    if (folder := workspace.folder()) is None:
        return
    st.header("Workspace")
    st.markdown(
        f"Everything that is loaded and edited is kept at once in {text.code(str(folder.folder))}, "
        "for everyone who can open this app. A new session begins with the data loaded last."
    )
    kept = folder.listed()
    if not kept:
        st.caption("It holds no data yet.")
        return
    show.table(
        pd.DataFrame(
            {
                "runs": [_named(each) for each in kept],
                "kept (UTC)": [f"{each.time:%Y-%m-%d %H:%M}" for each in kept],
                "MB": [each.size / 1e6 for each in kept],
            }
        ).set_index("runs")
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox("Data in the workspace", kept, format_func=_listed)
        st.button("Open it", on_click=_open, args=(folder, chosen))
        st.button("Remove it", on_click=_remove, args=(folder, chosen))


def _named(kept: KeptData) -> str:
    return ", ".join(kept.runs) or f"damaged: {kept.name}"


def _listed(kept: KeptData) -> str:
    return f"{_named(kept)} · {kept.time:%Y-%m-%d %H:%M}"


def _open(folder: Workspace, chosen: KeptData) -> None:
    try:
        user_data.drop(folder.open(chosen.name))
    except RankscopeError as error:
        state.set_message(state.PROBLEMS, str(error))


def _remove(folder: Workspace, chosen: KeptData) -> None:
    try:
        folder.remove(chosen.name)
    except OSError as error:
        state.set_message(state.PROBLEMS, f"{chosen.name} cannot be removed: {error.strerror}.")
