"""The report of a comparison: what it says, in which order, with every digit, without scripts."""

import json
import re
from dataclasses import replace
from html import unescape

import pytest

from metrics import Dataset, Pairing, Qrels, Run, compare
from metrics.__main__ import main
from metrics.comparing.evidence import PairedTest
from metrics.comparing.slices import most_instructive
from metrics.conventions.convention import TREC_EVAL, Convention
from metrics.rendering import comparison_text
from metrics.rendering import report as comparison_files
from metrics.rendering.report import Cover, report
from metrics.teaching.samples import catalogue
from metrics.writing.as_json import as_json
from metrics.writing.comparison import LISTED, changed_most
from metrics.writing.reproduce import Recipe, as_input
from metrics.writing.section import REVERSED, TITLES
from tests.cases import cases
from tests.situations import cases as situations

MEASURES = ["nDCG@10", "AP"]
T_TEST = PairedTest("t")


@pytest.fixture(scope="module")
def shop():
    return catalogue()["shop"].load()


def made(dataset, measures=MEASURES, convention=TREC_EVAL, asked=T_TEST, **more):
    """Return the report on the first two runs of a data set."""
    pairing = Pairing.of(dataset.qrels, dataset.runs[:2], measures, convention, asked)
    return report(pairing, dataset, dataset.qrels.queries[0], **more)


def embedded(page, name):
    """Return the numbers in full precision."""
    return json.loads(unescape(re.search(f'<pre id="{name}">(.*?)</pre>', page, re.DOTALL)[1]))


def untagged(page):
    """Return the page without the colours of the names."""
    return re.sub(r'<b class="[AB]">(.*?)</b>', r"\1", page)


def test_the_report_is_complete_and_makes_no_request(shop):
    third = shop.runs[0].renamed("third")
    data = replace(shop, title="<b>Shop", runs=(*shop.runs, third), part="2 of 29 queries")
    cover = Cover("Which <run>?", "A. Nonymous & Co", "2026-11-22")
    page = made(data, cover=cover)
    assert "default-src 'none'" in page
    for word in ("<script", "<img", "src=", "url(", "<b>Shop", "<run>"):
        assert word not in page
    # Each link leads to a heading of the page; those on one query have one.
    links = re.findall('href="(.*?)"', page)
    ids = re.findall('<h2 id="(.*?)">', page)
    assert [each[1:] for each in links] == [each for each in ids if f'"#{each}"' in page]
    assert {each.split("-")[0] for each in ids[3:]} == {
        each[1:].split("-")[0] for each in links
    } | {"Numbers"}
    assert sum("Query-q01" in each for each in links) == 1
    assert "<title>Which &lt;run&gt;?</title>" in page
    assert '<meta name="author" content="A. Nonymous &amp; Co">' in page
    by = "bm25 (A) against char_ngrams (B) · only 2 of 29 queries · A. Nonymous &amp; Co"
    assert f"&lt;b&gt;Shop · {by} · 2026-11-22" in page
    for run in (data.qrels, *data.runs[:2]):
        assert run.digest in page
    for said in ("Seed 0", "Rankscope 0.", "NumPy", "Convention: trec_eval", "third"):
        assert said in page
    # What is of one run has its colour.
    for side, header in (("", "delta B − A"), (' class="B"', "mean B"), (' class="A"', "mean A")):
        assert f"<th{side}>{header}</th>" in page
    verdict = '<b class="B">char_ngrams</b> is better than <b class="A">bm25</b>: nDCG@10 0.7544'
    assert f'<p class="verdict">{verdict}' in page
    headings = [unescape(each) for each in re.findall("<h2[^>]*>(.*?)</h2>", untagged(page))]
    order = (
        *("What could turn it", "What to do next", "Further remarks", "Regressions", "Gains"),
        *("Means", "By cutoff", "Query q01: what each"),
        *("Query q01: nDCG@10 of bm25 (A), line", "Query q01: nDCG@10 of char_ngrams (B), line"),
        *("Every query, nDCG@10", "Mean delta with other"),
        *("Queries by", "All runs", "Every pair", "Documents that change"),
        *("Method", "Caveats", "Reproduce", "Numbers in full precision"),
    )
    assert [h for h, start in zip(headings, order, strict=False) if not h.startswith(start)] == []
    assert headings[-1] == "Numbers in full precision"


def test_without_a_title_the_report_names_both_runs(shop):
    assert "<title>bm25 (A) against char_ngrams (B)</title>" in made(shop)


@cases("name", situations)
def test_the_first_page_answers_and_the_other_threats_follow(name):
    case = situations()[name]
    dataset = Dataset("", case.qrels, (case.a, case.b))
    found = Pairing.of(case.qrels, dataset.runs, case.measures).verdict
    page = made(dataset, list(case.measures), asked=PairedTest())
    first = untagged(unescape(page)).split("</section>", 1)[0]
    assert case.says in first
    threat = rf"<li><strong>(.*?)( \({REVERSED}\))?</strong>"
    turns, _, remarks = first.partition("Further remarks")
    turning, others = (re.findall(threat, part) for part in (turns, remarks))
    assert [title for title, _ in turning] == [TITLES[each.kind] for each in found.turning]
    shown = {title: bool(reverses) for title, reverses in turning + others}
    assert shown == {TITLES[kind]: kind in case.reverses for kind in case.threats}
    steps = re.findall("<li>(.*?)</li>", turns.partition("What to do next")[2])
    assert steps == list(dict.fromkeys(steps))
    assert bool(turning) == (len(steps) > 1)


