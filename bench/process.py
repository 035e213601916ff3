"""Gives the words that start the command line, and reads a process's CPU time."""

from __future__ import annotations

import os
from pathlib import Path

from tests.command import PAGEREEL

__all__ = ["PAGEREEL", "read_cpu_seconds"]


def read_cpu_seconds(pid: int) -> float:
    """Return the CPU seconds of a process, without its children. Raises OSError where the process has ended."""
    told = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")
