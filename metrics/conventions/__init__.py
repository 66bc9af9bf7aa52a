"""Choices on which tools disagree, as values: gains, discounts and the others."""

from .choices import CHOICES, OF_EVERY_MEASURE
from .convention import PRESET_NOTES

__all__ = ["CHOICES", "OF_EVERY_MEASURE", "PRESET_NOTES"]
