"""An exercise of Practice as a card, and what its visitor has solved."""
