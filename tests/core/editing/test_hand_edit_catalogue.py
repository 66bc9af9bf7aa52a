"""The cases of bad edits, settings and links in the catalogue that the core decides."""

import base64
import csv
import io
import math
import pickle
import zlib
from dataclasses import replace

import pytest

from metrics import Convention, MeasureError, Qrels, RankscopeError, Run, compare, parse
from metrics.comparing.evidence import evidence
from metrics.comparing.significance import NONE, TESTS
from metrics.editing.edits import add, set_grade
from metrics.editing.hand_ranking import HandRanking
from metrics.editing.pasted import read_ranking
from metrics.editing.ranking_link import LONGEST_READ, pack, unpack
from metrics.measures import REGISTRY
from tests.cases import cases
from tests.catalogue.hand_edits import BASE, CASES, unmentioned

# Cases in which Rankscope differs from the catalogue, with the reason.
ARGUED = {
    "h05": ("accept", "Grades below 0 are in use; the convention says what they mean."),
    "h07": ("accept", "There is no fixed scale; a measure that has one, ERR, checks it."),
    "h14": ("error", "A paste is not cut off with a warning but refused, with the way to open it."),
    "h18": ("error", "No TREC file can hold an id with a line break: refused, not warned of."),
}


def wanted(case):
    """The expected result: the catalogue's, unless there is a reason to differ."""
    done, _ = ARGUED.get(case, (CASES[case]["expected"], ""))
    return done


def pasted(edit):
    """The ranking with one row changed, as a spreadsheet puts it on the clipboard."""
    rows = [[entry.document, entry.grade] for entry in BASE.retrieved]
    for place, name in enumerate(["docid", "label"]):
        if name in edit:
            # The catalogue abbreviates its long id.
            long = str(edit[name]).endswith("...1MB")
            rows[edit["row"]][place] = "x" * 1_000_000 if long else edit[name]
    text = io.StringIO()
    csv.writer(text, "excel-tab").writerows(rows)
    return read_ranking(text.getvalue(), "q")


def built(edit):
    """The ranking made anew with another document on one row."""
    retrieved = list(BASE.retrieved)
    retrieved[edit["row"]] = replace(retrieved[edit["row"]], document=edit["docid"].strip())
    return replace(BASE, retrieved=tuple(retrieved))


def graded(edit):
    """The table's cell with another grade."""
    label = float("nan") if edit["label"] == "NaN" else edit["label"]
    return set_grade(BASE, BASE.entries[edit["row"]].document, label)


def added(edit):
    """The form for another document, filled in."""
    return add(BASE, edit["add"].get("docid", ""), edit["add"].get("label"))


def many(edit):
    return read_ranking("".join(f"d{i}\t1\n" for i in range(edit["paste"])), "q")


def by_name(name):
    """A measure's name as it is typed, with the setting of the case in it."""

    def typed(edit):
        (value,) = edit.values()
        return parse(name.format("" if value is None else value))

    return typed


def cut_at(edit):
    return REGISTRY["nDCG"](cutoff=edit["k"])


REFUSED = {
    "h01": [pasted],
    "h02": [pasted, built],
    "h03": [pasted, built],
    "h08": [pasted, graded],
    "h09": [pasted, graded],
    "h10": [pasted, graded],
    "h13": [added],
    "h14": [many],
    "h18": [pasted],
    "h19": [pasted],
    "h21": [by_name("nDCG@{}"), cut_at],
    "h22": [by_name("nDCG@{}"), cut_at],
    "h23": [by_name("nDCG@{}"), cut_at],
    "h25": [by_name("nDCG@{}")],
    "h27": [by_name("RBP(p={})")],
    "h29": [by_name("RBP(p={})")],
    "h31": [lambda edit: Convention(level=edit["threshold"])],
    "h32": [lambda edit: BASE.ledger(f"ERR(max={edit['max_grade']})")],
    "h33": [by_name("nDCG(base={})@5")],
}


@cases(("case", "make"), [(case, make) for case, makes in REFUSED.items() for make in makes])
def test_impossible_edits_are_refused_with_the_reason(case, make):
    assert wanted(case) == "error"
    with pytest.raises(RankscopeError) as caught:
        make(CASES[case]["edit"])
    assert not unmentioned(case, str(caught.value)), caught.value


def of(make):
    """The ids and grades of the ranking that an edit makes."""
    return lambda edit: [(e.document, e.grade) for e in make(edit).entries]


def scored(measure):
    return float(BASE.ledger(measure).scores[0])


def blank(edit):
    """A blank row of a spreadsheet, with all its cells."""
    return read_ranking("d1\t3\nd2\t0\nd3\t1\n\t\n", "q")


def one_differs(edit):
    """Two runs that differ in one of three queries."""
    qrels = {f"q{i}": {"x": 1} for i in range(3)}
    first = {query: {"y": 2, "x": 1} for query in qrels}
    a, b = Run.from_dict(first), Run.from_dict(first | {"q0": {"x": 2, "y": 1}})
    found = compare(Qrels.from_dict(qrels), a, b, "RR")
    return [0 < evidence(found, test=test)["RR"].p <= 1 for test in TESTS.keys() - {NONE}]


