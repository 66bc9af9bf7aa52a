"""Samples, worked examples, exercises, pitfalls and the words of the field."""
