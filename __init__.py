"""Rankscope where it is installed: the public names of its core, `rankscope.metrics`."""

# Under this name only: pytest takes a checkout for a package that is called like its folder.
if __package__ == "rankscope":
    from .metrics import *  # noqa: F403 - every public name of the core, whichever they are
    from .metrics import __all__ as __all__
    from .metrics import __version__ as __version__
