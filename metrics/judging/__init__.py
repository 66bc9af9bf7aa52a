"""A run and its qrels under a convention: the hits that every score is made of."""
