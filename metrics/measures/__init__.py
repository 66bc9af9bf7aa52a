"""The measures, one small file per family; every file in this folder is imported.

Each measure is an attribute of this module, by its symbol: ``from metrics.measures import nDCG``.
"""

from importlib import import_module
from pkgutil import iter_modules

from .base import REGISTRY, UNIT, Measure
from .parameters import OWN_NUMBERS, PARAMETERS, Parameter

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

MEASURES: dict[str, Measure] = {symbol: kind() for symbol, kind in REGISTRY.items()}
"""Each measure by its symbol, without a cutoff and with the default of every parameter."""

__all__ = ["MEASURES", "OWN_NUMBERS", "PARAMETERS", "REGISTRY", "UNIT", "Measure", "Parameter"]


def __getattr__(name: str) -> Measure:
    """Return a measure by its symbol; `metrics` has this function too."""
    if name in MEASURES:
        return MEASURES[name]
    raise AttributeError(f"There is no public name or measure {name!r}.")
