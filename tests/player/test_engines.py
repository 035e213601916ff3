"""The player in other engines than Chromium, where they are installed: Firefox through Marionette, WebKitGTK through WebDriver."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pagereel.player_build import build

Run = Callable[[str], Any]
"""Runs an asynchronous function's body in the page and gives what it returns."""

LOOK = """
const seen = [];
for (const { d, time, digest } of pagereel.checkpoints) {
  await pagereel.seek(time);
  const shown = pagereel.digests().find((entry) => entry.d === d);
  if (shown) seen.push([time, digest, shown.digest]);
}
return seen;
"""
THERE_AND_BACK = """
const line = (node) => node.nodeType === 1
  ? node.localName + [...node.attributes].map((a) => a.name + '=' + a.value.replace(/blob:[^"']+/g, 'blob')).sort()
  : node.nodeType + (node.data ?? '');
const walk = (node) => line(node) + '(' + [...node.childNodes].map(walk).join() + ')';
const doc = () => walk(pagereel.frame.contentDocument.documentElement);
await pagereel.seek(957);
const before = doc();
await pagereel.seek(pagereel.duration);
await pagereel.seek(0);
await pagereel.seek(957);
return [before === doc() || [before, doc()], before.length, [...pagereel.frame.contentDocument.images].map((i) => i.complete && i.naturalWidth)];
"""


@pytest.fixture
def firefox(tmp_path: Path) -> Iterator[tuple[Callable[[str], None], Run]]:
    binary = shutil.which("firefox-esr") or shutil.which("firefox")
    if binary is None:
        pytest.skip("Firefox is not installed (Debian: firefox-esr)")
    marionette = pytest.importorskip("marionette_driver.marionette", reason="marionette-driver is not installed")
    client = marionette.Marionette(
        bin=binary, headless=True, gecko_log=str(tmp_path / "gecko.log"), startup_timeout=120
    )
    client.start_session()
    client.timeout.script = 60

    def run(body: str) -> Any:
        script = f"const done = arguments[arguments.length - 1]; (async () => {{ {body} }})().then(done, (e) => done('failed: ' + e));"
        return client.execute_async_script(script, sandbox=None)

    yield client.navigate, run
    client.quit(in_app=False)


@pytest.fixture
def webkit() -> Iterator[tuple[Callable[[str], None], Run]]:
    driver = shutil.which("WebKitWebDriver")
    browsers = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser"))
    if driver is None or not browsers:
        pytest.skip("WebKitGTK is not installed (Debian: webkit2gtk-driver)")
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    options = webdriver.WebKitGTKOptions()
    options.binary_location = str(browsers[-1])
    options.add_argument("--automation")
    browser = webdriver.WebKitGTK(options=options, service=webdriver.webkitgtk.service.Service(driver))
    browser.set_script_timeout(60)

    def run(body: str) -> Any:
        script = f"const done = arguments[arguments.length - 1]; (async () => {{ {body} }})().then(done, (e) => done('failed: ' + e));"
        return browser.execute_async_script(script)

    yield browser.get, run
    browser.quit()


@pytest.mark.parametrize("engine", ["firefox", "webkit"])
@pytest.mark.timeout(300)
def test_the_replay_is_the_same_in_every_engine(
    engine: str, sample: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    navigate, run = request.getfixturevalue(engine)
    html = tmp_path / "run.html"
    build(sample, html, redaction=None)
    navigate(html.as_uri())
    for _ in range(100):
        if run("return typeof pagereel.ready?.then") == "function":
            break
        time.sleep(0.1)
    assert run("await pagereel.ready; return pagereel.time") == 2050
    checkpoints = run(LOOK)
    assert isinstance(checkpoints, list) and len(checkpoints) >= 3, checkpoints
    assert [entry for entry in checkpoints if entry[1] != entry[2]] == []
    same, length, pictures = run(THERE_AND_BACK)
    assert same is True and length > 500, same
    assert pictures and all(pictures), pictures
    assert run(
        "await pagereel.seek({step: 5}); return [pagereel.time, document.querySelectorAll('[role=tab]').length]"
    ) == [920, 7]
