"""Explore one ranking: other orders, other grades, other conventions."""

__all__ = ["convention_search", "curves", "earning", "ties"]
