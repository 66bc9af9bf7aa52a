"""What only the page Compare shows."""
