"""The catalogue: data derived from the recordings, in SQLite or Postgres. It can be deleted and rebuilt."""

from .catalogue_base import Catalogue, CatalogueEntry, RetentionHold, expand_file_name
from .line_chunk import LineChunk
from .line_packing import LineSpan
from .opening import FILE, open_catalogue
from .sqlite import SqliteCatalogue
from .tables import COLUMNS, KINDS, TIERS, SqlCondition

__all__ = [
    "COLUMNS",
    "FILE",
    "KINDS",
    "TIERS",
    "Catalogue",
    "CatalogueEntry",
    "LineChunk",
    "LineSpan",
    "RetentionHold",
    "SqlCondition",
    "SqliteCatalogue",
    "expand_file_name",
    "open_catalogue",
]
