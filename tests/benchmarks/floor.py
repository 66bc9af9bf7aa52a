"""The smallest Streamlit app with an edit: a key in one component, and a number computed from it.

`edits.py` times it beside Rankscope: nothing drawn by Streamlit can be faster.
"""

import streamlit as st

SCRIPT = """
export default function ({ parentElement, setStateValue, data }) {
  const row = parentElement.querySelector("li") ?? document.createElement("li");
  row.className = "row";
  row.dataset.id = row.textContent = "document";
  row.onkeydown = () => setStateValue("edits", data + 1);
  if (!row.isConnected) parentElement.append(row);
}
"""
edits = st.session_state.get("list", {}).get("edits", 0)
st.components.v2.component("floor", js=SCRIPT)(key="list", data=edits, on_edits_change=lambda: None)
st.metric("edits", edits)
