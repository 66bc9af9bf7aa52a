"""``rankscope conventions``: list the presets and the choices they make."""

import argparse
from collections.abc import Iterator

from ..conventions.choices import CHOICES
from ..conventions.convention import PRESET_NOTES, PRESETS, Convention
from ..scoring.known_differences import of_preset
from ..writing import Table
from . import options


def add(commands: options.Commands) -> None:
    parser = options.command(
        commands, "conventions", run, "list the conventions and the fields that --set changes"
    )
    options.add(parser, "--format")
    parser.set_defaults(quiet=False)


def run(args: argparse.Namespace) -> str:
    """Return the presets, where their tools differ from them, then the fields and values."""
    presets = []
    for name, preset in PRESETS.items():
        changes = [f"{field}={getattr(preset, field)}" for field in preset.differences()]
        presets.append([name, ", ".join(changes) or None, PRESET_NOTES[name]])
    unlike = [[name, exception] for name in PRESETS for exception in of_preset(name)]
    exceptions = Table.of(["convention", "exception"], unlike)
    choices = Table.of(["field", "value", "default", "meaning"], _choices())
    table = Table.of(["convention", "trec_eval, but", "note"], presets)
    return options.formatted(table.saying(parts=(exceptions, choices)), args)


def _choices() -> Iterator[list[str]]:
    """Return one row for each value of each field."""
    yield ["level", "1", "yes", "Relevant: from this grade; any number above 0"]
    yield ["gain", "{1:0.5,2:0.9}", "no", "Gain: 0.5 for grade 1, 0.9 for grade 2"]
    for name, choice in CHOICES.items():
        default = getattr(Convention(), name)
        for value, words in choice.values.items():
            yield [name, value, "yes" if value == default else "no", f"{choice.label}: {words}"]
