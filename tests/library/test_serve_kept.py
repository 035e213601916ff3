"""A served library of which some runs were thinned, and whose recordings lie in a store; its figures are those of the command."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pagereel.library import Library
from pagereel.library.serving.library_service import LibraryService
from pagereel.library.serving.roles import Caller
from pagereel.redaction import is_masked_by_policy

from .runs import made
from .server import Served, served, tokens
from .test_retention import AGES, BETWEEN, DAY, ENDED, START, walked

WHY = "?reason=a+test"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    pytest.importorskip("fsspec")
    home = tmp_path_factory.mktemp("kept")
    (home / "bucket").mkdir()
    (home / "runs").mkdir()
    (home / "runs" / "library.toml").write_text(f'index = "off"\nstore = "file://{home}/bucket"\n{AGES}')
    with Library(home / "runs") as library:
        library.add(walked(home / "a.reel", "facts00", START - 200 * DAY))
        library.add(walked(home / "a.reel", "steps00", START - 40 * DAY))
        library.add(walked(home / "a.reel", "whole00", START))
        library.add(made(home / "b.reel", "Thank you", id="other00", started=START, agent="ann", success=False))
        for number in range(4):
            told = {"test": "t::flaky", "outcome": ["passed", "failed"][number % 2]}
            library.add(
                made(
                    home / "b.reel",
                    "x",
                    id=f"flaky{number}0",
                    started=START + number,
                    success=number % 2 == 0,
                    metadata=told,
                )
            )
        assert sorted(library.expire(START).thinned) == ["facts00", "steps00"]
        library.keep("whole00", "ticket 4711")
    with served(home / "runs", "--tokens", str(tokens(home / "tokens.toml"))) as running:
        yield running


@pytest.mark.parametrize(("id", "tier"), [("whole00", "full"), ("steps00", "steps"), ("facts00", "facts")])
def test_a_run_has_its_figures_whatever_is_kept_of_it(site: Served, id: str, tier: str) -> None:
    told = site.get(f"/api/v1/runs/{id}{WHY}", "raw")
    assert told.status == 200, told.text
    told = told.json()
    assert (told["tier"], told["tokens"], told["cost_usd"], told["outcome"]) == (tier, 15, 0.25, "passed")
    assert told["goal"] == ["Look around", "Pay"] and "passed" in told["markdown"]
    page = site.get(f"/runs/{id}{WHY}", "raw")
    assert page.status == 200 and "Look around" in page.text


def test_what_is_left_is_shown_and_no_more(site: Served) -> None:
    shown = site.get(f"/api/v1/runs/steps00/text{WHY}", "raw").text
    assert ENDED in shown and not any(canary in shown for canary in BETWEEN.values())
    assert site.get(f"/api/v1/runs/steps00/replay.html{WHY}", "raw").status == 200
    for path in ("text", "steps", "replay.html"):
        refused = site.get(f"/api/v1/runs/facts00/{path}{WHY}", "raw")
        assert (refused.status, refused.json()["error"]) == (409, "Only the figures of this run are kept.")


def test_figures_are_those_of_the_command(site: Served) -> None:
    told = site.get("/api/v1/stats?by=agent,model&every=week", "auditor").json()
    with Library(site.folder) as library:
        figures = library.stats(by=("agent", "model"), every="week")
    assert (told["all"], told["by"], told["times"]) == (figures.all, figures.by, figures.times)
    assert [row["words"] for row in told["errors"]] == [""] * len(figures.errors), "an auditor sees no content"
    assert any(row["words"] for row in site.get("/api/v1/stats", "raw").json()["errors"])
    assert site.get("/api/v1/stats?q=agent:ann", "raw").json()["all"]["runs"] == 1
    page = site.get("/figures", "raw").text
    assert "t::flaky" in page and "Tests that pass and fail" in page
    page = site.get("/figures?q=agent:ann", "raw")
    assert page.status == 200 and "By agent" in page.text
    assert site.get("/figures?q=colour:red", "raw").status == 400


def test_what_is_kept_is_not_deleted_over_http_either(site: Served) -> None:
    refused = site.ask("DELETE", "/api/v1/runs/whole00?why=asked", "admin")
    assert refused.status == 400 and "ticket 4711" in refused.json()["error"]
    assert site.get(f"/api/v1/runs/whole00{WHY}", "raw").status == 200


@pytest.mark.slow
def test_who_sees_less_than_what_was_kept_masked_alone_has_it_masked_again(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "library.toml").write_text('index = "internal"\n')
    with Library(tmp_path / "runs") as library:
        library.add(made(tmp_path / "a.reel", "Write to tamsin.ostenmark@example.net", id="aaaaaa"), masked=True)
    service = LibraryService(tmp_path / "runs")
    try:
        entry = service.get_catalogue_entry(Caller("ann", "reader"), "aaaaaa")
        for policy in ("internal", "vendor", "strict"):
            assert is_masked_by_policy(service.get_recording(entry, policy), policy), policy
        assert service.get_recording(entry, "internal") == tmp_path / "runs" / entry.indexed
    finally:
        service.close()


def test_lines_of_a_raw_index_are_shown_for_a_reason(site: Served) -> None:
    for path in ("/api/v1/search?q=thank", "/?q=seen:thank"):
        assert site.get(path, "raw").status == site.get(path, "admin").status == 400
        assert site.get(f"{path}&reason=a+test", "raw").status == 200
        assert (site.log()[-1]["did"], site.log()[-1]["reason"]) == ("search", "a test")
    assert site.get("/api/v1/search?q=agent:ann", "raw").json()["runs"][0]["hits"] == []
    page = site.get("/?q=thank&reason=a+test", "raw").text
    assert 'href="/runs/other00?t=' in page and "&amp;reason=a+test" in page
