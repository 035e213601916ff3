"""Recordings and replays wherever fsspec reaches: ``s3://``, ``gs://``, ``abfs://``, ``memory://``, and plain paths.

Everything else in pagereel works on local files: a reel is read at any place and more than once, a replay must be gone
over by the gate before anybody can see it. So a remote reel is fetched whole, and a remote replay is put in its place
whole, once it has passed: with `put`, which the store's own implementation does in parts where it has to.
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


def is_url(place: str) -> bool:
    """Return whether `place` is an address for fsspec rather than a path."""
    return _URL.match(place) is not None


def expand(pattern: str) -> list[str]:
    """Return the places that `pattern` names, sorted: itself, or what its ``*``, ``?``, ``[…]`` and ``**`` match.

    Raises UsageError when it matches nothing.
    """
    if not is_url(pattern):
        if not _WILD.search(pattern) or Path(pattern).exists():
            return [pattern]
        found = sorted(glob.glob(pattern, recursive=True))
    elif not _WILD.search(pattern.partition("://")[2]):
        return [pattern]
    else:
        system, path = _system(pattern)
        with _store_errors(pattern):
            found = sorted(str(system.unstrip_protocol(name)) for name in system.glob(path))
    if not found:
        raise UsageError(f"Nothing is named like {pattern}; check the pattern.")
    return found


_ENDINGS = frozenset({"reel", "zip", "html", "json", "jsonl", "ndjson"})
"""What recordings' names end in: the replay's ending takes its place."""


def replay_path(source: str, folder: str | None, ending: str) -> str:
    """Return where the replay of `source` goes: the same name with `ending`, in `folder` or beside it."""
    head, slash, name = source.replace("\\", "/").rpartition("/") if is_url(source) else _split(source)
    stem, dot, last = name.rpartition(".")
    name = f"{stem if dot and stem and last.lower() in _ENDINGS else name}{ending}"
    if folder is None:
        return f"{head}{slash}{name}"
    return f"{folder.rstrip('/')}/{name}" if is_url(folder) else str(Path(folder) / name)


def _split(path: str) -> tuple[str, str, str]:
    parent = Path(path).parent
    return ("", "", Path(path).name) if parent == Path() else (str(parent), "/", Path(path).name)


@contextmanager
def local_copy(place: str) -> Iterator[Path]:
    """`place` as a local file: itself, or a copy of mode 0600 that is gone afterwards. Raises ReelError."""
    if not is_url(place):
        yield Path(place)
        return
    system, path = _system(place)
    with _aside(place) as copy:
        copy.touch(mode=0o600)
        with _store_errors(place):
            system.get_file(path, str(copy))
        yield copy


@contextmanager
def local_target(place: str) -> Iterator[Path]:
    """Give a local path to write; what is there at the end without an error is put to `place`, whole."""
    if not is_url(place):
        yield Path(place)
        return
    system, path = _system(place)
    with _aside(place) as target:
        yield target
        _put(system, target, path, place)


@contextmanager
def _aside(place: str) -> Iterator[Path]:
    """Give a path of the same name in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="pagereel-") as folder:
        yield Path(folder) / (place.rstrip("/").rpartition("/")[2] or "file")


def check(url: str) -> None:
    """Raise SetupError or UsageError when nothing here can reach `url`; asks no network."""
    _system(url)


def store(source: Path, url: str) -> None:
    """Put a local file to `url`, whole; the store's own implementation does it in parts. Raises ReelError."""
    system, path = _system(url)
    _put(system, source, path, url)


def _put(system: AbstractFileSystem, source: Path, path: str, place: str) -> None:
    with _store_errors(place):
        parent = path.rpartition("/")[0]
        if parent:
            system.makedirs(parent, exist_ok=True)
        system.put_file(str(source), path)


def fingerprint(place: str) -> str:
    """Return what changes when the file at `place` does: the SHA-256 of a local one, the store's own mark of another."""
    if is_url(place):
        system, path = _system(place)
        with _store_errors(place):
            return f"{place} {system.ukey(path)}"
    try:
        with Path(place).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ReelError(f"{place} cannot be read: {error.strerror}.") from None


def exists(url: str) -> bool:
    """Return whether there is something at an address. Raises ReelError where that cannot be known."""
    system, path = _system(url)
    with _store_errors(url):
        return bool(system.exists(path))


def size(url: str) -> int:
    """Return the bytes of what is at an address. Raises ReelError."""
    system, path = _system(url)
    with _store_errors(url):
        return int(system.size(path) or 0)


def remove(url: str) -> None:
    """Remove what is at an address, if there is something. Raises ReelError."""
    system, path = _system(url)
    with _store_errors(url):
        if system.exists(path):
            system.rm_file(path)


def names(url: str) -> list[str]:
    """Return the names of what lies right below an address; none where there is no such folder. Raises ReelError."""
    system, path = _system(url)
    with _store_errors(url):
        if not system.exists(path):
            return []
        system.invalidate_cache(path)
        return sorted(str(name).rstrip("/").rpartition("/")[2] for name in system.ls(path, detail=False))


@contextmanager
def reading(place: str) -> Iterator[BinaryIO | None]:
    """Give the file at `place`, open for reading its beginning; None when there is none."""
    try:
        if is_url(place):
            system, path = _system(place)
            file = cast(BinaryIO, system.open(path, "rb"))
        else:
            file = Path(place).open("rb")  # noqa: SIM115 (closed below)
    except PagereelError:
        raise
    except Exception:  # stores have errors of their own for what is not there
        yield None
        return
    with file:
        yield file


def _system(url: str) -> tuple[AbstractFileSystem, str]:
    """Return the file system of `url`, and the path in it."""
    try:
        import fsspec
    except ImportError:
        raise SetupError(f"{url} needs fsspec; install it with: pip install 'pagereel[scale]'.") from None
    try:
        system, path = fsspec.core.url_to_fs(url)
    except ImportError as error:  # fsspec names the package that is missing
        raise SetupError(f"{url} cannot be reached: {error}.") from None
    except ValueError as error:
        raise UsageError(f"{url} is no address that fsspec knows: {error}.") from None
    return cast(Any, system), str(path)


@contextmanager
def _store_errors(place: str) -> Iterator[None]:
    """Give a store's errors as one sentence."""
    try:
        yield
    except PagereelError:
        raise
    except FileNotFoundError:
        raise ReelError(f"{place} does not exist; check the address.") from None
    except Exception as error:  # each store has its own
        raise ReelError(f"{place} cannot be reached: {type(error).__name__}: {error}.") from None