def nothing_retrieved(edit):
    ranking = HandRanking.of("q", BASE.grades, edit["ranking"])
    return {name: float(ranking.ledger(name).scores[0]) for name in ("nDCG@5", "AP", "RR")}


ROWS = [("d1", 3), ("d2", 0), ("d3", 1)]
MADE = {
    "h05": [(of(pasted), [("d1", -1), *ROWS[1:]]), (of(graded), [("d1", -1), *ROWS[1:]])],
    "h06": [(of(pasted), [("d1", 2.5), *ROWS[1:]]), (of(graded), [("d1", 2.5), *ROWS[1:]])],
    "h07": [(of(pasted), [("d1", 9), *ROWS[1:]]), (of(graded), [("d1", 9), *ROWS[1:]])],
    "h12": [(of(blank), ROWS)],
    "h15": [
        (of(lambda edit: read_ranking(edit["paste_text"], "q")), [("d7", 1), ("d8", 0)]),
    ],
    "h16": [(of(pasted), [("=1+1", 3), *ROWS[1:]])],
    "h17": [(of(pasted), [("![x](http://127.0.0.1:9911/p.png)", 3), *ROWS[1:]])],
    # A reader who stops after one document: RBP is that document's worth.
    "h28": [(lambda edit: scored(f"RBP(p={edit['p']})"), 1.0)],
    "h34": [(nothing_retrieved, {"nDCG@5": 0, "AP": 0, "RR": 0})],
    "h40": [(one_differs, [True] * (len(TESTS) - 1))],
}


@cases(
    ("case", "make", "expected"),
    [(case, make, made) for case, pairs in MADE.items() for make, made in pairs],
)
def test_possible_edits_are_applied(case, make, expected):
    assert wanted(case) == "accept"
    assert make(CASES[case]["edit"]) == expected


def bomb(size):
    return "1." + base64.urlsafe_b64encode(zlib.compress(b" " * size, 9)).decode().rstrip("=")


# Each makes its links when they are tested: a bomb takes a while to pack.
LINKS = {
    "u04": lambda: ["%%%", "1.%%%"],
    "u05": lambda: [bomb(5_000_000), bomb(1_000_000)],
    "u06": lambda: ["999.xxxx", "4" + pack(BASE)[1:]],
    "u07": lambda: ["1.eJyr", "1.", *(pack(BASE)[:end] for end in range(20, len(pack(BASE)) - 4))],
    "u08": lambda: ["A" * 10_000, "1." + "A" * LONGEST_READ, bomb(100_000_000)],
    "u10": lambda: [base64.b64encode(pickle.dumps(BASE)).decode(), "gASV"],
}


def links():
    return [(case, link) for case, made in LINKS.items() for link in made()]


@cases(("case", "link"), links)
def test_a_link_without_a_ranking_names_the_problem(case, link):
    with pytest.raises(RankscopeError) as caught:
        unpack(link)
    assert not unmentioned(case, str(caught.value)), caught.value
    # The page shows the message, so it contains nothing from the link.
    assert link[:20] not in str(caught.value)


def test_a_link_with_an_impossible_ranking_is_damaged():
    twice = '{"query":"q","ranked":[["`a`",1],["`a`",2]]}'
    text = "1." + base64.urlsafe_b64encode(zlib.compress(twice.encode())).decode().rstrip("=")
    with pytest.raises(RankscopeError, match="ranking in the link is damaged; copy"):
        unpack(text)


def test_a_document_added_twice_names_the_row_where_it_is():
    ranking = HandRanking.of("q", {"a": 1, "z": 2}, ["b", "a"])
    for document, row in (("b", 1), ("a", 2), ("z", 3)):
        with pytest.raises(RankscopeError, match=f"'{document}' is already there, on row {row}"):
            add(ranking, document, 1)


def test_a_pasted_row_is_named_by_its_line_not_by_its_rank():
    with pytest.raises(RankscopeError, match=r"line 4: found 'a' again.*first on line 2"):
        read_ranking("rank\tdocument\tgrade\n2\ta\t1\n3\tb\t1\n1\ta\t0", "q")
    with pytest.raises(RankscopeError, match="line 1: found '2000'"):
        read_ranking("2\ta\t2000\n1\tb\t0", "q")


def test_a_row_over_two_lines_is_named_by_its_first_one():
    with pytest.raises(RankscopeError, match="line 3: found 'high'"):
        read_ranking('a\t"\n1"\nb\thigh', "q")


@cases("text", ["nDCG@x", "nDCG@", "AP@1e3", "P@²", "nope@²"])
def test_a_cutoff_that_is_not_a_number_is_refused(text):
    with pytest.raises(MeasureError):
        parse(text)


def test_rbp_of_a_reader_who_stops_at_once():
    assert scored("RBP(p=0)") == scored("RBP@1") / (1 - 0.9)
    assert math.isclose(scored("RBPres(p=0)"), 0)
