"""How far two judges agree, and whether the verdict holds under either."""

from __future__ import annotations

import streamlit as st

from metrics import Dataset


def draw(dataset: Dataset) -> None:
    """Show the agreement of the judges."""
    st.caption(f"{len(dataset.qrels):,} judgments")
