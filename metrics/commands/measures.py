"""``rankscope measures``: list the measures, or describe one."""

import argparse

from ..conventions.convention import TREC_EVAL
from ..measures import PARAMETERS, REGISTRY, Measure
from ..scoring import naming
from ..scoring.formula import symbols
from ..scoring.plain_formula import as_text
from ..writing import Table
from . import options


def add(commands: options.Commands) -> None:
    parser = options.command(commands, "measures", run, "list the measures, or describe one")
    parser.add_argument("name", nargs="?", help="a measure, such as nDCG, map or P@5")
    options.add(parser, "--format")
    parser.set_defaults(quiet=False)


def run(args: argparse.Namespace) -> str:
    """Return the list of measures, or the description of one."""
    if args.name is None:
        rows = (
            [kind.symbol, kind.value_range, _grades(kind), _parameters(kind), kind.meaning]
            for kind in REGISTRY.values()
        )
        columns = ["measure", "range", "grades", "parameters", "meaning"]
        return options.formatted(Table.of(columns, rows), args)
    # With or without its parameters.
    kind = naming.names().get(naming.normalised_name(args.name)) or type(naming.parse(args.name))
    description = _description(kind, args.format)
    return options.formatted(description.upright() if args.format == "table" else description, args)


def _description(kind: type[Measure], form: str) -> Table:
    formula = symbols(kind(), TREC_EVAL)
    fields = {
        "measure": kind.symbol,
        "name": kind.full_name,
        "meaning": kind.meaning,
        "formula": as_text(formula) if form == "table" else formula,
        "range": kind.value_range,
        "grades": _grades(kind),
        "parameters": _parameters(kind),
        "use": kind.use,
        "avoid": kind.avoid,
        "source": kind.source,
        "other names": ", ".join(kind.also) or None,
        "mean names": ", ".join(kind.mean_names) or None,
        "trec_eval": ", ".join(kind.trec) or None,
        "depends on": ", ".join(kind.choices) or None,
        "summary": {"mean": "mean", "sum": "sum", "exp": "e to the mean"}[kind.summary],
    }
    return Table.of(fields, [fields.values()])


def _grades(kind: type[Measure]) -> str:
    return "graded" if kind.graded else "binary"


def _parameters(kind: type[Measure]) -> str | None:
    """Return the parameters as they are written: in brackets with their defaults, then ``@k``."""
    known = kind.__dataclass_fields__
    inside = [
        f"{name}={'…' if known[name].default is None else f'{known[name].default:g}'}"
        for name in PARAMETERS
        if name in known and name != kind.suffix
    ]
    at = {"cutoff": "@k", "recall": "@p", "": ""}[kind.suffix]
    brackets = f"({', '.join(inside)})" if inside else ""
    return f"{brackets}{at}" or None
