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


def serve(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The library's folder.", show_default=False)],
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="N", help="The port of the pages; 0: any.", min=0, max=65535)
    ] = 8700,
    frame_port: Annotated[
        int | None,
        typer.Option(
            "--frame-port",
            metavar="N",
            help="The port of the replays; else the next one.",
            min=0,
            max=65535,
            show_default=False,
        ),
    ] = None,
    tokens: Annotated[
        Path | None, typer.Option("--tokens", metavar="FILE", help="Who may do what (TOML).", show_default=False)
    ] = None,
    add_token: Annotated[
        str | None,
        typer.Option(
            "--add-token",
            metavar="NAME=ROLE",
            help="Write a new token's hash into FILE, print the token, and end.",
            show_default=False,
        ),
    ] = None,
    origin: Annotated[
        str | None,
        typer.Option(
            "--origin", metavar="URL", help="Under which address people ask for the pages.", show_default=False
        ),
    ] = None,
    frame_origin: Annotated[
        str | None, typer.Option("--frame-origin", metavar="URL", help="And for the replays.", show_default=False)
    ] = None,
    proxy_header: Annotated[
        str | None,
        typer.Option(
            "--proxy-header", metavar="NAME", help="The header in which a proxy says who asks.", show_default=False
        ),
    ] = None,
    proxy_from: Annotated[
        list[str] | None,
        typer.Option(
            "--proxy-from", metavar="ADDRESS", help="From where that proxy comes; else loopback.", show_default=False
        ),
    ] = None,
    max_upload: Annotated[
        int, typer.Option("--max-upload", metavar="MB", help="The largest recording that is taken.", min=1)
    ] = 1_024,
) -> int:
    """Serve a library: an API and pages to list, search, watch and compare its runs.

    Without --tokens it answers on this machine alone, under an address with a random token. Roles: reader, internal, raw, writer, auditor, admin.
    The role picks the redaction; each look at a run is a line of DIR/library.log. Replays come from a second port, so that they cannot reach the pages.

    \b
    Example:
      pagereel serve runs
      pagereel serve runs --tokens tokens.toml --add-token ana=reader
      pagereel serve runs --tokens tokens.toml --origin https://runs.example --frame-origin https://replays.example
    """
    from pagereel.cli.serve import serve as serve_it

    return serve_it(
        folder, host=host, port=port, frame_port=frame_port, tokens=tokens, add_token=add_token, origin=origin, frame_origin=frame_origin,
        proxy_header=proxy_header, proxy_from=tuple(proxy_from or ()), largest=max_upload << 20,
    )  # fmt: skip
