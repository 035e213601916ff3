"""`pagereel unmask`: restores the original of a masked recording, replay or text from its vault."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pagereel.cli.argument_requirements import (
    require_no_existing_file,
    require_readable_file,
    require_writable_destination,
)
from pagereel.cli.console import print_json, print_message, print_written_file, show_progress
from pagereel.errors import BuildError, UsageError

TEXTS = frozenset({".txt", ".md", ".json", ".jsonl", ".csv", ".log", ".eml"})


def unmask_file(
    file: Path, destination: Path | None, vault: Path, why: str, log: Path | None, *, force: bool, json: bool
) -> int:
    """Write the original of a masked recording, replay or text, and print its path. `why`: the reason, for the audit
    log `log`.
    """
    require_readable_file(file)
    require_readable_file(vault)
    target = destination or file.with_name(f"{file.stem}.unmasked{file.suffix}")
    require_writable_destination(target, file)
    require_no_existing_file(target, force=force)
    with _moving_existing_file_away(target), show_progress(f"Unmasking {file.name}"):
        suffix = file.suffix.lower()
        if suffix in (".html", ".htm"):
            _unmask_replay(file, target, vault, why, log)
        elif suffix in TEXTS:
            _unmask_text(file, target, vault, why, log)
        else:
            from pagereel.redaction import unmask

            unmask(file, target, vault, why=why, log=log)
    if json:
        print_json({"file": str(target), "bytes": target.stat().st_size, "log": str(log or f"{vault}.log")})
    else:
        print_written_file(target)
        print_message("This file shows what was recorded: it is as private as the recording.")
    return 0


@contextmanager
def _moving_existing_file_away(path: Path) -> Iterator[None]:
    """Rename an existing file until the block ends.

    Then restore its name, or delete it if there is a new file of that name.
    """
    if not path.exists():
        yield
        return
    old = path.rename(path.with_name(f".{path.name}.{os.getpid()}"))
    try:
        yield
    finally:
        old.unlink() if path.exists() else old.rename(path)


def _unmask_replay(file: Path, target: Path, vault: Path, why: str, log: Path | None) -> None:
    """Build the unmasked replay of a masked one, with the same options."""
    from pagereel.player_build import build, unpack_replay
    from pagereel.redaction import open_and_log

    try:
        found_info = unpack_replay(file.read_bytes()).index.get("info")
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.") from None
    except BuildError:
        raise UsageError(f"{file} is not a replay that pagereel built.") from None
    info: dict[str, Any] = found_info if isinstance(found_info, dict) else {}
    report = info.get("redaction")
    built: Any = info.get("built")
    if not isinstance(report, dict):
        raise UsageError(f"{file} is not masked; there is nothing to unmask.")
    if not isinstance(report.get("vault"), str) or not isinstance(built, dict):
        raise UsageError(f"{file} was masked without a vault, so it cannot be unmasked.")
    found = open_and_log(file, str(report["vault"]), vault, destination=target, why=why, log=log, reel=False)
    options = {name: value for name, value in built.items() if name != "stem"}
    stem = Path(str(built.get("stem") or "run")).name
    with tempfile.TemporaryDirectory(prefix=".pagereel-", dir=target.parent) as folder:
        reel, html = Path(folder) / f"{stem}.reel", Path(folder) / "replay.html"
        found.restore_recording(reel)
        if isinstance(options.get("title"), str):
            options["title"] = found.replace_stand_ins(options["title"])
        build(reel, html, redaction=None, **options)
        html.chmod(0o600)
        html.replace(target)


def _unmask_text(file: Path, target: Path, vault: Path, why: str, log: Path | None) -> None:
    """Write a copy of a text about a masked recording, with its stand-ins replaced by the original values from the
    vault.
    """
    from pagereel.redaction import open_and_log

    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} cannot be read as text: {getattr(error, 'strerror', None) or error}.") from None
    found = open_and_log(file, None, vault, destination=target, why=why, log=log, reel=False)
    try:
        target.touch(mode=0o600)
        target.write_text(found.replace_stand_ins(text), "utf-8")
    except OSError as error:
        raise UsageError(f"{target} cannot be written: {error.strerror}.") from None
