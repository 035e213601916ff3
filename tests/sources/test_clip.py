"""What a clip keeps of a recording."""

from __future__ import annotations

from pathlib import Path

from pagereel.reel import open_reel
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
