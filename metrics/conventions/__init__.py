"""Choices on which tools disagree, as values: gains, discounts and the others."""
