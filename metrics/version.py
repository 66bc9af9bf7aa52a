"""The version of Rankscope; the package, the command and the reports take it from here."""

__version__ = "0.1.0"
