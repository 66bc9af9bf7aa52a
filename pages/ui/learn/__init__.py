"""Parts of the pages Learn and Practice."""
