"""A team on three servers that are killed and whose disk is full: what is confirmed is kept once.

A word is confirmed once the page shows it as applied and does not say that the workspace cannot be
used now. What was not may be lost only where the disk was full meanwhile, and then its server was
killed: the page said that it was in that session only.
"""

import os
import random
import re
import secrets
import sys
import time
from collections import Counter

import pytest

from metrics.sessions.log_files import LogFiles
from metrics.teaching.samples import catalogue
from tests.browser.conftest import PATIENCE, address, free_port, is_healthy, launch, new_context
from tests.browser.test_workspace import folder

__all__ = ["folder"]

ROUNDS = int(os.environ.get("RANKSCOPE_ROUNDS", "3"))
SEED = int(os.environ.get("RANKSCOPE_SEED", secrets.randbelow(10**6)))
NAMES = ("Ada", "Bob", "Cem", "Dan", "Eva", "Fay", "Gus", "Hal", "Ivy", "Jan")
QUERIES = ("q01", "q02", "q03", "q05", "q06")
"""Each is that of two writers, on two servers."""
SERVERS = 3
FULL = 0.15 if ROUNDS > 3 else 0
"""How often a disk becomes full; in a few rounds the test of the log's files fills it."""
DATA = catalogue()["shop"].load().key

# Grades a document by a key, with a note that no other word has; returns whether the desk took it:
# under a dialog it does not.
PRESS = """([place, grade, note]) => {
  const desk = window.rankscopeDesk, papers = desk.strip.children;
  papers[Math.floor(place * papers.length)].click();
  desk.note.value = note;
  desk.note.dispatchEvent(new Event("input"));
  const key = { key: grade, bubbles: true, composed: true, cancelable: true };
  return !document.body.dispatchEvent(new KeyboardEvent("keydown", key));
}"""
LOOK = """() => {
  const { queue, data } = window.rankscopeDesk, text = document.body.innerText;
  const app = document.querySelector("[data-testid=stApp]").dataset;
  return {
    connection: app.testConnectionState,
    waiting: queue.map((event) => event.note),
    papers: data.papers.map(({ id, grade, judge, note }) => [id, grade, judge, note]),
    unkept: text.includes("The workspace cannot be used now"),
    loading: document.querySelector("[data-testid=stSkeleton]") !== null,
    busy: app.testScriptState !== "notRunning" || document.querySelector("[role=dialog]") !== null,
    lacks: document.querySelector(".rankscope-notices .lacking") !== null,
    failed: Boolean(document.querySelector("[data-testid=stException]")) || /Uncaught/.test(text),
  };
}"""
AWAY = re.compile(
    "ERR_(CONNECTION|EMPTY|SOCKET)|WebSocket|disconnected from server"
    "|reaching server endpoint|server is not responding|fetch dynamically imported module"
)
PROBE = re.compile("_stcore/(health|host-config)$")
"""What a browser says of a server that is away, and where Streamlit looks for one in vain."""


class Server:
    """The app on a port of its own, which can be killed, and whose disk can be full."""

    def __init__(self, chromium, port):
        self.port, self.browser, self.is_full = port, new_context(chromium), False
        self.process = launch(self.port)

    def kill(self):
        self.process.kill()
        self.process.wait(60)

    def restart(self):
        self.is_full, self.process = False, launch(self.port)

    def fill(self, size):
        """Let no file grow beyond a size; None: let them grow again."""
        import resource

        self.is_full, no = size is not None, resource.RLIM_INFINITY
        most = size if self.is_full else no
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (most, no))


class Writer:
    """A page of one name on one query, and what became of the words that were pressed there.

    Attributes
    ----------
    pressed
        By the word's note: whether the disk was full before it was confirmed.
    confirmed, doubtful
        The notes of words that the page showed as kept, and of those that may be lost.
    seen
        What the page showed last.
    said
        What its browser complained of.
    """

    def __init__(self, server, name, query):
        self.server, self.name, self.query = server, name, query
        self.pressed, self.confirmed, self.doubtful = dict[str, bool](), set(), set()
        self.seen, self.said, self.page = {}, [], server.browser.new_page()
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("console", self._on_console)
        url = f"{address(server.port)}/judge?example=shop&query={query}&judge={name}"
        self.page.goto(url, wait_until="commit")

    def _on_console(self, message):
        is_usual = AWAY.search(message.text) or PROBE.search(message.location["url"])
        if message.type == "error" and not is_usual:
            self.said.append(message.text)

    def press(self, chance):
        note = f"{self.name}-{len(self.pressed) + 1}"
        if self.page.evaluate(PRESS, [chance.random(), chance.choice("0123"), note]):
            self.pressed[note] = self.server.is_full

    def unconfirmed(self):
        return self.pressed.keys() - self.confirmed

    def look(self):
        """Note which words the page shows as kept now."""
        self.seen = self.page.evaluate(LOOK)
        assert not self.seen["failed"], self.page.inner_text("body")
        # The first message of a page may come later than the grade, as its script is loaded then.
        if not (self.seen["unkept"] or self.seen["loading"]):
            self.confirmed |= self.unconfirmed() - {*self.seen["waiting"]}

    def is_settled(self, log):
        self.look()
        if self.seen["lacks"]:
            self.page.get_by_role("button", name="Load again").click()
            self.page.locator(".desk .strip .paper").first.wait_for(timeout=PATIENCE)
            return False
        shown = {name: word for name, *word in self.seen["papers"] if word[1]}
        held = {
            name: [each.grade, each.signed.judge, each.signed.note]
            for name, each in log.said(DATA, self.query).items()
        }
        waits = any(self.seen[each] for each in ("waiting", "unkept", "busy"))
        return not waits and shown == held


