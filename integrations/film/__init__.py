"""Makes a film (MP4, WebM, GIF, WebP) of a recording: its replay, photographed in a headless browser each time it changes."""

from __future__ import annotations

from .film_maker import Film, FilmSettings, make_film
from .film_pictures import FilmLayout
from .pull_request import write_pull_request_comment
from .strip import make_strip

__all__ = ["Film", "FilmLayout", "FilmSettings", "make_film", "make_strip", "write_pull_request_comment"]
