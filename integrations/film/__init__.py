"""A recording as a film (MP4, WebM, GIF, WebP): the replay, opened in a headless browser and photographed at each moment at which something changes."""

from __future__ import annotations

from .making import Film, FilmSettings, make_film
from .pull_request import pull_request_comment
from .shooting import FilmLook
from .strip import make_strip

__all__ = ["Film", "FilmLook", "FilmSettings", "make_film", "make_strip", "pull_request_comment"]
