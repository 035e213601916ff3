"""Defines the arguments and options that several commands have."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any

import typer

from pagereel.cli.standard_streams import replace_input_dash, replace_output_dash

COMPLETING = "_PAGEREEL_COMPLETE"
"""Environment variable set by the scripts of `pagereel completion`, when a shell asks for completions."""

Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON on stdout.")]
Reel = Annotated[
    Path,
    typer.Argument(
        metavar="REEL",
        help="The recording: a reel, a replay's HTML, Playwright's trace.zip, rrweb's JSON; - for stdin.",
        show_default=False,
        callback=replace_input_dash,
    ),
]
Policy = Annotated[
    str,
    typer.Option(
        "--redaction",
        metavar="POLICY",
        help="vendor, strict, internal, a policy file, or off to leave everything as recorded.",
    ),
]
AsIs = Annotated[
    str,
    typer.Option(
        "--redaction",
        metavar="POLICY",
        help="Mask what is shown: vendor, strict, internal or a policy file. Otherwise it is shown unmasked.",
    ),
]
"""The policy of commands that show a file to who has it."""

OnLeak = Annotated[
    Any,  # the oldest supported release of typer does not support Literal; build() and redact() check the value
    typer.Option(
        "--on-leak", metavar="WHAT", help="If the gate finds a value: fail, or drop what holds it and report that."
    ),
]


RequireModels = Annotated[
    bool, typer.Option("--require-models", help="Fail if a model of `pagereel setup` is missing.")
]


EncryptTo = Annotated[
    list[Path] | None,
    typer.Option(
        "--encrypt-to",
        metavar="FILE",
        help="Encrypt it while it is written: a PEM public key, or a passphrase; may be repeated.",
        show_default=False,
    ),
]
Vault = Annotated[
    Path | None,
    typer.Option(
        "--vault",
        metavar="FILE",
        help="Write the original values into this encrypted file, for pagereel unmask.",
        show_default=False,
    ),
]
VaultKey = Annotated[
    Path | None,
    typer.Option(
        "--vault-key",
        metavar="FILE",
        help="The key for the vault: a PEM public key, or a passphrase; default: that of --key-file or the environment.",
        show_default=False,
    ),
]


def _require_finite_time(value: float | None) -> float | None:
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter(f"give a number of milliseconds, not {value:g}.")
    return value


From = Annotated[
    float | None,
    typer.Option(
        "--from", metavar="MS", help="Only from this time on.", show_default=False, callback=_require_finite_time
    ),
]
To = Annotated[
    float | None,
    typer.Option("--to", metavar="MS", help="Only up to this time.", show_default=False, callback=_require_finite_time),
]
StartMoment = Annotated[
    str | None,
    typer.Option(
        "--from", metavar="MOMENT", help="Only from this time on: ms, step:N or mark:NAME.", show_default=False
    ),
]
EndMoment = Annotated[
    str | None,
    typer.Option("--to", metavar="MOMENT", help="Only up to this time: ms, step:N or mark:NAME.", show_default=False),
]
Why = Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, for the log.", show_default=False)]
TimeLimit = Annotated[
    float | None, typer.Option("--time-limit", metavar="SECONDS", help="Stop after this long.", show_default=False)
]
NewReel = Annotated[
    Path | None,
    typer.Argument(
        metavar="REEL",
        help="The file to write, - for stdout; default: HOST-TIME.reel.",
        show_default=False,
        callback=replace_output_dash,
    ),
]
Force = Annotated[bool, typer.Option("--force", "--overwrite", help="Replace an existing file.")]
"""One rule for every command that writes: a file that is there stays without it; only a replay makes room for a newer one."""
