"""Net of screens: what each page shows, as the tree of its elements, at one address after another.

An element is a line with all that Streamlit sends of it: its labels, values, texts, key and
layout, a table's cells, a chart's marks, what a component of the app is given.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from unittest import mock
from urllib.parse import quote

from metrics import Dataset, Qrels, Run
from metrics.sessions.session_file import Session, save
from metrics.teaching.exercises import KINDS
from tests.browser.hostile_ids import ids
from tests.nets import app, commands, content
from tests.nets.app import shown
from tests.nets.kept import LINKS
from tests.nets.master import Entries
from tests.pages.conftest import prepared

SHOP = "shop_search/qrels.txt shop_search/bm25.run"
EVERY_TAB = {
    "compare_runs?look=": (
        *("Query tables", "Results", "One document", "Unjudged", "Queries", "Scores"),
        *("Documents", "By cutoff", "Robustness", "Labels", "All runs", "Take away"),
    ),
    "inspect_query?view=": ("Formula", "Curves", "What if", "Equal scores", "Unjudged"),
    "learn?room=": (
        *("What a grade is", "One answer, or all", "Order and grades", "Where to stop"),
        *("One list, four numbers", "When numbers lie", "All measures", "One measure"),
        *("Which measure?", "Glossary", "Checked sources"),
    ),
    "start?scene=": "12345678",
    "practice?no=3&kind=": KINDS,
}
"""The tabs and scenes of the pages, by what precedes their names in the address."""
ADDRESSES = f"""\
start
start?scene=end
inspect_query
inspect_query?example=shop&query=q20&k=7&gain=exponential
inspect_query?example=shop&query=q22&run=char_ngrams&at=headphones-04
inspect_query?example=shop&query=q01&measure=infAP&view=Unjudged
inspect_query?example=ambiguous&query=java
inspect_query?example=two-judges&measure=RBP&p=0.9#export_ledgers
inspect_query?example=reranking&measure=AP&k=5&view=Curves
inspect_query?example=scratch
inspect_query?example=three-questions&query=q2
inspect_query?example=four-items&editor=table
inspect_query?measure=ERR&k=0&present=ledger
inspect_query?example=laptop&present=list&hide=score-editing
inspect_query?hide=measure-convention-data&said=0.97&revealed=score
inspect_query?back=shop|bm25|char_ngrams|q01&view=Curves#_choices
inspect_query?k=many&measure=nDGC&example=none&nothing=1
inspect_query?example=yours
compare_runs
compare_runs#share_comparison
compare_runs?data=ambiguous
compare_runs?data=ambiguous&look=Labels
compare_runs?data=two-judges&measure=AP&k=0
compare_runs?data=reranking
compare_runs?data=two-retrievers
compare_runs?data=two-retrievers&look=Query tables
compare_runs?q=q01&k=3&gain=exponential&test=t&tie=0.05&seed=7
compare_runs?b=bm25
compare_runs?a=ideal&b=char_ngrams&q=q22
compare_runs?look=All runs&runs=bm25|ideal|char_ngrams
compare_runs?b=rrf&runs=bm25|rrf&weights=2.5|1
compare_runs?look=Queries&shown=A better
compare_runs?find=how&outcome=B better&look=Queries
compare_runs?group=a question&unjudged_max=40&look=Take away
compare_runs?find=nothing has this
compare_runs?look=Labels&steps=any
compare_runs?measure=RR&beside=RR|ERR@10&test=none#_choices
compare_runs?present=waterfall
compare_runs?present=movement&q=q10
compare_runs?look=One document&q=q12&document=coffee-07
compare_runs?a=gone&q=q99&runs=gone&tie=x
judge
judge?example=shop&query=q05&depth=1&blind=anew&judge=Ada
judge?example=shop&query=q06&blind=open&guideline=3 best#_next_up
judge?example=ambiguous
judge?example=two-judges&judging=Two judges
judge?example=two-judges&judging=Two judges&judge_a=model&judge_b=person&measure=AP
conventions
conventions?example=shop&query=q03&measure=AP&k=5
conventions?printed=0.795&example=four-items
conventions?case=nope
learn?room=One measure&measure=AP&k=0&against=RR&grades=1,0,3 | 2
learn?room=Which measure?&choice=a-a
learn?room=Glossary&word=R
learn?pitfall=ids-that-do
learn?lesson=three-questions
practice
practice?kind=first&difficulty=3&no=2&tally=first1.2
data
data?typed=one
data?typed=two
{SHOP}
{SHOP} shop_search/char_ngrams.run shop_search/queries.tsv shop_search/groups.tsv
two_judges/judges.tsv two_judges/words.run two_judges/rewritten.run
shop_search/bm25.run shop_search/char_ngrams.run
shop_search/qrels.txt ambiguous/diverse.run
trec_run/r06_comma.txt trec_run/p02_qid_prefix.txt
judged.zip
judged.zip > compare_runs?data=yours
judges.zip > judge?example=yours&judging=Two judges
unjudged.zip > compare_runs?data=yours
hostile.zip
hostile.zip > inspect_query?example=yours
hostile.zip > compare_runs?data=yours
hostile.zip > compare_runs?data=yours&look=Take away
hostile.zip > compare_runs?data=yours&look=All runs&runs=\
b%7C%C3%A9%20%E6%97%A5%20%257C%25257C%09%22%27%3Cb%3E%26%3B%2C
hostile.zip > judge?example=yours
markup.zip
markup.zip > inspect_query?example=yours
markup.zip > compare_runs?data=yours
markup.zip > compare_runs?data=yours&look=Queries
markup.zip > compare_runs?data=yours&look=Results
markup.zip > compare_runs?data=yours&look=One document
markup.zip > judge?example=yours
everything.zip
everything.zip > compare_runs?data=yours&look=Results
edits.zip
edits.zip > inspect_query?example=shop&query=q01
edits.zip > compare_runs?data=shop&q=q01
edits.zip > judge?example=shop&query=q02
edits_of_aspects.zip > inspect_query?example=ambiguous&query=java
settings.zip > inspect_query
inspect_query?example=four-items#published
inspect_query > [Edit as a table]
inspect_query?example=shop&query=q01 > [Make a lesson]
compare_runs > [Swap A and B]
compare_runs?data=two-judges&q=q3 > inspect_query > data > compare_runs
practice?kind=first&no=2 > [Show the solution]
start > [Find out in 8 steps · 4 minutes] > [Next]
shop_search/bm25.run shop_search/char_ngrams.run > [Compare without judgments] > compare_runs
{SHOP} > [Remove all data]
edits.zip > [Reset all] > judge?example=shop
history
history?measure=AP&tags=day0
history?measure=nDCG&k=2&baseline=bm250.judged.parquet&new=char_ngrams1.judged.parquet&drop=q07
"""
OF_LINKS = {
    "ranking": "inspect_query?example=yours&ranking=",
    "grades": "judge?example=shop&query=q01&changed=",
    "lesson": "inspect_query?task=",
}
"""What precedes a link of each kind in the address."""


def entries(of: Mapping[str, str] | None = None) -> Entries:
    """Yield each address with what its page shows; by default all of this net."""
    with ready():
        for name, address in (of or addresses()).items():
            yield name, content.said(lambda address=address: shown(address).lines)


def addresses() -> dict[str, str]:
    """Return every address of this net by its name: itself, or that of a link in it."""
    tabs = [f"{before}{name}" for before, names in EVERY_TAB.items() for name in names]
    found = {address: address for address in (*ADDRESSES.splitlines(), *tabs)}
    for kind, links in json.loads(LINKS.read_text("utf-8")).items():
        for name, link in links.items():
            found[f"{kind} {name}"] = OF_LINKS[kind] + quote(link["text"])
    return found


@contextlib.contextmanager
def ready() -> Iterator[None]:
    """Prepare Streamlit for many pages, judged runs for History, and a session full of markup."""
    with tempfile.TemporaryDirectory() as folder, prepared():
        with contextlib.chdir(folder):
            commands.write_files()
        Path(folder, "markup.zip").write_bytes(save(Session(_markup())))
        history = str(Path(folder, "shop_search", "past"))
        # A page that runs without its server says so each time.
        logging.disable(logging.WARNING)
        try:
            with (
                mock.patch.dict(os.environ, RANKSCOPE_HISTORY=history),
                mock.patch.object(app, "FOLDERS", (*app.FOLDERS, Path(folder))),
            ):
                yield
        finally:
            logging.disable(logging.NOTSET)


def _markup() -> Dataset:
    """Return data whose ids, names and texts are markup."""
    marks = ids("http://example.org")
    near = {
        mark: [marks[(at + step) % len(marks)] for step in range(4)]
        for at, mark in enumerate(marks)
    }
    runs = [
        Run.from_dict(
            {
                mark: dict(zip(found[::way], (3.0, 2.0, 1.0), strict=False))
                for mark, found in near.items()
            },
            name,
        )
        for way, name in ((1, marks[0]), (-1, marks[1]))
    ]
    grades = {mark: dict(zip(found, (2, 1, 0), strict=False)) for mark, found in near.items()}
    texts = dict(zip(marks, marks[::-1], strict=True))
    of_texts = texts, texts, {marks[3]: texts}
    return Dataset("Your data", Qrels.from_dict(grades, marks[2]), tuple(runs), *of_texts)
