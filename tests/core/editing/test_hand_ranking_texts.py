"""A ranking as pasted text, and as the text in links and files."""

import base64
import json
import zlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import EditError, RankscopeError
from metrics.editing.hand_ranking import LONGEST_TITLE, Entry, HandRanking, as_title
from metrics.editing.pasted import MOST_ROWS, read_ranking
from metrics.editing.ranking_link import from_json, pack, to_json, unpack
from metrics.reading.problems import ReadError
from tests.cases import cases


def rows(ranking):
    kept = [(e.document, e.grade, e.tied) for e in ranking.retrieved]
    return kept, [(e.document, e.grade) for e in ranking.unretrieved]


@cases(
    "text",
    ["3,2,?,0.5", "3 2 ? 0.5", "3;2;?;0.5\n", "3\n2\n?\n.5", "3, 2, ?, 0.5 |", "3,2,?,.5,, \t,"],
)
def test_a_list_of_grades(text):
    expected = [("d1", 3.0, False), ("d2", 2.0, False), ("d3", None, False), ("d4", 0.5, False)]
    assert rows(read_ranking(text, "q")) == (expected, [])


def test_grades_of_documents_that_are_not_ranked():
    assert rows(read_ranking("1 | 3, 2", "q")) == (
        [("d1", 1.0, False)],
        [("d2", 3.0), ("d3", 2.0)],
    )


@cases(
    "text",
    [
        "rank\tdocument\tgrade\n1\ta\t3\n2\tb\t?\n2\tc\t0\n\tz\t1",
        "grade,document,rank\n1,z,\n0,c,2\n3,a,1\n,b,1.5".replace("1.5", "2").replace(
            "0,c,2\n3,a,1\n,b,2", "3,a,1\n,b,2\n0,c,2"
        ),
        "1;a;3\r\n2;b;?\r\n2;c;0\r\n-;z;1\r\n",
        'Rank, Doc, Rel\n 1, "a", 3\n2, b, ?\n\n2, c, 0\n–, z, 1',
    ],
)
def test_rows_from_a_spreadsheet(text):
    assert rows(read_ranking(text, "q")) == (
        [("a", 3.0, False), ("b", None, False), ("c", 0.0, True)],
        [("z", 1.0)],
    )


def test_document_and_grade_are_enough():
    assert rows(read_ranking("a b, 3\n7, 0", "q"))[0] == [("a b", 3.0, False), ("7", 0.0, False)]
    assert rows(read_ranking("7\t3\n8\t0", "q"))[0] == [("7", 3.0, False), ("8", 0.0, False)]
    assert rows(read_ranking("=1+1\t3", "q"))[0] == [("=1+1", 3.0, False)]


@cases(
    ("text", "ranked", "missing"),
    [
        ("Red shoes 3\nBlue shoes 1 | Green 2", [("Red shoes", 3), ("Blue shoes", 1)], ["Green"]),
        ("a, 3\nb, 1 | c, 2\n| d, 0", [("a", 3), ("b", 1)], ["c", "d"]),
        ("Stemming, 1\nWordNet; in, short; 2", [("Stemming", 1), ("WordNet; in, short", 2)], []),
        ("Lemmatization, with WordNet, 2", [("Lemmatization, with WordNet", 2)], []),
        ("Red shoes, 3\nThinkPad X1\t1\nb 0", [("Red shoes", 3), ("ThinkPad X1", 1), ("b", 0)], []),
        ("Best | of 2024 3\nNews | here, 2", [("Best | of 2024", 3), ("News | here", 2)], []),
    ],
)
def test_lines_of_titles(text, ranked, missing):
    kept, rest = rows(read_ranking(text, "q"))
    assert [pair[:2] for pair in kept] == ranked
    assert [document for document, _ in rest] == missing


@cases(
    ("text", "hint"),
    [
        (
            "",
            "Your list: found nothing; expected one title per line, its grade last. Type the first",
        ),
        (" \n", "E-EMPTY"),
        ("3,2,-?", "column 3: found '-?'"),
        ("1|2|3", "E-LIST"),
        ("3,,2", "column 2: found nothing; expected a grade or ?"),
        ("3, ; 2", "column 2: found nothing"),
        ("3\t\t2", "column 2: found nothing"),
        (",3,2", "column 1: found nothing"),
        ("3,2|1,,0", "column 4: found nothing"),
        ("3,2,1\n3,2", "one line, like 3,2,0 | 1"),
        ("a b c", "line 1: found 'a b c'; expected a title, then its grade"),
        ("a,3\nb,high", "line 2: found 'b,high'; expected a title, then its grade. Write"),
        ("a,3\n\nb", "line 3: found 'b'; expected a title, then its grade"),
        ("a 3\n2", "line 2: found '2'; expected a title"),
        ("a 3\nb 1 | c", "line 2: found 'c'; expected a title, then its grade"),
        ("a\t3\nb", "line 2: found 'b'; expected a title, then its grade"),
        ("1,2,3,4\na,b,c,d", "line 1: found 4 cells"),
        ("first\ta\t3", "line 1: found 'first'; expected a rank"),
        ("1,,3\n2,b,1", "line 1: found no title; expected a title of 1 to"),
        (
            "a,3\na,2",
            "Your list, line 2: found 'a' again; expected each title once (first on line 1)",
        ),
        ("2000,3", "up to 1000"),
        ("1e999", "up to 1000"),
        ("a,٣", "found 'a,٣'"),
        ("1," * (MOST_ROWS + 1), f"found {MOST_ROWS + 1:,} documents"),
        ("|?", "needs a grade"),
    ],
)
def test_unreadable_text_is_refused_with_the_reason(text, hint):
    with pytest.raises(RankscopeError) as caught:
        read_ranking(text, "q")
    assert hint in str(caught.value)


