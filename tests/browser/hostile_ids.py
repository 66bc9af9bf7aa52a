"""Fifty ids that try to be markup, formulas, links or code, and a watch that notices any effect."""

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MARKS = ("linked", "coloured", "set", "bolded", "spanned", "ticked", "fenced", "headed", "jumped")
"""Words inside markup: an element with only this text was created from an id."""


def ids(canary):
    """Return the ids; every address in them is the canary's."""
    hostile = [
        f"![imaged]({canary}/markdown.png)",
        f"[linked]({canary}/link)",
        f"<{canary}/autolink> {canary}/bare",
        ":smile: :material/home: :red[coloured] :blue-background[coloured]",
        r"$\text{set}$",
        rf"$$\href{{{canary}/tex}}{{\text{{set}}}}$$",
        f"<script>window.marked = fetch('{canary}/script')</script>",
        f"<img src='{canary}/image.png' onerror=\"alert('error')\">",
        f"<svg onload=\"alert('load')\"><image href='{canary}/svg.png'/></svg>",
        f"<iframe src='{canary}/frame'></iframe>",
        "<a href=\"javascript:alert('script')\">jumped</a>",
        f"<a href='{canary}/plotly' target='_top'>linked</a>",
        f"<b>bolded</b><span style=\"background:url('{canary}/style')\">spanned</span>",
        "%{x} %{customdata[0]} <extra></extra>",
        f'=HYPERLINK("{canary}/sheet","linked")',
        "=cmd|' /C calc'!A0",
        "@SUM(1)",
        "+1+cmd",
        "-2+3",
        "\t=tab",
        "\r=return",
        "＝1+1",
        "**bolded** `ticked`",
        "``ticked`` ```` ```ticked",
        "```\nfenced\n```",
        "\"double\" 'single'",
        r"back\slash \n \u003cb\u003e \*",
        "zero\u200bwidth",
        "\u202egpj.exe",
        "\u2066isolated",
        "line\u2028separator",
        "o\u0308\u0301\u0302\u0303\u0334\u0335",
        "long" * 225,
        "__proto__",
        "constructor",
        "../../x",
        "NaN",
        "null",
        "true",
        "{{7*7}}${7*7}",
        "%3Cb%3Ebolded%3C/b%3E%0A",
        "{0.__class__} %s {x!r}",
        "a|b&a=b#c?d=e%7C",
        "Case",
        "case",
        "caf\u00e9",
        "cafe\u0301",
        "# headed\n> &lt;b&gt;bolded&#60;/b&#62;",
        f"</pre></script><style>@import '{canary}/css'</style>",
        f"<object data='{canary}/object'></object><form action='{canary}/form'><input autofocus>",
    ]
    assert len(set(hostile)) == 50
    return hostile


# Streamlit keeps file names unchanged; a slash would start a folder.
RUN_NAMES = (
    "<img src=x onerror=alert(1)> $x^2$ :smile:",
    "=1+1 **bolded** [linked](javascript:alert(1)) `ticked`",
    "__proto__",
)


def values(names):
    """Return ``{query: {document: n}}`` of the qrels and two runs; the first query has all ids."""
    qrels, one, two = {}, {}, {}
    for number, query in enumerate(names):
        documents = names if number == 0 else [names[(7 * number + i) % 50] for i in range(6)]
        qrels[query] = {each: (number + i) % 4 for i, each in enumerate(documents[:-2])}
        one[query] = {each: 50.0 - i // 2 for i, each in enumerate(documents)}
        two[query] = {each: 50.0 - (3 * i) % 7 - i / 100 for i, each in enumerate(documents)}
    return qrels, one, two


def files(names, canary):
    """Return files of each kind; texts and groups are hostile ids too."""
    qrels, *runs = values(names)
    bare = [each for each in names if not re.search(r"\s", each)]
    tagged = "".join(
        f"{name} Q0 {name} 1 {9 - i % 3} <img/src='{canary}/tag{i % 2}'>\n"
        for i, name in enumerate(bare)
    )
    others = list(zip(names, names[1:] + names[:1], strict=True))
    texts = "\n".join(json.dumps({"_id": a, "title": b, "text": b}) for a, b in others)
    groups = "\n".join(json.dumps({"_id": a, "text": names[i % 5]}) for i, a in enumerate(names))
    return [
        # Every id is one of a query and of a document, so that the names tell the texts apart.
        ("queries.jsonl", texts),
        ("documents.jsonl", texts),
        ("groups.jsonl", groups),
        ("$qrels$ <b>bolded<b>.json", json.dumps(qrels)),
        *zip((f"{n}.json" for n in RUN_NAMES[:2]), map(json.dumps, runs), strict=True),
        (f"{RUN_NAMES[2]}.run", tagged),
    ]


class Canary:
    """A server that must not receive requests, and the requests it received."""

    def __init__(self):
        self.requests = requests = []

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self):
                requests.append(self.path)
                self.send_error(404)

            do_POST = do_GET  # noqa: N815

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Watch:
    """Records a page's console messages, dialogs and requests, and finds effects of hostile ids."""

    def __init__(self, page, canary, own):
        self.page, self.canary, self.own, self.events = page, canary, own, []
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.events.append(str(error)))
        page.on("dialog", self._on_dialog)
        page.on("request", self._on_request)

    def _on_console(self, message):
        # On a page with its own path Streamlit first looks for the server below that path.
        probe = re.search("_stcore/(health|host-config)$", message.location["url"])
        if message.type in ("error", "warning") and not (probe and "404" in message.text):
            self.events.append(message.text)

    def _on_dialog(self, dialog):
        self.events.append(dialog.message)
        dialog.dismiss()

    def _on_request(self, request):
        if not request.url.startswith((self.own, "data:", "blob:")):
            self.events.append(request.url)

    def wrong(self):
        """Return the recorded events, the canary's requests, and elements created from an id."""
        host = self.canary.url
        created = (
            ":is(img, image, script, iframe, embed, object, link, a, form)"
            f":is([src*='{host}'], [href*='{host}'], [data*='{host}'], [action*='{host}'], "
            "[href^='javascript']), iframe, object, embed, [onload], [onerror], "
            f"[style*='{host}'], [aria-label='home icon']"
        )
        found = self.page.locator(created).evaluate_all("all => all.map((each) => each.outerHTML)")
        marks = self.page.get_by_text(re.compile(rf"^\s*({'|'.join(MARKS)}|😄)\s*$"))
        # A word of the query that is marked in a document's text is our own element.
        found += marks.evaluate_all(
            "all => all.filter((each) => !each.matches('.results mark, .desk mark'))"
            ".map((each) => each.outerHTML)"
        )
        if self.page.evaluate("'marked' in window"):
            found.append("a script ran")
        return [*self.events, *self.canary.requests, *found]
