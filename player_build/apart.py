"""Builds a replay in a separate process, for callers that cannot wait, or must not load the redaction's models."""

from __future__ import annotations

import os
import pickle
import sys
from typing import Any

from ..errors import PagereelError
from .builder import build


def build_or_say(options: dict[str, Any]) -> str:
    """Build with these arguments of :func:`build`. Return the error in a sentence; "" if there was none."""
    try:
        build(**options)
    except PagereelError as error:
        return f"{type(error).__name__}: {error}"
    except Exception as error:  # the calling process goes on
        return f"an error of pagereel's own ({type(error).__name__}: {error})"
    return ""


def main() -> None:
    """Read the arguments from stdin, as a pickle from the parent process; write the result of :func:`build_or_say` to
    stdout.
    """
    said = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # Output of libraries must not mix with the result.
    said.write(build_or_say(pickle.load(sys.stdin.buffer)))
    said.close()
