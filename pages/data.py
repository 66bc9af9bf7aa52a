"""Data: upload or paste qrels and runs, or pick a sample; what was read, what was wrong."""

import streamlit as st

from metrics import audit
from pages.ui import intake, own, shell, show, state, tables, text

shell.guard(state.DATA_PAGE)

given = own.upload()
if problems := state.told(state.PROBLEMS):
    st.error(
        "This could not be read. "
        + ("Your earlier data are still loaded." if given else "Nothing else has changed.")
    )
    st.code(problems, language=None, wrap_lines=True)

if given:
    st.subheader("Your data")
    show.table(tables.dataset(given))
    if extras := text.extras(given):
        st.caption(extras)
    for note in audit.notes(given):
        st.warning(note)
    intake.loaded(given)

st.subheader("Give your own qrels and runs")
left, right = st.columns(2, gap="large")
with left:
    intake.files()
with right:
    intake.paste()
with st.expander("Formats"):
    st.markdown(
        "- **Run**: TREC lines `query Q0 document rank score tag`; CSV or TSV with a header that "
        "names query, document and score; JSON `{query: {document: score}}`. Documents are "
        "ordered by score; the rank column is ignored.\n"
        "- **Qrels**: TREC lines `query 0 document grade`; CSV or TSV with query, document and "
        "grade; JSON `{query: {document: grade}}`.\n"
        "- Plain or gzipped, UTF-8. Ids are text: `01` and `1` are two documents."
    )

st.subheader("Or take a sample")
intake.samples()
