"""Two recordings beside each other, in one file: one clock for both, what differs marked, listed and outlined; in three engines."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pagereel.comparison import compare, write_comparison
from pagereel.comparison.page_payload import build_page_payload
from pagereel.errors import ReelError
from pagereel.player_build import PairRecording, build_pair, unpack_replay
from pagereel.reel import find_pieces
from pagereel.sources import open_any
from tests.comparison.runs import USUAL_NOTICES, Made, purchase, shop_with_notices

from .engines import Engine, opened
from .test_engines import AXE

TEXTS = "[...document.querySelectorAll('.half iframe:not(.off)')].map((frame) => frame.contentDocument.body.innerText)"
BEYOND = "[...document.querySelectorAll('.half')].map((half) => [...half.querySelectorAll('.beyond')].map((mark) => mark.textContent))"
BOXES = "[...document.querySelectorAll('.half')].map((half) => half.querySelectorAll('.outlined.chosen').length)"


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A purchase that went well beside one that was refused."""
    folder = tmp_path_factory.mktemp("beside")
    good, bad = purchase(folder / "good.reel"), purchase(folder / "bad.reel", status=409, total="0", button=False)
    write_comparison(compare(good, bad, redaction=None), folder / "compare.html", "good.reel", "bad.reel")
    return folder / "compare.html"


def test_both_pages_show_where_they_part_and_what_differs_is_outlined(engine: Engine, pair: Path) -> None:
    opened(engine, pair.as_uri())
    assert engine.run("return document.title") == "bad.reel beside good.reel"
    assert "409 instead of 201" in engine.run("return document.querySelector('.chain ol li').textContent")
    total = (
        "[...document.querySelectorAll('.differences button')].find((row) => /Total 0.*Total 48/.test(row.textContent))"
    )
    engine.run(f"{total}.click(); await pagereel.seek(pagereel.time)")
    good, bad = engine.run(f"return {TEXTS}")
    assert "Total 48" in good and "Total 0" in bad
    assert engine.run(f"return {BOXES}") == [1, 1]
    assert engine.run("return document.querySelectorAll('.differences [aria-current]').length") == 1
    sentence = "[...document.querySelectorAll('.chain .sentence')].find((each) => /fails/.test(each.textContent))"
    engine.run(f"{sentence}.click(); await pagereel.seek(pagereel.time)")
    assert "fails" in engine.run("return document.querySelector('.differences [aria-current]').textContent")
    ended = engine.run("return pagereel.time")
    engine.run("document.querySelector('.chain .sentence').click(); await pagereel.seek(pagereel.time)")
    assert engine.run("return pagereel.time") < ended


def test_what_differs_below_the_fold_is_pointed_to(engine: Engine, tmp_path: Path) -> None:
    runs = []
    for name, last in (("good", "Delivered today"), ("bad", "Delivered never")):
        made = Made(tmp_path / f"{name}.reel")
        made.open("/orders", "Orders", *(f"Order of a {word} book" for word in ("red", "blue", "green") * 60), last)
        made.call("click", 'get_by_text("Orders")')
        runs.append(made.end())
    write_comparison(compare(*runs, redaction=None), tmp_path / "compare.html", "good.reel", "bad.reel")
    opened(engine, (tmp_path / "compare.html").as_uri())
    assert engine.run(f"return {BEYOND}") == [["↓ 1"], ["↓ 1"]]
    assert engine.run(f"return {BOXES}") == [0, 0]
    inside = "((inner, outer) => inner.left >= outer.left && inner.bottom <= outer.bottom + 1)"
    seen = f"{inside}(mark.getBoundingClientRect(), mark.closest('.outlines').getBoundingClientRect())"
    assert engine.run(f"return [...document.querySelectorAll('.beyond')].map((mark) => {seen})") == [True, True]


