"""Rankscope: every ranking metric as the sum of its ledger. Run: streamlit run app.py"""

import streamlit as st

from pages.ui import shell

st.set_page_config(
    page_title="Rankscope",
    page_icon=str(shell.ROOT / "pages" / "ui" / "icon.svg"),
    layout="wide",
    menu_items={"About": "Rankscope shows every ranking metric as the sum of its ledger."},
)
shell.run()
