"""What tools disagree about, as values: gains, discounts and the other choices of a score."""
