"""What a clip keeps of a recording."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from pagereel import record
from pagereel.reel import ScreenComposer, open_reel
from pagereel.sources import write_clip

from ..reel.sample import write_sample


def test_a_clip_keeps_no_move_of_the_pointer_from_after_it_and_lasts_to_its_end(tmp_path: Path) -> None:
    """Moves are told together, at the time of the first."""
    write_sample(tmp_path / "run.reel")
    with open_reel(tmp_path / "run.reel") as reel:
        write_clip(reel, tmp_path / "clip.reel", 450, 550)
    with open_reel(tmp_path / "clip.reel") as clip:
        assert [(event["t"], event["points"]) for event in clip.events(("pointer",))] == [
            (30, [[0, 600, 400], [50, 400, 200]])
        ]
        assert clip.end is not None and clip.end["t"] == 100


def test_a_clip_shows_the_screens_that_are_based_on_earlier_ones(tmp_path: Path) -> None:
    pictures = [Image.new("RGB", (64, 48), colour) for colour in ("navy", "navy", "teal")]
    pictures[1].paste("white", (0, 0, 8, 8))
    with record(None, tmp_path / "run.reel") as session:
        for picture in pictures:
            session.screen(picture)
    with open_reel(tmp_path / "run.reel") as reel:
        times = [float(str(event["t"])) for event in reel.events(("screen",))]
        write_clip(reel, tmp_path / "clip.reel", times[1], times[2] + 1)
    with open_reel(tmp_path / "clip.reel") as clip:
        composer = ScreenComposer(clip.resource)
        shown = []
        for event in clip.events(("screen",)):
            composer.add_event(event)
            shown.append(composer.compose_picture(int(str(event["id"]))))
    assert [picture.getpixel((2, 2)) for picture in shown if picture] == [(0, 0, 128), (255, 255, 255), (0, 128, 128)]
