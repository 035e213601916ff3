"""`pagereel import`: writes another tool's recording as a reel."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pagereel.cli.argument_requirements import (
    require_no_existing_file,
    require_readable_file,
    require_writable_destination,
)
from pagereel.cli.console import (
    format_size,
    print_json,
    print_message,
    print_report_line,
    print_written_file,
    show_progress,
)
from pagereel.errors import UsageError

if TYPE_CHECKING:
    from pagereel.integrations import FetchReport
    from pagereel.reel import Keys

_SHOWN = 10
"""Largest number of addresses without a response that are printed; ``--json`` has all."""


def import_file(
    source: Path,
    reel: Path | None,
    *,
    fetch: list[str],
    encrypt_to: list[Path] | None = None,
    overwrite: bool,
    json: bool,
) -> int:
    """Write the file `source` of another tool as a reel. Print its path and size, and which parts could not be
    imported.

    Return 1 if the file is damaged; then everything before the damage was written.
    """
    from pagereel.reel import load_keys
    from pagereel.sources import import_recording

    require_readable_file(source)
    reel = reel or source.with_suffix(".reel")
    require_writable_destination(reel, source)
    require_no_existing_file(reel, force=overwrite)
    with show_progress(f"Reading {source.name}"):
        done = import_recording(source, reel, encrypt_to=load_keys(encrypt_to))
    fetched = _fetch_resources(reel, fetch, load_keys(encrypt_to)) if fetch else None
    if json:
        fields: dict[str, Any] = {
            "kind": done.kind,
            "events": done.events,
            "damage": done.damage,
            "warnings": list(done.warnings),
        }
        if fetched is not None:
            fields["fetched"] = {"count": fetched.count, "bytes": fetched.bytes, "failed": fetched.failed}
        print_json({"reel": str(reel), "bytes": reel.stat().st_size, **fields})
        return 1 if done.damage else 0
    print_written_file(reel, f"{done.events:,} events from a {done.format_name}")
    for warning in done.warnings:
        print(f"  not taken over: {warning}")
    if fetched is not None:
        print_report_line(f"  fetched: {fetched.count} files, {format_size(fetched.bytes)}, as they are today")
        for url, why in list(fetched.failed.items())[:_SHOWN]:
            print(f"  not fetched: {url} ({why})")
    if done.damage:
        print(f"  damaged: {done.damage}; what stands before that was taken over")
    if done.masked:
        print_message(f"This recording was redacted with the policy {done.masked} before.")
        return 1 if done.damage else 0
    print_message(
        "This recording is NOT redacted: it holds what the file holds. Builds and exports of it are masked unless told otherwise."
    )
    return 1 if done.damage else 0


def _fetch_resources(reel: Path, hosts: list[str], encrypt_to: Keys | None) -> FetchReport:
    from pagereel.integrations import fetch_missing_resources

    for host in hosts:
        if "/" in host or not host:
            raise UsageError(f"--fetch takes a host as in a URL (cdn.example, 127.0.0.1:8000), not {host!r}.")
    with show_progress("Fetching what it names"):
        return fetch_missing_resources(reel, hosts, encrypt_to=encrypt_to)
