"""Charts, tables and sentences for a page or a notebook; no Streamlit here."""
