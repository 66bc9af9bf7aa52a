"""What only the page Inspect shows."""
