"""The parts of the page History."""
