"""Teaching material: samples, worked examples, exercises, pitfalls, and a glossary."""

from .glossary import GLOSSARY
from .lesson import Lesson
from .recorded_cases import recorded_cases
from .samples import Sample

__all__ = ["GLOSSARY", "Lesson", "Sample", "recorded_cases"]
__all__ += ["exercises", "handout", "lesson", "samples", "story", "which_measure", "worked_steps"]
