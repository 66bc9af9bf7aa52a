"""Intervals that take no time, for tests that look at coefficients."""

import pytest

from metrics.agreement import agreement as module


@pytest.fixture
def few_samples(monkeypatch):
    """Intervals of few samples, for tests that look at many coefficients."""
    monkeypatch.setattr(module, "SAMPLES", 20)
