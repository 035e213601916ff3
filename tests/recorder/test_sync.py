"""Recording through Playwright's sync API, over CDP."""

from __future__ import annotations

import time
import warnings
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Error

from pagereel.errors import UsageError
from pagereel.player_build import build, unpack_replay
from pagereel.recorder import RecorderWarning, record
from pagereel.recorder.cdp.target import CdpTarget
from pagereel.recorder.ingest import documents

from .support import LAUNCH, Recorded, Site


def test_a_click_and_what_it_changes_are_in_the_reel(context: BrowserContext, site: Site, reel: Path) -> None:
    url = site.html("/", "<title>Shop</title><button onclick=\"document.body.append('sold')\">Buy</button>")
    with record(context, reel, agent="bot", metadata={"ticket": "T-1"}) as session:
        page = context.new_page()
        with session.step("Buy it", reasoning="It is cheap", attempt=1) as step:
            page.goto(url)
            page.click("button")
            step.outcome(success=True, message="bought")
        moment = session.mark("after")
    recorded = Recorded(reel)
    recorded.whole()
    assert recorded.header["agent"] == "bot" and recorded.header["metadata"] == {"ticket": "T-1"}
    document = recorded.document(url)
    assert document["top"] is True and document["page"] == 1
    assert [e["type"] for e in recorded.of("mouse")] == ["down", "up", "click"]
    assert "sold" in recorded.lines(url)
    step_event, end = recorded.one("step"), recorded.one("step_end")
    assert step_event["reasoning"] == "It is cheap" and step_event["attributes"] == {"attempt": 1}
    assert end["success"] is True and end["message"] == "bought"
    click = recorded.of("mouse", type="click")[0]
    assert step_event["t"] <= click["t"] <= end["t"] <= moment
    assert recorded.one("mark")["t"] == pytest.approx(moment)


def test_a_document_is_recorded_from_its_first_moment(context: BrowserContext, site: Site, reel: Path) -> None:
    url = site.html("/early", "<p id=a>first</p><script>a.textContent='second'</script>")
    with record(context, reel):
        context.new_page().goto(url)
    recorded = Recorded(reel)
    recorded.whole()
    assert recorded.of("snapshot", d=recorded.document(url)["d"])[0]["why"] == "start"


def test_open_pages_are_recorded_from_the_moment_on(context: BrowserContext, site: Site, reel: Path) -> None:
    url = site.html("/open", "<input><iframe srcdoc='<p>inside</p>'></iframe>")
    page = context.new_page()
    page.goto(url)
    page.fill("input", "typed before")
    with record(context, reel):
        page.fill("input", "typed after")
    recorded = Recorded(reel)
    recorded.whole()
    assert "typed after" in recorded.lines(url)
    assert "inside" in recorded.lines("about:srcdoc")
    assert recorded.of("snapshot", d=recorded.document(url)["d"])[0]["why"] == "late"


def test_a_page_brings_its_popups_and_not_its_neighbours(context: BrowserContext, site: Site, reel: Path) -> None:
    site.html("/popup", "<p>popped up</p>")
    opener = site.html("/opener", "<a href=/popup target=_blank>open</a>")
    neighbour = site.html("/neighbour", "<p>not for us</p>")
    page, other = context.new_page(), context.new_page()
    with record(page, reel):
        page.goto(opener)
        other.goto(neighbour)
        with page.expect_popup() as popup:
            page.click("a")
        popup.value.wait_for_load_state()
    recorded = Recorded(reel)
    assert recorded.sealed
    assert [e["page"] for e in recorded.of("page", event="open")] == [1, 2]
    assert recorded.of("page", event="open")[1]["opener"] == 1
    assert "popped up" in recorded.lines(site.url("/popup"))
    assert not recorded.of("document", url=neighbour)


def test_a_browser_is_recorded_with_all_its_contexts(browser: Browser, site: Site, reel: Path) -> None:
    url = site.html("/any", "<p>any</p>")
    before = browser.new_context()
    with record(browser, reel):
        before.new_page().goto(url)
        later = browser.new_context()
        later.new_page().goto(url)
        short = browser.new_page()
        short.goto(url)
        short.close()
    recorded = Recorded(reel)
    recorded.whole()
    assert len(recorded.of("document", url=url)) == 3
    assert len(recorded.of("page", event="close")) == 1
    before.close()
    later.close()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_frames_are_recorded_wherever_they_run(context: BrowserContext, site: Site, reel: Path, host: str) -> None:
    site.html("/frame", "<p>framed</p><input>")
    url = site.html("/frames", f"<iframe src='{site.url('/frame', host)}'></iframe>")
    with record(context, reel):
        page = context.new_page()
        page.goto(url)
        page.frame_locator("iframe").locator("input").fill("card")
    recorded = Recorded(reel)
    # An out-of-process frame is usually met in time; on a busy machine it is late, and the reel says so.
    recorded.whole(*(["late"] if host == "localhost" else []))
    outer, inner = recorded.document(url), recorded.document(site.url("/frame", host))
    assert "framed" in recorded.lines(site.url("/frame", host)) and "card" in recorded.lines(site.url("/frame", host))
    embed = recorded.one("embed", d=inner["d"])
    assert embed["parent"] == outer["d"]
    node = recorded.model.documents[outer["d"]].nodes[embed["node"]]
    assert node.name == "iframe"
    assert recorded.gaps == [] or recorded.of("snapshot", d=inner["d"])[0]["why"] == "late"


