"""The deck, driven by its keys: what it shows, and that nothing of a page reaches the terminal as it is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

pytest.importorskip("textual")

from textual.pilot import Pilot
from textual.widgets import DataTable, Input

from pagereel import invisible_characters
from pagereel.cli import main
from pagereel.cli.deck.app import DeckApp
from pagereel.cli.deck.deck_library import DeckLibrary
from pagereel.library import Library
from tests.library.runs import made
from tests.library.test_retention import DAY, START, walked

HOSTILE = "bot[red]\x1b[31m\x07\u202eevil[/red]"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of twelve ordinary runs, and one whose page and agent are hostile."""
    home = tmp_path_factory.mktemp("deck")
    (home / "runs").mkdir()
    (home / "runs" / "library.toml").write_text('index = "off"\n[retention]\nfull = "30d"\nfacts = "2000d"\n')
    with Library(home / "runs") as library:
        for number in range(12):
            shown = ["Your basket", "Your card was declined" if number % 3 == 0 else "Thank you"]
            library.add(
                made(home / "x.reel", *shown, id=f"run{number:03}", started=START + number * DAY, agent="ann", success=number % 3 > 0, cost=0.25)
            )  # fmt: skip
        library.add(
            made(home / "x.reel", "\x1b]0;owned\x07 [bold]x[/bold] \x9b2J\nline", id="hostile0", started=START + 20 * DAY, agent=HOSTILE, said=HOSTILE)
        )  # fmt: skip
        library.add(walked(home / "y.reel", "olderrun", started=START - 400 * DAY))
        assert library.expire(START).thinned == ["olderrun"]
    return home / "runs"


def driven(folder: Path, drive: Callable[[DeckApp, Pilot[None]], Awaitable[None]], query: str = "", size: tuple[int, int] = (80, 24)) -> None:  # fmt: skip
    """Run the deck without a terminal."""

    async def run() -> None:
        app = DeckApp(DeckLibrary(folder), query)
        async with app.run_test(size=size) as pilot:
            for _ in range(500):  # the line of keys is drawn last
                if "Query" in seen(app):
                    break
                await pilot.pause(0.02)
            await drive(app, pilot)

    asyncio.run(run())


async def keys(app: DeckApp, pilot: Pilot[None], *pressed: str) -> None:
    """Press keys, and wait for what they began."""
    for key in pressed:
        await pilot.press(key)
        await pilot.pause()
        await app.workers.wait_for_complete()
        await pilot.pause()


def seen(app: DeckApp) -> str:
    """What stands on the screen, line by line."""
    width = app.size.width
    return "\n".join(
        "".join(segment.text for segment in strip).ljust(width) for strip in app.screen._compositor.render_strips()
    )


def test_runs_are_searched_and_the_line_that_says_so_is_shown(folder: Path) -> None:
    async def drive(app: DeckApp, pilot: Pilot[None]) -> None:
        assert "ann  Buy a book" in seen(app), "what a run was for"
        assert "14 runs" in seen(app)
        await keys(app, pilot, "slash", *"declined", "enter")
        assert "4 runs" in seen(app) and "page: Your card was declined" in seen(app)
        assert isinstance(app.focused, DataTable), "the keys are the table's again"
        await keys(app, pilot, "escape")
        assert "14 runs" in seen(app)

    driven(folder, drive)


def test_a_query_that_cannot_be_read_is_pointed_at(folder: Path) -> None:
    async def drive(app: DeckApp, pilot: Pilot[None]) -> None:
        lines = seen(app).split("\n")
        (at,) = [number for number, line in enumerate(lines) if line.strip() == "^"]
        assert "Unknown operator colour" in lines[at + 1]
        assert lines[at - 1][lines[at].index("^") :].startswith("colour:red")
        assert app.screen.query_one("#query", Input).value == "agent:ann colour:red"

    driven(folder, drive, "agent:ann colour:red")


def test_a_run_is_opened_and_its_replay_where_the_cursor_is(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)

    async def drive(app: DeckApp, pilot: Pilot[None]) -> None:
        await keys(app, pilot, "enter")
        shown = seen(app)
        assert "ann  FAILED" in shown and "Buy a book by ann failed" in shown and "search_web" in shown
        await keys(app, pilot, "2")
        assert "1 Buy a book" in seen(app) and "FAILED" in seen(app)
        await keys(app, pilot, "right")
        assert "step" in seen(app) and "failed" in seen(app)
        await keys(app, pilot, "4")
        assert "Some-Model-1" in seen(app)
        await keys(app, pilot, "3", "o")
        (replay,) = (folder / "served").glob("run009.*.html")
        assert "#t=" in seen(app).replace("\n", "") and b"<!DOCTYPE html>" in replay.read_bytes()[:200]
        await keys(app, pilot, "escape")
        assert "4 runs" in seen(app)

    driven(folder, drive, "declined")
    with Library(folder) as library:
        assert {"search", "show", "read", "replay"} <= {line["did"] for line in library.log()[0]}


