"""Opens a library's catalogue: a file in its folder, or a schema of a Postgres server."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pagereel.errors import SetupError

from .catalogue_base import Catalogue
from .sqlite import SqliteCatalogue

FILE: Final = "catalogue.sqlite"
"""The name in the library's folder."""


def open_catalogue(folder: Path, address: str | None, schema: str, replacement_word: str = "") -> Catalogue:
    """Open the catalogue at a Postgres address, or without one that in a library's folder. Raises UsageError,
    SetupError.

    :param replacement_word: a word for the name of an empty catalogue that is created, to replace the present one later; None: open
        the present one.
    """
    if address is None:
        return SqliteCatalogue(folder / (f".{FILE}.{replacement_word}" if replacement_word else FILE), folder / FILE)
    try:
        from .postgres import PostgresCatalogue
    except ImportError:
        raise SetupError(
            "A catalogue in Postgres needs psycopg; install it with: pip install 'pagereel[postgres]'."
        ) from None
    return PostgresCatalogue(address, f"{schema}_{replacement_word}" if replacement_word else schema, schema)
