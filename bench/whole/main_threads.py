"""Reads the CPU time of pages' main threads from the kernel."""

from __future__ import annotations

import os
from pathlib import Path


def read_renderers_cpu_ms() -> float:
    """Return the CPU ms of the main threads of all renderers below this process. Works on Linux alone."""
    parents = {}
    renderers = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            if b"--type=renderer" in (entry / "cmdline").read_bytes():
                renderers.append(int(entry.name))
        except OSError:
            continue  # it has ended
    return sum(_read_main_thread_ms(pid) for pid in renderers if _is_descendant(pid, parents))


def _read_main_thread_ms(pid: int) -> float:
    """Return the CPU ms of a process's main thread, 0 where it has ended."""
    try:
        return int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text().split()[0]) / 1e6
    except OSError:
        return 0.0  # it has ended


def _is_descendant(pid: int, parents: dict[int, int]) -> bool:
    while pid in parents and pid != os.getpid():
        pid = parents[pid]
    return pid == os.getpid()
