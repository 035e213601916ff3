"""`pagereel attach`: records a browser that another program drives."""

from __future__ import annotations

import re
import sys
import time
from datetime import datetime
from pathlib import Path

from pagereel.cli.console import print_message
from pagereel.cli.record_page import StopCondition, build_default_reel_name, print_recording_result, require_recordable
from pagereel.errors import UsageError

LOOK = 0.1
"""Seconds between two checks whether to stop."""


def record_attached_browser(
    address: str,
    reel: Path | None,
    *,
    time_limit: float | None,
    overwrite: bool,
    json: bool,
    encrypt_to: list[Path] | None = None,
) -> int:
    """Record the browser at the debugging address `address` into `reel`, and print the recording's duration and size.

    The recording ends with Enter, Ctrl-C, the time limit (seconds), or the end of the browser.
    """
    address = complete_debugging_url(address)
    reel = reel or Path(build_default_reel_name(address, datetime.now()))
    require_recordable(reel, time_limit, overwrite=overwrite)
    from pagereel.integrations import record_cdp
    from pagereel.reel import load_keys

    stop = StopCondition(time_limit, sys.stdin is not None and sys.stdin.isatty())
    began = time.monotonic()
    recording = record_cdp(address, reel, encrypt_to=load_keys(encrypt_to), overwrite=overwrite).start()
    try:
        stop.start()
        print_message(f"Recording {address}. Press Enter or Ctrl-C to stop.")
        while not stop() and not recording.wait(LOOK):
            pass
        if not recording.is_connected:
            print_message("The browser has gone.")
    except KeyboardInterrupt:
        print_message("Stopped.")
    finally:
        recording.stop()
    return print_recording_result(reel, (time.monotonic() - began) * 1000, json=json)


def complete_debugging_url(text: str) -> str:
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
