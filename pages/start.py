"""Start: what Rankscope is, the ways into it, and the story of one score in eight scenes."""

from metrics.teaching import story_views
from metrics.teaching.story import scenes
from pages.ui import pickers, shell, state
from pages.ui.start import front, scene

shell.guard(state.START)
wanted = state.in_address(state.SCENE)
numbers = {str(number): number for number in range(1, len(scenes()) + 1)}
if wanted and wanted not in numbers:
    state.set_unknown(state.SCENE, wanted, f"Expected a whole number from 1 to {len(scenes())}.")
pickers.unknown_links()
if number := numbers.get(wanted, 0):
    score = story_views.shown(story_views.value(story_views.SCORE))
    shell.head(state.START, f"Why {score}? {scenes()[number - 1].title}")
    scene.scene(number)
else:
    front.front()
