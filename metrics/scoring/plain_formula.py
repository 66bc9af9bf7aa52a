"""A formula in LaTeX -> text for a terminal: ``\\frac{3}{\\log_2(1+1)}`` -> ``3/log2(1+1)``."""

import re
from collections.abc import Iterator

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\\$|[0-9.]+|\s+|[^\\]", re.DOTALL)
SIGNS = {
    r"\alpha": "α",
    r"\approx": "≈",
    r"\beta": "β",
    r"\cdot": "·",
    r"\cdots": "…",
    r"\ge": "≥",
    r"\in": " ∈ ",
    r"\ldots": "…",
    r"\le": "≤",
    r"\lfloor": "⌊",
    r"\ni": " ∋ ",
    r"\prod": "Π",
    r"\quad": "  ",
    r"\rfloor": "⌋",
    r"\sum": "Σ",
    r"\varepsilon": "ε",
    r"\,": " ",
    r"\{": "{",
    r"\}": "}",
}
SIZES = (r"\left", r"\right", r"\Big")
_RANGED = ("Σ", "Π", "max", "min")
"""Signs with the range of their index below and above them."""


def as_text(latex: str) -> str:
    r"""Return a formula as text, with a fraction as ``a/b`` and an index range in brackets.

    Reads the LaTeX of `Measure.formula` and `Measure.term`; another command keeps its name.

    Examples
    --------
    >>> print(as_text(r"\mathrm{DCG@}k = \sum_{i=1}^{k} \frac{gain_i}{\log_2(i+1)}"))
    DCG@k = Σ[i=1..k] gain_i/log2(i+1)
    >>> print(as_text(r"\mathrm{nDCG@2} = 0.5 = \frac{2^{3}-1}{\log_2(2+1)\cdot4.4165}"))
    nDCG@2 = 0.5 = (2^3-1)/(log2(2+1)·4.4165)
    """
    return re.sub(" +", " ", _all(iter(_TOKEN.findall(latex)))).strip()


def _all(tokens: Iterator[str]) -> str:
    """Return the text of the tokens up to the end of their group."""
    parts: list[str] = []
    before = ""
    for token in tokens:
        if token == "}":
            break
        if token in SIZES:
            continue
        if token in ("_", "^"):
            _attach(parts, token, _argument(tokens))
        else:
            # Side by side, a fraction and what follows it would read as one denominator.
            product = before == r"\frac" and token in ("(", r"\sum")
            parts.append("·" * product + _one(token, tokens))
        before = token
    # A sign is closed behind the bracket of its range.
    return "".join(f"{part}]" if _is_open(part) else part for part in parts)


def _one(token: str, tokens: Iterator[str]) -> str:
    """Return the text of one token with its arguments."""
    if token == r"\frac":
        above, below = _argument(tokens), _argument(tokens)
        return f"{_wrapped(above, '+-/ ')}/{_wrapped(below, '+-/· ')}"
    if token == "{":
        return _all(tokens)
    if token in (r"\text", r"\mathrm"):
        return _argument(tokens)
    if token in SIGNS:
        return SIGNS[token]
    return token.removeprefix("\\")


def _argument(tokens: Iterator[str]) -> str:
    """Return the text of the next group, or of the next token."""
    return _one(next(tokens), tokens)


def _attach(parts: list[str], token: str, text: str) -> None:
    """Write an index or an exponent behind the sign that it belongs to."""
    text, sign = text.strip(), parts[-1] if parts else ""
    if sign == "log":
        parts[-1] = f"log{text}"
    elif sign.lstrip("·") in _RANGED:
        parts[-1] = f"{sign}[{text}"
    elif _is_open(sign):
        parts[-1] = f"{sign}..{text}"
    else:
        parts.append(f"{token}{text if re.fullmatch('[A-Za-z0-9.]+', text) else f'({text})'}")


def _is_open(part: str) -> bool:
    return part.lstrip("·").startswith(tuple(f"{each}[" for each in _RANGED))


def _wrapped(text: str, operators: str) -> str:
    """Return the text in parentheses if one of the operators is outside of parentheses."""
    text = text.strip()
    depth, outside = 0, ""
    for char in text:
        depth += (char in "([") - (char in ")]")
        outside += char if not depth else ""
    # A sign in front needs no parentheses.
    return f"({text})" if set(outside[1:]) & set(operators) else text
