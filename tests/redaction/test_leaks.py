"""A real recording with random values in each of the 46 ways out; redacted as for a vendor, none of them is in the file."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pagereel.fixtures.canaries import Canaries
from pagereel.fixtures.leaks import (
    BLIND,
    CHANNELS,
    TYPED,
    CanaryOracle,
    CanarySearchResult,
    list_classes_in_raw_build,
    make_metadata,
    plant_in_all_channels,
)
from pagereel.fixtures.trap_site import TrapSite
from pagereel.player_build import build
from pagereel.recorder import record
from tests.chromium import open_chromium


@dataclass
class Leaks:
    """One recording, its raw and its redacted replay, and what the oracle sees in each."""

    seed: int
    planted: list[str]
    canaries: Canaries
    folder: Path
    raw: CanarySearchResult
    redacted: CanarySearchResult


@pytest.fixture(scope="module")
def leaks(tmp_path_factory: pytest.TempPathFactory, monkeymodule: pytest.MonkeyPatch) -> Leaks:
    folder = tmp_path_factory.mktemp("leaks")
    temporary = tmp_path_factory.mktemp("temporary")
    monkeymodule.setattr(tempfile, "tempdir", str(temporary))
    seed = random.randrange(10**6)
    canaries = Canaries(seed)
    with open_chromium() as browser, TrapSite() as site:
        context = browser.new_context()
        with record(context, folder / "run.reel", metadata=make_metadata(canaries)) as session:
            planted = plant_in_all_channels(session, context.new_page(), site, canaries)
    build(folder / "run.reel", folder / "raw.html", redaction=None)
    build(folder / "run.reel", folder / "redacted.html")
    oracle = CanaryOracle(list(canaries.iter_planted()), TYPED)
    raw, redacted = (oracle.search_file((folder / name).read_bytes()) for name in ("raw.html", "redacted.html"))
    assert list(temporary.iterdir()) == [], "a build leaves nothing in the folder for temporary files"
    return Leaks(seed, planted, canaries, folder, raw, redacted)


def test_every_one_of_the_46_ways_is_driven(leaks: Leaks) -> None:
    assert [channel.number for channel in CHANNELS] == list(range(1, 47))
    assert {planter for channel in CHANNELS for planter in channel.planters} - set(leaks.planted) == set()
    assert set(BLIND) <= set(leaks.planted)


def test_the_oracle_sees_what_was_planted_in_a_raw_replay(leaks: Leaks) -> None:
    expected = {(planter, kind) for planter in leaks.planted for kind in list_classes_in_raw_build(planter)}
    unseen = sorted(expected - leaks.raw.list_found_canaries)
    assert len(expected) > 400
    assert len(unseen) <= 0.02 * len(expected), f"seed {leaks.seed}: {unseen}"


def test_a_redacted_replay_holds_none_of_it_in_any_form(leaks: Leaks) -> None:
    told = [f"{s.channel}: {s.kind} as {s.form} in …{s.around}…" for s in leaks.redacted.found]
    assert told == [], f"seed {leaks.seed}"


def test_no_picture_of_the_run_is_in_it(leaks: Leaks) -> None:
    assert leaks.redacted.pictures == 0


def test_only_the_files_that_were_asked_for_are_there(leaks: Leaks) -> None:
    assert sorted(p.name for p in leaks.folder.iterdir()) == ["raw.html", "redacted.html", "run.reel"]
    assert not any(
        value.lower() in path.name.lower()
        for path in leaks.folder.iterdir()
        for _, _, value in leaks.canaries.iter_planted()
    )


@pytest.fixture(scope="module")
def monkeymodule() -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as patch:
        yield patch
