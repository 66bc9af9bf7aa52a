"""Start: what Rankscope is, the ways into it, and the story of one score in eight scenes."""

from metrics.teaching import story
from pages.ui import pickers, shell, state
from pages.ui.start import front, scene

shell.guard(state.START)
wanted = state.in_address(state.SCENE)
scenes = story.scenes()
numbers = {str(number): number for number in range(1, len(scenes) + 1)}
if wanted not in {"", scene.END, *numbers}:
    state.set_unknown(state.SCENE, wanted, f"Expected a whole number from 1 to {len(scenes)}.")
pickers.unknown_links()
if number := numbers.get(wanted, 0):
    title = scenes[number - 1].title.lower()
    shell.head(state.START, f"{number} of {len(scenes)}: the {title}")
    scene.scene(number)
elif wanted == scene.END:
    shell.head(state.START, scene.WHY)
    scene.end()
else:
    front.front()
