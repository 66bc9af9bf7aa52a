"""Write the answer of a check: for a terminal, as Markdown, and as JUnit's XML."""

from .junit import junit
from .sections import Source, check_markdown, check_text

__all__ = ["Source", "check_markdown", "check_text", "junit"]
