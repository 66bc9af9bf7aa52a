"""How all tests run: property tests without a time limit, browser tests in one process."""

import gc

import pytest
from hypothesis import settings

# Machines are shared and noisy.
settings.register_profile("rankscope", deadline=None)
settings.load_profile("rankscope")

LONGEST = (
    "tests/browser/",
    "tests/test_packaging.py",
    "tests/core/matching/test_spark.py",
    "tests/pages/test_pages.py",
)
"""What runs longest: it begins first, so that no process is left alone with it at the end."""


def pytest_collection_modifyitems(items):
    def place(item):
        found = (n for n, start in enumerate(LONGEST) if item.nodeid.startswith(start))
        return next(found, len(LONGEST))

    items.sort(key=place)


def pytest_collection_finish():
    """Freeze the imported modules and the items for the garbage collector, as the server does.

    Otherwise each of its runs walks through all of them.
    """
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give all browser tests to one process, with one app and one browser, and others by file."""
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return "browser" if nodeid.startswith("tests/browser/") else nodeid.split("::")[0]

    return Scheduling(config, log)
