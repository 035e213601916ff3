"""The player in Chromium, Firefox and WebKit, where they are installed: the same page, the same bytes, the same keys."""

from __future__ import annotations

import base64
import time
import zlib
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pagereel.player_build import build, chunks
from pagereel.reel import replay_pieces
from tests.reel.sample import png

from .conftest import Hand
from .engines import Chromium, Engine, opened

# Without style sheets, which each engine writes in words of its own, and what hangs on its fonts: offsets, what is under the pointer.
TREE = """
const line = (node) => node.nodeType === 1
  ? node.localName + [...node.attributes].filter((a) => !/^data-pagereel-(?!was)/.test(a.name)).map((a) => a.name + '=' + a.value.replace(/blob:[^"']+/g, 'blob')).sort() + (node.value ?? '')
  : node.nodeType + (node.data ?? '');
const walk = (node) => line(node) + '(' + [...(node.shadowRoot?.childNodes ?? []), ...node.childNodes].map(walk).join() + ')';
return walk(pagereel.frame.contentDocument.documentElement);
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


@pytest.mark.parametrize("compact", [False, True])
def test_the_replay_is_the_same_in_every_engine(
    engine: Engine, browser: Browser, sample: Path, tmp_path: Path, compact: bool
) -> None:
    html = tmp_path / "run.html"
    build(sample, html, redaction=None, compact=compact)
    opened(engine, html.as_uri())
    assert engine.run("return pagereel.time") == 2050
    # What Chromium shows is held to the recording, node for node, in test_verify_replay.py.
    if not isinstance(engine, Chromium):
        window = Chromium(browser)
        opened(window, html.as_uri())
        for event in chunks.unpack_replay(html.read_bytes()).events:
            if event["k"] == "checkpoint":
                look = f"await pagereel.seek({event['t']}); {TREE}"
                assert engine.run(look) == window.run(look)
    same, length, pictures = engine.run(THERE_AND_BACK)
    assert same is True and length > 500, same
    assert pictures and all(pictures), pictures
    assert engine.run(
        "await pagereel.seek({step: 5}); return [pagereel.time, document.querySelectorAll('[role=tab]').length]"
    ) == [920, 7]


NASTY = (
    bytes(range(256)) * 2
    + b"".join(
        bytes((a, b)) for a in b"\0\r\n-!><=\x80\x81\x8d\x9f\xad\xff" for b in b"\0\r\n-!><=\x80\x81\x8d\x9f\xad\xff"
    )
    + b"--><!-->--!><!--->---!>----><!-- </script> ]]> \r\n\r\r\n\0\0 <!-"
)
"""What an HTML parser does not leave alone, and what it might not."""

READ = """
const decoder = new TextDecoder("windows-1252");
const known = decoder.decode(Uint8Array.from({length: 256}, (_, byte) => byte));
const found = [...document.body.childNodes].find((node) => node.nodeType === 8 && node.data.startsWith("pagereel-pack-0 "));
return btoa([...found.data].map((char) => String.fromCharCode(known.indexOf(char))).join(""));
"""


def stored(data: bytes) -> bytes:
    """A deflate stream in which the bytes stand as they are."""
    packer = zlib.compressobj(0, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


PINK = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z/AfiBggFAA31gf5btK+fQAAAABJRU5ErkJggg=="
PICTURE = """
let saved;
const { createObjectURL } = URL;
const { click } = HTMLAnchorElement.prototype;
URL.createObjectURL = (blob) => { saved = blob; return createObjectURL.call(URL, blob); };
HTMLAnchorElement.prototype.click = () => {};
await pagereel.seek(100);
document.querySelector('[aria-label^="Export"]').click();
const wait = async (there) => { for (let i = 0; i < 400 && !there(); i++) await new Promise((go) => setTimeout(go, 50)); };
const button = (name) => [...document.querySelectorAll('dialog button')].find((b) => b.textContent.startsWith(name));
await wait(() => button('Save the page'));
saved = undefined;
button('Save the page').click();
await wait(() => saved);
const page = await saved.text();
saved = undefined;
button('Save a picture').click();
await wait(() => saved || document.querySelector('.said').textContent);
document.querySelector('dialog').close();
Object.assign(URL, { createObjectURL });
Object.assign(HTMLAnchorElement.prototype, { click });
if (!saved) return document.querySelector('.said').textContent;
const image = await createImageBitmap(saved);
const context = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height }).getContext('2d');
context.drawImage(image, 0, 0);
const at = (x, y) => [...context.getImageData(x, y, 1, 1).data.slice(0, 3)].join();
return [image.width, image.height, at(5, 5), at(125, 25), at(225, 25), at(325, 25), at(425, 25), at(700, 550), page.match(/(checked|selected|value)=/g)];
"""


def test_the_page_is_saved_as_a_picture_and_as_markup(engine: Engine, hand: Hand, tmp_path: Path) -> None:
    square = "position:fixed;top:0;width:50px;height:50px;background:"
    blue = ":host{color:blue}p{background:currentcolor;margin:0;height:50px}"
    hand.start(
        ["div", {"style": f"{square}red;left:100px", "@odd": "<&>"}, "\x01"],
        ["x-host", {"style": f"{square}none;left:200px"}, ["#shadow", {"mode": "closed"}, ["style", {}, blue], ["p", {}]]],
        ["img", {"src": PINK, "style": f"{square}none;left:300px"}],
        ["textarea", {"style": f"{square}#ff0;left:400px;border:0"}],
        ["input", {"type": "checkbox", "style": f"{square}none;top:100px"}],
        ["#comment", "--"],
        ["div", {"style": "height:3000px;background:linear-gradient(green 900px, black 900px, green 901px)"}],
        head=[["style", {}, "body { background: rgb(0 128 0); margin: 0 } html { font-size: 62.5% }"]],
    )  # fmt: skip
    hand.script.page("mutation", 50, 1, ops=[["scroll", 1, 0, 901]])
    build(hand.close(), tmp_path / "run.html", redaction=None)
    opened(engine, (tmp_path / "run.html").as_uri())
    green = "0,128,0"
    assert engine.run(PICTURE) == [800, 600, green, "255,0,0", "0,0,255", "255,0,255", "255,255,0", green, ["value="]]


def test_every_byte_of_a_compact_file_arrives(
    engine: Engine, hand: Hand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand.start(["img", {"src": "https://site.example/nasty.png"}])
    hand.script.fetch(2, "1", "https://site.example/nasty.png", "image", "image/png", NASTY)
    monkeypatch.setattr("pagereel.player_build.built_replay.compress_raw_deflate", stored)
    html = tmp_path / "run.html"
    build(hand.close(), html, redaction=None, compact=True)
    opened(engine, html.as_uri())
    text = base64.b64decode(engine.run(READ))
    check, _, escaped = text.partition(b":")
    assert NASTY in replay_pieces.unescape_from_comment(escaped)
    assert (
        check.decode()
        == f"pagereel-pack-0 {replay_pieces.build_length_and_checksum(replay_pieces.unescape_from_comment(escaped))}"
    )
    # The player took it: an image has its bytes only when the sum that stands there holds.
    shown = (
        "await pagereel.seek(pagereel.duration); return pagereel.frame.contentDocument.images[0].getAttribute('src')"
    )
    assert engine.run(shown).startswith("blob:")
    assert engine.run("return document.querySelector('.damage')") is None


def says(engine: Engine, html: Path) -> str:
    """What the player says of a file, as soon as it says something."""
    engine.open(html.as_uri())
    for _ in range(100):
        text = engine.run("return document.querySelector('.damage, .opening.failed')?.textContent ?? ''")
        if text:
            return str(text)
        time.sleep(0.1)
    return ""


@pytest.mark.parametrize("compact", [False, True])
def test_one_changed_byte_is_said_in_every_piece(engine: Engine, sample: Path, tmp_path: Path, compact: bool) -> None:
    html = tmp_path / "run.html"
    build(sample, html, redaction=None, compact=compact)
    data = html.read_bytes()
    changed = tmp_path / "changed.html"
    for piece in ("index", "chunk-0", "chunk-1", "pack-0"):
        start = data.index(b"<!--pagereel-" + piece.encode() if compact else b'id="pagereel-' + piece.encode())
        at = start + 150
        while data[at] in b"=\r" or data[at] ^ 1 in b"=\0\r>\n+":  # Of an escape both bytes count; this changes one.
            at += 1
        changed.write_bytes(data[:at] + bytes((data[at] ^ 1,)) + data[at + 1 :])
        assert f'its piece "{piece}"' in says(engine, changed), piece


def test_a_compact_file_that_was_read_as_something_else_says_so(engine: Engine, sample: Path, tmp_path: Path) -> None:
    build(sample, tmp_path / "run.html", redaction=None, compact=True)
    html = tmp_path / "changed.html"
    # As a mail gateway does it that takes the file for text, and as a server that says UTF-8.
    text = (tmp_path / "run.html").read_bytes().decode("latin-1")
    html.write_bytes(text.encode())
    assert "ask for it again, as a ZIP archive" in says(engine, html)
    html.write_bytes(b"\xef\xbb\xbf" + (tmp_path / "run.html").read_bytes())
    assert "It was read as UTF-8" in says(engine, html)
    whole = (tmp_path / "run.html").read_bytes()
    html.write_bytes(whole[: whole.index(b"<!--pagereel-pack-0")])
    assert 'its piece "pack-0" is missing' in says(engine, html)


TABS = ("Story", "Actions", "Console", "Network", "Model", "DOM", "Info")
AXE = Path("node_modules/axe-core/axe.min.js")


def choose(engine: Engine, tab: str) -> None:
    engine.run(
        f"[...document.querySelectorAll('[role=tab]')].find((e) => e.textContent.trim().startsWith({tab!r})).click();"
        "await new Promise(requestAnimationFrame)"
    )


def wait_for(engine: Engine, condition: str) -> None:
    for _ in range(100):
        if engine.run(f"return Boolean({condition})"):
            return
        time.sleep(0.05)
    raise AssertionError(f"not within 5 s: {condition}")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(engine: Engine, sample: Path, tmp_path: Path, theme: str) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not installed (npm ci)")
    html = tmp_path / "run.html"
    build(sample, html, redaction=None, theme=theme)
    opened(engine, html.as_uri() + "#t=957")
    engine.run(AXE.read_text("utf-8") + ";window.axe = axe")

    def look(where: str, root: str = ".app") -> None:
        found = engine.run(
            f"const r = await axe.run('{root}', {{iframes: false}});"
            "return r.violations.map((v) => [v.id, v.nodes.map((n) => n.html)])"
        )
        assert found == [], where

    for tab in TABS:
        choose(engine, tab)
        look(tab)
    engine.press("/")
    for letter in "kettle":
        engine.press(letter)
    wait_for(engine, "document.querySelector('.found button')")
    look("search")
    engine.press("Escape")
    for key in ("?", "t"):
        engine.press(key)
        wait_for(engine, "document.querySelector('dialog')")
        look(key, "dialog")
        engine.press("Escape")
        wait_for(engine, "!document.querySelector('dialog')")


CONTROLS = ":is(button, input, select, [role=slider], [role=tree], summary, a[href])"
MARK = f"""
window.wanted = new Set([...document.querySelectorAll('.app {CONTROLS}, dialog {CONTROLS}')]
  .filter((e) => e.checkVisibility() && e.tabIndex >= 0 && !e.closest('[inert]') && !(document.querySelector('dialog') && !e.closest('dialog'))));
