"""A pytest plugin (`-p bench.fidelity.broken_plugin`) that lets tests record with the injector in the file that the environment names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pagereel.recorder.runtime import injector_script

INJECTOR = "PAGEREEL_BENCH_INJECTOR"


def pytest_configure(config: pytest.Config) -> None:
    """Let the recorder use the injector in the file that the environment names."""
    text = Path(os.environ[INJECTOR]).read_text(encoding="utf-8")
    injector_script.read_bundle = lambda: text  # type: ignore[assignment]
