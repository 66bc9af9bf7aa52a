"""Measures in the form in which other libraries take them; these are imported when used."""
