"""The catalogue: what was derived from the recordings, in SQLite or Postgres. It can be thrown away and made again."""

from .base import Catalogue, Entry, Hold
from .opening import FILE, open_catalogue
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
    "SqliteCatalogue",
    "open_catalogue",
]
