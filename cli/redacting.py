"""`pagereel redact`: writes a masked recording.

Other commands print their masking reports, and get a vault's key, here.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pagereel.cli.argument_requirements import (
    require_no_existing_file,
    require_readable_file,
    require_writable_destination,
    warn_of_missing_models,
)
from pagereel.cli.console import print_json, print_report_line, print_written_file, show_progress
from pagereel.errors import UsageError
from pagereel.options import OnLeak


def redact_reel(
    reel: Path,
    destination: Path,
    redaction: str,
    *,
    vault: Path | None = None,
    vault_key: Path | None = None,
    on_leak: OnLeak = "fail",
    force: bool = False,
    json: bool,
) -> int:
    """Write a masked copy of a recording, and print how much was masked."""
    require_readable_file(reel)
    require_writable_destination(destination, reel)
    require_no_existing_file(destination, force=force)
    from pagereel.redaction import load_policy, redact

    load_policy(redaction)
    warn_of_missing_models()
    lock = get_vault_key(vault, vault_key, redaction)
    with show_progress(f"Redacting {reel.name}") as advance:
        report = redact(
            reel, destination, redaction, progress=lambda _name, done, total: advance(done, total), vault=vault,
            vault_key=lock, on_leak=on_leak,
        )  # fmt: skip
    if json:
        print_json({"reel": str(destination), "bytes": destination.stat().st_size, "report": report.to_json()})
        return 0
    print_written_file(destination, f"{report.total:,} places masked")
    for entity, count in report.entities.items():
        print_report_line(f"  {entity:<20} {count:>7,}")
    print_masking_report(report)
    if vault is not None:
        print_written_file(vault, f"the originals, encrypted to {lock.name}")
    return 0


def get_vault_key(vault: Path | None, key_file: Path | None, policy: str | None) -> Any:
    """Return the key with which the vault is encrypted; None if no vault is to be written.

    Raises UsageError if the options contradict each other, or if the vault cannot be written.
    """
    if vault is None:
        if key_file is not None:
            raise UsageError("--vault-key belongs to --vault FILE.")
        return None
    if policy is None:
        raise UsageError("A vault undoes masking, and --redaction off masks nothing; leave out one of them.")
    if vault.exists():
        raise UsageError(f"{vault} exists already, and a vault is never overwritten; give another path.")
    if not vault.parent.is_dir():
        raise UsageError(
            f"The folder {vault.parent} does not exist; make it first, or give another path for the vault."
        )
    from pagereel.cli.common_options import read_encryption_key

    return read_encryption_key(key_file, f"the vault {vault}")


def format_masked_counts(values: int, places: int) -> str:
    """Return a phrase on how much was masked: `12 values replaced in 340 places`.

    `values`: the number of different values; `places`: the number of masked places.
    """
    return f"{values:,} values replaced in {places:,} places" if values else f"{places:,} places masked"


def print_masking_report(report: Any, *, counts: bool = False) -> None:
    """Print the notes of a redaction's report, and the parts that were left out because they contained a known value.

    `counts`: print also how much was masked.
    """
    if report is not None and counts:
        fields = report.to_json()
        print_report_line(f"  redaction: {report.policy}, {format_masked_counts(fields['values'], report.total)}")
    for note in report.notes if report is not None else ():
        print_report_line(f"  {note}")
    for what, count in sorted(report.dropped.items()) if report is not None else ():
        if what.startswith("leak "):
            print_report_line(f"  left out by the gate: {what.removeprefix('leak ')}, {count} of them")
