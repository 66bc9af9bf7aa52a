"""A saved session: data, edits and settings in one file that opens again."""
