"""A replay that hangs, a browser that crashes and a page of any size cost a sentence, and never the run."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
from playwright.sync_api import Error

from pagereel.errors import BuildError
from pagereel.integrations.film import FilmLayout
from pagereel.integrations.film.film_pictures import TALLEST
from pagereel.integrations.replay_browser import add_js_timeout, open_replay_page
from pagereel.integrations.testing.failure_films import FailureFilms


@pytest.mark.parametrize(
    ("function", "answer"),
    [
        ("() => new Promise(() => {})", "the replay did not answer within 0.01 s"),
        ("([a, b]) => a + b", "3"),
        ("async () => { throw new Error('no such moment'); }", "no such moment"),
    ],
)
def test_what_never_answers_is_given_up_and_what_answers_is_told(function: str, answer: str) -> None:
    patience = 10 if "did not" in answer else 600_000  # Node ends only after a timer that still runs.
    script = f"({add_js_timeout(function, patience)})([1, 2]).catch((error) => error.message).then(console.log)"
    done = subprocess.run(["node", "-e", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == f"{answer}\n"


@pytest.mark.parametrize("fails", ["new_context", "goto", "evaluate", "the work"])
def test_what_the_browser_does_not_do_is_said_in_a_sentence(
    fails: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    playwright = MagicMock()
    browser = playwright.return_value.__enter__.return_value.chromium.launch.return_value
    page = browser.new_context.return_value.new_page.return_value
    crash = Error("Target crashed\nCall log")
    if fails != "the work":
        getattr(browser if fails == "new_context" else page, fails).side_effect = crash
    browser.close.side_effect = crash
    playwright.return_value.__exit__.return_value = False
    monkeypatch.setattr("playwright.sync_api.sync_playwright", playwright)
    monkeypatch.setattr("pagereel.player_build.build", lambda *_, **__: None)
    monkeypatch.setattr("pagereel.browser.launch_options", lambda: {"args": []})
    with (
        pytest.raises(BuildError, match=r"^The browser does not show the replay \(Target crashed\)\.$"),
        open_replay_page(tmp_path / "run.reel"),
    ):
        raise crash
    browser.close.assert_called_once_with()


def test_a_film_is_never_larger_than_a_browser_draws() -> None:
    assert FilmLayout().compute_window_size((320, 240), None) == (320, 284)
    for page in ((10, 1_000_000), (1_000_000, 10), (1_000_000, 1_000_000)):
        width, height = FilmLayout().compute_window_size(page, None)
        assert 2 <= width <= 1280 and 2 <= height <= TALLEST + FilmLayout().caption_bar_height


def test_a_film_that_cannot_be_made_costs_a_sentence_whatever_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def bomb(*_: Any) -> None:
        raise RuntimeError("a decompression bomb")

    monkeypatch.setattr("pagereel.integrations.film.make_film", bomb)
    films = FailureFilms("gif")
    for name in ("a.html", "b.html"):
        (tmp_path / name).touch()
        films.add_replay(tmp_path / name)
    assert list(films.make_films()) == [
        f"{tmp_path / name}: no film: RuntimeError: a decompression bomb" for name in ("a.html", "b.html")
    ]