def test_what_both_runs_have_stands_in_the_file_once_and_the_gate_sees_it_whole(engine: Engine, tmp_path: Path) -> None:
    words = [f"Order {n} of a {word} book at {n}.50 EUR" for n in range(200) for word in ("red", "blue")]
    runs = []
    for name, last in (("good", "Delivered \ufefftoday, \U0001f9ff"), ("bad", "Delivered \ufeffnever, \U0001f9ff")):
        made = Made(tmp_path / f"{name}.reel")
        made.open("/orders", "Orders", *words[:300], last, *words[300:])
        made.call("click", 'get_by_text("Orders")')
        runs.append(made.end())
    path, seen = tmp_path / "compare.html", []
    halves = [PairRecording(run, run.name) for run in runs]
    result = compare(*runs, redaction=None)
    build_pair(*halves, path, build_page_payload(result), title="both", gate=lambda html, _: seen.append(html))
    html = path.read_bytes()
    index = unpack_replay(html).index
    based = [entry for half in index["halves"] for entry in half["chunks"] if len(entry) > 5]  # type: ignore[union-attr,index,call-overload,arg-type]
    assert based and [event for event in unpack_replay(html).events if "never, \U0001f9ff" in str(event)]
    packed = [zlib.decompress(piece.decode(), -15).decode("utf-8", "replace") for piece in find_pieces(seen[0])]
    assert sum("Order 150 of a blue book" in text and "never" in text for text in packed) == 1
    opened(engine, path.as_uri())
    assert ["Delivered \ufeffnever, \U0001f9ff" in text for text in engine.run(f"return {TEXTS}")] == [False, True]


def test_one_clock_brings_both_to_what_both_did(engine: Engine, pair: Path) -> None:
    opened(engine, pair.as_uri() + "#t=0")
    clock = unpack_replay(pair.read_bytes()).index["told"]["clock"]  # type: ignore[index,call-overload]
    assert [moment[0] for moment in clock] == sorted(moment[0] for moment in clock)
    assert engine.run("return pagereel.time") == 0
    last = clock[-1][0]
    engine.run(f"await pagereel.seek({last + 5000})")
    assert engine.run("return pagereel.time") == last == engine.run("return pagereel.duration")
    times = engine.run("return [...document.querySelectorAll('.half time')].map((time) => time.textContent)")
    assert times == [f"0:{int(t / 1000):02}.{int(t / 100) % 10}" for t in clock[-1][1:]]


def test_the_keyboard_goes_from_difference_to_difference(engine: Engine, pair: Path) -> None:
    opened(engine, pair.as_uri())
    current = "document.querySelector('.differences [aria-current] .number').textContent"
    assert engine.run(f"return {current}") == "1"
    engine.press("n")
    assert engine.run(f"return {current}") == "2"
    engine.press("p")
    engine.press("p")
    assert engine.run(f"return {current}") == "1"
    engine.press("?")
    assert engine.run("return document.querySelector('dialog').open") is True
    engine.press("Escape")


def test_each_page_stands_in_the_middle_of_its_half_where_the_window_is_low(engine: Engine, pair: Path) -> None:
    """A page that is shown smaller for its height leaves room at both sides."""
    opened(engine, pair.as_uri())
    engine.resize(1280, 760)
    beside = "[...document.querySelectorAll('.half')].map((half) => { const [h, f] = [half, half.querySelector('.fit')].map((e) => e.getBoundingClientRect()); return [f.left - h.left, h.right - f.right]; })"
    engine.run("await new Promise((done) => setTimeout(done, 300))")
    for left, right in engine.run(f"return {beside}"):
        assert left > 20 and abs(left - right) < 4
    engine.resize(1280, 900)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_beside_each_other(engine: Engine, pair: Path, theme: str) -> None:
    if not AXE.is_file():
        pytest.skip("axe-core is not installed (npm ci)")
    opened(engine, pair.as_uri())
    engine.run(f"document.documentElement.dataset.theme = '{theme}'")
    engine.run(AXE.read_text("utf-8") + ";window.axe = axe")
    found = engine.run(
        "const r = await axe.run(document, {iframes: false});"
        "return r.violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.html).join().slice(0, 300))"
    )
    assert found == []


def test_a_narrow_window_has_all_of_it_and_is_not_scrolled_sideways(browser: Browser, pair: Path) -> None:
    page = browser.new_context(viewport={"width": 390, "height": 844}, offline=True).new_page()
    page.goto(pair.as_uri())
    page.evaluate("pagereel.ready")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    boxes = page.evaluate("[...document.querySelectorAll('.half')].map((half) => half.getBoundingClientRect().width)")
    assert all(width > 350 for width in boxes)
    words = "[...document.querySelectorAll('.steps .what')].map((e) => e.parentElement.clientWidth - parseFloat(e.parentElement.style.paddingLeft) - Math.max(...[...e.getClientRects()].map((r) => r.width)))"
    page.evaluate("document.querySelector('.steps .what').textContent += ' and so on'.repeat(20)")
    assert page.evaluate("[...document.querySelectorAll('.steps .what')].some((e) => e.getClientRects().length > 1)")
    assert min(page.evaluate(words)) < 40  # A step's words have the whole width: its time follows them.
    page.context.close()


