"""The rules that were applied while reading a page's data."""

from __future__ import annotations

import streamlit as st

from metrics import Qrels
from metrics.auditing.audit import assumed
from metrics.judging.judged import Rankings
from metrics.rendering import text


def applied(qrels: Qrels, *runs: Rankings) -> None:
    """Show the rules that were applied while reading this page's data, if any."""
    if rules := assumed(qrels, *runs):
        many = text.count(len(rules), "rule was", "rules were")
        with st.expander(f"{many} applied to read these data", icon=":material/rule:"):
            for each in rules:
                st.text(f"• {text.visible(each)}")
