"""The rules that were applied to read the data of a page."""

from __future__ import annotations

import streamlit as st

from metrics import Qrels, Run
from metrics.auditing.audit import assumed

from .render import text


def applied(qrels: Qrels, *runs: Run) -> None:
    """The rules that were applied to read what this page shows, where there were any."""
    if said := assumed(qrels, *runs):
        many = text.count(len(said), "rule was", "rules were")
        with st.expander(f"{many} applied to read these data", icon=":material/rule:"):
            for each in said:
                st.text(f"• {text.visible(each)}")
