"""A Chromium that nobody of ours started: with an open tab and a debugging port."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from pagereel.browser import launch_options


@contextlib.contextmanager
def foreign_chromium(page: str) -> Iterator[str]:
    """Starts it on `page`; gives its address."""
    from playwright.sync_api import sync_playwright

    options = launch_options()
    executable = options.get("executable_path")
    if executable is None:
        with sync_playwright() as playwright:
            executable = playwright.chromium.executable_path
    profile = Path(tempfile.mkdtemp(prefix="foreign-"))
    command = [executable, *options.get("args", []), "--headless=new", "--remote-debugging-port=0"]
    if not options.get("chromium_sandbox", False):
        command.append("--no-sandbox")
    process = subprocess.Popen(
        [*command, f"--user-data-dir={profile}", page], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        port = profile / "DevToolsActivePort"
        deadline = time.monotonic() + 30
        while not (port.exists() and "\n" in port.read_text()):
            assert process.poll() is None and time.monotonic() < deadline, "Chromium did not start"
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port.read_text().splitlines()[0]}"
    finally:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
        process.kill()
        shutil.rmtree(profile, ignore_errors=True)
