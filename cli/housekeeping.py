"""The commands for folders of recordings. Registered beside those of `app.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pagereel.cli.app import Json, app


@app.command(short_help="Make room in a folder of recordings.")
def prune(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="The folder that the recordings are in.", show_default=False)
    ],
    older_than: Annotated[
        str | None,
        typer.Option(
            "--older-than", metavar="AGE", help="Remove recordings older than 30d, 12h, 4w.", show_default=False
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be removed.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Go on where a recording cannot be read whole.")] = False,
    json: Json = False,
) -> int:
    """Remove old recordings (*.reel), and the shared resources that no recording of the folder needs any more.

    Without --older-than only resources go, and only those that were not used for a day.

    \b
    Example:
      pagereel prune runs --older-than 30d
      pagereel prune runs --dry-run
    """
    from pagereel.cli.prune import prune_folder

    return prune_folder(folder, older_than, dry_run=dry_run, force=force, json=json)


__all__ = ["app"]
