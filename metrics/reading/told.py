"""What a person says of files: which of their columns is which part, and what labels count."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from ..arrays import is_finite
from ..data.column_names import PARTS
from ..errors import RankscopeError


@dataclass(frozen=True)
class Told:
    """The words of a person on files that are read.

    Raises RankscopeError for a part that no file has, and for a grade that is not a number.

    Attributes
    ----------
    columns
        The file's own name for the column of a part, by the part: one of `PARTS`.
    labels
        The grade that each label counts.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if odd := [part for part in self.columns if part not in PARTS]:
            raise RankscopeError(f"No column is a {odd[0]!r}; name one of {', '.join(PARTS)}.")
        for label, grade in self.labels.items():
            if not is_finite(grade):
                raise RankscopeError(f"Label {label!r} counts {grade!r}; expected a number.")


_TOLD: ContextVar[Told] = ContextVar("told")


def told() -> Told:
    """Return what is said of the files that are read now; by default nothing."""
    return _TOLD.get(Told())


@contextmanager
def telling(
    columns: Mapping[str, str] | None = None, labels: Mapping[str, float] | None = None
) -> Iterator[None]:
    """Say something of all files that are read within the block, in addition to what is said.

    Examples
    --------
    >>> from metrics import read_qrels
    >>> with telling(labels={"hot": 2, "cold": 0}):
    ...     read_qrels(b"query,document,grade\\nq,a,hot\\nq,b,cold", "q.csv").to_dict()
    {'q': {'a': 2.0, 'b': 0.0}}
    """
    before = told()
    said = Told({**before.columns, **(columns or {})}, {**before.labels, **(labels or {})})
    token = _TOLD.set(said)
    try:
        yield
    finally:
        _TOLD.reset(token)
