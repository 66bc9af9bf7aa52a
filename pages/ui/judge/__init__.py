"""The parts of Judge: one query's documents, and several judges."""
