"""The commands of housekeeping and secrecy: prune, gate, unmask, keygen, review. The others stand in `app.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pagereel.cli.app import Json, OldPolicy, Reel, app


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


@app.command(short_help="Look for known values in any file.")
def gate(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A replay, recording, ZIP, HAR, PDF, text, …", show_default=False)
    ],
    known: Annotated[
        Path | None,
        typer.Option(
            "--known", metavar="FILE", help="The values, one a line; or TYPE, a tab, value.", show_default=False
        ),
    ] = None,
    reel: Annotated[
        Path | None,
        typer.Option("--reel", metavar="REEL", help="Take the values from this raw recording.", show_default=False),
    ] = None,
    redaction: Annotated[
        str, typer.Option("--redaction", metavar="POLICY", help="The policy that says what counts as a value in REEL.")
    ] = "vendor",
    policy: OldPolicy = None,
    json: Json = False,
) -> int:
    """Open a file in every layer and look for known values in every spelling and encoding.

    Exit status 0: none stands in it. 1: one does, or the file cannot be opened to its end. 2: wrong use.
    Type, channel and place are printed, never a value.

    \b
    Example:
      pagereel gate run.html --known values.txt
      pagereel gate ticket.zip --reel run.reel --redaction vendor
    """
    from pagereel.cli.gate import print_gate

    return print_gate(file, known, reel, policy or redaction, json=json)


@app.command(short_help="Restore the original of a masked file.")
def unmask(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="The masked replay or recording, or a text that quotes one.", show_default=False
        ),
    ],
    destination: Annotated[
        Path | None,
        typer.Argument(metavar="DESTINATION", help="Where to write; else FILE with .unmasked.", show_default=False),
    ] = None,
    vault: Annotated[
        Path | None, typer.Option("--vault", metavar="FILE", help="The vault.", show_default=False)
    ] = None,
    why: Annotated[
        str, typer.Option("--why", metavar="TEXT", help="The reason, for the audit log.", show_default=False)
    ] = "",
    log: Annotated[
        Path | None, typer.Option("--log", metavar="FILE", help="The audit log; else VAULT.log.", show_default=False)
    ] = None,
    json: Json = False,
) -> int:
    """Write the original of a masked replay or recording, byte for byte.

    The vault that was made when the file was masked holds the original, encrypted. In a text, the invented values
    become the original ones again. Every use is written into the audit log: who, when, which file, why, and the result.

    \b
    Example:
      pagereel unmask run.html --vault run.vault --key-file team.pem --why "ticket 4711"
      pagereel unmask answer.txt --vault run.vault --why "who is it?"
    """
    from pagereel.cli.unmask import unmask_file

    if vault is None:
        raise typer.BadParameter("name the vault", param_hint="--vault")
    if not why.strip():
        raise typer.BadParameter("say why: it is written into the audit log", param_hint="--why")
    return unmask_file(file, destination, vault, why, log, json=json)


@app.command(short_help="Make a key pair for encrypted recordings.")
def keygen(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The private key; the public one gets .pub.")],
) -> int:
    """Make a key pair (X25519, PEM): the public half encrypts recordings and vaults, the private half opens them.

    \b
    Example:
      pagereel keygen team.pem
      pagereel record https://example.com run.reel --encrypt-to team.pem.pub
      pagereel build run.reel --key-file team.pem
    """
    from pagereel.cli.keys import make_keys

    return make_keys(file)


@app.command(short_help="Review what a redaction masks, and change it.")
def review(
    reel: Reel,
    html: Annotated[
        Path | None, typer.Argument(metavar="HTML", help="The replay; else REEL with .html.", show_default=False)
    ] = None,
    redaction: Annotated[
        str | None,
        typer.Option(
            "--redaction",
            metavar="POLICY",
            help="The policy to begin with; else the saved one, else vendor.",
            show_default=False,
        ),
    ] = None,
    policy: OldPolicy = None,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save", metavar="FILE", help="The policy file to write; else REEL with .policy.toml.", show_default=False
        ),
    ] = None,
    port: Annotated[int, typer.Option("--port", metavar="PORT", help="0: any that is free.", min=0, max=65535)] = 0,
    no_open: Annotated[bool, typer.Option("--no-open", help="Only print the address.")] = False,
) -> int:
    """Open the redacted replay beside a list of everything that was masked, by type and channel.

    Mask more, or unmask by value, by type or by place. The choices become a policy file, and the replay is built again.
    The page is served on this machine alone (127.0.0.1), under an address that nobody can guess.

    \b
    Example:
      pagereel review run.reel
      pagereel review run.reel shared.html --redaction internal --save ours.toml
    """
    from pagereel.cli.review import review_reel

    return review_reel(reel, html, policy or redaction, save, port=port, opening=not no_open)


__all__ = ["app"]
