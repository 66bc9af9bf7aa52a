"""Run the app in a separate process, and measure its memory and processor time (Linux)."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass
class Server:
    """A process of the app."""

    pid: int
    port: int

    def memory(self, line: str = "VmRSS") -> float:
        """Return the resident memory in MB; ``VmHWM`` gives its peak."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.split(f"{line}:")[1].split()[0]) / 1024

    def busy(self) -> float:
        """Return the seconds of processor time so far."""
        after_name = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


def processors(number: int, each: int) -> list[int]:
    """Return the processors of server ``number``, from 0, if each server has ``each``; 0: all.

    If there are not enough, servers share them.
    """
    here = sorted(os.sched_getaffinity(0), reverse=True)
    return [here[(number * each + i) % len(here)] for i in range(each)] if each else here


@contextmanager
def served(cores: Iterable[int], expiry: int) -> Iterator[Server]:
    """Start the app on a free port and these processors; stop it at the end of the block.

    ``expiry``: the seconds until a session whose browser has left is dropped.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
    process = subprocess.Popen(
        [*command, f"--server.port={port}", f"--server.disconnectedSessionTTL={expiry}"],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    # The threads that the process starts inherit the affinity.
    os.sched_setaffinity(process.pid, cores)
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


def stolen() -> float:
    """Return the processor seconds taken by the host of this virtual machine; 0 on bare metal."""
    all_of_them = Path("/proc/stat").read_text().splitlines()[0].split()
    return int(all_of_them[8]) / os.sysconf("SC_CLK_TCK")
