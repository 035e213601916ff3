"""`pagereel unmask`: restores the original of a masked recording, replay or text from its vault."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pagereel.cli.checks import check_destination, check_free, check_readable
from pagereel.cli.console import print_json, print_written, progress, say
from pagereel.errors import BuildError, UsageError

TEXTS = frozenset({".txt", ".md", ".json", ".jsonl", ".csv", ".log", ".eml"})


def unmask_file(
    file: Path, destination: Path | None, vault: Path, why: str, log: Path | None, *, force: bool, json: bool
) -> int:
    """Write the original of a masked recording, replay or text, and print its path. `why`: the reason, for the audit
    log `log`.
    """
    check_readable(file)
    check_readable(vault)
    target = destination or file.with_name(f"{file.stem}.unmasked{file.suffix}")
    check_destination(target, file)
    check_free(target, force=force)
    with _moved_away(target), progress(f"Unmasking {file.name}"):
        suffix = file.suffix.lower()
        if suffix in (".html", ".htm"):
            _replay(file, target, vault, why, log)
        elif suffix in TEXTS:
            _text(file, target, vault, why, log)
        else:
            from pagereel.redaction import unmask

            unmask(file, target, vault, why=why, log=log)
    if json:
        print_json({"file": str(target), "bytes": target.stat().st_size, "log": str(log or f"{vault}.log")})
    else:
        print_written(target)
        say("This file shows what was recorded: it is as private as the recording.")
    return 0


@contextmanager
def _moved_away(path: Path) -> Iterator[None]:
    """Rename an existing file until the block ends. Then it gets its name back, or is deleted if a new file has that
    name.
    """
    if not path.exists():
        yield
        return
    old = path.rename(path.with_name(f".{path.name}.{os.getpid()}"))
    try:
        yield
    finally:
        old.unlink() if path.exists() else old.rename(path)


def _replay(file: Path, target: Path, vault: Path, why: str, log: Path | None) -> None:
    """Build the unmasked replay, with the options of the masked one."""
    from pagereel.player_build import build, unpack
    from pagereel.redaction import admitted

    try:
        found_info = unpack(file.read_bytes()).index.get("info")
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
    found = admitted(file, str(report["vault"]), vault, destination=target, why=why, log=log, reel=False)
    options = {name: value for name, value in built.items() if name != "stem"}
    stem = Path(str(built.get("stem") or "run")).name
    with tempfile.TemporaryDirectory(prefix=".pagereel-", dir=target.parent) as folder:
        reel, html = Path(folder) / f"{stem}.reel", Path(folder) / "replay.html"
        found.restore(reel)
        if isinstance(options.get("title"), str):
            options["title"] = found.read(options["title"])
        build(reel, html, redaction=None, **options)
        html.chmod(0o600)
        html.replace(target)


def _text(file: Path, target: Path, vault: Path, why: str, log: Path | None) -> None:
    """Write a text about a masked recording with its stand-ins replaced by the original values from the vault."""
    from pagereel.redaction import admitted

    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} cannot be read as text: {getattr(error, 'strerror', None) or error}.") from None
    found = admitted(file, None, vault, destination=target, why=why, log=log, reel=False)
    try:
        target.touch(mode=0o600)
        target.write_text(found.read(text), "utf-8")
    except OSError as error:
        raise UsageError(f"{target} cannot be written: {error.strerror}.") from None