def test_nothing_is_asked_of_the_network_and_nothing_fails(browser: Browser, pair: Path) -> None:
    page = browser.new_context().new_page()
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", lambda message: said.append(message.text))
    page.on("request", lambda request: said.append(request.url))
    page.goto(pair.as_uri())
    page.evaluate("pagereel.ready")
    page.evaluate("pagereel.seek(pagereel.duration)")
    assert said == [pair.as_uri()]
    page.context.close()


def test_a_file_of_two_is_no_recording(pair: Path) -> None:
    with pytest.raises(ReelError, match="a comparison of two recordings"), open_any(pair) as reel:
        list(reel.timeline())


def test_a_resource_of_both_stands_in_it_once(recorded: Callable[..., Path], tmp_path: Path) -> None:
    picture = "<img src='data:image/png;base64," + "iVBORw0KGgo" + "A" * 4000 + "'>"
    reel = recorded(f"<p>Hello</p>{picture}", lambda page, session: None)
    again = tmp_path / "again.reel"
    again.write_bytes(reel.read_bytes())
    html = tmp_path / "compare.html"
    report = write_comparison(compare(reel, again, redaction=None), html, "a", "b")
    index = unpack_replay(html.read_bytes()).index
    assert len(index["resources"]) == report.resources  # type: ignore[arg-type]
    assert [half["title"] for half in index["halves"]] == ["a", "b"]  # type: ignore[union-attr,index,call-overload]


def test_it_opens_when_there_is_something_to_see_of_both_with_the_chain_above_them(
    browser: Browser, tmp_path: Path
) -> None:
    def made(name: str, word: str, wait: float) -> Path:
        run = Made(tmp_path / name)
        run.fetch("GET", f"/api/{word}")
        run.t += wait
        run.open("/", f"The {word} is here")
        return run.end()

    alike = purchase(tmp_path / "one.reel"), purchase(tmp_path / "other.reel", port=8001)
    apart = made("left.reel", "vase", 400), made("right.reel", "lamp", 900)
    for (one, other), says in ((alike, ("Tern vase", "Tern vase")), (apart, ("The vase is here", "The lamp is here"))):
        result = compare(one, other, redaction=None)
        write_comparison(result, tmp_path / "compare.html", one.name, other.name)
        page = browser.new_page()
        page.goto((tmp_path / "compare.html").as_uri())
        page.evaluate("pagereel.ready")
        assert all(said in text for said, text in zip(says, page.evaluate(TEXTS), strict=True)), page.evaluate(TEXTS)
        boxes = [page.locator(each).first.bounding_box() for each in (".chain", ".half", ".list")]
        assert sorted(boxes, key=lambda box: box["y"]) == boxes  # type: ignore[index]
        page.close()
    assert result.divergence is not None, "the two that go elsewhere part before either shows anything"


def test_what_the_expected_runs_may_have_as_well_is_listed_as_perhaps(browser: Browser, tmp_path: Path) -> None:
    good, *others = (
        shop_with_notices(tmp_path / f"{n}.reel", *USUAL_NOTICES, *["The kiln is hot."] * (n == 2)) for n in range(4)
    )
    guest = "A guest has come, with two dogs and a cat, and asks for tea."
    page = browser.new_page()
    for price, badges in (("80", ["1 difference", "1 perhaps"]), ("8", ["equal", "1 perhaps"])):
        bad = shop_with_notices(tmp_path / f"bad-{price}.reel", *USUAL_NOTICES, guest, price=price)
        result = compare(good, bad, baseline=others, redaction=None)
        write_comparison(result, tmp_path / "compare.html", good, bad)
        page.goto((tmp_path / "compare.html").as_uri())
        page.evaluate("pagereel.ready")
        assert page.locator(".badges li").all_inner_texts()[:2] == badges
        (doubted,) = page.get_by_text("perhaps: The page says").all_inner_texts()
        assert "A guest has come" in doubted and "1 of the 4 expected runs differs" in page.locator("body").inner_text()
    page.close()
