"""An evaluator with 150 queries and texts reaches the worst queries' results in two actions."""

import json

from playwright.sync_api import expect

from metrics import Qrels, Run
from metrics.teaching.samples import catalogue
from metrics.writing.reproduce import as_input
from tests.browser.conftest import drop_box, settled

TIMES = 6
SCREEN = {"width": 1440, "height": 2000}


def files():
    """The shop sample six times over, 150 of its queries, as files with texts."""
    shop = catalogue()["shop"].load()
    names = [f"{query}-{i}" for i in range(TIMES) for query in shop.qrels.queries][:150]
    pairs = [
        kind.from_dict({name: rows[name.rsplit("-", 1)[0]] for name in names}, each.name)
        for kind, each in zip((Qrels, Run, Run), (shop.qrels, *shop.runs), strict=True)
        for rows in [each.to_dict()]
    ]
    of_queries = "".join(f"{n}\t{shop.query_texts[n.rsplit('-', 1)[0]]}\n" for n in names)
    corpus = "".join(
        json.dumps({"_id": d, "title": f"About {d}", "text": words, "url": f"shop/{d}"}) + "\n"
        for d, words in shop.document_texts.items()
    )
    qrels, *runs = [(f"{each.name}.json", as_input(each)) for each in pairs]
    of_query = shop.query_attributes["group"]
    groups = "".join(f"{n}\t{of_query[n.rsplit('-', 1)[0]]}\n" for n in names)
    texts = [
        ("queries.tsv", of_queries.encode()),
        ("corpus.jsonl", corpus.encode()),
        ("groups.tsv", groups.encode()),
    ]
    return [*texts, qrels, *runs]


def test_two_actions_lead_from_files_to_the_worst_queries_two_more_to_their_results(page, server):
    page.set_viewport_size(SCREEN)
    page.goto(f"{server}/data")
    # One action: all files at once.
    drop_box(page).set_input_files(
        [{"name": n, "mimeType": "text/plain", "buffer": content} for n, content in files()]
    )
    # The other.
    page.get_by_role("button", name="Compare the runs").click()
    expect(page.get_by_role("heading", name="is better than")).to_be_visible()
    settled(page)
    expect(page.get_by_role("heading", name="A better on 31")).to_be_visible()
    # The worst query, the document that cost most, and its text.
    page.get_by_role("button", name="where is my parcel: −0.2635, A better").first.click()
    expect(page.get_by_text("is at rank 3 in A, at rank 11 in B: −0.2635.")).to_be_visible()
    page.get_by_role("tab", name="Results").click()
    results = page.locator(".results")
    expect(results.get_by_text("About help-tracking-01").first).to_be_visible()
    expect(results.locator("mark").first).to_be_visible()
