"""The measures, one small file per family. A new file in this folder is found by itself."""

from importlib import import_module
from pkgutil import iter_modules

from .base import REGISTRY, Measure
from .parameters import PARAMETERS

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = ["PARAMETERS", "REGISTRY", "Measure"]
