"""Simulate a class: ``python -m tests.benchmarks.load`` (Linux).

The app starts for each number of sessions, on one server or several, and every session opens a page
of ``--pages``, Inspect unless others are named (every other one with the shop search, which has
many queries). Then each session changes
the cutoff, the measure or the query from time to time. Each change is timed at the client, from
sending the message to the end of the script. The report ends with the servers' memory before, at
its peak, and after the sessions have expired.
"""

import asyncio
import random
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

import numpy as np
from websockets.exceptions import WebSocketException

from tests.benchmarks.serving import Server, processors, served, stolen
from tests.benchmarks.sessions import FIRST, Session, opened, walk

SMALLEST = (
    *("--sessions", "1", "--seconds", "3", "--think", "0.5"),
    *("--expiry", "1", "--rest", "0"),
)

P95 = {50: 0.3, 100: 1.0}
"""The target for the 95th percentile of interactions in seconds, by the number of sessions."""
MEMORY = 1.2
"""The target for the memory afterwards, as a multiple of the memory before."""
ADDRESSES = ("", "example=shop")
LOST = (OSError, WebSocketException)


@dataclass
class Found:
    """The measurements: times in seconds, memory in MB, processor use in shares of one core."""

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


async def enter(
    servers: list[Server], number: int, args: Namespace, found: Found
) -> Session | None:
    """Open Inspect in a new session after a random delay of at most ``--think`` seconds."""
    draw = random.Random(f"{args.seed} {number}")
    # Sessions take turns among the servers, and on each server among the addresses.
    turn, place = divmod(number, len(servers))
    first = args.pages[turn // len(ADDRESSES) % len(args.pages)]
    await asyncio.sleep(draw.uniform(0, args.think))
    try:
        session = await opened(servers[place].port, draw, ADDRESSES[turn % len(ADDRESSES)], first)
        found.openings.append(await session.rerun())
    except LOST as error:
        found.errors[f"not opened: {type(error).__name__}"] += 1
        return None
    return session


async def use(session: Session, think: float, end: float, found: Found) -> None:
    """Click in one session until the end; a lost connection is counted as an error."""
    try:
        while (pause := think * session.draw.uniform(0.5, 1.5)) < end - time.perf_counter():
            await asyncio.sleep(pause)
            session.change()
            found.times.append(await session.rerun())
    except LOST as error:
        found.errors[f"lost: {type(error).__name__}"] += 1


async def trial(servers: list[Server], sessions: int, args: Namespace) -> Found:
    """Open the page in all sessions, use it, and measure the servers' memory before and after."""
    found = Found()
    for server in servers:
        await walk(server.port)
    await asyncio.sleep(args.rest)
    found.base = sum(server.memory() for server in servers)
    entered = await asyncio.gather(*(enter(servers, i, args, found) for i in range(sessions)))
    here = [session for session in entered if session]
    before = _spent(servers)
    start = time.perf_counter()
    end = start + args.seconds
    await asyncio.gather(*(use(session, args.think, end, found) for session in here))
    wall = time.perf_counter() - start
    spent = (_spent(servers) - before) / wall
    found.client, found.server, found.stolen = map(float, spent)
    found.peak = sum(server.memory("VmHWM") for server in servers)
    await asyncio.gather(*(session.socket.close() for session in here))
    for session in here:
        found.errors += session.errors
    start = time.perf_counter()
    await expired(servers, args)
    found.after = sum(server.memory() for server in servers)
    found.waited = time.perf_counter() - start
    return found


def _spent(servers: list[Server]) -> np.ndarray:
    """Return the processor seconds so far: of the client, the servers, and the host."""
    return np.array([time.process_time(), sum(server.busy() for server in servers), stolen()])


async def expired(servers: list[Server], args: Namespace) -> None:
    """Wait until the sessions have expired, which also needs another session to close."""
    await asyncio.sleep(args.expiry + args.rest)
    for server in servers:
        await walk(server.port)
    await asyncio.sleep(args.rest)


def rows(sessions: int, servers: int, found: Found) -> Iterator[str]:
    """Yield a table of times, a line of memory, and whether the targets were met."""
    yield f"\n{sessions} sessions, {servers} server{'s' if servers > 1 else ''}\n"
    yield "| | times | median ms | p95 ms | max ms |\n|:--|--:|--:|--:|--:|"
    for name, times in (("opening", found.openings), ("interaction", found.times)):
        middle, p95, most = 1000 * np.percentile(times or [np.nan], [50, 95, 100])
        yield f"| {name} | {len(times)} | {middle:.0f} | {p95:.0f} | {most:.0f} |"
    ratio = found.after / found.base
    yield (
        f"\nclient {found.client:.0%}, server {found.server:.0%} of a core, used by the machine's "
        f"host {found.stolen:.0%}; memory {found.base:.0f} MB before, {found.peak:.0f} MB at its "
        f"peak, {found.after:.0f} MB after {found.waited:.0f} s"
    )
    if sessions in P95:
        done = bool(np.percentile(found.times or [np.inf], 95) <= P95[sessions])
        yield f"p95 at most {1000 * P95[sessions]:.0f} ms: {_met(done)}"
    errors = "".join(f", {count} × {what}" for what, count in found.errors.most_common())
    yield f"no errors: {_met(not found.errors)}{errors}"
    yield f"memory at most {MEMORY} × before: {_met(ratio <= MEMORY)}, {ratio:.2f}"


def _met(done: bool) -> str:
    return "met" if done else "missed"


def main(argv: Sequence[str] | None = None) -> None:
    """Print the measurements for each number of sessions."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, nargs="+", default=[50, 100])
    parser.add_argument("--think", type=float, default=5.0, help="mean seconds between clicks")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--servers", type=int, default=1, help="servers that share the sessions")
    parser.add_argument("--pages", nargs="+", default=[FIRST], help="that the sessions open")
    parser.add_argument("--cores", type=int, default=1, help="processors of each server; 0: all")
    parser.add_argument(
        "--expiry", type=int, default=120, help="seconds until a closed session is dropped"
    )
    parser.add_argument(
        "--rest", type=float, default=10.0, help="seconds without work before memory is read"
    )
    args = parser.parse_args(argv)
    for sessions in args.sessions:
        with ExitStack() as running:
            servers = [
                running.enter_context(served(processors(number, args.cores), args.expiry))
                for number in range(args.servers)
            ]
            found = asyncio.run(trial(servers, sessions, args))
        print("\n".join(rows(sessions, args.servers, found)), flush=True)


if __name__ == "__main__":
    main()
