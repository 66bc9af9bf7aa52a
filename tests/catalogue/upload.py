"""Adapt the app's intake to the expectations of the catalogue of bad inputs."""

from __future__ import annotations

from typing import Any

from metrics import Qrels, Run
from metrics.auditing import audit
from metrics.auditing.intake import Given, Taken, add_files
from metrics.reading import ReadError


def load_upload(
    data: bytes, filename: str, role: str, with_: tuple[bytes, str] | None
) -> dict[str, Any]:
    """Load a file as the app does, with or without its other half, and describe the result."""
    files = [Given(filename, data, role)]
    if with_:
        files.append(Given(with_[1], with_[0], "qrels" if role == "run" else "run"))
    taken = add_files(files)
    if taken.problems:
        return _refused(taken)
    kind = Run if role == "run" else Qrels
    ours = [pairs for pairs in taken.read if isinstance(pairs, kind)]
    if taken.dataset:
        said = [(each.warns, str(each)) for each in audit.findings(taken.dataset)]
    else:
        said = [(note.warns, str(note)) for each in ours for note in each.notes]
    said += [(True, str(note)) for note in taken.notes]
    return {
        "severity": "warn" if any(warns for warns, _ in said) else "ok",
        "messages": [text for _, text in said],
        "rows": len(ours[0]),
        "qids": list(ours[0].queries),
        "docs": list(dict.fromkeys(ours[0].document.to_pylist())),
        "scores" if role == "run" else "labels": ours[0].value.tolist(),
    }


def _refused(taken: Taken) -> dict[str, Any]:
    """Return the messages, and the line and column of the first problem."""
    result: dict[str, Any] = {"severity": "error", "messages": list(map(str, taken.problems))}
    first = taken.problems[0]
    if isinstance(first, ReadError) and first.problems[0].unit == "line" and first.problems[0].line:
        result |= {"line": first.problems[0].line, "column": first.problems[0].column}
    return result
