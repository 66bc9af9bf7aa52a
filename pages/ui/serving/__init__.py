"""What only a server needs; ``app.py`` imports it where one runs, and no page does."""