window.nameless = [];
return window.wanted.size;
"""
STEP = f"""
const e = document.activeElement;
if (!e?.matches('{CONTROLS}')) return window.wanted.size;
const name = e.getAttribute('aria-label') || e.getAttribute('aria-labelledby') || e.labels?.[0]?.textContent || e.textContent || e.title;
if (!name?.trim()) window.nameless.push(e.outerHTML.slice(0, 90));
const style = getComputedStyle(e);
if (e.matches(':focus-visible') && style.outlineStyle === 'none' && style.boxShadow === 'none') window.nameless.push('shows no focus: ' + e.outerHTML.slice(0, 90));
window.wanted.delete(e);
return window.wanted.size;
"""


def test_every_control_is_reached_and_named_by_keyboard_alone(engine: Engine, sample: Path, tmp_path: Path) -> None:
    html = tmp_path / "run.html"
    build(sample, html, redaction=None)
    opened(engine, html.as_uri() + "#t=957")

    def walk(where: str) -> None:
        count = engine.run(MARK)
        assert count > 3, where
        for _ in range(count + 12):
            engine.press("Tab")
            if engine.run(STEP) == 0:
                break
        assert engine.run("return [...window.wanted].map((e) => e.outerHTML.slice(0, 90))") == [], where
        assert engine.run("return window.nameless") == [], where

    begin = "document.body.tabIndex = -1; document.body.focus()"  # Past the end the keyboard is the browser's own.
    for number, tab in enumerate(TABS, 1):
        engine.run(begin)
        engine.press(str(number))
        wait_for(
            engine, f"document.querySelector('[role=tab][aria-selected=true]').textContent.trim().startsWith({tab!r})"
        )
        walk(tab)
    engine.run(begin)
    engine.press("t")
    wait_for(engine, "document.querySelector('dialog')")
    walk("export")
    engine.press("Escape")
    engine.run(begin)
    engine.press("v")
    wait_for(engine, "document.querySelector('input.compare')")
    walk("before and after")


STATE = """
const look = () => {
  const doc = pagereel.frame.contentDocument;
  const { outlineStyle } = getComputedStyle(doc.querySelector('button'));
  return [Math.round(doc.defaultView.scrollY), doc.querySelector('nav').offsetHeight > 0, outlineStyle,
    doc.querySelectorAll('[data-pagereel-target]').length].join();
};
const found = [look()];
for (const t of [0, 100, 100]) { await pagereel.seek(t); if (t) found.push(look()); }
return found;
"""


def test_scroll_hover_target_and_the_focus_ring_in_every_engine(engine: Engine, hand: Hand, tmp_path: Path) -> None:
    for number in range(6):
        hand.script.fetch(
            0, f"i{number}", f"https://site.example/a/{number}.png", "image", "image/png", png(30, 400, (9, 9, number))
        )
    css = "@layer a{:focus-visible{outline:none}} nav{display:none;height:900px} p:hover ~ nav{display:block}"
    hand.start(
        ["p", {}, "over"],  # 7, 8
        ["button", {}, "focused"],  # 9, 10
        ["nav", {}],  # 11
        *(["div", {}, ["img", {"src": f"{number}.png"}]] for number in range(6)),
        head=[["style", {}, css]],
    )
    hand.script.ops(50, 1, ["scroll", 1, 0, 2182], ["focus", 10, 1], ["pointed", 8, 0, 12])
    build(hand.close(), tmp_path / "state.html", redaction=None)
    opened(engine, (tmp_path / "state.html").as_uri() + "#t=100")
    assert engine.run(STATE) == ["2182,true,none,1"] * 3
