"""JSON and JSON Lines, in every form that tools write."""
