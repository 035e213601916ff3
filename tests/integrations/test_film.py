"""A film shows what the replay shows, moment by moment, and the same recording gives the same film."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat

from pagereel.cli import main
from pagereel.errors import UsageError
from pagereel.integrations import Film, FilmLayout, FilmSettings, export, make_film
from pagereel.integrations.film import make_strip
from pagereel.integrations.film.encoding import FilmPictures, FilmQuality
from pagereel.integrations.film.film_clock import EDGE, FAILURE, LAST, SKIP, FilmClock, FilmSegment
from pagereel.integrations.film.film_maker import encode_within_size
from pagereel.integrations.film.film_pictures import FilmScreenshot
from pagereel.integrations.film.film_plan import FRAME, FilmPlan, find_failure
from pagereel.integrations.film.strip import GAP
from pagereel.integrations.replay_browser import call_in_thread, open_replay_page
from pagereel.reading import RecordedRun, find_first_failure
from pagereel.recorder import record
from pagereel.reel import ReelWriter

from ..comparison.runs import Made

SIZE = {"width": 320, "height": 240}
PAGE = """<!doctype html><title>Shelf</title><style>body { font: 20px sans-serif; margin: 12px; background: #f4efe6 }
p { background: #27509b; color: #fff; padding: 6px }</style><h1>Shelf</h1><input id=name><button>Add</button>
<script>document.querySelector('button').onclick = () => {
  document.body.insertAdjacentHTML('beforeend', `<p>${document.querySelector('#name').value || 'nothing'}</p>`);
};</script>"""


def test_a_film_cuts_what_does_not_change_and_holds_the_failure() -> None:
    clock = FilmClock([100.0, 900.0, 9_000.0], 0.0, 9_500.0, failure=9_200.0)
    assert clock.list_skipped_spans() == [(900.0 + EDGE, 9_000.0 - EDGE)]
    assert clock.length == 900 + 2 * EDGE + SKIP + 500 + FAILURE + LAST
    assert [clock.to_run_time(clock.to_film_time(t)) for t in (0.0, 900.0, 5_000.0, 9_200.0)] == [
        0.0,
        900.0,
        5_000.0,
        9_200.0,
    ]
    held = clock.to_film_time(9_200.0)
    assert clock.to_run_time(held + FAILURE - 1) == 9_200.0 and clock.to_run_time(clock.length) == 9_500.0
    assert [each["speed"] for each in clock.to_json()] == [1.0, 7.3, 1.0, 0.0, 1.0, 0.0]
    assert FilmClock([], 5.0, 5.0).length == LAST


class Unwalked(list[FilmSegment]):
    """A list of which single items are taken."""

    def __iter__(self) -> Iterator[FilmSegment]:
        raise AssertionError("a question walks all stretches")


def test_a_question_to_the_clock_of_a_long_run_walks_no_list() -> None:
    clock = FilmClock([5_000.0 * number for number in range(2_000)], 0.0, 10_000_000.0, failure=7_002_000.0)
    plan = FilmPlan(clock, [], (1, 1))
    clock.stretches = Unwalked(clock.stretches)
    for t in (0.0, 399.0, 402.0, 5_000.0, 6_999_000.0, 7_002_000.0, 9_997_500.0):
        assert clock.to_run_time(clock.to_film_time(t)) == pytest.approx(t)
    held = clock.to_film_time(7_002_000.0)
    assert clock.to_run_time(held + FAILURE / 2) == 7_002_000.0
    assert plan.get_caption_at(int(held / FRAME) - 2).words.endswith(" without a change")
    assert (clock.to_run_time(-5.0), clock.to_film_time(1e9)) == (-5.0, clock.length)
    assert clock.list_skipped_spans() is clock.list_skipped_spans()


@pytest.fixture(scope="module")
def reel(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("film") / "run.reel"
    context = chromium.new_context(viewport=SIZE)
    with record(context, path, agent="clerk") as session:
        page = context.new_page()
        with session.step("Open the <shelf>"):
            page.set_content(PAGE)
        with session.step("Put a kettle on it"):
            page.locator("#name").fill("kettle")
            page.wait_for_timeout(3 * FRAME)  # So that the film has a frame of it.
            page.locator("button").click()
            page.locator("p").wait_for()
        session.mark("added")
        with session.step("Look for a vase") as step:
            step.outcome(success=False, message="no vase")
    context.close()
    return path


def frames(data: bytes) -> Iterator[tuple[int, Image.Image]]:
    """From which ms on each picture shows, and the picture."""
    at = 0
    with Image.open(io.BytesIO(data)) as film:
        for number in range(film.n_frames):  # type: ignore[attr-defined]
            film.seek(number)
            yield at, film.convert("RGB")
            at += film.info["duration"]


@pytest.fixture(scope="module")
def bare(reel: Path) -> Film:
    return make_film(reel, "gif", FilmSettings(look=FilmLayout(drawn=False)))


def test_each_picture_is_the_page_at_its_moment(reel: Path, bare: Film) -> None:
    shown = list(frames(bare.data))
    assert len(shown) >= 3 and bare.size == (320, 240)
    for (at, picture), seen in zip(
        shown, call_in_thread(screenshots, reel, bare, [at for at, _ in shown]), strict=True
    ):
        # A GIF has 256 colours, so that edges of letters are a little off.
        assert max(ImageStat.Stat(ImageChops.difference(seen, picture)).mean) < 0.5, f"{at} ms of the film"


def screenshots(reel: Path, film: Film, times: list[int]) -> list[Image.Image]:
    """What the bare replay shows at these times of the film."""
    found = []
    with open_replay_page(reel, film.size) as page:
        for at in times:
            page.evaluate("(t) => window.pagereel.seek(t)", film.clock.to_run_time(at))
            found.append(Image.open(io.BytesIO(page.screenshot())).convert("RGB"))
    return found


def test_the_command_writes_the_same_film_again_and_prints_its_map(
    reel: Path, bare: Film, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(reel), str(tmp_path / "a.gif"), "--bare", "--redaction", "off", "--json"]) == 0
    assert (tmp_path / "a.gif").read_bytes() == bare.data
    assert json.loads(capsys.readouterr().out) == bare.clock.to_json()
    assert [path.name for path in tmp_path.iterdir()] == ["a.gif"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--size", "12x9"], "'12x9' is not the size of a film"),
        (["--max-size", "small"], "'small' is not a size"),
        (["--from", "step:9"], "has no step '9'"),
        (["--from", "999999"], "A film from 16 min 40 s to"),
    ],
)
def test_what_cannot_be_filmed_is_said_in_a_sentence(
    reel: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], given: list[str], said: str
) -> None:
    assert main(["export", str(reel), str(tmp_path / "a.gif"), "--redaction", "off", *given]) == 2
    assert said in capsys.readouterr().err and not list(tmp_path.iterdir())


@pytest.mark.parametrize("form", ["gif", "webp"])
def test_the_best_quality_that_fits_is_taken(form: str, tmp_path: Path) -> None:
    shots = []
    for number in range(4):
        shots.append(FilmScreenshot(number * 5, tmp_path / f"{number}.png"))
        Image.effect_noise((320, 240), 40 + number).save(shots[-1].picture)
    pictures = FilmPictures(shots, 20, (320, 240), FilmQuality())
    whole, best = encode_within_size(form, pictures, None)
    assert best.quality == FilmQuality() and [at for at, _ in frames(whole)] == [0, 400, 800, 1_200]
    less, fitting = encode_within_size(form, pictures, len(whole) // 3)
    assert (
        len(less) <= len(whole) // 3
        and fitting.quality.estimated_size_share < 1
        and encode_within_size(form, pictures, len(whole) // 3)[0] == less
    )
    with pytest.raises(UsageError, match=r"does not fit into 300 bytes: the smallest has [\d,]+; choose a part"):
        encode_within_size(form, pictures, 300)


def test_mp4_has_the_steps_as_chapters_and_lasts_as_long_as_its_map(reel: Path) -> None:
    av = pytest.importorskip("av")
    film = make_film(reel, "mp4")
    with av.open(io.BytesIO(film.data)) as opened:
        assert [chapter["metadata"]["title"] for chapter in opened.chapters()] == [
            "Open the <shelf>",
            "Put a kettle on it",
            "Look for a vase",
        ]
        stream = opened.streams.video[0]
        assert abs(float(opened.duration) / 1000 - film.clock.length) <= FRAME
        last = list(opened.decode(stream))[-1].to_image()
    # The line under the page is red while the failure is held.
    red, green, blue = last.getpixel((3, last.height - 20))
    assert red > 150 and green < 80 and blue < 80


def test_a_strip_shows_the_first_page_the_steps_and_the_failure(reel: Path) -> None:
    with Image.open(io.BytesIO(make_strip(reel))) as strip:
        cells = [(GAP + column * (320 + GAP), GAP + row * (284 + GAP)) for row in range(2) for column in range(3)]
        assert strip.size == (3 * (320 + GAP) + GAP, 2 * (284 + GAP) + GAP)
        lines = [strip.convert("RGB").getpixel((x + 2, y + 282)) for x, y in cells]
    # What the first page said, two steps that went well, and the failure; the last two places are empty.
    assert lines[:3] == [(22, 25, 29)] * 3 and lines[3] == (179, 38, 30) and lines[4] == lines[5] == (221, 224, 229)


def test_a_comment_tells_the_run_and_nothing_of_it_is_markup(
    reel: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out").mkdir()
    words = ["--for", "pr", "--replay", "https://ci.example/run 1.html", "--picture", str(tmp_path / "run.png")]
    assert main(["export", str(reel), str(tmp_path / "out" / "run.md"), "--redaction", "off", *words]) == 0
    text = (tmp_path / "out" / "run.md").read_text("utf-8")
    assert text.startswith("### Failed: clerk\n") and "**First cause:**" in text
    assert "\n![What the run showed](../run.png)\n" in text
    assert re.search(r"\[The replay, at the failure\]\(https://ci\.example/run%201\.html#t=\d+\)", text)
    assert "<details><summary>Steps (3)</summary>" in text and "- 1: Open the &lt;shelf&gt; ([" in text
    assert main(["export", str(reel), str(tmp_path / "b.md"), "--for", "chat"]) == 2
    assert "--picture needs --for pr" in capsys.readouterr().err


def test_a_run_failed_when_its_call_failed_and_not_when_its_element_came_too_late(tmp_path: Path) -> None:
    run = Made(tmp_path / "run.reel")
    run.open("/", "Flights", "[Search]")
    run.step("Book")
    error = 'TimeoutError: Timeout 3000ms exceeded.\nCall log:\n- waiting for get_by_role("button", name="Book")'
    run.call("click", 'get_by_role("button", name="Book")', error=error, took=2_000)
    run.end_step(False, error)
    gave_up = run.t - 10
    run.t += 1_490
    run.show("Flights", "[Search]", "[Book]")
    path = run.end()
    read = RecordedRun(path)
    assert "too late" in find_first_failure(read)["chain"][-1]
    found = find_failure(read)
    assert found is not None and found[0] == gave_up
    assert f"(run.html#t={gave_up:.0f})" in str(export(path, "pr", replay="run.html"))


def test_a_comment_of_thousands_of_steps_fits(tmp_path: Path) -> None:
    path = tmp_path / "long.reel"
    writer = ReelWriter(path, {"agent": "@octocat fixes #12 <img src=x>", "started": 0})
    for number in range(3_000):
        writer.write({"k": "step", "t": number, "id": number + 1, "parent": None, "title": f"`{number}` **of** many"})
    writer.close("done")
    text = str(export(path, "pr"))
    assert 60_000 < len(text) <= 65_000 and text.endswith("more\n\n</details>\n")
    assert text.startswith("### Ended: @\u2060octocat fixes #\u206012 &lt;img src=x&gt;\n")
    assert "- 7: \\`6\\` \\*\\*of\\*\\* many (" in text


@pytest.mark.slow
@pytest.mark.parametrize(("form", "tolerance"), [("gif", 0.5), ("webp", 3.0), ("mp4", 3.0)])
def test_at_twenty_moments_a_film_is_the_bare_replay(reel: Path, form: str, tolerance: float) -> None:
    film = make_film(reel, form, FilmSettings(look=FilmLayout(drawn=False)))
    if form == "mp4":
        av = pytest.importorskip("av")
        with av.open(io.BytesIO(film.data)) as opened:
            shown = [(number * FRAME, frame.to_image()) for number, frame in enumerate(opened.decode(video=0))]
    else:
        shown = list(frames(film.data))
    times = [int(film.clock.length * place / 20) // FRAME * FRAME for place in range(20)]
    for at, seen in zip(times, call_in_thread(screenshots, reel, film, times), strict=True):
        picture = next(picture for since, picture in reversed(shown) if since <= at)
        assert max(ImageStat.Stat(ImageChops.difference(seen, picture)).mean) < tolerance, f"{at} ms of the film"
