"""Skips a test that needs Spark where Spark cannot run; .ci/run asks for these tests."""

import importlib.util
import os
from shutil import which

import pytest


def require_spark():
    """Skip the test, or fail if the environment requires it, without Java or PySpark."""
    java = os.environ.get("JAVA_HOME") or which("java")
    missing = [
        name
        for name, found in {"java": java, "pyspark": importlib.util.find_spec("pyspark")}.items()
        if not found
    ]
    if missing:
        reason = f"no {' and no '.join(missing)}: a Spark session needs Java 17 and PySpark"
        if os.environ.get("REQUIRE_SPARK") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
