"""What only the page Start shows."""
