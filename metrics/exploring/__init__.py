"""Explore one ranking: other orders, other grades, other conventions."""
