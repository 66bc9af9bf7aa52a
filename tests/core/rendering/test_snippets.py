"""A snippet shows the part of a text that matches the query, and loses no character of it."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from metrics.rendering.snippets import marked, snippet, terms
from tests.cases import cases


@cases(
    ("query", "text", "found"),
    [
        ("best café", "the BEST cafe\u0301, cafés", ["BEST", "cafe\u0301"]),
        ("STRASSE", "the Straße", ["Straße"]),
        ("ＦＩＮＥ", "ﬁne fine", ["ﬁne", "fine"]),
        ("日本語の本", "これは日本語です", ["日本語"]),
        ("हिन्दी", "यह हिन्दी है", ["हिन्दी"]),
        ("ข้าวผัด", "กินข้าวผัดไก่", ["ข้าวผัด"]),
        ("GPT-4", "gpt_4 gpt-45", ["gpt", "4", "gpt"]),
        ("c.*b", "c.*b cb", ["c", "b"]),
        ("how to return a parcel", "to return a parcel", ["return", "parcel"]),
        ("to be or not to be", "be not", ["not"]),
        ("the who", "who is the who", ["who", "the", "who"]),
        ("", "x", []),
    ],
)
def test_terms_are_marked_in_any_script_case_and_form(query, text, found):
    assert [piece for piece, mark in marked(text, terms(query)) if mark] == found


TEXTS = st.text(alphabet="ab éE日本ก\u0301\n<>", max_size=90)


@given(TEXTS, TEXTS)
def test_pieces_joined_are_the_text(text, query):
    pieces = marked(text, terms(query))
    assert "".join(piece for piece, _ in pieces) == text
    marks = [mark for _, mark in pieces]
    assert all(one != other for one, other in pairwise(marks))


@given(TEXTS, TEXTS)
def test_a_snippet_is_a_short_part_of_the_text(text, query):
    shown = "".join(piece for piece, _ in snippet(text, terms(query), 20))
    assert len(shown) <= 24
    assert shown.removeprefix("… ").removesuffix(" …") in " ".join(text.split())


def test_a_snippet_is_where_most_terms_are():
    filler = "lorem ipsum dolor sit amet " * 400
    text = f"A laptop. {filler} the best quiet laptop for students {filler}"
    pieces = snippet(text, terms("best laptop students"))
    assert [piece for piece, mark in pieces if mark] == ["best", "laptop", "students"]
    assert (pieces[0], pieces[-1]) == (("… ", False), (" …", False))
    assert snippet("a" * 300, terms("a" * 300)) == [("a" * 220, False), (" …", False)]
    assert snippet(text, terms("absent"))[0][0].startswith("A laptop.")


def test_invisible_characters_are_shown_as_numbers():
    assert marked("a\u202eb\tc\n", terms("b")) == [
        ("a⟨U+202E⟩", False),
        ("b", True),
        (" c\n", False),
    ]