def test_two_marked_runs_are_compared(folder: Path) -> None:
    async def drive(app: DeckApp, pilot: Pilot[None]) -> None:
        await keys(app, pilot, "c")
        assert "Mark two runs" in seen(app)
        await keys(app, pilot, "space", "down", "space")
        assert seen(app).count("*  ") >= 2
        await keys(app, pilot, "c")
        shown = seen(app)
        assert "A run011" in shown and "B run010" in shown and "Nothing differs beyond noise." in shown
        await keys(app, pilot, "o")
        assert ".html" in seen(app)
        await keys(app, pilot, "escape", "down", "space", "c")
        assert "A run010" in seen(app) and "B run009" in seen(app) and "declined" in seen(app)

    driven(folder, drive, "agent:ann")
    assert list((folder / "served").glob("run011.beside.run010.*.html"))


def test_figures_and_the_log(folder: Path) -> None:
    async def drive(app: DeckApp, pilot: Pilot[None]) -> None:
        await keys(app, pilot, "f")
        shown = seen(app)
        assert "Figures of agent:ann" in shown and "66.7 %" in shown
        await keys(app, pilot, "end")
        assert "█" in seen(app) and "░" in seen(app)
        await keys(app, pilot, "escape", "a")
        assert "The log is whole." in seen(app) and "add" in seen(app)

    driven(folder, drive, "agent:ann")


def test_of_a_run_of_which_only_figures_are_kept_they_are_shown(folder: Path) -> None:
    async def drive(app: DeckApp, pilot: Pilot[None]) -> None:
        await keys(app, pilot, "enter")
        assert "tier facts" in seen(app) and "Look around" in seen(app)
        await keys(app, pilot, "o")
        assert "nly the figures of" in " ".join(seen(app).split())

    driven(folder, drive, "tier:facts")


@pytest.mark.parametrize("size", [(80, 24), (44, 12), pytest.param((120, 40), marks=pytest.mark.slow)])
def test_nothing_of_a_page_reaches_the_terminal_as_it_is(folder: Path, size: tuple[int, int]) -> None:
    unsafe = invisible_characters.build_character_pattern(
        invisible_characters.CONTROLS,
        invisible_characters.TURNS,
        invisible_characters.FORMATS,
        invisible_characters.TAGS,
    )

    async def drive(app: DeckApp, pilot: Pilot[None]) -> None:
        for pressed in ((), ("enter",), ("2",), ("3",), ("4",), ("escape", "f"), ("escape", "a"), ("question_mark",)):
            await keys(app, pilot, *pressed)
            shown = seen(app).replace("\n", "")
            assert not unsafe.search(shown), pressed
            assert "owned" not in (app.title or "")
            if not pressed and size[0] > 100:
                assert "bot[red]\\u001b[31m\\u0007\\u202eevil[/red]" in shown, "as it was written, and no markup"

    driven(folder, drive, "agent:bot*", size)


def test_it_is_read_in_light_and_dark_without_colour(folder: Path) -> None:
    async def drive(app: DeckApp, pilot: Pilot[None]) -> None:
        assert app.theme == "textual-dark"
        await keys(app, pilot, "t")
        assert app.theme == "textual-light"
        assert "4 runs" in seen(app) and "FAILED" in seen(app) and "page: Your card was declined" in seen(app)
        cursor = [segment for strip in app.screen._compositor.render_strips() for segment in strip if segment.style and segment.style.reverse]  # fmt: skip
        assert cursor, "the cursor is turned round, whatever the colours"

    driven(folder, drive, "declined")


def test_it_is_for_a_terminal_and_for_a_library(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    assert main(["deck", str(folder)]) == 2
    assert "is for a terminal" in capsys.readouterr().err
    assert main(["deck", str(tmp_path / "nowhere")]) == 2
    assert "is not a library" in capsys.readouterr().err


def test_a_deletion_reaches_the_replays_that_the_deck_made(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "library.toml").write_text('index = "off"\n')
    with Library(tmp_path / "runs") as library:
        for id in ("aaaaaa", "bbbbbb"):
            library.add(made(tmp_path / "x.reel", "one", id=id))
        pages = [library.replay("aaaaaa"), library.pair("bbbbbb", "aaaaaa").page]
        assert all(page.exists() and page.stat().st_mode & 0o77 == 0 for page in pages)
        library.delete("aaaaaa")
        assert not any(page.exists() for page in pages) and not library.find_leftovers()
