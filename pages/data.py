"""Data: upload or paste qrels and runs, or open a sample; see what was read and what was wrong."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from metrics.rendering import text
from pages.ui import shell, state, user_data
from pages.ui.data import audit, changed_grades, drop_box, two_lists, upload

shell.guard(state.DATA_PAGE)
if (typed := state.in_address(state.TYPED)) in two_lists.PURPOSES:
    shell.head(state.DATA_PAGE, *two_lists.PURPOSES[typed])
    two_lists.page(typed)
    st.stop()
with st.container(horizontal=True, key="head"):
    with st.container():
        shell.head(state.DATA_PAGE)
    with st.container(key="actions", width="content"):
        upload.session()

audit.refused()
audit.upload_notes()
upload.replaced()
if dataset := user_data.upload():
    if notice := user_data.alone():
        st.info(notice)
    audit.loaded()
    st.caption(f"{text.extras(dataset)} {upload.unless_saved()}")

# Where data are loaded, what adds to them is one line.
if dataset:
    box = doors = st.container(horizontal=True, vertical_alignment="center", key="add_more")
else:
    box, doors = st.columns([3, 1], gap="medium")
with box:
    drop_box.files("**Add more**: drop files here" if dataset else drop_box.WHAT)
with doors, st.container(key="doors", horizontal=bool(dataset), width="content"):
    for label, typed in (("Type two lists", state.TWO_LISTS), ("Type one list", state.ONE_LIST)):
        with st.container(gap=None, width="content"):
            st.button(label, type="tertiary", on_click=state.turn, args=(state.TYPED, typed))
            if not dataset:
                st.caption(two_lists.PURPOSES[typed][1])
    with st.container(gap=None, width="content"):
        with st.popover("Paste text", type="tertiary"):
            upload.paste()
        if not dataset:
            st.caption("Judgments and runs, one row per line.")
drop_box.waiting()


def formats() -> None:
    """Show which files are read, and how large they may be."""
    st.markdown(
        "- **Run**: TREC lines `query Q0 document rank score tag`; a table or records with query, "
        "document and score (or rank); JSON `{query: {document: score}}` or `{query: [document, "
        "…]}`; MS MARCO. The rank column is used only if there are no scores.\n"
        "- **Qrels**: TREC lines `query 0 document grade`; a table or records with query, document "
        "and grade; JSON `{query: {document: grade}}` or `{query: [relevant ids]}`; BEIR; Quepid. "
        "Grades may be labels, such as `E S C I` or `L0` to `L4`; pairs without grades are "
        "relevant. A column `reason` or `comment` is shown with the document; `aspect`, "
        "`subtopic` or ndeval's second column is the aspect of the query that a grade is for.\n"
        "- **Judged rankings**: a file `*.judged.parquet` of `rankscope match`, in the place of a "
        "run, with its own judgments. Compare opens it; Inspect does not.\n"
        "- **Texts**: lines of id, tab, text; or a table, JSON or JSON Lines with an id, a title "
        "and a text. Other fields are shown with the document.\n"
        "- **Of tools**: answers of `_search`, `_msearch` and `_rank_eval`; OpenSearch's Search "
        "Relevance Workbench; Quepid's and RRE's cases; LLM judges' records; RankLLM; Ragas, "
        "LlamaIndex, DeepEval, TruLens, Haystack, DPR, umbrela and MTEB; Qdrant, Pinecone, "
        "Weaviate, Chroma, Vespa, Solr, Algolia, Typesense, Meilisearch, OpenAI and Vertex AI; "
        "LETOR, MovieLens, CISI, TREC topics, SMART, BRIGHT. A text without an id is its own id.\n"
        "- **Both in one file**: records `{retrieved, relevant, relevance_scores}`, pairs `[[ids], "
        "[[id, grade], …]]`, rows of `doc_id` and `relevant` in rank order, or a table with a "
        "grade and a score in each row.\n"
        "- **Tables**: Excel (each sheet), CSV, TSV, semicolons, JSON, JSON Lines or Parquet, in "
        "UTF-8, also packed as .gz, .bz2, .xz, .zst, .lz4 or .zip. The content tells the format, "
        "not the name. Ids are text: `01` and `1` are two documents."
    )
    audit.limits()


if dataset:
    more: dict[str, Callable[[], None]] = {}
    if (listed := user_data.listed()) and listed.is_accepted:
        more["Files"] = partial(drop_box.files_of, listed)
    if dataset.is_judged:
        more["Judged shares"] = partial(audit.shares, dataset)
    more |= {"Samples": upload.samples, "Formats and limits": formats}
    with st.expander(f"More: {', '.join(more).lower()}"):
        for tab, draw in zip(st.tabs(list(more)), more.values(), strict=True):
            with tab:
                draw()
else:
    st.header("Open a sample")
    upload.samples()
    audit.loaded()
upload.workspace_data()
if not dataset:
    with st.expander("Formats and limits"):
        formats()
changed_grades.section()