@cases(
    ("text", "read"),
    [
        ("One, 3\nTwo\nThree, 1 | Four 2\nFive", [("One", 3.0), ("Three", 1.0)]),
        ("title\tgrade\na\t3\nb\thigh\na\t2", [("a", 3.0)]),
        ("One\nTwo", None),
    ],
)
def test_a_refusal_has_the_ranking_of_the_other_lines(text, read):
    with pytest.raises(ReadError) as caught:
        read_ranking(text, "q")
    known = caught.value.read
    assert (known and [(each.document, each.grade) for each in known.retrieved]) == read
    assert len(caught.value.problems) == 2


ENTRIES = st.builds(
    Entry,
    st.text(min_size=1, max_size=8),
    st.none() | st.integers(-5, 5).map(float) | st.floats(-1000, 1000),
    st.booleans(),
)


@given(
    st.text(),
    st.lists(ENTRIES, unique_by=lambda e: e.document),
    st.integers(0, 9),
    st.text(max_size=LONGEST_TITLE).map(as_title),
)
def test_a_link_and_a_file_give_the_ranking_back(query, entries, ranked, title):
    retrieved = [Entry(e.document, e.grade, e.tied and i > 0) for i, e in enumerate(entries)]
    rest = tuple(Entry(e.document, e.grade or 0.0) for e in retrieved[ranked:])
    ranking = HandRanking(query, tuple(retrieved[:ranked]), rest, title)
    assert unpack(pack(ranking)) == ranking == from_json(to_json(ranking))


def test_only_a_title_needs_a_new_version_of_the_link():
    ranking = HandRanking.of("q", {"a": 1.0}, ["a"])
    assert pack(ranking).startswith("1.")
    assert pack(replace(ranking, title="Mine")).startswith("2.")


def test_links_of_versions_1_and_2_still_open():
    plain = (
        "1.eNqrViosTS2qVLJSKlTSUSpKzMtOTVGyio5WSlTSMYrViVaqUNLJK83JiY3VUcrLL1FAUpGkpGOgZxobWwsA"
        "2J0U4A"
    )
    titled = (
        "2.eNqrViosTS2qVLJSKlTSUSpKzMtOTVGyio5WSlTSMYrViVaqUNLJK83JiY3VUSrJLMlJBar0zcxLBSrOyy9RQNKQpKRj"
        "oGcaG1sLADf1GXk"
    )
    ranking = HandRanking.of("q", {"a": 2.0, "b": 0.5}, ["a", "x"])
    assert unpack(plain) == ranking
    assert unpack(titled) == replace(ranking, title="Mine")


WHOLE = pack(HandRanking.of("q", {"a": 1.0, "b": 2.0}, ["a", "b"]))


def packed(value):
    text = value if isinstance(value, str) else json.dumps(value)
    return "1." + base64.urlsafe_b64encode(zlib.compress(text.encode())).decode().rstrip("=")


@cases(
    "text",
    [
        "",
        "1.",
        WHOLE[:-4],
        WHOLE + "A",
        "4" + WHOLE[1:],
        "1.!!!!",
        packed("[]"),
        packed("[" * 100_000),
        packed({"query": "q"}),
        packed({"query": 1, "ranked": []}),
        packed({"query": "q", "ranked": [["a"]]}),
        packed({"query": "q", "ranked": [[1, 1]]}),
        packed({"query": "q", "ranked": [["a", "1"]]}),
        packed({"query": "q", "ranked": [["a", 1, "tied"]]}),
        packed({"query": "q", "ranked": [["a", 1, "other"]]}),
        packed({"query": "q", "ranked": [["a", 1], ["a", 2]]}),
        packed({"query": "q", "ranked": [["a", True]]}),
        packed('{"query": "q", "ranked": [["a", NaN]]}'),
        packed({"query": "q", "ranked": [["a", 10**400]]}),
        packed(" " * 2_000_000),
        packed({"query": "q", "ranked": [["\ud800x", 1]]}),
        packed({"query": "q", "ranked": [], "title": 7}),
        packed({"query": "q", "ranked": [], "title": "a\nb"}),
        packed({"query": "q", "ranked": [], "title": "x" * (LONGEST_TITLE + 1)}),
    ],
)
def test_a_damaged_link_is_refused(text):
    with pytest.raises(EditError):
        unpack(text)
