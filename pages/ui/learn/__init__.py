"""What only the pages Learn and Practice show."""
