"""`pagereel attach`: records a browser that another program drives."""

from __future__ import annotations

import re
import sys
import time
from datetime import datetime
from pathlib import Path

from pagereel.cli.console import say
from pagereel.cli.record_page import Stop, check_recording, default_name, report_recorded
from pagereel.errors import UsageError

LOOK = 0.1
"""Seconds between two checks whether to stop."""


def attach_to(
    address: str,
    reel: Path | None,
    *,
    time_limit: float | None,
    overwrite: bool,
    json: bool,
    encrypt_to: list[Path] | None = None,
) -> int:
    """Record the browser at the debugging address `address` into `reel`, until Enter, Ctrl-C, the time limit or the end
    of the browser. Print the recording's duration and size.
    """
    address = full_address(address)
    reel = reel or Path(default_name(address, datetime.now()))
    check_recording(reel, time_limit, overwrite=overwrite)
    from pagereel.integrations import record_cdp
    from pagereel.reel import keys_of

    stop = Stop(time_limit, sys.stdin is not None and sys.stdin.isatty())
    began = time.monotonic()
    recording = record_cdp(address, reel, encrypt_to=keys_of(encrypt_to), overwrite=overwrite).start()
    try:
        stop.begin()
        say(f"Recording {address}. Press Enter or Ctrl-C to stop.")
        while not stop() and not recording.wait(LOOK):
            pass
        if not recording.connected:
            say("The browser has gone.")
    except KeyboardInterrupt:
        say("Stopped.")
    finally:
        recording.stop()
    return report_recorded(reel, (time.monotonic() - began) * 1000, json=json)


def full_address(text: str) -> str:
    """Complete a browser's debugging address: a port, `9222`, becomes `http://127.0.0.1:9222`; a host with a port gets
    a scheme. Raises UsageError for anything else.
    """
    if re.fullmatch(r"\d{1,5}", text):
        return f"http://127.0.0.1:{text}"
    if re.match(r"(https?|wss?)://[^/\s]+", text):
        return text
    if re.fullmatch(r"[\w.-]+:\d{1,5}", text):
        return f"http://{text}"
    raise UsageError(f"{text!r} is not a debugging address; write it like http://127.0.0.1:9222.")
