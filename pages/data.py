"""Data: upload or paste qrels and runs, or pick a sample; what was read, what was wrong."""

import streamlit as st

from pages.ui import shell, state, user_data
from pages.ui.data import audit, upload

shell.guard(state.DATA_PAGE)

audit.refused()
audit.taken()
upload.replaced()
if given := user_data.upload():
    st.subheader("Your data")
    if alone := user_data.alone():
        st.info(alone)
    audit.audit(given)
    upload.loaded(given)

st.subheader("Give your own qrels and runs")
left, right = st.columns(2, gap="large")
with left:
    upload.files()
with right:
    upload.paste()
with st.expander("Formats and limits"):
    st.markdown(
        "- **Run**: TREC lines `query Q0 document rank score tag`; a table or records with query, "
        "document and score (or rank); JSON `{query: {document: score}}` or `{query: [document, "
        "…]}`; MS MARCO `query document rank`; an answer of `_rank_eval`. Documents are ordered by "
        "score; the rank column is ignored where there are scores.\n"
        "- **Qrels**: TREC lines `query 0 document grade`; a table or records with query, document "
        "and grade; JSON `{query: {document: grade}}` or `{query: [relevant ids]}`; BEIR; Quepid; "
        "a request of `_rank_eval`.\n"
        "- **Both at once**: records `{retrieved, relevant, relevance_scores}`, pairs `[[ids], "
        "[[id, grade], …]]`, or rows of `doc_id` and `relevant` in rank order.\n"
        "- Tables: CSV, TSV, semicolons, JSON, JSON Lines or Parquet. Any file may be in .gz or "
        ".zip, UTF-8. Ids are text: `01` and `1` are two documents. The content says what a file "
        "is, its name is a hint."
    )
    audit.limits()

st.subheader("Save and open")
upload.session()

st.subheader("Or take a sample")
upload.samples()
