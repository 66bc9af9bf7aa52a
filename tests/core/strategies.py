"""Random judged rankings, conventions and measures for property tests."""

from dataclasses import fields

from hypothesis import strategies as st

from metrics import REGISTRY, Convention
from metrics.convention import CHOICES

# UTF-8 order: "B" before "a", "d10" before "d2", "￼" before "🙂" (not so in UTF-16).
DOCUMENTS = ["a", "B", "d1", "d10", "d2", "d", "é", "￼", "🙂", "z"]
GRADES = [-2, -1, 0, 0, 0.5, 1, 1, 1.5, 2, 3, 5]
# Few values, so that there are ties; the last two are one 32-bit float.
SCORES = [-1.5, -0.0, 0.0, 2.0, 2.5, 7.0, 1e8, 1e8 + 1]
GAINS = ["linear", "exponential", "{1:0.5,2:0.9}", "{0:0.25,1:0,3:10}", "{-1:0.5,0.5:2}"]

documents = st.sampled_from(DOCUMENTS)
grades = st.dictionaries(documents, st.sampled_from(GRADES), min_size=1)
rankings = st.dictionaries(documents, st.sampled_from(SCORES))
few = st.dictionaries(documents, st.sampled_from(SCORES), max_size=4)

PARAMETERS = {
    "cutoff": st.sampled_from([1, 2, 3, 5, 20]),
    "rel": st.sampled_from([0.5, 1.0, 2.0, 3.0]),
    "gain": st.sampled_from(GAINS),
    "worth": st.sampled_from(["scaled", "relevant", "grade"]),
    "beta": st.sampled_from([0.5, 2.0]),
    "p": st.sampled_from([0.3, 0.5, 0.8, 0.95]),
    "max": st.sampled_from([1.0, 3.0, 5.0]),
    "times": st.sampled_from([0.05, 0.2, 0.5, 1.5, 2.0]),
    "recall": st.sampled_from([i / 20 for i in range(21)]),
}


@st.composite
def conventions(draw, **fixed):
    """Any convention; ``fixed`` says which fields must have which value."""
    drawn = {"level": draw(st.sampled_from([0.5, 1.0, 2.0])), "gain": draw(st.sampled_from(GAINS))}
    for name, choice in CHOICES.items():
        if name not in fixed and name != "gain":
            drawn[name] = draw(st.sampled_from([*choice.values]))
    return Convention(**drawn | fixed)


@st.composite
def measures(draw, symbol):
    """A measure with any of its parameters given or left out."""
    kind = REGISTRY[symbol]
    values = {}
    for name in [field.name for field in fields(kind)]:
        takes = name != "cutoff" or kind.at == "cutoff"
        if takes and (name == kind.at == "recall" or draw(st.booleans())):
            values[name] = draw(PARAMETERS[name])
    return kind(**values)