class Team:
    """The writers and their servers, and the disorder that a random generator makes among them."""

    def __init__(self, chromium):
        self.chance, self.kills, self.fills = random.Random(SEED), 0, 0
        self.servers, self.writers, ports = [], [], list[int]()
        for _ in range(SERVERS):
            ports.append(free_port(besides=ports))
            self.servers.append(Server(chromium, ports[-1]))
        assert len({*ports}) == SERVERS

    def open(self):
        wait(
            lambda: all(is_healthy(each.port) for each in self.servers), lambda: "no server starts"
        )
        for at, name in enumerate(NAMES):
            query, server = QUERIES[at % len(QUERIES)], self.servers[at % SERVERS]
            self.writers.append(Writer(server, name, query))
        for writer in self.writers:
            writer.page.locator(".desk .strip .paper").first.wait_for(timeout=PATIENCE)

    def of(self, server):
        return [writer for writer in self.writers if writer.server is server]

    def fill(self, server, size):
        server.fill(size)
        self.fills += server.is_full
        for writer in self.of(server) if server.is_full else ():
            writer.pressed |= dict.fromkeys(writer.unconfirmed(), True)

    def kill(self, server):
        server.kill()
        for writer in self.of(server):
            writer.doubtful |= {note for note in writer.unconfirmed() if writer.pressed[note]}
        server.restart()
        self.kills += 1

    def round(self):
        """Fill disks or free them, press some keys, and maybe kill a server in the midst of it."""
        chance = self.chance
        for server in self.servers:
            if server.is_full and chance.random() < 0.5:
                self.fill(server, None)
            elif chance.random() < FULL and is_healthy(server.port):
                # A line may begin, and not end. A server that starts must be able to write.
                self.fill(server, chance.choice([0, chance.randrange(3000)]))
        for writer in chance.sample(self.writers, chance.randint(2, 5)):
            for _ in range(chance.randint(1, 2)):
                writer.press(chance)
        server = chance.choice(self.servers)
        if chance.random() < 0.6 and is_healthy(server.port):
            self.pause(0.5)
            self.kill(server)
        self.pause(2)
        for writer in self.writers:
            writer.look()

    def pause(self, longest):
        # Not `time.sleep`: what the browsers say is heard meanwhile.
        self.writers[0].page.wait_for_timeout(1000 * longest * self.chance.random())

    def settle(self, files):
        for server in self.servers:
            self.fill(server, None)

        def unsettled():
            log = files.read()
            return {
                each.name: (is_healthy(each.server.port), each.seen)
                for each in self.writers
                if not each.is_settled(log)
            }

        wait(lambda: not unsettled(), lambda: f"what the log has is not shown: {unsettled()}")


def wait(done, otherwise):
    end = time.monotonic() + 2 * PATIENCE / 1000
    while not done():
        assert time.monotonic() < end, otherwise()
        time.sleep(0.2)


@pytest.fixture
def team(folder, chromium):
    team = Team(chromium)
    yield team
    for server in team.servers:
        server.browser.close()
        server.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="a limit of Linux fills the disk")
# What is lost once is lost, also where a second run of the test loses nothing.
@pytest.mark.flaky(reruns=0)
def test_what_a_team_was_confirmed_is_kept_once_whatever_is_killed_or_full(team, folder):
    print(f"RANKSCOPE_SEED={SEED}")
    team.open()
    for _ in range(ROUNDS):
        team.round()
    files = LogFiles(folder)
    team.settle(files)
    said = [said for each in files.read().records for said in each.said.values()]
    notes = Counter(each.signed.note for each in said)
    pressed, confirmed, doubtful = (
        set().union(*(getattr(writer, of) for writer in team.writers))
        for of in ("pressed", "confirmed", "doubtful")
    )
    print(
        f"{ROUNDS} rounds, {team.kills} kills, {team.fills} times full: {len(pressed)} words, "
        f"{len(doubtful)} of them doubtful"
    )
    assert {note: many for note, many in notes.items() if many > 1} == {}
    assert notes.keys() - pressed == set()
    assert pressed - doubtful - notes.keys() == set()
    # A doubtful word is gone from the page, as the page had said; each other one was confirmed.
    assert pressed - doubtful - confirmed == set()
    assert files.problems == []
    assert {writer.name: writer.said for writer in team.writers if writer.said} == {}
