"""The commands that show a library: `deck` in the terminal, and `serve` over HTTP.

A function's signature declares the arguments and options of its command, and its docstring is the help. A function
imports the package that does the work only when it is called, so that the command line starts fast.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def deck(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The library's folder.", show_default=False)],
    query: Annotated[
        list[str] | None, typer.Argument(metavar="QUERY…", help="What to look for at first.", show_default=False)
    ] = None,
) -> int:
    """Show a library in this terminal: search, summaries, steps, errors, figures, comparisons of two runs, and the log.

    It is used with the keyboard alone. `?` lists the keys; `o` opens a replay in a browser at the time of the current
    row.

    \b
    Example:
      pagereel deck runs
      pagereel deck runs outcome:failed after:7d
    """
    from pagereel.cli.deck import show_deck as show

    return show(folder, " ".join(query or []))


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
            help="The port of the replays; default: the next one.",
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
        str | None, typer.Option("--origin", metavar="URL", help="The public address of the pages.", show_default=False)
    ] = None,
    frame_origin: Annotated[
        str | None,
        typer.Option("--frame-origin", metavar="URL", help="The public address of the replays.", show_default=False),
    ] = None,
    proxy_header: Annotated[
        str | None,
        typer.Option(
            "--proxy-header", metavar="NAME", help="The header in which a proxy names the user.", show_default=False
        ),
    ] = None,
    proxy_from: Annotated[
        list[str] | None,
        typer.Option(
            "--proxy-from", metavar="ADDRESS", help="The address of that proxy; default: loopback.", show_default=False
        ),
    ] = None,
    live: Annotated[
        list[str] | None,
        typer.Option(
            "--live",
            metavar="PLACE",
            help="Show recordings while they are made there: a folder or a pattern, beside what `library watch` watches.",
            show_default=False,
        ),
    ] = None,
    unfurl: Annotated[
        bool,
        typer.Option(
            "--unfurl",
            help="Let a link to a run show in a chat how it ended, and a strictly masked picture, without a token.",
        ),
    ] = False,
    max_upload: Annotated[
        int, typer.Option("--max-upload", metavar="MB", help="The size limit of a recording.", min=1)
    ] = 1_024,
    task_seconds: Annotated[
        int,
        typer.Option(
            "--task-seconds", metavar="N", help="The time limit for one recording; each MB of it adds a minute.", min=1
        ),
    ] = 60,
    task_memory: Annotated[int, typer.Option("--task-memory", metavar="MB", help="The memory limit.", min=256)] = 3_072,
) -> int:
    """Serve a library over HTTP: an API, and pages to list, search, watch and compare its runs.

    Without --tokens the server answers only this machine, at an address with a random token. Roles of users: reader,
    internal, raw, writer, auditor, admin. The role decides how runs are redacted; DIR/library.log records each access
    to a run. Replays come from a second port, so that they cannot read the library's pages.

    \b
    Example:
      pagereel serve runs
      pagereel serve runs --tokens tokens.toml --add-token ana=reader
      pagereel serve runs --tokens tokens.toml --origin https://runs.example --frame-origin https://replays.example
    """
    from pagereel.cli.library.serve import serve_library as serve_library

    return serve_library(
        folder, host=host, port=port, frame_port=frame_port, tokens=tokens, add_token=add_token, origin=origin, frame_origin=frame_origin,
        proxy_header=proxy_header, proxy_from=tuple(proxy_from or ()), largest=max_upload << 20, task_seconds=task_seconds, task_memory=task_memory, live=tuple(live or ()), unfurl=unfurl,
    )  # fmt: skip
