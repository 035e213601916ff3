"""The tables of what is captured, and of what was found, name tests that there are."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

from .test_everything import CLAIMS

TESTS = Path(__file__).resolve().parents[1]
ROOT = TESTS.parent


def _bench(name: str) -> Any:
    """A module of the bench, which is no part of the installed package; the checkout is not on the path."""
    path = ROOT / "bench" / "fidelity" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"bench_fidelity_{name}", path)
    assert spec is not None and spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_each_line_has_tests_that_there_are() -> None:
    for line in _bench("lines").LINES:
        assert line.tests, line.what
        for test in line.tests:
            if test.startswith("every: "):
                assert test.removeprefix("every: ") in CLAIMS
            else:
                path, _, name = test.partition("::")
                assert f"def {name}(" in (TESTS / path).read_text("utf-8"), test


def test_each_kind_of_fault_that_was_found_has_tests_that_there_are() -> None:
    found = _bench("found").FOUND
    assert [each.number for each in found] == ["1", *(f"2.{number}" for number in range(1, 20))]
    shown = (TESTS / "player" / "faults.py").read_text("utf-8")
    for each in found:
        assert each.tests, each.number
        for test in each.tests:
            if test.startswith("shown: "):
                assert test == f"shown: {each.number} " and f'"{each.number} ' in shown, test
            else:
                path, _, name = test.partition("::")
                assert f"def {name}(" in (TESTS / path).read_text("utf-8"), test


def test_what_the_breakages_switch_off_is_there() -> None:
    for breakage in _bench("injector_breakages").BREAKAGES:
        source = (ROOT / "injector_js" / "src" / breakage.file).read_text("utf-8")
        assert source.count(breakage.text) == 1, breakage.name
