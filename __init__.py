"""Rankscope where it is installed: the names of its core. All else is in `rankscope.metrics`."""

from .metrics import *  # noqa: F403 - every public name of the core, whichever they are
from .metrics import __all__ as __all__
from .metrics import __version__ as __version__
