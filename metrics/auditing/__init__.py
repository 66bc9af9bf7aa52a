"""Uploaded data: taken in, checked for what does not match, and what would mend it."""
