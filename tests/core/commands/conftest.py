"""Fixtures of the command line's tests: files in an empty folder, and a command that runs."""

import pytest

from metrics.__main__ import main


@pytest.fixture
def write_files(tmp_path, monkeypatch):
    """Return a function that writes files into an empty working directory."""
    monkeypatch.chdir(tmp_path)

    def write(**texts):
        for name, text in texts.items():
            (tmp_path / name).write_text(text, "utf-8")

    return write


@pytest.fixture
def rankscope(capsys):
    """Return a function that runs a command and returns its exit code, stdout and stderr."""

    def run(*argv):
        code = main([str(word) for word in argv])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run
