"""Property tests run without a time limit per example: machines are shared and noisy."""

from hypothesis import settings

settings.register_profile("rankscope", deadline=None)
settings.load_profile("rankscope")
