"""Parts of the page Conventions."""
