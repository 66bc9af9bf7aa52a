"""A class-room on one server: ``python -m tests.benchmarks.load`` (Linux).

Starts the app for each number of sessions and opens Inspect in all of them (every other one with
the shop search, which has many queries). Then everybody changes the cutoff, the measure or the
query now and then. Each run is timed at the client, from sending the message to the end of the
script. Then says how much memory the server had before, at most, and when it may have forgotten
the sessions.
"""

import asyncio
import os
import random
import socket
import subprocess
import sys
import time
import urllib.request
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from streamlit import config
from websockets.exceptions import WebSocketException

from tests.benchmarks.sessions import Session, opened, walk

ROOT = Path(__file__).parents[2]
P95 = {50: 0.3, 100: 1.0}
"""Seconds that 95 of 100 interactions may take, by the number of sessions."""
MEMORY = 1.2
"""How much of the memory before may be in use afterwards."""
ADDRESSES = ("", "example=shop")
LOST = (OSError, WebSocketException)


@dataclass
class Server:
    """A process of the app, seen from outside."""

    pid: int
    port: int

    def memory(self, line: str = "VmRSS") -> float:
        """Resident memory in MB; ``VmHWM`` is the most there was."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.split(f"{line}:")[1].split()[0]) / 1024

    def busy(self) -> float:
        """Seconds of processor time so far."""
        after_name = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


def stolen() -> float:
    """Seconds that a host has kept this machine's processors from it so far; 0 on bare metal."""
    all_of_them = Path("/proc/stat").read_text().splitlines()[0].split()
    return int(all_of_them[8]) / os.sysconf("SC_CLK_TCK")


@dataclass
class Found:
    """What the sessions met with; times in seconds, memory in MB, busy as a part of one core."""

    openings: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    client: float = 0.0
    server: float = 0.0
    stolen: float = 0.0
    base: float = 0.0
    peak: float = 0.0
    after: float = 0.0
    waited: float = 0.0


@contextmanager
def served(cores: int = 0) -> Iterator[Server]:
    """The app on a free port, once it is healthy; ended with the block.

    ``cores``: so many processors are its own at most; 0 for all.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
    process = subprocess.Popen(
        [*command, "--server.port", str(port)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    # The threads that it will start inherit this.
    here = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(process.pid, here[-cores:])
    try:
        for _ in range(240):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2).close()
                break
            except OSError:
                time.sleep(0.25)
        else:
            raise SystemExit("The app did not start within a minute.")
        yield Server(process.pid, port)
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(10)


async def enter(server: Server, number: int, given: Namespace, found: Found) -> Session | None:
    """A person who comes within the time of one thought, and opens Inspect."""
    draw = random.Random(f"{given.seed} {number}")
    await asyncio.sleep(draw.uniform(0, given.think))
    try:
        session = await opened(server.port, draw, ADDRESSES[number % len(ADDRESSES)])
        found.openings.append(await session.rerun())
    except LOST as error:
        found.errors[f"not opened: {type(error).__name__}"] += 1
        return None
    return session


async def use(session: Session, think: float, end: float, found: Found) -> None:
    """One person's clicks until the end; what cuts them short is an error."""
    try:
        while (pause := think * session.draw.uniform(0.5, 1.5)) < end - time.perf_counter():
            await asyncio.sleep(pause)
            session.change()
            found.times.append(await session.rerun())
    except LOST as error:
        found.errors[f"lost: {type(error).__name__}"] += 1


async def trial(server: Server, sessions: int, given: Namespace) -> Found:
    """Everybody opens the page; then everybody uses it. The server's memory before and after."""
    found = Found()
    await walk(server.port)
    await asyncio.sleep(2)
    found.base = server.memory()
    entered = await asyncio.gather(*(enter(server, i, given, found) for i in range(sessions)))
    here = [session for session in entered if session]
    start, client, served_before = time.perf_counter(), time.process_time(), server.busy()
    stolen_before = stolen()
    end = start + given.seconds
    await asyncio.gather(*(use(session, given.think, end, found) for session in here))
    wall = time.perf_counter() - start
    found.client = (time.process_time() - client) / wall
    found.server = (server.busy() - served_before) / wall
    found.stolen = (stolen() - stolen_before) / wall
    found.peak = server.memory("VmHWM")
    await asyncio.gather(*(session.socket.close() for session in here))
    for session in here:
        found.errors += session.errors
    start = time.perf_counter()
    await forgotten(server.port)
    found.after, found.waited = server.memory(), time.perf_counter() - start
    return found


async def forgotten(port: int) -> None:
    """Wait until sessions are forgotten: after their time, but not before another one closes."""
    await asyncio.sleep(config.get_option("server.disconnectedSessionTTL") + 5)
    await walk(port)
    await asyncio.sleep(10)


def rows(sessions: int, found: Found) -> Iterator[str]:
    """A row of times, a row of memory, and what was asked for."""
    yield f"\n{sessions} sessions\n"
    yield "| | times | median ms | p95 ms | max ms |\n|:--|--:|--:|--:|--:|"
    for name, times in (("opening", found.openings), ("interaction", found.times)):
        middle, p95, most = 1000 * np.percentile(times or [np.nan], [50, 95, 100])
        yield f"| {name} | {len(times)} | {middle:.0f} | {p95:.0f} | {most:.0f} |"
    ratio = found.after / found.base
    yield (
        f"\nclient {found.client:.0%}, server {found.server:.0%} of a core, taken by the machine's "
        f"host {found.stolen:.0%}; memory {found.base:.0f} MB before, {found.peak:.0f} at "
        f"most, {found.after:.0f} after {found.waited:.0f} s"
    )
    if sessions in P95:
        done = bool(np.percentile(found.times or [np.inf], 95) <= P95[sessions])
        yield f"p95 at most {1000 * P95[sessions]:.0f} ms: {_met(done)}"
    said = "".join(f", {count} × {what}" for what, count in found.errors.most_common())
    yield f"no errors: {_met(not found.errors)}{said}"
    yield f"memory at most {MEMORY} × before: {_met(ratio <= MEMORY)}, {ratio:.2f}"


def _met(done: bool) -> str:
    return "met" if done else "missed"


def main() -> None:
    """Print what each number of sessions met with."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, nargs="+", default=[50, 100])
    parser.add_argument("--think", type=float, default=5.0, help="mean seconds between clicks")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cores", type=int, default=1, help="processors of the server; 0: all")
    given = parser.parse_args()
    for sessions in given.sessions:
        with served(given.cores) as server:
            print(
                "\n".join(rows(sessions, asyncio.run(trial(server, sessions, given)))), flush=True
            )


if __name__ == "__main__":
    main()
