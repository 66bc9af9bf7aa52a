"""Editing one ranking: pasted text, edits, undo, and links."""
