"""`pagereel attach` records a browser that it did not start, and leaves it open."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pagereel.cli.attach import complete_debugging_url
from pagereel.errors import UsageError

from ..integrations.browsers import foreign_chromium
from .conftest import Command

PAGE = "data:text/html,<!doctype html><h1>Open already</h1>"


def test_a_browser_that_is_open_is_recorded_and_stays_open(pagereel: Command, tmp_path: Path) -> None:
    reel = tmp_path / "run.reel"
    with foreign_chromium(PAGE) as address:
        for _ in range(2):
            answer = pagereel("attach", address, reel, "--time-limit", 1, "--overwrite", "--json")
            assert answer.status == 0, answer.err
        assert json.loads(answer.out)["bytes"] == reel.stat().st_size
        assert pagereel("attach", address, reel).status == 2
    info = json.loads(pagereel("info", reel, "--json").out)
    assert info["sealed"] and len(info["pages"]) == 1 and info["pages"][0].startswith("data:text/html")
    assert info["fidelity"]["tree"]["total"] == info["fidelity"]["tree"]["equal"] > 0


def test_nothing_at_the_address_is_one_sentence(pagereel: Command, tmp_path: Path) -> None:
    answer = pagereel("attach", "127.0.0.1:9", tmp_path / "run.reel", "--time-limit", 1)
    assert answer.status == 2 and "No browser answers at http://127.0.0.1:9" in answer.err
    assert answer.err.count("\n") == 1 and not (tmp_path / "run.reel").exists()


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("9222", "http://127.0.0.1:9222"),
        ("localhost:9222", "http://localhost:9222"),
        ("ws://127.0.0.1:9222/devtools/browser/x", "ws://127.0.0.1:9222/devtools/browser/x"),
    ],
)
def test_addresses_as_people_write_them(given: str, address: str) -> None:
    assert complete_debugging_url(given) == address


@pytest.mark.parametrize("given", ["", "chrome", "file:///x", "999999"])
def test_what_is_no_address_is_said(given: str) -> None:
    with pytest.raises(UsageError, match="debugging address"):
        complete_debugging_url(given)
