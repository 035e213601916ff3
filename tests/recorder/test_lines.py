"""The table of what is captured names tests and cases that there are."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

from .test_everything import CLAIMS

TESTS = Path(__file__).resolve().parents[1]
TABLE = TESTS.parent / "bench" / "fidelity" / "lines.py"


def _lines() -> Any:
    """The bench is no part of the installed package, and the checkout is not on the path."""
    spec = importlib.util.spec_from_file_location("bench_fidelity_lines", TABLE)
    assert spec is not None and spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.LINES


def test_each_line_has_tests_that_there_are() -> None:
    for line in _lines():
        assert line.tests, line.what
        for test in line.tests:
            if test.startswith("every: "):
                assert test.removeprefix("every: ") in CLAIMS
            else:
                path, _, name = test.partition("::")
                assert f"def {name}(" in (TESTS / path).read_text("utf-8"), test
