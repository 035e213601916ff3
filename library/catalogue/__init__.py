"""The catalogue: data derived from the recordings, in SQLite or Postgres. It can be deleted and rebuilt."""

from .base import Catalogue, Entry, Hold, whole_place
from .chunk import LineChunk
from .opening import FILE, open_catalogue
from .packing import LineSpan
from .sqlite import SqliteCatalogue
from .tables import COLUMNS, KINDS, TIERS, Condition

__all__ = [
    "COLUMNS",
    "FILE",
    "KINDS",
    "TIERS",
    "Catalogue",
    "Condition",
    "Entry",
    "Hold",
    "LineChunk",
    "LineSpan",
    "SqliteCatalogue",
    "open_catalogue",
    "whole_place",
]
