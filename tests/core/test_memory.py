"""A result is remembered under all that is shown of its inputs."""

from dataclasses import replace

from metrics import Qrels, Run, match
from metrics.data.notes import Note
from metrics.memory import key_of
from tests.cases import cases

QRELS = replace(Qrels.from_dict({"q": {"a": 1, "b": 0}}, "qrels"), reasons={"q": {"a": "near"}})
RUN = Run.from_dict({"q": {"a": 2, "b": 1}}, "run")
ABOUT = {"name": "other", "tag": "other", "notes": (Note("A note.", "N-TEST"),)}
CHANGED = [
    *(
        (data, {name: value})
        for data in (QRELS, RUN, match(QRELS, RUN))
        for name, value in ABOUT.items()
    ),
    # As many reasons, of as many characters.
    (QRELS, {"reasons": {"q": {"a": "nice"}}}),
    (QRELS, {"reasons": {"q": {"b": "near"}}}),
    (QRELS, {"aspects": {"q": {"a": {"1": 1.0}}}}),
]


@cases(("data", "changed"), CHANGED)
def test_whatever_is_shown_of_data_makes_another_key(data, changed):
    assert key_of("what", data) == key_of("what", replace(data))
    assert key_of("what", data) != key_of("what", replace(data, **changed))
