"""Tables with a column for each of several judges: their headers, and their rows."""
