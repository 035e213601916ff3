"""Browsers of three engines behind one handful of verbs: Playwright drives Chromium, Marionette Firefox, WebDriver WebKitGTK."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser

ENGINES = ("chromium", "firefox", "webkit")


class Engine(Protocol):
    """One window of a browser."""

    def open(self, address: str) -> None: ...

    def run(self, body: str) -> Any:
        """What an asynchronous function with this body returns in the page; ``failed: …`` when it throws."""

    def press(self, key: str) -> None:
        """A key as a person presses it: ``Tab``, ``Shift+Tab``, ``Enter``, ``Escape``, or a character."""

    def picture(self) -> bytes:
        """What the window shows, as a PNG."""

    def resize(self, width: int, height: int) -> None:
        """Give the page that much room, in CSS px."""


KEYS = {"Tab": "\ue004", "Shift": "\ue008", "Enter": "\ue007", "Escape": "\ue00c"}
"""As WebDriver writes them."""


NARROW = """
const { style } = window.gBrowser.selectedBrowser;
for (const [name, size] of [["width", arguments[0]], ["height", arguments[1]]])
  for (const limit of ["min-", "max-"]) style.setProperty(limit + name, `${size}px`);
"""
SLIM = "* { min-width: 0; min-height: 0; margin: 0; padding: 0; border-width: 0; font-size: 5px }"
"""A style for WebKitGTK's own window, whose bar of buttons would be wider than a telephone."""


class Chromium:
    def __init__(self, browser: Browser) -> None:
        self.page = browser.new_context(viewport={"width": 1280, "height": 800}, offline=True).new_page()

    def open(self, address: str) -> None:
        self.page.goto("about:blank")
        self.page.goto(address)

    def run(self, body: str) -> Any:
        return self.page.evaluate(f"async () => {{ try {{ {body} }} catch (e) {{ return 'failed: ' + e; }} }}")

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def picture(self) -> bytes:
        return self.page.screenshot(caret="initial")

    def resize(self, width: int, height: int) -> None:
        self.page.set_viewport_size({"width": width, "height": height})


def _callback(body: str) -> str:
    return (
        "const done = arguments[arguments.length - 1]; "
        f"(async () => {{ {body} }})().then(done, (e) => done('failed: ' + e));"
    )


class Firefox:
    def __init__(self, client: Any) -> None:
        self.client = client

    def open(self, address: str) -> None:
        self.client.navigate("about:blank")
        self.client.navigate(address)

    def run(self, body: str) -> Any:
        return self.client.execute_async_script(_callback(body), sandbox=None)

    def press(self, key: str) -> None:
        keys = [KEYS.get(part, part) for part in key.split("+")] if len(key) > 1 else [key]
        chain = self.client.actions.sequence("key", "keyboard")
        for part in keys:
            chain = chain.key_down(part)
        for part in reversed(keys):
            chain = chain.key_up(part)
        chain.perform()

    def picture(self) -> bytes:
        return b64decode(self.client.screenshot(full=False))

    def resize(self, width: int, height: int) -> None:
        # No window is narrower than 500 px: the page in it is, as WebDriver BiDi's `setViewport` does it.
        with self.client.using_context("chrome"):
            self.client.execute_script(NARROW, script_args=[width, height], sandbox="system")
        _awaited(self, width)


class WebKit:
    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, address: str) -> None:
        self.driver.get("about:blank")
        self.driver.get(address)

    def run(self, body: str) -> Any:
        return self.driver.execute_async_script(_callback(body))

    def press(self, key: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        keys = [KEYS.get(part, part) for part in key.split("+")] if len(key) > 1 else [key]
        chain = ActionChains(self.driver, duration=0)
        for part in keys:
            chain = chain.key_down(part)
        for part in reversed(keys):
            chain = chain.key_up(part)
        chain.perform()

    def picture(self) -> bytes:
        return b64decode(self.driver.get_screenshot_as_base64())

    def resize(self, width: int, height: int) -> None:
        bars = self.run("return outerHeight - innerHeight")
        self.driver.set_window_size(width, height + bars)
        _awaited(self, width)


def _awaited(engine: Engine, width: int) -> None:
    """Wait until a page is so wide; a window is given its size later."""
    for _ in range(100):
        if engine.run("return innerWidth") == width:
            return
        time.sleep(0.05)
    raise AssertionError(f"the page is {engine.run('return innerWidth')} px wide and not {width}")


@contextmanager
def firefox(log: Path) -> Iterator[Firefox]:
    binary = shutil.which("firefox-esr") or shutil.which("firefox")
    if binary is None:
        pytest.skip("Firefox is not installed (Debian: firefox-esr)")
    marionette = pytest.importorskip("marionette_driver.marionette", reason="marionette-driver is not installed")
    client = marionette.Marionette(
        bin=binary, headless=True, gecko_log=str(log), startup_timeout=120, app_args=["-remote-allow-system-access"]
    )
    client.start_session()
    client.timeout.script = 60
    client.set_window_rect(width=1280, height=900)
    try:
        yield Firefox(client)
    finally:
        client.quit(in_app=False)


@contextmanager
def webkit() -> Iterator[WebKit]:
    driver = shutil.which("WebKitWebDriver")
    browsers = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser"))
    if driver is None or not browsers:
        pytest.skip("WebKitGTK is not installed (Debian: webkit2gtk-driver)")
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    with _screen() as display, tempfile.TemporaryDirectory() as settings:
        style = Path(settings, "gtk-3.0", "gtk.css")
        style.parent.mkdir()
        style.write_text(SLIM, "utf-8")
        options = webdriver.WebKitGTKOptions()
        options.binary_location = str(browsers[-1])
        options.add_argument("--automation")
        service = webdriver.webkitgtk.service.Service(
            driver, env={**os.environ, "DISPLAY": display, "XDG_CONFIG_HOME": settings}
        )
        browser = webdriver.WebKitGTK(options=options, service=service)
        browser.set_script_timeout(60)
        browser.set_window_size(1280, 900)
        try:
            yield WebKit(browser)
        finally:
            browser.quit()


@contextmanager
def _screen() -> Iterator[str]:
    """A display: the one that there is, or a virtual one."""
    if display := os.environ.get("DISPLAY"):
        yield display
        return
    xvfb = shutil.which("Xvfb")
    if xvfb is None:
        pytest.skip("WebKitGTK wants a display, and Xvfb is not installed (Debian: xvfb)")
    reading, writing = os.pipe()
    process = subprocess.Popen(
        [xvfb, "-displayfd", str(writing), "-screen", "0", "1400x1000x24", "-nolisten", "tcp"],
        pass_fds=(writing,), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(writing)
    try:
        with os.fdopen(reading) as answer:
            yield f":{answer.readline().strip()}"
    finally:
        process.terminate()
        process.wait(10)


def opened(engine: Engine, address: str) -> None:
    """Opens a replay and waits until it can be asked. Raises AssertionError with what it says when it cannot be read."""
    engine.open(address)
    for _ in range(300):
        if engine.run("return typeof window.pagereel?.ready?.then") == "function":
            break
        time.sleep(0.1)
    answer = engine.run("await pagereel.ready; return 'open'")
    assert answer == "open", answer