def test_app_command_line_and_report_give_the_same_digits(tmp_path, monkeypatch, capsys, shop):
    monkeypatch.chdir(tmp_path)
    convention, asked = Convention(gain="exponential"), PairedTest("wilcoxon", 0.01, 7)
    two = shop.runs[:2]
    # On the command line a run is named for its file.
    recipe = Recipe(tuple(f"{each.name}.json" for each in (shop.qrels, *two)))
    for file, pairs in zip(recipe.files, (shop.qrels, *two), strict=True):
        (tmp_path / file).write_bytes(as_input(pairs))

    def printed(*more):
        words = recipe.command(MEASURES, convention, asked).split()[1:]
        assert main([*words, *more, "--format", "json", "--quiet"]) == 0
        return json.loads(capsys.readouterr().out)

    page = made(shop, MEASURES, convention, asked)
    means, scores = (embedded(page, name) for name in ("means", "queries"))
    on_the_command_line = printed()
    assert means["rows"] == on_the_command_line["rows"]
    assert means == on_the_command_line
    of_two = Pairing.of(shop.qrels, two, MEASURES, convention, asked)
    of_app = json.loads(as_json(comparison_files.each_query(of_two, shop)))["rows"]
    rows = printed("--per-query")["rows"]
    assert [row for row in rows if row["query"] != "all"] == of_app
    for row in of_app:
        at, sides = scores["query"].index(row["query"]), scores["scores"][row["measure"]]
        assert (sides["a"][at], sides["b"][at]) == (row["a"], row["b"])


def test_the_document_that_costs_most_is_named_with_its_ranks(shop):
    compared = compare(shop.qrels, *shop.runs[:2], "nDCG@10")
    deltas = compared.per_query("nDCG@10")["delta"]
    documents = compared.documents("nDCG@10")
    for sign in (-1, 1):
        table = changed_most(compared, "nDCG@10", sign, shop.query_texts, None)
        rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
        changed = (sign * deltas).sort_values(ascending=False, kind="stable")
        assert [row["query"] for row in rows] == changed[changed > 0].index[:LISTED].tolist()
        for row in rows:
            bars = documents[documents["query"] == row["query"]].set_index("document")["delta"]
            assert row["share"] == sign * (sign * bars).max() == bars[row["document"]]
            for side, run in zip("ab", shop.runs[:2], strict=True):
                ranking = list(run.only(row["query"]).to_dict()[row["query"]])
                known = row["document"] in ranking
                rank = ranking.index(row["document"]) + 1 if known else None
                assert row[f"rank_{side}"] == rank
            assert row["text"] == shop.query_texts[row["query"]]


def test_the_report_says_why_it_shows_its_query_and_its_largest_change_comes_first(shop):
    pairing = Pairing.of(shop.qrels, shop.runs[:2], MEASURES)
    first = most_instructive(pairing.comparison, str(pairing.measure))
    query = first.query
    reasons = {
        query: comparison_text.why_first(first),
        "q01": "the author chose it",
    }
    for of, why in reasons.items():
        page = report(pairing, shop, of)
        about = page.split(f"Query {of}: what each document changed</h2>")[1].split("<h2")[0]
        assert f"This query is shown because {why}." in about
        assert "–: not retrieved, or without a grade" in about
        assert "Dots: the grade, ? for none" in about
        table = about.split("<table>")[1].split("</table>")[0]
        deltas = re.findall(r'">[^<]+</td><td>([+−]?[\d.]+)</td>', table)
        sizes = [abs(float(each.replace("−", "-"))) for each in deltas]
        assert len(sizes) > 2
        assert sizes == sorted(sizes, reverse=True)
    # Where one document changes, none loses what another gains.
    runs = [
        Run.from_dict({"q": docs}, name)
        for name, docs in (("a", {"u": 2, "x": 1}), ("b", {"x": 1}))
    ]
    small = Dataset("", Qrels.from_dict({"q": {"x": 1}}), tuple(runs))
    alone = report(Pairing.of(small.qrels, small.runs, ["RR"]), small, "q")
    assert "This query is shown because no query changes more." in alone
    # Who has only the report learns what the commands need.
    assert "Ask its author for the three files" in page
    assert "Ask its author" not in report(pairing, shop, query, reproduced=Recipe(("q", "a", "b")))


def test_a_report_without_changes_and_texts(shop):
    same = Dataset("same", shop.qrels, (shop.runs[0], shop.runs[0].renamed("twin")))
    page = made(same, ["AP"])
    for side in ("Regressions", "Gains"):
        how = "worse" if side == "Regressions" else "better"
        assert f'{side}: <b class="B">twin</b> (B) is {how} on no query</h2></section>' in page


def test_the_table_of_measures_names_what_each_of_them_leaves_out():
    qrels = Qrels.from_dict({"q1": {"x": 2}, "q2": {"x": 1}})
    runs = tuple(Run.from_dict({q: {"x": 1} for q in qrels.queries}, name) for name in "ab")
    convention = Convention(undefined="skip")
    pairing = Pairing.of(qrels, runs, ["AP", "AP(rel=2)"], convention)
    table = comparison_files.means(pairing, Dataset("", qrels, runs))
    assert table.facts["left_out"] == {"undefined": {"AP(rel=2)": ["q2"]}}


def test_a_line_end_of_a_text_is_a_space_and_what_is_hidden_stays_visible(shop):
    words = "first\r\n\nsecond\tthird\u2028fourth\u200b"
    queries = dict.fromkeys(shop.qrels.queries, words)
    documents = dict.fromkeys(shop.document_texts, words)
    page = made(replace(shop, query_texts=queries, document_texts=documents))
    assert not re.search("⟨U\\+(?!200B)", page)
    assert page.count("first second third fourth⟨U+200B⟩") > len(queries)
