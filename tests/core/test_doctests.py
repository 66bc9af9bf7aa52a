"""Every example in a docstring of the core runs and prints what it says.

Collected here and not by pytest: the checkout is the package `rankscope`, by whose name pytest
would import each module a second time.
"""

from doctest import DocTestFinder, DocTestRunner
from functools import cache
from importlib import import_module
from pkgutil import walk_packages

import metrics
from tests.cases import cases


@cache
def examples():
    """The examples of each docstring, by the name of what it describes."""
    modules = [module.name for module in walk_packages(metrics.__path__, "metrics.")]
    return {
        test.name: test
        for name in ("metrics", *modules)
        if not name.endswith("__main__")
        for test in DocTestFinder().find(import_module(name))
        if test.examples
    }


def test_the_examples_are_found():
    assert len(examples()) > 120


@cases("name", examples)
def test_an_example_gives_what_it_prints(name):
    printed = []
    result = DocTestRunner().run(examples()[name], out=printed.append, clear_globs=False)
    assert result.attempted
    assert not result.failed, "".join(printed)
