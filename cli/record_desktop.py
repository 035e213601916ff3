"""`pagereel record --desktop`: records the screen, the inputs and the window in use."""

from __future__ import annotations

import signal
import sys
from datetime import datetime
from pathlib import Path

from pagereel.cli.console import print_message
from pagereel.cli.record_page import StopCondition, print_recording_result, require_recordable
from pagereel.errors import UsageError


def record_screen(
    reel: Path | None, *, time_limit: float | None, overwrite: bool, json: bool, encrypt_to: list[Path] | None
) -> int:
    """Record the desktop into `reel`, and print the recording's duration and size. Raises UsageError."""
    from pagereel.integrations import describe_desktop_limits

    limits = describe_desktop_limits()
    reel = reel or Path(f"desktop-{datetime.now():%Y%m%d-%H%M%S}.reel")
    require_recordable(reel, time_limit, overwrite=overwrite)
    keyboard = sys.stdin is not None and sys.stdin.isatty()
    if limits:
        print_message(limits)
    print_message(
        f"Recording the desktop until {_describe_stop_conditions(keyboard, time_limit)}; what is typed is not kept, what is on the screen is."
    )
    stop = StopCondition(time_limit, keyboard)
    # A background process gets no Ctrl-C, so SIGTERM ends the recording in the same way.
    before = signal.signal(signal.SIGTERM, lambda *_: stop.request_stop())
    try:
        duration = _record_until_stop(reel, stop, overwrite=overwrite, encrypt_to=encrypt_to)
    finally:
        signal.signal(signal.SIGTERM, before)
    return print_recording_result(
        reel, duration, json=json, remark=" (others see no screen, unless --redaction internal)"
    )


def _describe_stop_conditions(keyboard: bool, time_limit: float | None) -> str:
    """Return the ways to end the recording, as a part of a sentence."""
    pressed = "Enter or Ctrl-C is pressed" if keyboard else "Ctrl-C is pressed or SIGTERM comes"
    return pressed if time_limit is None else f"{time_limit:g} seconds have passed or {pressed}"


def _record_until_stop(reel: Path, stop: StopCondition, *, overwrite: bool, encrypt_to: list[Path] | None) -> float:
    """Record the desktop until ``stop()`` returns True. Return the duration in ms. Raises UsageError."""
    from pagereel.integrations import record_desktop
    from pagereel.recorder import record
    from pagereel.reel import load_keys

    with record(None, reel, agent="desktop", overwrite=overwrite, encrypt_to=load_keys(encrypt_to)) as session:
        stop.start()
        try:
            record_desktop(session, stop)
        except KeyboardInterrupt:
            pass
        except UsageError:
            session.stop()
            reel.unlink(missing_ok=True)
            raise
        return session.now
