"""Rankscope where it is installed: the public names of its core, `rankscope.metrics`."""

# Under this name only: pytest takes a checkout for a package that is called like its folder.
if __package__ == "rankscope":
    import os
    import signal
    import sys

    # NumPy's OpenBLAS starts a thread for each core when it is loaded, which is half the start of a
    # command, and here more threads save no time. A program that imports Rankscope keeps its own.
    if os.path.basename(sys.argv[0]).partition(".")[0] == "rankscope":
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        # Until the command begins, which tells Python again, Ctrl-C ends it without a traceback.
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)

    from .metrics import *  # noqa: F403 - every public name of the core, whichever they are
    from .metrics import __all__ as __all__
    from .metrics import __version__ as __version__

    def __getattr__(name: str) -> object:
        """Return the charts, which import Plotly, when they are asked for."""
        if name == "charts":
            from .metrics import charts

            return charts
        raise AttributeError(f"There is no public name {name!r}.")
