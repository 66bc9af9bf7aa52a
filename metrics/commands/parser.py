"""A command's parser, for which ``-m`` may come before the files: ``score -m map qrels run``."""

import argparse
import os
import sys
from collections.abc import Sequence
from itertools import takewhile
from typing import Any, NoReturn

from ..errors import MeasureError
from ..words import listed
from .options import STDIN, parse_measures


class CommandParser(argparse.ArgumentParser):
    """A parser that separates the files behind ``-m`` from the measures."""

    # The words that ``-m`` took as measures, for the message where a file is missing.
    _taken: Sequence[str] = ()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Parse the words after the measures are moved before the files."""
        words = list(sys.argv[1:] if args is None else args)
        if any(action.dest == "measures" for action in self._actions):
            words = self._measures_first(words)
        return super().parse_known_args(words, namespace)

    def error(self, message: str) -> NoReturn:
        """Exit with the usage, the message, and which of the words could be the missing file."""
        super().error(f"{message}{self._hint()}" if "are required" in message else message)

    def _measures_first(self, words: Sequence[str]) -> list[str]:
        """Return the words with each measure as ``--measure=NAME``, so that files can follow."""
        # Nothing behind -- is an option.
        end = list(words).index("--") if "--" in words else len(words)
        words, after = words[:end], words[end:]
        measures, others, place = [], [], 0
        while place < len(words):
            word = words[place]
            place += 1
            is_option = word == "-m" or (len(word) > 2 and "--measure".startswith(word))
            if not is_option:
                others.append(word)
                continue
            group = list(takewhile(_is_value, words[place:]))
            place += len(group)
            named, files = _apart(group)
            if files and not named:
                self.error(
                    f"argument -m/--measure: {listed(files)}: these are files; write a measure "
                    "after -m, such as nDCG@10"
                )
            # Without a value the option stays, for argparse to refuse.
            others += files if named else [word]
            measures += named
        self._taken = measures
        return [*(f"--measure={name}" for name in measures), *others, *after]

    def _hint(self) -> str:
        """Return the words behind ``-m`` that may be the missing files; empty without any."""
        both = [word for word in self._taken if _is_measure(word) and os.path.lexists(word)]
        neither = [word for word in self._taken if not _is_measure(word)]
        texts = []
        if both:
            what = "is a measure and a file" if len(both) == 1 else "are measures and files"
            texts.append(f"{listed(both)} {what}; write ./{both[0]} for the file.")
        if neither:
            what = "is" if len(neither) == 1 else "are"
            texts.append(f"{listed(neither)} {what} neither a measure nor a file.")
        took = f". -m took {listed(self._taken)} as measures: " if texts else ""
        return took + " ".join(texts)


def _is_value(word: str) -> bool:
    return word == STDIN or not word.startswith("-")


def _apart(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the measures and the files among the words behind ``-m``.

    A measure is a measure even if a file has its name. Behind the first file, a word that is no
    measure is a file, so that the message about a missing file names it.
    """
    measures: list[str] = []
    files: list[str] = []
    for word in words:
        is_file = bool(files) or word == STDIN or os.path.lexists(word)
        (files if is_file and not _is_measure(word) else measures).append(word)
    return measures, files


def _is_measure(word: str) -> bool:
    try:
        parse_measures([word])
    except MeasureError:
        return False
    return True
