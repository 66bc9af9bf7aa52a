"""Start: what Rankscope is, the ways into it, and the story of one score in eight scenes."""

from metrics.rendering import text
from metrics.teaching.story import scenes
from metrics.teaching.story_views import SCORE, value
from pages.ui import pickers, shell, state
from pages.ui.start import scene

shell.guard(state.START)
wanted = state.in_address(state.SCENE)
numbers = {str(number): number for number in range(1, len(scenes()) + 1)}
if wanted and wanted not in numbers:
    state.set_unknown(state.SCENE, wanted, f"Expected a whole number from 1 to {len(scenes())}.")
number = numbers.get(wanted, 0)

title = "Rankscope"
if number:
    place = f"{number} of {len(scenes())}: {scenes()[number - 1].title}"
    title = f"Why {text.number(value(SCORE))}? {place}"
shell.head(state.START, title)
pickers.unknown_links()
if number:
    scene.scene(number)
else:
    scene.front()
