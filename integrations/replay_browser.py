"""Opens the replay of a recording in a headless browser, to take screenshots and read its pages."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from pagereel.errors import BuildError, UsageError

PATIENCE = 30_000
"""Ms to wait for the browser."""
HANGING = 120_000
"""Ms after which the player, which a long recording keeps busy, is given up."""


def add_js_timeout(function: str, timeout: int = HANGING) -> str:
    """Return the source of a JavaScript function that calls `function` and rejects after `timeout` ms.

    Playwright's `evaluate`, for which it is, has no timeout.
    """
    return f"""async (given) => {{
  let timer;
  const late = new Promise((_, reject) => {{
    timer = setTimeout(() => reject(new Error('the replay did not answer within {timeout / 1000:g} s')), {timeout});
  }});
  try {{
    return await Promise.race([({function})(given), late]);
  }} finally {{
    clearTimeout(timer);
  }}
}}"""


SEEK = add_js_timeout("(t) => window.pagereel.seek(t)")
"""Shows the page at a time, in ms."""
_READY = add_js_timeout("""async () => {
  while (!(window.pagereel?.ready instanceof Promise)) await new Promise((resolve) => setTimeout(resolve, 50));
  await window.pagereel.ready;
}""")
Told = TypeVar("Told")


def call_in_thread(function: Callable[..., Told], *arguments: object) -> Told:
    """Call a function that uses Playwright's sync API in a new thread, because the API refuses a thread with a running
    event loop.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(function, *arguments).result()


def screenshot_replay(reel: Path, t: float) -> bytes:
    """Return a screenshot of the replay at `t` ms as PNG. The reel is not masked here: redact it before
    (`open_shareable_reel`).
    """
    return call_in_thread(_screenshot_replay, reel, t)


def _screenshot_replay(reel: Path, t: float) -> bytes:
    with open_replay_page(reel) as shown:
        shown.evaluate(SEEK, t)
        frame = shown.evaluate_handle("window.pagereel.frame").as_element()
        taken: bytes = frame.screenshot() if frame is not None else shown.screenshot()
        return taken


@contextmanager
def open_replay_page(
    reel: Path,
    size: tuple[int, int] = (1280, 800),
    *,
    without_player: bool = True,
    chromium_switches: Sequence[str] = (),
) -> Iterator[Any]:
    """Yield a Playwright page that shows the replay of a recording, without network access, in a window of `size` CSS
    px.

    `without_player`: only the recorded page is shown, without the player around it. `chromium_switches`: command-line options of Chromium.
    The recording is not masked here.

    :raises UsageError: the browser does not start. SetupError: no browser is installed. BuildError: the browser does
    not
        show the replay, or stops showing it. Also the errors of ``build()``.
    """
    from playwright.sync_api import Error, sync_playwright

    from pagereel.browser import launch_options
    from pagereel.player_build import build

    with tempfile.TemporaryDirectory(prefix="pagereel-") as folder, sync_playwright() as playwright:
        html = Path(folder) / "replay.html"
        build(reel, html, redaction=None)
        options = launch_options()
        options["args"] += chromium_switches
        try:
            browser = playwright.chromium.launch(**options)
        except Error as error:
            raise UsageError(
                f"The browser did not start ({_get_first_error_line(error)}); run 'pagereel setup'."
            ) from None
        try:
            page = browser.new_context(offline=True, viewport={"width": size[0], "height": size[1]}).new_page()
            page.set_default_timeout(PATIENCE)
            page.goto(f"{html.as_uri()}{'#bare' if without_player else ''}")
            page.evaluate(_READY)
            yield page
        except Error as error:
            raise BuildError(f"The browser does not show the replay ({_get_first_error_line(error)}).") from None
        finally:
            with suppress(Error):
                browser.close()


def _get_first_error_line(error: Any) -> str:
    return str(next(iter(error.message.splitlines()), "no reason is told"))
