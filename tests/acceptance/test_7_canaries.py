"""Line 7: values planted in every channel are all in the raw build, and none of them in the redacted one.

The oracle opens the finished HTML as a stranger would: every block of base64 and deflate is decoded, no code of the
builder or of the redaction takes part.
"""

from __future__ import annotations

import base64
import binascii
import html
import json
import re
import zlib
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser

from pagereel.fixtures.canaries import Canaries, plant_in_session, to_sentence
from pagereel.fixtures.loopback_server import FixtureRequest, FixtureResponse, LoopbackServer, RoutingTable
from pagereel.player_build import build
from pagereel.recorder import record

CHANNELS = ("text", "attributes", "form", "address", "console", "answer")
"""In the page; the agent's channels (the model's prompt among them) are `plant_in_session`'s."""
CLASSES = ("name", "email", "card", "password", "token")

PAGE = """<!doctype html><html lang=en><meta charset=utf-8><title>Customers</title><link rel=icon href="data:,">
<h1>Customer service</h1><div id=stage></div>
<form onsubmit="return false"><label>Full name <input id=f-name autocomplete=name></label>
<label>E-mail <input id=f-email type=email></label> <label>Note <textarea id=f-note></textarea></label>
<label>Card number <input id=f-card inputmode=numeric></label> <label>API token <input id=f-token></label></form>
<script>
const stage = document.querySelector("#stage");
const put = (tag, text, attributes = {}) => {
  const node = stage.appendChild(document.createElement(tag));
  node.textContent = text;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
};
</script>"""


@dataclass
class Builds:
    raw: str
    redacted: str
    canaries: Canaries
    agent: list[str]


def decoded(path: Path) -> str:
    """All that a finished file says: its text, every packed piece in it, and what is packed in those, as one text."""
    out: list[str] = []
    waiting: list[bytes] = [path.read_bytes()]
    seen: set[bytes] = set()
    while waiting:
        data = waiting.pop()
        key = data[:64] + len(data).to_bytes(8, "big") + data[-64:]
        if key in seen:
            continue
        seen.add(key)
        text = data.decode("utf-8", "replace")
        out.append(text)
        for found in re.finditer(r"[A-Za-z0-9+/_-]{24,}={0,2}", text):
            try:
                packed = base64.b64decode(
                    found[0] + "=" * (-len(found[0]) % 4),
                    altchars=b"-_" if "-" in found[0] or "_" in found[0] else None,
                )
            except (binascii.Error, ValueError):
                continue
            for window in (-15, 15, 31):
                try:
                    waiting.append(zlib.decompress(packed, window))
                    break
                except zlib.error:
                    continue
            else:
                if packed.isascii() or b"\x00" not in packed[:200]:
                    waiting.append(packed)
    return "\n".join(out)


def holds(text: str, value: str) -> bool:
    """Whether `text` says `value` in one of the ways in which it may be written."""
    ways = {
        value,
        quote(value, safe=""),
        quote(value),
        html.escape(value),
        json.dumps(value)[1:-1],
        value.replace(" ", "+"),
    }
    return any(way.casefold() in text for way in ways)


@pytest.fixture(scope="module")
def builds(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Builds:
    folder = tmp_path_factory.mktemp("canaries")
    canaries = Canaries(7)
    of = {channel: canaries.for_channel(channel) for channel in CHANNELS}
    app = RoutingTable()

    @app.route("GET", "/")
    def page(request: FixtureRequest) -> FixtureResponse:
        return FixtureResponse.html(PAGE)

    @app.route("GET", "/customer.json")
    def customer(request: FixtureRequest) -> FixtureResponse:
        return FixtureResponse.json({"customer": of["answer"], "rows": [of["answer"]]})

    context = browser.new_context()
    with LoopbackServer(app) as server, record(context, folder / "run.reel") as session:
        page_ = context.new_page()
        page_.goto(server.url)
        page_.evaluate("(text) => put('p', text)", to_sentence(of["text"]))
        for kind, value in of["attributes"].items():
            page_.evaluate("([k, v]) => put('span', 'x', {title: v, [`data-${k}`]: v, 'aria-label': v})", [kind, value])
        for field in ("name", "email", "card", "token"):
            page_.locator(f"#f-{field}").fill(of["form"][field])
        page_.locator("#f-note").fill(f"The password is {of['form']['password']}, do not tell.")
        page_.evaluate("(text) => console.log(text)", to_sentence(of["console"]))
        page_.evaluate("fetch('/customer.json').then((answer) => answer.json())")
        session.mark("planted")
        page_.goto(
            server.url + "/?" + "&".join(f"{kind}={quote(value, safe='')}" for kind, value in of["address"].items())
        )
        agent = plant_in_session(session, canaries)
    context.close()
    build(folder / "run.reel", folder / "raw.html", redaction=None)
    build(folder / "run.reel", folder / "redacted.html")
    raw, redacted = (decoded(folder / name).casefold() for name in ("raw.html", "redacted.html"))
    return Builds(raw, redacted, canaries, agent)


def test_every_value_is_in_the_raw_build(builds: Builds) -> None:
    missing = [
        (channel, kind)
        for channel in CHANNELS
        for kind in CLASSES
        if not holds(builds.raw, builds.canaries.for_channel(channel)[kind])
    ]
    assert missing == []
    prompt = builds.canaries.for_channel("prompt")
    assert "prompt" in builds.agent and all(holds(builds.raw, prompt[kind]) for kind in CLASSES)


def test_no_value_of_any_channel_is_in_the_redacted_build(builds: Builds) -> None:
    values = [(channel, kind, value) for channel, kind, value in builds.canaries.iter_planted() if kind in CLASSES]
    assert len(values) >= 5 * (len(CHANNELS) + 10)
    assert [(channel, kind) for channel, kind, value in values if holds(builds.redacted, value)] == []


def test_the_redacted_build_still_says_what_is_nobodys(builds: Builds) -> None:
    """Else an empty file would pass."""
    assert "full name" in builds.redacted and "card number" in builds.redacted and "look_up" in builds.redacted


def test_the_oracle_opens_what_is_packed_twice(tmp_path: Path) -> None:
    """The control: a value in base64, deflated, in base64, in a page."""
    inner = base64.b64encode(b'{"who": "Amara Lindholm and the rest of it"}')
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    outer = base64.b64encode(packer.compress(inner) + packer.flush()).decode()
    path = tmp_path / "x.html"
    path.write_text(f"<script type=x>{outer}</script>")
    assert holds(decoded(path).casefold(), "Amara Lindholm")
