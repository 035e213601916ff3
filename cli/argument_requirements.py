"""Checks arguments before a command begins its work: files to read, files to write, and redaction policies."""

from __future__ import annotations

import zipfile
from pathlib import Path

from pagereel.cli.console import print_warning
from pagereel.errors import BuildError, UsageError


def require_readable_file(path: Path, *, accepts_pipe: bool = False) -> None:
    """Raise UsageError if `path` is no readable file. `accepts_pipe`: a pipe is accepted as well."""
    if "#test=" in path.name:
        from pagereel.sources import split_suite_address

        path, _ = split_suite_address(path)
    if path.is_dir():
        raise UsageError(f"{path} is a folder; name the file in it.")
    if not path.exists():
        raise UsageError(f"There is no file {path}.")
    if not (path.is_file() or (accepts_pipe and path.is_fifo())):
        raise UsageError(f"{path} is not a file; name a file to read.")


def require_writable_destination(path: Path, source: Path | None = None, *, accepts_device: bool = False) -> None:
    """Raise UsageError if no file can be written at `path`.

    `accepts_device`: a device such as /dev/stdout is accepted as well.
    """
    if path.is_dir():
        raise UsageError(f"{path} is a folder; name the file to write in it.")
    if path.exists() and not path.is_file() and not accepts_device:
        # The finished file is renamed to this path, which would replace a device.
        raise UsageError(f"{path} is not a file; name a file to write.")
    if not path.parent.is_dir():
        raise UsageError(f"The folder {path.parent} does not exist; make it first, or give another path.")
    if source is not None and path.exists() and path.samefile(source):
        raise UsageError(f"{path} is the recording itself; give another path to write to.")


def require_no_existing_file(path: Path, *, force: bool, writes_replay: bool = False) -> None:
    """Raise UsageError if a file exists at `path` that may not be replaced.

    It may be replaced with `force`, and with `writes_replay` (a replay is to be written) if it is a replay itself.
    """
    if not path.is_file() or force or (writes_replay and _is_replay(path)):
        return
    raise UsageError(f"{path} exists already; give another path, or add --force.")


def _is_replay(path: Path) -> bool:
    """Return whether a file is a replay that pagereel built, as HTML or in a ZIP archive."""
    from pagereel.player_build import read_redaction_policy

    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                read_redaction_policy(archive.read(archive.namelist()[0]))
        else:
            read_redaction_policy(path.read_bytes())
    except (BuildError, OSError, IndexError, zipfile.BadZipFile, RuntimeError, NotImplementedError):
        return False
    return True


def read_replay_policy(path: Path, advice: str = ".") -> str | None:
    """Return the name of the policy with which a replay was redacted; None for an unredacted replay.

    Raises UsageError for a file that is no replay.
    """
    from pagereel.player_build import read_redaction_policy

    require_readable_file(path)
    try:
        return read_redaction_policy(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None
    except BuildError:
        raise UsageError(f"{path} is not a replay that pagereel built{advice}") from None


def parse_redaction_option(redaction: str) -> str | None:
    """Return the policy that `--redaction` names; None for ``off``. Warn if a language model for it is missing.

    Raises PolicyError for an unknown policy.
    """
    if redaction == "off":
        return None
    from pagereel.redaction import load_policy

    load_policy(redaction)
    warn_of_missing_models()
    return redaction


def warn_of_missing_models() -> None:
    """Print a warning that names the language models that are missing for redaction; nothing if all are installed."""
    from pagereel.redaction import describe_missing_models, list_missing_models

    if sentence := describe_missing_models(list_missing_models()):
        print_warning(sentence)
