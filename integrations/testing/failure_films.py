"""Makes films of the replays of failed tests after the last test, because a film takes longer than most tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pagereel.errors import PagereelError

FORMS: Final = ("gif", "webp", "mp4", "webm")
FITS: Final = 10_000_000
"""Bytes that a film may have: what GitHub takes."""
MOST: Final = 20
"""Films of one run of tests: whoever has more failures does not watch them."""


class FailureFilms:
    """The replays of failed tests of which films are made after the last test."""

    def __init__(self, form: str) -> None:
        self._form = form
        self._replays: list[Path] = []

    def add_replay(self, replay: Path) -> Path | None:
        """Add a replay, which may not be built yet. Return the path that its film will have; None if there are too many
        already.
        """
        self._replays.append(replay)
        return replay.with_suffix(f".{self._form}") if len(self._replays) <= MOST else None

    def make_films(self) -> Iterator[str]:
        """Make the films of the replays. Yield a sentence for each film that cannot be made."""
        from pagereel.integrations.film import FilmSettings, make_film
        from pagereel.player_build import write_whole

        for replay in self._replays[:MOST]:
            if not replay.is_file():
                continue  # It could not be built, which is said.
            try:
                film = make_film(replay, self._form, FilmSettings(max_size=FITS))
                write_whole(replay.with_suffix(f".{self._form}"), (film.data,))
            except Exception as error:  # Of a browser, a codec, a picture: no film is worth a run of tests.
                text = str(error) if isinstance(error, PagereelError | OSError) else f"{type(error).__name__}: {error}"
                yield f"{replay}: no film: {text}"
        if len(self._replays) > MOST:
            yield f"of {len(self._replays)} failures the first {MOST} have films"
