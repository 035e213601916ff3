"""What an earlier version wrote is read: its recordings, replays, libraries, baselines, vaults and policies (docs/stability.md).

scripts/make_golden_files.py wrote them, each folder of tests/golden/ with the version of its name.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pagereel import Library, compare, open_recording, redact
from pagereel.comparison import read_baseline_log, runs_of
from pagereel.reading import find_first_failure
from pagereel.redaction import unmask
from pagereel.reel import Key, open_reel, using_key, verify

GOLDEN = Path(__file__).parents[1] / "golden"
MOST = 300_000
"""Bytes of one version's files."""
NAME, MAIL, BADGE = b"Elena Marchetti", b"elena.marchetti@", b"BX-4711"


@pytest.fixture(params=sorted(path.name for path in GOLDEN.iterdir()))
def golden(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of what one version wrote."""
    return Path(shutil.copytree(GOLDEN / request.param, tmp_path / request.param))


def words_of(reel: Path) -> bytes:
    with open_reel(reel) as opened:
        return json.dumps(list(opened.timeline())).encode()


def test_recordings_are_whole_and_say_what_failed(golden: Path) -> None:
    assert sum(path.stat().st_size for path in golden.rglob("*") if path.is_file()) < MOST
    for name in ("failed.reel", "paid.reel", "masked.reel"):
        found = verify(golden / name)
        assert (found.sealed, found.damage, found.invalid_count, found.lost) == (True, None, 0, 0), name
        assert found.checkpoints.equal == found.checkpoints.total > 0
    run = open_recording(golden / "failed.reel")
    assert [step["title"] for step in run.steps()] == ["Open the checkout", "Fill in the form", "Pay"]
    assert run.outcome.outcome == "failed"
    assert "The card was declined" in str(run.text(at="end"))
    assert find_first_failure(run)["chain"]
    assert words_of(golden / "failed.reel").count(NAME) > 2


@pytest.mark.parametrize("key", ["team.key", "team.pem"])
def test_an_encrypted_recording_opens_with_each_of_its_keys(golden: Path, key: str) -> None:
    with using_key(Key.load(golden / key)):
        assert open_recording(golden / "locked.reel").outcome.outcome == "passed"


def test_a_policy_masks_and_a_vault_gives_the_original_back(golden: Path, tmp_path: Path) -> None:
    redact(golden / "failed.reel", tmp_path / "masked.reel", golden / "policy.toml")
    for masked in (tmp_path / "masked.reel", golden / "masked.reel"):
        assert [value for value in (NAME, MAIL, BADGE) if value in words_of(masked)] == []
    unmask(
        golden / "masked.reel",
        tmp_path / "raw.reel",
        golden / "masked.vault",
        why="a test",
        key=Key.load(golden / "team.key"),
    )
    assert (tmp_path / "raw.reel").read_bytes() == (golden / "failed.reel").read_bytes()


def test_a_library_and_a_baseline_answer(golden: Path) -> None:
    with Library(golden / "library") as library:
        (found,) = library.search('outcome:failed seen:"card was declined"').runs
        assert found.id == open_recording(golden / "failed.reel").header["id"]
        assert library.log()[1] and not library.find_leftovers()
        library.add(golden / "paid.reel", masked=False)
        assert len(library.search("").runs) == 2
    log, whole = read_baseline_log(golden / "baseline")
    assert len(list(runs_of(golden / "baseline"))) == len(log) == 1 and whole
    assert compare(golden / "paid.reel", golden / "paid.reel", baseline=[golden / "baseline"], redaction=None).equal
    failed = compare(golden / "paid.reel", golden / "failed.reel", baseline=[golden / "baseline"], redaction=None)
    assert failed.divergence is not None and "402" in failed.divergence.summary


@pytest.mark.parametrize(("name", "said"), [("masked.html", "The card was declined"), ("compact.html", "Paid")])
def test_a_replay_plays(golden: Path, browser: Browser, name: str, said: str) -> None:
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto((golden / name).as_uri())
    page.evaluate("async () => { await pagereel.ready; await pagereel.seek(pagereel.duration); }")
    assert page.evaluate("pagereel.steps.map(step => step.title)") == ["Open the checkout", "Fill in the form", "Pay"]
    shown = page.evaluate("pagereel.frame.contentDocument.body.innerText")
    assert said in re.sub(r"\s+", " ", shown)
    context.close()
