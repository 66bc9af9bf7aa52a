"""What only the page Data shows."""
