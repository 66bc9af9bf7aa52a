"""A shared colour stands in one place, which the theme and the logo cannot import but follow."""

import re
import tomllib
from pathlib import Path

from metrics import colours

ROOT = Path(__file__).parents[1]
HOME = ROOT / "metrics" / "colours.py"
SHARED = {
    colour: name
    for name, value in vars(colours).items()
    if name.isupper()
    for colour in ([value] if isinstance(value, str) else value)
}


def written(text):
    """Every colour in a text, as hex or by its channels, in capital hex."""
    yield from (found.upper() for found in re.findall(r"#[0-9a-fA-F]{6}\b", text))
    for channels in re.findall(r"\brgba?\(\s*(\d+),?\s*(\d+),?\s*(\d+)", text):
        yield "#" + bytes(map(int, channels)).hex().upper()


def test_no_other_source_writes_a_shared_colour_anew():
    assert {colours.A, colours.B, colours.INK} <= set(written(HOME.read_text("utf-8")))
    files = [
        path
        for folder in ("metrics", "pages")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".py", ".js", ".css"} and path != HOME
    ]
    copies = [
        f"{path.relative_to(ROOT)} writes {colour}: use {SHARED[colour]} of metrics/colours.py"
        for path in files
        for colour in written(path.read_text("utf-8"))
        if colour in SHARED
    ]
    assert copies == []


def test_the_theme_begins_with_the_colours_of_the_runs():
    theme = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
    for scheme in ("light", "dark"):
        assert theme[scheme]["chartCategoricalColors"][:2] == [colours.A, colours.B]
    # Streamlit's blue and orange are the words of the runs in a text.
    assert theme["light"]["blueTextColor"] == colours.A


def test_the_logo_and_the_icon_have_the_indigo_of_the_theme():
    theme = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
    for name in ("logo", "icon"):
        drawn = (ROOT / "pages" / "ui" / f"{name}.svg").read_text("utf-8")
        assert theme["light"]["primaryColor"] in set(written(drawn)), name
