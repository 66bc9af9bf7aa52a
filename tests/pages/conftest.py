"""The app opened through a link, without a browser."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]


def opened(page="inspect_query", **parameters):
    """Return a page with these parameters in its address."""
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    for key, value in parameters.items():
        at.query_params[key] = value if isinstance(value, list) else str(value)
    return at.switch_page(f"pages/{page}.py").run()