def test_a_frame_that_moves_to_another_process_is_followed(context: BrowserContext, site: Site, reel: Path) -> None:
    near = site.html("/near", "<p>near</p>")
    far = site.html("/far", "<p>far</p>").replace("127.0.0.1", "localhost")
    url = site.html("/swap", f"<iframe src='{near}'></iframe>")
    with record(context, reel):
        page = context.new_page()
        page.goto(url)
        for address in (far, near, far):
            page.evaluate("url => { document.querySelector('iframe').src = url }", address)
            page.frame_locator("iframe").get_by_text("far" if address == far else "near").wait_for()
    recorded = Recorded(reel)
    recorded.whole("late")
    # A document of another process that has gone within some 50 ms cannot be seen, and that is said.
    unseen = [gap for gap in recorded.of("gap") if "before it could be seen" in gap.get("detail", "")]
    assert len(recorded.of("document", url=near)) == 2 and len(recorded.of("document", url=far)) + len(unseen) == 2
    assert len(recorded.of("embed")) + len(unseen) >= 4


def test_a_frame_of_another_process_that_left_before_we_were_there_is_a_gap(
    context: BrowserContext, site: Site, reel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def too_slow(target: CdpTarget) -> None:
        if target.is_root:
            await start(target)

    start = CdpTarget.set_up_target
    monkeypatch.setattr(CdpTarget, "set_up_target", too_slow)
    far = site.html("/brief", "<p>brief</p>").replace("127.0.0.1", "localhost")
    with record(context, reel) as session:
        page = context.new_page()
        page.goto(site.html("/host", f"<iframe src='{far}'></iframe>"))
        page.frame_locator("iframe").get_by_text("brief").wait_for()
        page.evaluate("document.querySelector('iframe').remove()")
        tap = session._recording.list_open_pages()[0].tap
        for _ in range(200):
            if not tap.targets:
                break
            page.wait_for_timeout(50)
    recorded = Recorded(reel)
    assert recorded.one("gap")["reason"] == "late" and not recorded.of("document", url=far)


def test_an_exception_in_the_block_passes_and_the_reel_is_sealed(
    context: BrowserContext, site: Site, reel: Path
) -> None:
    url = site.html("/raise", "<p>so far</p>")
    with pytest.raises(ZeroDivisionError), record(context, reel) as session:
        context.new_page().goto(url)
        with session.step("Divide"):
            raise ZeroDivisionError("by nothing")
    recorded = Recorded(reel)
    recorded.whole()
    assert recorded.one("end")["reason"] == "error"
    end = recorded.one("step_end")
    assert end["success"] is False and end["error"] == "ZeroDivisionError: by nothing"


def test_what_was_on_a_page_when_it_or_its_context_was_closed_is_kept(browser: Browser, site: Site, reel: Path) -> None:
    url = site.html("/closing", "<p>start</p>")
    context = browser.new_context()
    with record(context, reel) as session:
        first, second = context.new_page(), context.new_page()
        for page in (first, second):
            page.goto(url)
            page.evaluate("document.body.append('last words')")
        first.close()
        context.close()
        session.note("closed")
    recorded = Recorded(reel)
    recorded.whole()
    for document in recorded.of("document", url=url):
        assert "last words" in "".join(recorded.model.documents[document["d"]].iter_canonical_lines())
    assert [e["page"] for e in recorded.of("page", event="close")] == [1, 2]


def test_a_page_may_crash_and_the_browser_be_closed_inside_the_block(browser: Browser, site: Site, reel: Path) -> None:
    url = site.html("/killed", "<p>alive</p>")
    own = browser.browser_type.launch(**LAUNCH)
    with record(own, reel):
        page = own.new_page()
        page.goto(url)
        page.wait_for_timeout(300)  # what is younger than a tenth of a second dies with the page
        with pytest.raises(Error):
            page.goto("chrome://crash")
        own.close()
    recorded = Recorded(reel)
    assert recorded.sealed and "alive" in recorded.lines(url)
    assert recorded.of("page", event="crash")


def test_the_click_after_which_a_page_crashes_is_told(browser: Browser, site: Site, reel: Path) -> None:
    url = site.html("/clicked", "<button>alive</button>")
    own = browser.browser_type.launch(**LAUNCH)
    with record(own, reel):
        page = own.new_page()
        page.goto(url)
        page.wait_for_timeout(300)
        page.mouse.click(20, 20)
        with pytest.raises(Error):
            page.goto("chrome://crash")
        own.close()
    assert [event["type"] for event in Recorded(reel).of("mouse")] == ["down", "up", "click"]


def test_methods_are_put_back_and_scripts_are_gone_at_the_end(context: BrowserContext, site: Site, reel: Path) -> None:
    url = site.html("/after", "<p>after</p>")
    page = context.new_page()
    with record(context, reel):
        assert "goto" in vars(page) and "new_page" in vars(context)
    assert not {"goto", "close"} & set(vars(page)) and not {"new_page", "close"} & set(vars(context))
    page.goto(url)
    with record(context, reel.with_name("second.reel")):
        page.evaluate("document.body.append('again')")
    assert "again" in Recorded(reel.with_name("second.reel")).lines(url)


def test_a_recording_that_is_replaced_is_said_once_and_may_be_refused(context: BrowserContext, reel: Path) -> None:
    def again(**options: bool) -> list[str]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("default")
            with record(context, reel, **options):
                pass
        return [str(each.message) for each in caught if issubclass(each.category, RecorderWarning)]

    assert again() == []
    (said,) = again()
    assert str(reel) in said and "replaced" in said
    assert again(overwrite=True) == []
    before = reel.read_bytes()
    with pytest.raises(UsageError, match="exists already"):
        again(overwrite=False)
    assert reel.read_bytes() == before
    reel.unlink()
    assert again(overwrite=False) == []
    # With warnings as errors the run goes on, too.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with record(context, reel):
            pass
    assert Recorded(reel).sealed
    # What is empty was made by whoever chose the name (tempfile.mkstemp).
    reel.write_bytes(b"")
    assert again() == []


def test_the_first_moments_of_a_popup_are_told_by_its_snapshot_and_are_no_gap(
    context: BrowserContext, site: Site, reel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.html("/popup", "<p>popped up</p>")
    opener = site.html("/opener", "<a href=/popup target=_blank>open</a>")

    def visit() -> Recorded:
        with record(context, reel, overwrite=True):
            page = context.new_page()
            page.goto(opener)
            with page.expect_popup() as popup:
                page.click("a")
            popup.value.wait_for_load_state()
        for opened in context.pages:
            opened.close()
        return Recorded(reel)

    def missed(recorded: Recorded) -> bool:
        (first,) = (e for e in recorded.of("snapshot") if e["d"] == recorded.document(site.url("/popup"))["d"])
        return bool(first["why"] == "late" and first["age"] > 0)

    monkeypatch.setattr(documents, "_SOON", 60_000)  # On a busy machine it takes longer than half a second.
    recorded = visit()
    assert recorded.gaps == []
    build(reel, reel.with_suffix(".html"), redaction=None)
    info = unpack_replay(reel.with_suffix(".html").read_bytes()).index["info"]
    assert isinstance(info, dict) and info["gapCount"] == 0
    assert info["late"]["count"] == missed(recorded)  # type: ignore[index,call-overload]
    monkeypatch.setattr(documents, "_SOON", 0)
    recorded = visit()
    assert recorded.gaps == (["late"] if missed(recorded) else [])


def test_a_popup_that_is_gone_before_it_could_be_seen_is_said_to_be(
    context: BrowserContext, site: Site, reel: Path
) -> None:
    site.html("/popup", "<p>popped up</p>")
    opener = site.html("/opener", "<p>opens</p>")
    with record(context, reel):
        page = context.new_page()
        page.goto(opener)
        page.evaluate("() => { const popup = open('/popup'); setTimeout(() => popup.close(), 200); }")
        time.sleep(2)  # The caller thinks, and Playwright's sync API delivers nothing meanwhile.
        page.wait_for_function("performance.now() > 0")
        page.wait_for_timeout(300)
    recorded = Recorded(reel)
    ends = [(event["event"], "opener" in event) for event in recorded.of("page") if event["page"] == 2]
    if ends:  # else Playwright itself never told of it
        (gap,) = (gap for gap in recorded.of("gap") if gap.get("page") == 2)
        assert gap["reason"] == "late" and "before it could be seen" in gap["detail"]
        assert [how for how, _ in ends] == ["open", "close"]
