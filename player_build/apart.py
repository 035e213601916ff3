"""Builds a replay in a process of its own, for whoever cannot wait in theirs, or must not load what a redaction needs."""

from __future__ import annotations

import os
import pickle
import sys
from typing import Any

from ..errors import PagereelError
from .builder import build


def build_or_say(options: dict[str, Any]) -> str:
    """Build with these arguments of :func:`build`; return what went wrong in a sentence, nothing if nothing did."""
    try:
        build(**options)
    except PagereelError as error:
        return f"{type(error).__name__}: {error}"
    except Exception as error:  # whoever asked for it goes on
        return f"an error of pagereel's own ({type(error).__name__}: {error})"
    return ""


def main() -> None:
    """Read the arguments from stdin, as a pickle of the process that began this one; write to stdout what :func:`build_or_say` gives."""
    said = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # What a library prints is no answer.
    said.write(build_or_say(pickle.load(sys.stdin.buffer)))
    said.close()
