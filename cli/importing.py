"""`pagereel import`: writes another tool's recording as a reel."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pagereel.cli.checks import check_destination, check_free, check_readable
from pagereel.cli.console import bytes_text, print_json, print_report, print_written, progress, say
from pagereel.errors import UsageError

if TYPE_CHECKING:
    from pagereel.integrations import Fetched
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
    """Write `source` as a reel, and print its path and size, and what could not be imported.

    Return 1 if the file is damaged: then everything before the damage was written.
    """
    from pagereel.reel import keys_of
    from pagereel.sources import import_recording

    check_readable(source)
    reel = reel or source.with_suffix(".reel")
    check_destination(reel, source)
    check_free(reel, force=overwrite)
    with progress(f"Reading {source.name}"):
        done = import_recording(source, reel, encrypt_to=keys_of(encrypt_to))
    fetched = _fetched(reel, fetch, keys_of(encrypt_to)) if fetch else None
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
    print_written(reel, f"{done.events:,} events from a {done.about}")
    for warning in done.warnings:
        print(f"  not taken over: {warning}")
    if fetched is not None:
        print_report(f"  fetched: {fetched.count} files, {bytes_text(fetched.bytes)}, as they are today")
        for url, why in list(fetched.failed.items())[:_SHOWN]:
            print(f"  not fetched: {url} ({why})")
    if done.damage:
        print(f"  damaged: {done.damage}; what stands before that was taken over")
    if done.masked:
        say(f"This recording was redacted with the policy {done.masked} before.")
        return 1 if done.damage else 0
    say(
        "This recording is NOT redacted: it holds what the file holds. Builds and exports of it are masked unless told otherwise."
    )
    return 1 if done.damage else 0


def _fetched(reel: Path, hosts: list[str], encrypt_to: Keys | None) -> Fetched:
    from pagereel.integrations import fetch_into

    for host in hosts:
        if "/" in host or not host:
            raise UsageError(f"--fetch takes a host as in a URL (cdn.example, 127.0.0.1:8000), not {host!r}.")
    with progress("Fetching what it names"):
        return fetch_into(reel, hosts, encrypt_to=encrypt_to)
