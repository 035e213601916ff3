"""Makes pagereel's own processes end with their parent, and limits their memory and the number of their open files."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Final

from pagereel.errors import UsageError

_PR_SET_PDEATHSIG: Final = 1
_OWN_FILES: Final = 100
"""Files that a process has open besides those that it is asked to read."""


def end_process_with_parent() -> None:
    """Make this process end when its parent process ends or is killed. :mod:`multiprocessing` must have started it.

    On Linux the kernel ends it (prctl(2)). Elsewhere a thread waits for the parent's end, which code that holds the GIL
    delays.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent.pid:  # it ended before that was said
            os._exit(1)
    else:
        threading.Thread(target=_exit_when_parent_ends, args=(parent.sentinel,), daemon=True, name="parent").start()


def _exit_when_parent_ends(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(1)


def limit_process_memory(size: int) -> None:
    """Limit the memory of this process to `size` bytes if the system supports it; beyond the limit MemoryError is
    raised.
    """
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        wanted = size if most == resource.RLIM_INFINITY else min(size, most)
        resource.setrlimit(resource.RLIMIT_DATA, (wanted, most))


@contextlib.contextmanager
def raise_open_files_limit(count: int, description: str) -> Iterator[None]:
    """Raise the limit of open files until the block ends, so that this process can have `count` files open at a time.

    Raises UsageError if the system refuses. `description`: a plural noun for the files in the error's message, such as
    ``recordings``.
    """
    try:
        import resource
    except ImportError:  # Windows has no limit of this kind.
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count + _OWN_FILES
    if soft == resource.RLIM_INFINITY or wanted <= soft:
        yield
        return
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (ValueError, OSError):
        raise UsageError(
            f"{count:,} {description} cannot be read together: the system lets a process open {soft:,} files; give fewer, or allow more (ulimit -n {wanted})."
        ) from None
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
