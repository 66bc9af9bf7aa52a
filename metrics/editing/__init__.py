"""One ranking by hand: pasted, edited, undone, put into a link."""
