"""Commands about many recordings.

The signature is what the command takes, the docstring its help. Each imports its room when it is called.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pagereel.cli.options import Json


def library(
    verb: Annotated[
        str, typer.Argument(metavar="VERB", help="add, search, list, show, rebuild, audit.", show_default=False)
    ],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The library's folder.", show_default=False)],
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="…", help="Recordings to add, a query, or ids to show.", show_default=False),
    ] = None,
    link: Annotated[bool, typer.Option("--link", help="add: leave the files where they stand.")] = False,
    masked: Annotated[bool, typer.Option("--masked", help="add: keep the masked copy alone.")] = False,
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", help="search, list: runs of a page.", min=1, max=200)
    ] = 50,
    cursor: Annotated[
        str | None, typer.Option("--cursor", metavar="TEXT", help="search, list: the page after.", show_default=False)
    ] = None,
    json: Json = False,
) -> int:
    """Keep many recordings in a folder, and search what they showed and said.

    Recordings of any kind are copied in, masked for the index (library.toml: index = "vendor"), and found again by what their pages showed.
    A negated term stands after --: `pagereel library search runs -- -outcome:passed`.

    Exit status 1: a recording could not be added, or the log was changed. 2: wrong use, or a query that cannot be read.

    \b
    Example:
      pagereel library add runs test-results/*.reel
      pagereel library search runs 'outcome:failed after:7d seen:"card declined"'
      pagereel library show runs 4f1d
    """
    from pagereel.cli.library import library as library_of

    return library_of(verb, folder, words or [], link=link, masked=masked, limit=limit, cursor=cursor, json=json)
