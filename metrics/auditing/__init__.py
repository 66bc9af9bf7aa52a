"""Uploaded data: accepted or refused, checked for ids that do not match, and fixed."""

from .id_mismatch import Mend

__all__ = ["Mend", "audit", "intake", "opened", "recognition"]
