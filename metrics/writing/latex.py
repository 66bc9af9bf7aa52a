"""Write a table for LaTeX, with the rules of booktabs."""

import re

from .table import Cell, Marked, Table, labelled, numeric, shown

_SPELT = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": "$-$",
    "≈": r"$\approx$",
    "–": r"\textendash{}",
    "×": r"$\times$",
    "…": r"\ldots{}",
    "·": r"$\cdot$",
    "√": r"$\surd$",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "⟨": r"$\langle$",
    "⟩": r"$\rangle$",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
} | {char: "\\" + char for char in "&%$#_{}"}
# LaTeX would set two of these as one dash or one quotation mark.
_LIGATURE = re.compile("(?<=-)(?=-)|(?<=,)(?=,)")


def latex(table: Table) -> str:
    r"""Return a ``table`` with heading and labels as caption, then the formulas, then the parts.

    Its columns are those of `Table.printed`, in the largest type that fits the width of the text.
    Needs ``\usepackage{booktabs}`` and LaTeX from 2020 or newer; ids are escaped.

    Examples
    --------
    >>> table = Table(("run", "AP"), (("bm_25", 0.5),), "scores", labels={"cut": "at 5"})
    >>> print(latex(table), end="")
    % Needs \usepackage{booktabs}
    \begin{table}
    \centering
    \caption{cut: at 5.}
    \label{tab:scores}
    \begin{tabular}{lr}
    \toprule
    run & AP \\
    \midrule
    bm\_25 & 0.5000 \\
    \bottomrule
    \end{tabular}
    \end{table}
    """
    parts = [_float(each, number) for number, each in enumerate([table, *table.parts])]
    return "% Needs \\usepackage{booktabs}\n" + "\n".join(parts)


def _float(whole: Table, number: int) -> str:
    """Return one ``table`` with its formulas."""
    table = whole.for_readers()
    table = table.only(whole.printed or table.columns)
    alignments = "".join("r" if numeric(table, i) else "l" for i in range(len(table.columns)))
    caption = "; ".join(labelled({**table.heading, **table.labels}))
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escaped(caption)}.}}",
        rf"\label{{tab:{table.name or 'rankscope'}{f'-{number}' if number else ''}}}",
        *_size(table),
        rf"\begin{{tabular}}{{{alignments}}}",
        r"\toprule",
        _row([escaped(name) for name in table.headers]),
        r"\midrule",
        *(_row([_cell(value) for value in row]) for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
        *(rf"\[ {formula} \]" for formula in table.formulas),
    ]
    return "\n".join(lines) + "\n"


_TEXT_WIDTH = 345
"""The width of the text in points, in the class ``article`` with 10 pt."""
_SIZES = {
    "": (5.0, 12),
    r"\small": (4.6, 12),
    r"\footnotesize": (4.1, 12),
    r"\scriptsize\setlength{\tabcolsep}{3pt}": (3.6, 6),
}
"""The mean width of a character and the gap between columns, in points, by the command for both."""


def _size(table: Table) -> list[str]:
    """Return the command for the largest type in which the columns fit side by side, if any."""
    cells = [table.headers, *(map(shown, row) for row in table.rows)]
    characters = sum(max(map(len, column)) for column in zip(*cells, strict=True))
    *larger, smallest = _SIZES
    for command in larger:
        wide, gap = _SIZES[command]
        if characters * wide + gap * len(table.columns) <= _TEXT_WIDTH:
            return [command] if command else []
    return [smallest]


def escaped(value: str) -> str:
    r"""Return a text that LaTeX prints character by character.

    Examples
    --------
    >>> print(escaped("50% of a_b--c"))
    50\% of a\_b-{}-c
    """
    return _LIGATURE.sub("{}", "".join(_SPELT.get(char, char) for char in value))


def _cell(value: Cell) -> str:
    if isinstance(value, Marked):
        number = _cell(float(value))
        number = rf"\textbf{{{number}}}" if value.best else number
        return number + (rf"\textsuperscript{{{value.letters}}}" if value.letters else "")
    text = shown(value)
    if text.startswith("-") and not isinstance(value, str):
        # A hyphen before a number is shorter than a minus sign.
        return f"$-${text[1:]}"
    return escaped(text)


def _row(cells: list[str]) -> str:
    first, *others = cells
    # LaTeX would read a bracket at the start of a row as the argument of the \\ before it.
    first = f"{{{first[0]}}}{first[1:]}" if first[:1] in ("[", "*") else first
    return " & ".join([first, *others]) + r" \\"
