r"""Write a formula in LaTeX as MathML, which browsers set and print."""

import re
from collections.abc import Iterator
from html import escape

from ..scoring.plain_formula import SIGNS, SIZES

# A text is one token. Letters side by side are one name: a product has a sign or a space.
_TOKEN = re.compile(
    r"\\(?:text|mathrm)\{(?:[^{}\\]|\\.)*\}|\\[A-Za-z]+|\\.|[A-Za-z]+|[0-9.]+|\S", re.DOTALL
)
_SIGNS = SIGNS | {r"\sum": "∑", r"\prod": "∏", "-": "−", "*": "·"}
_RANGED = {f"<mo>{sign}</mo>" for sign in ("∑", "∏", "max", "min")}


def mathml(latex: str) -> str:
    r"""Return a formula as ``<math>``, one for each part that may begin a line.

    It reads the same LaTeX as `plain`.

    Examples
    --------
    >>> print(mathml(r"\frac{gain_i}{2}"))
    <math displaystyle="true"><mfrac><msub><mi>gain</mi><mi>i</mi></msub><mn>2</mn></mfrac></math>
    """
    lines = [""]
    for part in _parts(iter(_TOKEN.findall(latex))):
        if part in _BREAKS:
            lines.append("")
        lines[-1] += part
    return "<wbr>".join(f'<math displaystyle="true">{line}</math>' for line in lines if line)


_BREAKS = {f'<mo form="infix">{sign}</mo>' for sign in "=≈+"}


def _row(tokens: Iterator[str]) -> str:
    """Return what comes before the end of a group, as one element."""
    parts = _parts(tokens)
    return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"


def _parts(tokens: Iterator[str]) -> list[str]:
    """Return the elements before the end of a group."""
    # Each part has what is below it, and what is above it.
    parts: list[tuple[str, str, str]] = []
    for token in tokens:
        if token == "}":
            break
        if token == "_":
            sign, _, above = parts.pop()
            parts.append((sign, _element(tokens), above))
        elif token == "^":
            sign, below, _ = parts.pop()
            parts.append((sign, below, _element(tokens)))
        elif token in SIZES:
            parts.append((f"<mo>{next(tokens)}</mo>", "", ""))
        else:
            parts.append((_element(tokens, token), "", ""))
    return [_scripted(*part) for part in parts]


def _element(tokens: Iterator[str], token: str = "") -> str:
    """Return a token with its arguments as one element; by default the next one."""
    token = token or next(tokens)
    if token == "{":
        return _row(tokens)
    if token == r"\frac":
        return f"<mfrac>{_element(tokens)}{_element(tokens)}</mfrac>"
    if text := re.fullmatch(r"\\(?:text|mathrm)\{(.*)\}", token):
        words = escape(re.sub(r"\\(.)", r"\1", text[1]))
        return f"<mtext>{words.replace(' ', '&#160;')}</mtext>"
    sign = _SIGNS.get(token, token.removeprefix("\\")).strip()
    if not sign:
        return '<mspace width="0.3em"/>'
    if sign.isalpha() and sign not in ("max", "min"):
        return f"<mi>{sign}</mi>"
    if sign[0].isdigit():
        return f"<mn>{sign}</mn>"
    # Only what LaTeX calls so is as tall as what it encloses.
    look = ' form="infix"' if sign in "=≈+" else ' stretchy="false"' if sign in "()[]{}" else ""
    return f"<mo{look}>{escape(sign)}</mo>"


def _scripted(sign: str, below: str, above: str) -> str:
    """Return an element with its scripts; those of a sum are its range."""
    under, over = ("under", "over") if sign in _RANGED else ("sub", "sup")
    kind = f"m{under * bool(below)}{over * bool(above)}"
    return sign if kind == "m" else f"<{kind}>{sign}{below}{above}</{kind}>"
