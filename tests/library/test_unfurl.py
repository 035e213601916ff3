"""What a link shows in a chat: nothing of a run, unless its owner wants it; then how it ended, and a picture that holds no word of a page."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("starlette")

from PIL import Image

from .server import MAIL, Answer, Served, filled, served, tokens


def og(answer: Answer) -> dict[str, str]:
    """The tags that a chat's program reads."""
    return dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)">', answer.text))


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("unfurl")
    with served(
        filled(folder / "runs", folder), "--tokens", str(tokens(folder / "tokens.toml")), "--unfurl"
    ) as running:
        yield running


def test_without_the_option_a_link_says_nothing_of_a_run_not_even_that_there_is_one(tmp_path: Path) -> None:
    with served(filled(tmp_path / "runs", tmp_path), "--tokens", str(tokens(tmp_path / "tokens.toml"))) as quiet:
        known, unknown = quiet.get("/runs/run-0000", None), quiet.get("/runs/run-9999", None)
        assert (known.status, unknown.status) == (401, 401)
        assert known.text.replace("run-0000", "") == unknown.text.replace("run-9999", "")
        assert og(known)["og:title"] == "A pagereel recording" and "og:image" not in og(known)
        assert quiet.get("/runs/run-0000/card.png", None).status == 404
        assert quiet.get("/runs/run-0000/card.png", "admin").status == 404
        assert [line for line in quiet.log() if line["did"] == "unfurl"] == []


def test_with_it_a_link_says_how_the_run_ended_and_no_word_of_a_page(shown: Served) -> None:
    told = shown.get("/runs/run-0000", None)
    tags = og(told)
    assert told.status == 401 and "Token" in told.text
    assert tags["og:title"] == "A recorded browser run: failed, 1 step in 1.1 s"
    assert tags["og:image"] == f"http://{shown.pages}/runs/run-0000/card.png"
    assert (tags["og:image:width"], tags["og:image:height"]) == ("1200", "630")
    assert "checkout-bot" not in told.text and "declined" not in told.text and MAIL not in told.text
    assert og(shown.get("/runs/run-9999", None))["og:title"] == "A pagereel recording"
    assert og(shown.get("/runs/run-0002", None)).get("og:title", "").startswith("A recorded browser run: passed")


@pytest.mark.slow
def test_the_picture_has_its_size_is_made_once_of_a_strict_copy_and_goes_with_the_run(shown: Served) -> None:
    first = shown.get("/runs/run-0001/card.png", None)
    assert (first.status, first.headers["content-type"]) == (200, "image/png")
    picture = Image.open(io.BytesIO(first.body))
    assert picture.size == (1_200, 630) and len(picture.getcolors(1 << 20) or ()) > 20
    made = {path.name.partition(".")[0]: path for path in (shown.folder / "served").glob("run-0001.*.card.png")}
    assert len(made) == 1 and list((shown.folder / "served").glob("run-0001.*.strict.reel"))
    before = made["run-0001"].stat().st_mtime_ns
    assert shown.get("/runs/run-0001/card.png", None).body == first.body
    assert made["run-0001"].stat().st_mtime_ns == before
    lines = [line for line in shown.log() if line["did"] == "unfurl" and line["run"] == "run-0001"]
    assert [(line["who"], line["redaction"]) for line in lines] == [("(no token)", "strict")] * 2
    assert shown.get("/runs/run-9999/card.png", None).status == 404
    assert shown.ask("DELETE", "/api/v1/runs/run-0001?why=asked", "admin").status == 200
    assert list(shown.folder.rglob("run-0001*")) == []
    assert shown.get("/runs/run-0001/card.png", None).status == 404
