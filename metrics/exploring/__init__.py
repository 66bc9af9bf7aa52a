"""One ranking under other orders, other grades and other conventions."""
