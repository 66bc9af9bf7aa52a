"""Two runs or several: deltas, how sure they are, and the documents that make them."""
