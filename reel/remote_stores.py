"""Reads and writes recordings and replays in remote stores (``s3://``, ``gs://``, …; by fsspec) and at plain paths.

The rest of pagereel works on local files: a reel is read at any offset and more than once, and a replay must pass the
leak gate before anybody can see it. So a remote reel is downloaded as a whole, and a remote replay is uploaded as a
whole once it has passed. fsspec's own implementation of the store splits large uploads.
"""

from __future__ import annotations

import glob
import hashlib
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from ..errors import PagereelError, ReelError, SetupError, UsageError

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

_URL = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_WILD = re.compile(r"[*?\[]")


def is_url(path_or_url: str) -> bool:
    """Return whether a string is an address for fsspec and not a path."""
    return _URL.match(path_or_url) is not None


def expand_pattern(pattern: str) -> list[str]:
    """Return the paths or addresses that match `pattern`, sorted: the matches of its ``*``, ``?``, ``[…]`` and ``**``;
    a pattern without these is returned unchanged. Raises UsageError if nothing matches.
    """
    if not is_url(pattern):
        if not _WILD.search(pattern) or Path(pattern).exists():
            return [pattern]
        found = sorted(glob.glob(pattern, recursive=True))
    elif not _WILD.search(pattern.partition("://")[2]):
        return [pattern]
    else:
        system, path = _get_file_system(pattern)
        with _convert_store_errors(pattern):
            found = sorted(str(system.unstrip_protocol(name)) for name in system.glob(path))
    if not found:
        raise UsageError(f"Nothing matches {pattern}; check the pattern.")
    return found


_ENDINGS = frozenset({"reel", "zip", "html", "json", "jsonl", "ndjson"})
"""Endings of recordings' names, which the replay's ending replaces."""


def build_replay_path(source: str, folder: str | None, ending: str) -> str:
    """Return the path of the replay of the recording `source`: the same file name with the extension `ending`, in
    `folder` or else beside the recording.
    """
    head, slash, name = source.replace("\\", "/").rpartition("/") if is_url(source) else _split_path(source)
    stem, dot, last = name.rpartition(".")
    name = f"{stem if dot and stem and last.lower() in _ENDINGS else name}{ending}"
    if folder is None:
        return f"{head}{slash}{name}"
    return f"{folder.rstrip('/')}/{name}" if is_url(folder) else str(Path(folder) / name)


def _split_path(path: str) -> tuple[str, str, str]:
    parent = Path(path).parent
    return ("", "", Path(path).name) if parent == Path() else (str(parent), "/", Path(path).name)


@contextmanager
def open_local_copy(path_or_url: str) -> Iterator[Path]:
    """Yield a local path of a file: the given path itself, or a temporary copy (mode 0600) of the object at an address.
    Raises ReelError.
    """
    if not is_url(path_or_url):
        yield Path(path_or_url)
        return
    system, path = _get_file_system(path_or_url)
    with _create_temporary_path(path_or_url) as copy:
        copy.touch(mode=0o600)
        with _convert_store_errors(path_or_url):
            system.get_file(path, str(copy))
        yield copy


@contextmanager
def open_local_file_to_upload(path_or_url: str) -> Iterator[Path]:
    """Yield a local path to write to. For an address, the file is uploaded to it when the block ends without an error."""
    if not is_url(path_or_url):
        yield Path(path_or_url)
        return
    system, path = _get_file_system(path_or_url)
    with _create_temporary_path(path_or_url) as target:
        yield target
        _upload(system, target, path, path_or_url)


@contextmanager
def _create_temporary_path(path_or_url: str) -> Iterator[Path]:
    """Yield a path with the same file name in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="pagereel-") as folder:
        yield Path(folder) / (path_or_url.rstrip("/").rpartition("/")[2] or "file")


def require_reachable_store(url: str) -> None:
    """Raise SetupError or UsageError if no installed package can access the store of `url`. The network is not used."""
    _get_file_system(url)


def upload(source: Path, url: str) -> None:
    """Upload a local file to `url`. Raises ReelError."""
    system, path = _get_file_system(url)
    _upload(system, source, path, url)


def _upload(file_system: AbstractFileSystem, source: Path, path: str, url: str) -> None:
    with _convert_store_errors(url):
        parent = path.rpartition("/")[0]
        if parent:
            file_system.makedirs(parent, exist_ok=True)
        file_system.put_file(str(source), path)


def compute_file_fingerprint(path_or_url: str) -> str:
    """Return a text that changes when the file at `path_or_url` does: the SHA-256 of a local file, the store's own version
    tag of a remote one.
    """
    if is_url(path_or_url):
        system, path = _get_file_system(path_or_url)
        with _convert_store_errors(path_or_url):
            return f"{path_or_url} {system.ukey(path)}"
    try:
        with Path(path_or_url).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ReelError(f"{path_or_url} cannot be read: {error.strerror}.") from None


def exists(url: str) -> bool:
    """Return whether an object exists at an address. Raises ReelError if that is unknown."""
    system, path = _get_file_system(url)
    with _convert_store_errors(url):
        return bool(system.exists(path))


def get_size(url: str) -> int:
    """Return the size in bytes of the object at an address. Raises ReelError if it cannot be read."""
    system, path = _get_file_system(url)
    with _convert_store_errors(url):
        return int(system.size(path) or 0)


def remove(url: str) -> None:
    """Delete the object at an address, if it exists. Raises ReelError."""
    system, path = _get_file_system(url)
    with _convert_store_errors(url):
        if system.exists(path):
            system.rm_file(path)


def list_names(url: str) -> list[str]:
    """Return the names directly below an address; an empty list if there is no such folder. Raises ReelError."""
    system, path = _get_file_system(url)
    with _convert_store_errors(url):
        if not system.exists(path):
            return []
        system.invalidate_cache(path)
        return sorted(str(name).rstrip("/").rpartition("/")[2] for name in system.ls(path, detail=False))


@contextmanager
def open_for_reading(path_or_url: str) -> Iterator[BinaryIO | None]:
    """Yield the file at a path or an address, open for reading from its beginning; None if it does not exist."""
    try:
        if is_url(path_or_url):
            system, path = _get_file_system(path_or_url)
            file = cast(BinaryIO, system.open(path, "rb"))
        else:
            file = Path(path_or_url).open("rb")  # noqa: SIM115 (closed below)
    except PagereelError:
        raise
    except Exception:  # stores have their own errors for missing files
        yield None
        return
    with file:
        yield file


def _get_file_system(url: str) -> tuple[AbstractFileSystem, str]:
    """Return fsspec's file system for `url`, and the path in it."""
    try:
        import fsspec
    except ImportError:
        raise SetupError(f"{url} needs fsspec; install it with: pip install 'pagereel[scale]'.") from None
    try:
        system, path = fsspec.core.url_to_fs(url)
    except ImportError as error:  # fsspec names the missing package
        raise SetupError(f"{url} cannot be reached: {error}.") from None
    except ValueError as error:
        raise UsageError(f"{url} is not an address that fsspec knows: {error}.") from None
    return cast(Any, system), str(path)


@contextmanager
def _convert_store_errors(url: str) -> Iterator[None]:
    """Convert a store's errors into a ReelError of one sentence."""
    try:
        yield
    except PagereelError:
        raise
    except FileNotFoundError:
        raise ReelError(f"{url} does not exist; check the address.") from None
    except Exception as error:  # each store has its own exceptions
        raise ReelError(f"{url} cannot be reached: {type(error).__name__}: {error}.") from None
