"""Measures the CPU time of a command and all processes that it starts, which is comparable on a machine that others use too."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36
ENDING = 10.0
"""Seconds that what a command leaves running has to end by itself."""


@dataclass(frozen=True)
class CommandCost:
    """The wall time, the CPU time and the output of a command."""

    seconds: float
    """Wall time."""
    cpu: float
    """User and system time in seconds, of all processes."""
    said: str
    """What it wrote to stdout."""


def measure_command(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], patience: float
) -> CommandCost:
    """Run a command in a folder and return its times and output.

    A browser's processes can outlive the command: on Linux this process adopts such orphans, waits for them, and counts them too. Raises TimeoutExpired
    after `patience` seconds.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    before, began = _read_children_cpu(), time.monotonic()
    done = subprocess.run(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, errors="replace", timeout=patience, check=False,
    )  # fmt: skip
    seconds = time.monotonic() - began
    _reap_orphans()
    return CommandCost(seconds, _read_children_cpu() - before, done.stdout)


def _read_children_cpu() -> float:
    """Return the CPU seconds of all children that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _reap_orphans() -> None:
    """Wait for adopted processes, and kill those that do not end within ten seconds."""
    until = time.monotonic() + ENDING
    while True:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                if time.monotonic() > until:
                    for orphan in _list_children():
                        os.kill(orphan, signal.SIGKILL)
                time.sleep(0.05)
        except ChildProcessError:
            return


def _list_children() -> list[int]:
    path = Path(f"/proc/self/task/{os.getpid()}/children")
    return [int(pid) for pid in path.read_text().split()] if path.exists() else []
