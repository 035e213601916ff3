"""Builds a replay in a separate process, for callers that cannot wait, or must not load the redaction's models."""

from __future__ import annotations

import json
import os
import pickle
import sys
from typing import Any

from ..errors import PagereelError
from .builder import build


def build_and_return_error(options: dict[str, Any]) -> str:
    """Build with these arguments of :func:`build`. Return the error in a sentence; "" if it succeeded."""
    return str(_build_and_collect_reasons(options)["error"])


def _build_and_collect_reasons(options: dict[str, Any]) -> dict[str, Any]:
    """Build with these arguments of :func:`build`. Return the result as JSON fields: ``error``, a sentence, "" if it
    succeeded; ``why``, the lines that explain the run's failure.
    """
    try:
        return {"error": "", "why": build(**options).why}
    except PagereelError as error:
        return {"error": str(error)}
    except Exception as error:  # the calling process goes on
        return {"error": f"an error of pagereel's own ({type(error).__name__}: {error})"}


def main() -> None:
    """Build with the arguments on stdin (a pickle from the parent process), and write the error and the reasons for the
    run's failure to stdout as JSON.
    """
    said = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # Output of libraries must not mix with the result.
    json.dump(_build_and_collect_reasons(pickle.load(sys.stdin.buffer)), said)
    said.close()
