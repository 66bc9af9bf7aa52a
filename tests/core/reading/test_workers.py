"""Parts are worked on in order, on threads where they can be started and here where they cannot."""

import threading

import pytest

from metrics.reading.workers import can_start_threads, in_order


@pytest.fixture(params=[True, False], ids=["threads", "no threads"])
def threads(request, monkeypatch):
    """Whether a thread can be started."""
    if not request.param:

        def refuse(_thread):
            raise RuntimeError("can't start new thread")  # in the words of Python in a browser

        monkeypatch.setattr(threading.Thread, "start", refuse)
    return request.param


def test_whether_a_thread_can_be_started_is_found_out(threads):
    assert can_start_threads() is threads


def test_results_come_in_the_order_of_their_parts(threads):
    caller, workers = threading.current_thread(), set()

    def work(part):
        workers.add(threading.current_thread())
        return part * part

    assert list(in_order(work, range(40))) == [part * part for part in range(40)]
    assert (caller in workers) is not threads


def test_an_error_of_a_part_reaches_the_caller(threads):
    def work(part):
        return 1 // (3 - part)

    results = in_order(work, range(9))
    assert [next(results) for _ in range(3)] == [0, 0, 1]
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_few_parts_are_taken_before_their_results_are(threads):
    taken = []
    parts = (taken.append(part) or part for part in range(100))
    results = in_order(str, parts)
    assert next(results) == "0"
    assert len(taken) <= 6
    results.close()
