"""A random canary in every channel of a hand-made reel: all there before, none there after."""

from __future__ import annotations

import json
import random
import struct
import zlib
from pathlib import Path

import pytest

from pagereel.redaction import RedactionReport, redact
from tests.redaction.oracle import holds
from tests.redaction.reels import Maker

SYLLABLES = "ka ri mo ta len vor shi bel nu dra pes gol wim zek fa".split()  # noqa: SIM905


def _png_with_text(text: str) -> bytes:
    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
    return (
        b"\x89PNG\r\n\x1a\n"
        + head
        + chunk(b"tEXt", b"Author\0" + text.encode())
        + chunk(b"IDAT", zlib.compress(b"\0abc"))
        + chunk(b"IEND", b"")
    )


class Canaries:
    """Fresh canaries each run, one for each channel; a failure prints the channel and the seed, so that it can be run again."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.by_channel: dict[str, str] = {}

    def _word(self) -> str:
        return "".join(self._random.choice(SYLLABLES) for _ in range(4)).capitalize()

    def name(self, channel: str) -> str:
        return self._keep(channel, f"{self._word()} {self._word()}")

    def email(self, channel: str) -> str:
        return self._keep(channel, f"{self._word().lower()}.{self._random.randrange(1000)}@{self._word().lower()}.nl")

    def word(self, channel: str) -> str:
        return self._keep(channel, self._word() + str(self._random.randrange(1000, 9999)))

    def token(self, channel: str) -> str:
        return self._keep(channel, "".join(self._random.choices("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMN23456789", k=28)))

    def card(self, channel: str) -> str:
        return self._keep(channel, "4" + "".join(self._random.choices("0123456789", k=15)))

    def _keep(self, channel: str, value: str) -> str:
        self.by_channel[channel] = value
        return value


def write(path: Path, c: Canaries) -> Path:
    m = Maker(
        path,
        agent=f"bot of {c.email('header agent')}",
        metadata={"owner": c.email("metadata"), "patient": c.name("metadata by key")},
    )
    m.body(
        ["p", {"title": c.email("attribute title"), "data-user": c.word("attribute data"), "class": "x"}, f"Hello, my name is {c.name('text')}."],
        ["p", {}, "Deliver to ", ["b", {}, (split := c.name("text split over tags"))[:3]], ["i", {}, split[3:]], " please, my friend."],
        ["input", {"type": "text", "value": c.word("value attribute"), "placeholder": f"such as {c.email('placeholder')}"}],
        ["input", {"type": "hidden", "name": "csrf", "value": c.token("hidden input")}],
        ["textarea", {}, c.word("textarea")],
        ["select", {}, ["option", {"value": c.word("option value")}, c.word("option text")]],
        ["div", {"contenteditable": "true"}, ["p", {}, c.word("editable")]],
        ["#comment", c.word("comment")],
        ["style", {}, f'.a::after{{content:"{c.email("css content")}"}} /* {c.word("css comment")} */'],
        ["a", {"href": f"/u/{c.token('path token')}?email={c.email('link parameter').replace('@', '%40')}#t={c.token('fragment')}"}, "account"],
        ["a", {"href": f"mailto:{c.email('mailto')}"}, "write"],
        ["svg|svg", {}, ["svg|text", {}, f"Signed by {c.email('svg text')}"]],
        ["x-user", {"account": c.word("custom element attribute")}],
        ["table", {}, ["tr", {}, ["th", {}, "Customer name"], ["th", {}, "City"]], ["tr", {}, ["td", {}, c.name("table cell by header")], ["td", {}, "Delft"]]],
        ["form", {}, ["label", {"for": "w"}, "Full name"], ["input", {"id": "w"}], ["input", {"id": "f", "type": "file"}]],
    )  # fmt: skip
    document = m.model.documents[1]
    field = document.find_element_by_id("w")
    assert field is not None
    typed = c.name("typed, and echoed before it was whole")
    for end in range(1, len(typed) + 1):
        m.ops(["value", field.id, typed[:end]])
        if end == len(typed) - 2:
            m.put("console", page=1, level="log", text=f"autosave draft {typed[:end]} ok")
    m.ops(["attr", 5, {"aria-label": f"card {c.card('aria-label')}", "onclick": c.word("handler")}])
    m.ops(["add", 4, 500, ["p", {}, f"Ship to {c.email('added text')}"]])
    m.ops(["text", 501, f"Call {c.email('changed text')}"])
    m.page("location", url=f"https://shop.example/done?token={c.token('location parameter')}")
    m.page("key", type="down", node=5, key="Q", mods="")
    m.put(
        "console",
        page=1,
        level="log",
        text="ok",
        args=[{"password": c.word("console argument"), "card": c.card("console card")}],
    )
    m.put("console", page=1, level="error", text=f"GET https://u:{c.token('user info')}@host.example/x")
    m.put(
        "error",
        page=1,
        message=f"no user {c.email('error message')}",
        stack=f"at /home/{c.word('home folder').lower()}/app.js:1:1",
    )
    m.put("dialog", page=1, type="prompt", message=f"Is {c.email('dialog')} yours?", default=c.word("dialog default"))
    m.put("download", page=1, url="https://shop.example/f", filename=f"{c.word('file name')}.pdf")
    form = m.resource(
        "application/x-www-form-urlencoded",
        f"user={c.word('form field')}&mail={c.email('form mail').replace('@', '%40')}",
    )
    m.put("request", id="1", page=1, method="POST", type="fetch", post=form, url=f"https://api.example/v1?api_key={c.token('api key')}",
          headers={"authorization": f"Bearer {c.token('bearer')}", "cookie": f"sid={c.token('cookie')}; a=b", "x-user": c.word("own header"),
                   "content-type": "application/x-www-form-urlencoded"})  # fmt: skip
    body = m.resource(
        "application/json",
        json.dumps(
            {
                "user": {
                    "name": c.name("json by key"),
                    "bio": c.word("json leaf"),
                    "nested": json.dumps({"p": c.word("json in json")}),
                }
            }
        ),
    )
    m.put(
        "response",
        id="1",
        status=200,
        end=m.t,
        size=1,
        body=body,
        mime="application/json",
        headers={"set-cookie": f"s={c.token('set-cookie')}; Path=/"},
    )
    page = m.resource("text/html", f"<p>{c.word('document body')}</p>")
    m.put("response", id="2", status=200, end=m.t, size=1, body=page, mime="text/html", headers={})
    stream = m.resource("text/event-stream", f'data: {{"who":"{c.word("event stream")}"}}\n\n')
    m.put("response", id="3", status=200, end=m.t, size=1, body=stream, mime="text/event-stream", headers={})
    image = m.resource("image/png", _png_with_text(c.word("image metadata")))
    m.put("response", id="4", status=200, end=m.t, size=1, body=image, mime="image/png", headers={})
    blob = m.resource("application/octet-stream", c.word("unknown bytes").encode())
    m.put("response", id="5", status=200, end=m.t, size=1, body=blob, mime="application/octet-stream", headers={})
    m.put(
        "step",
        id=1,
        parent=None,
        title=f"Write to {c.email('step title')}",
        reasoning=f"The customer is {c.email('reasoning')}",
        attributes={"user.email": c.email("step attribute")},
    )
    m.put(
        "llm",
        id=2,
        step=1,
        prompt=[{"role": "user", "content": f"Book for {c.name('prompt')}, born 3 May 1980"}],
        response=f"I will mail {c.email('completion')}",
        attributes={},
    )
    m.put(
        "tool_call",
        id=3,
        step=1,
        name="fill",
        arguments={"email": c.email("tool argument"), "password": c.word("tool password")},
        attributes={},
    )
    m.put("tool_result", id=4, call=3, result={"customer": c.email("tool result")})
    m.put("memory", id=5, step=1, op="write", key="user", value={"phone": "+31 6 1234 5678", "mail": c.email("memory")})
    m.put("note", id=6, step=1, text=f"ask {c.email('note')}", attributes={})
    m.put("mark", name=f"after {c.email('mark')}")
    m.put(
        "call",
        id=7,
        step=1,
        title="fill",
        method="fill",
        params={"value": c.email("call parameter")},
        locator=f"get_by_text('{c.email('locator')}')",
    )
    m.put("gap", reason="error", detail=f"failed for {c.email('gap detail')}")
    m.put("call", id=8, step=1, title="x", method="x", params={}, secret_new_field=c.word("unknown field"))
    m.put("hologram", page=1, text=c.word("unknown kind"))
    m.ops(["hologram", 5, c.word("unknown op")])
    late = c.name("known only late")
    m.put("screenshot", id=9, step=1, page=1, label="s", body=image, boxes=[[0, 0, 1, 1, c.email("box label")]])
    m.put("console", page=1, level="log", text=f"cache miss {late}")
    m.put("llm", id=10, step=1, prompt=f"The customer is called {late}, please greet the customer.", attributes={})
    return m.done()


@pytest.fixture(scope="module")
def seed() -> int:
    return random.randrange(10**6)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, seed: int) -> tuple[Path, Path, Canaries, RedactionReport]:
    folder = tmp_path_factory.mktemp("canaries")
    canaries = Canaries(seed)
    raw = write(folder / "raw.reel", canaries)
    masked = folder / "masked.reel"
    return raw, masked, canaries, redact(raw, masked)


def test_the_raw_reel_holds_every_canary_so_that_the_oracle_can_see(
    run: tuple[Path, Path, Canaries, RedactionReport],
) -> None:
    raw, _, canaries, _ = run
    blind = [channel for channel, value in canaries.by_channel.items() if not holds(raw, value)]
    assert blind == []


def test_the_masked_reel_holds_none(run: tuple[Path, Path, Canaries, RedactionReport], seed: int) -> None:
    _, masked, canaries, _ = run
    leaked = [channel for channel, value in canaries.by_channel.items() if holds(masked, value)]
    assert leaked == [], f"seed {seed}"


def test_the_report_tells_counts_and_no_value(run: tuple[Path, Path, Canaries, RedactionReport]) -> None:
    *_, canaries, report = run
    told = json.dumps(report.to_json())
    assert report.total > 60
    assert [v for v in canaries.by_channel.values() if v.lower() in told.lower()] == []
    assert report.dropped["event of an unknown kind"] == 1


def test_no_temporary_file_is_left(run: tuple[Path, Path, Canaries, RedactionReport]) -> None:
    raw, *_ = run
    assert sorted(p.name for p in raw.parent.iterdir()) == ["masked.reel", "raw.reel"]
