"""Many cases of one promise in one test: cheap to collect, and each failing case is named."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial, wraps
from itertools import chain, product
from typing import Any

import pytest

from metrics import REGISTRY

# pytest has no public name for what `pytest.param` returns.
_PARAM = type(pytest.param())
_LONGEST = 100
HIGHEST = 3.0
"""The highest grade of most cases."""


def scaled(symbol: str, highest: float = HIGHEST) -> str:
    """Return the name of a measure whose scale has these grades: PFound(max=3)."""
    low = getattr(REGISTRY[symbol], "max", highest) < highest
    return f"{symbol}(max={highest:g})" if low else symbol


def own_scale(symbol: str) -> dict[str, float]:
    """Return what an address says of a measure's scale, where its own is below these grades."""
    return {"max": HIGHEST} if scaled(symbol) != symbol else {}


def every_measure(
    cutoff: Sequence[str] = ("",), recall: Sequence[str] = ("@0.5",), highest: float = HIGHEST
) -> list[str]:
    """Return the name of each measure for grades up to the highest, with each end that it takes."""
    ends = {"cutoff": cutoff, "recall": recall, "": ("",)}
    return [
        scaled(symbol, highest) + end
        for symbol, kind in REGISTRY.items()
        for end in ends[kind.suffix]
    ]


@dataclass(frozen=True)
class _Case:
    """Arguments, and a function that names them: most cases pass and never need their name."""

    arguments: dict[str, Any]
    name: Callable[[], str]

    def __str__(self) -> str:
        return self.name()


def _described(arguments: dict[str, Any]) -> str:
    name = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
    return name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"


def cases(
    argnames: str | Sequence[str],
    values: Iterable[Any] | Callable[[], Iterable[Any]],
    ids: Iterable[str | None] | Callable[[Any], object] | None = None,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test with each of these values, as ``pytest.mark.parametrize`` does, but in one item.

    Every case runs. The test fails with the error of each failing case and its name; without
    failures it is skipped if a case was skipped, with the reasons; and it fails without cases.
    Stacked decorators run the test with the product of their values.

    All cases share one value of each fixture. Where a case changes what a fixture of function
    scope returned (``tmp_path``, ``monkeypatch``), ``parametrize`` is the right decorator.

    Parameters
    ----------
    argnames
        One name, or several with commas or as a sequence.
    values
        A value for each case, or a tuple of values if there are several names. A function that
        returns them runs with the test, so that nothing is computed for the collection.
    ids
        A name for each case, or a function from a value to its name.

    Examples
    --------
    >>> @cases("rank", [1, 2, 3])
    ... @cases("base", lambda: [2, 10])
    ... def test_a_lower_rank_has_a_larger_discount(rank, base):
    ...     assert math.log(rank + 2, base) > math.log(rank + 1, base)
    >>> test_a_lower_rank_has_a_larger_discount()
    >>> [str(case) for case in test_a_lower_rank_has_a_larger_discount.cases()][:2]
    ['rank=1 / base=2', 'rank=1 / base=10']
    """
    single = isinstance(argnames, str) and "," not in argnames
    names = argnames.replace(",", " ").split() if isinstance(argnames, str) else list(argnames)
    if not callable(values):
        values = list(values)
    if ids is not None and not callable(ids):
        ids = list(ids)

    def rows() -> Iterator[_Case]:
        found = list(values()) if callable(values) else values
        given = [None] * len(found) if ids is None or callable(ids) else ids
        for value, name in zip(found, given, strict=True):
            if isinstance(value, _PARAM):
                if value.marks:
                    raise TypeError("a case has no marks of its own: use parametrize")
                name, row = value.id or name, value.values
            else:
                row = [value] if single else value
            arguments = dict(zip(names, row, strict=True))
            if name is not None:
                yield _Case(arguments, partial(str, name))
            elif callable(ids):
                yield _Case(arguments, lambda row=row: "-".join(str(ids(each)) for each in row))
            else:
                yield _Case(arguments, partial(_described, arguments))

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        layers = [rows, *getattr(test, "layers", [])]
        function = getattr(test, "one_case", test)
        signature = inspect.signature(test)
        if unknown := set(names) - signature.parameters.keys():
            raise TypeError(f"{test.__name__} has no parameter {', '.join(sorted(unknown))}")

        def product_of_layers() -> Iterator[_Case]:
            for parts in product(*(layer() for layer in layers)):
                arguments = dict(chain.from_iterable(part.arguments.items() for part in parts))
                yield _Case(arguments, lambda parts=parts: " / ".join(map(str, parts)))

        @wraps(function)
        def run(**fixtures: Any) -> None:
            count, failures, failed, skipped = 0, [], [], []
            for case in product_of_layers():
                count += 1
                try:
                    function(**fixtures, **case.arguments)
                except pytest.skip.Exception as reason:
                    skipped.append(f"{case}: {reason}")
                except pytest.exit.Exception:
                    raise
                # What pytest.fail raises is not an Exception.
                except (Exception, pytest.fail.Exception) as error:
                    error.add_note(f"case {case}")
                    failures.append(error)
                    failed.append(str(case))
            if failures:
                message = f"{len(failures)} of {count} cases failed: {'; '.join(failed)}"
                raise BaseExceptionGroup(message, failures)
            if not count:
                pytest.fail("there are no cases")
            if skipped:
                pytest.skip(f"{len(skipped)} of {count} cases: {'; '.join(skipped)}")

        run.__signature__ = signature.replace(
            parameters=[each for name, each in signature.parameters.items() if name not in names]
        )
        run.layers, run.one_case, run.cases = layers, function, product_of_layers
        return run

    return decorate
