"""The command line in a process of its own, and what a process takes."""

from __future__ import annotations

import os
from pathlib import Path

from tests.command import PAGEREEL

__all__ = ["PAGEREEL", "spent"]


def spent(pid: int) -> float:
    """Return the CPU s of a process, without those that it began. Raises OSError where it is no longer."""
    told = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")
