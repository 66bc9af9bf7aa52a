"""TREC lines: the fast way for plain files, the careful way for all others."""
