"""Make README's pictures and its animation: ``.venv/bin/python .github/pictures.py``.

Each is a first screen of the running app, at 1280 × 800.
"""

import io
import sys
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from tests.benchmarks.comparing import launched  # noqa: E402
from tests.browser.conftest import serve, settled  # noqa: E402

SCREENS = {"inspect": "inspect_query", "compare": "compare_runs", "learn": "learn"}
FRAMES, STEP, SLOWER = 40, 60, 6
"""The animation: how many pictures, the milliseconds of each, and how much slower it is taken."""
SIZE = 800, 500


def still(page, address: str, name: str) -> None:
    """Save a first screen as a picture."""
    page.goto(address)
    settled(page)
    page.wait_for_timeout(1000)
    picture = Image.open(io.BytesIO(page.screenshot()))
    picture.quantize(256, dither=Image.Dither.NONE).save(HERE / f"{name}.png", optimize=True)


def animated(page, address: str) -> None:
    """Save the front page while its list plays."""
    page.emulate_media(reduced_motion="no-preference")
    slow = page.context.new_cdp_session(page)
    slow.send("Animation.enable")
    slow.send("Animation.setPlaybackRate", {"playbackRate": 1 / SLOWER})
    page.goto(address)
    page.locator("li.row").first.wait_for()
    frames = []
    for _ in range(FRAMES):
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        frames.append(picture.resize(SIZE, Image.Resampling.LANCZOS))
        page.wait_for_timeout(STEP)
    colours = frames[0].quantize(256)
    first, *rest = [each.quantize(palette=colours, dither=Image.Dither.NONE) for each in frames]
    # The last one is looked at for a while.
    durations = [STEP] * (FRAMES - 1) + [2000]
    first.save(
        HERE / "start.gif",
        save_all=True,
        append_images=rest,
        duration=durations,
        loop=0,
        optimize=True,
    )


def main() -> None:
    """Start the app and save every picture."""
    with contextmanager(serve)() as server, sync_playwright() as playwright:
        page = launched(playwright).new_page(viewport={"width": 1280, "height": 800})
        for name, path in SCREENS.items():
            still(page, f"{server}/{path}", name)
        animated(page, server)


if __name__ == "__main__":
    main()
