"""The documents of one query, graded one after the other."""

from __future__ import annotations

import streamlit as st

from metrics import Dataset


def draw(dataset: Dataset) -> None:
    """Show the documents of a query and their grades."""
    st.caption(f"{len(dataset.qrels):,} judgments")
