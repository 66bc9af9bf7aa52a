"""Uploaded data: accepted or refused, checked for ids that do not match, and fixed."""
