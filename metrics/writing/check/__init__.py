"""Write the answer of a check: as sections, which every medium shows, and as JUnit's XML."""

from .junit import junit
from .sections import Source, sections

__all__ = ["Source", "junit", "sections"]
