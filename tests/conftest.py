"""Property tests run without limits of time: machines are shared and noisy."""

from hypothesis import HealthCheck, settings

settings.register_profile("rankscope", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("rankscope")
