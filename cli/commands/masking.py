"""The commands for masking and encryption: `redact`, `gate`, `unmask`, `keygen` and `review`.

A function's signature declares the arguments and options of its command, and its docstring is the help. A function
imports the package that does the work only when it is called, so that the command line starts fast.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pagereel.cli.options import Force, Json, OnLeak, Reel, RequireModels, Vault, VaultKey
from pagereel.cli.standard_streams import replace_input_dash, replace_output_dash


def redact(
    reel: Reel,
    destination: Annotated[
        Path | None,
        typer.Argument(
            metavar="DESTINATION",
            help="The masked recording; - for stdout.",
            show_default=False,
            callback=replace_output_dash,
        ),
    ] = None,
    redaction: Annotated[
        str, typer.Option("--redaction", metavar="POLICY", help="vendor, strict, internal, or a policy file.")
    ] = "vendor",
    vault: Vault = None,
    vault_key: VaultKey = None,
    on_leak: OnLeak = "fail",
    require_models: RequireModels = False,
    force: Force = False,
    json: Json = False,
) -> int:
    """Write a copy of a recording without its personal data, and report what was masked.

    \b
    Example:
      pagereel redact run.reel shared.reel --redaction strict
      pagereel redact run.reel shared.reel --vault run.vault --vault-key team.pem.pub
    """
    from pagereel.cli.redacting import redact_reel
    from pagereel.redaction import require_all_models

    if require_models:
        require_all_models()
    if destination is None:
        raise typer.BadParameter("give the path of the masked recording to write", param_hint="DESTINATION")
    return redact_reel(
        reel, destination, redaction, vault=vault, vault_key=vault_key, on_leak=on_leak, force=force, json=json
    )


def gate(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A replay, recording, ZIP, HAR, PDF, text, …; - for stdin.",
            show_default=False,
            callback=replace_input_dash,
        ),
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
    json: Json = False,
) -> int:
    """Search a file, and the files packed inside it, for known values in every spelling and encoding.

    Exit status 0: no value was found. 1: a value was found, or part of the file cannot be read. 2: wrong use. The type,
    the channel and the place of each find are printed, but never the value.

    \b
    Example:
      pagereel gate run.html --known values.txt
      pagereel gate ticket.zip --reel run.reel --redaction vendor
    """
    from pagereel.cli.gate import print_gate_result

    return print_gate_result(file, known, reel, redaction, json=json)


def unmask(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="The masked replay or recording, or a text that quotes one; - for stdin.",
            show_default=False,
            callback=replace_input_dash,
        ),
    ],
    destination: Annotated[
        Path | None,
        typer.Argument(
            metavar="DESTINATION",
            help="The file to write, - for stdout; default: FILE with .unmasked.",
            show_default=False,
            callback=replace_output_dash,
        ),
    ] = None,
    vault: Annotated[
        Path | None, typer.Option("--vault", metavar="FILE", help="The vault.", show_default=False)
    ] = None,
    why: Annotated[
        str, typer.Option("--why", metavar="TEXT", help="The reason, for the audit log.", show_default=False)
    ] = "",
    log: Annotated[
        Path | None,
        typer.Option("--log", metavar="FILE", help="The audit log; default: VAULT.log.", show_default=False),
    ] = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """Restore the original of a masked replay or recording, byte for byte, from its vault.

    The vault was made when the file was masked, and is encrypted. In a text, stand-ins are replaced by the original
    values. The audit log records each use: who, when, which file, why, and the result.

    \b
    Example:
      pagereel unmask run.html --vault run.vault --key-file team.pem --why "ticket 4711"
      pagereel unmask answer.txt --vault run.vault --why "who is it?"
    """
    from pagereel.cli.unmask import unmask_file

    if vault is None:
        raise typer.BadParameter("name the vault", param_hint="--vault")
    if not why.strip():
        raise typer.BadParameter("give a reason; it is written into the audit log", param_hint="--why")
    return unmask_file(file, destination, vault, why, log, force=force, json=json)


def keygen(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The file of the private key; the public key's file gets .pub.")
    ],
    json: Json = False,
) -> int:
    """Make a key pair (X25519, PEM): the public key encrypts recordings and vaults, the private key decrypts them.

    \b
    Example:
      pagereel keygen team.pem
      pagereel record https://example.com run.reel --encrypt-to team.pem.pub
      pagereel build run.reel --key-file team.pem
    """
    from pagereel.cli.common_options import write_key_pair

    return write_key_pair(file, json=json)


def review(
    reel: Reel,
    html: Annotated[
        Path | None,
        typer.Argument(
            metavar="HTML",
            help="The replay to write; default: REEL with .html (.review.html if REEL is a replay).",
            show_default=False,
        ),
    ] = None,
    redaction: Annotated[
        str | None,
        typer.Option(
            "--redaction",
            metavar="POLICY",
            help="The policy to begin with; default: the saved one, or vendor.",
            show_default=False,
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save",
            metavar="FILE",
            help="The policy file to write; default: REEL with .policy.toml.",
            show_default=False,
        ),
    ] = None,
    port: Annotated[
        int, typer.Option("--port", metavar="PORT", help="The port; 0: any free one.", min=0, max=65535)
    ] = 0,
    no_open: Annotated[bool, typer.Option("--no-open", help="Only print the address.")] = False,
    on_leak: OnLeak = "fail",
    force: Force = False,
) -> int:
    """Open the redacted replay in a browser, beside a list of everything that was masked, by type and channel.

    On this page you can mask more, or unmask by value, by type or by place. The decisions are saved as a policy file,
    and the replay is built again. The page is served only to this machine (127.0.0.1), at an address that nobody can
    guess.

    \b
    Example:
      pagereel review run.reel
      pagereel review run.reel shared.html --redaction internal --save ours.toml
    """
    from pagereel.cli.review import review_reel

    return review_reel(reel, html, redaction, save, port=port, open_browser=not no_open, on_leak=on_leak, force=force)
