"""Runs the command whose traffic is recorded, with the proxy's environment variables, and forwards signals to it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from pagereel.errors import UsageError

_PASSED_ON: Final = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2")
_FROM_TERMINAL: Final = ("SIGINT", "SIGQUIT")
"""Signals that a terminal sends to every process in its foreground: the command has them already."""


def run_command(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run a command to its end. Return its exit status, or 128 plus the number of the signal that ended it.

    :raises UsageError: there is no such command, or it cannot be run.
    """
    try:
        child = subprocess.Popen(list(command), env={**os.environ, **environment})
    except OSError as error:
        raise UsageError(f"{command[0]} cannot be run: {error.strerror or error}.") from None
    with _forward_signals(child):
        status = child.wait()
    return 128 - status if status < 0 else status


@contextlib.contextmanager
def _forward_signals(child: subprocess.Popen[bytes]) -> Iterator[None]:
    """Forward each signal that this process receives to the command, while the block runs."""
    before: dict[int, object] = {}

    def forward_signal(number: int, frame: object) -> None:
        name = signal.Signals(number).name
        if not (name in _FROM_TERMINAL and _is_process_in_foreground()):
            with contextlib.suppress(OSError):
                child.send_signal(number)

    for name in _PASSED_ON:
        number = getattr(signal, name, None)
        if number is not None:
            before[number] = signal.signal(number, forward_signal)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]


def _is_process_in_foreground() -> bool:
    try:
        return sys.stdin is not None and os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except (OSError, ValueError, AttributeError):
        return False
