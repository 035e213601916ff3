"""Cache masked copies of recordings, and masked excerpts of them: masking takes seconds, and the next command on the same recording needs the same copy.

A copy lies in a private folder of the user's cache, together with the key of its stand-ins, so that a replay built
later has the same stand-ins. It is found by the bytes of the recording, the policy, and the code and models that
masked it. The oldest copies are deleted when there are many. `PAGEREEL_COPIES` names another folder; `off` stores
none.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import stat
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, cast

from pagereel import __version__
from pagereel.reel import Json, is_encrypted

from .contracts.cached_file import find_cache_folder, is_private_folder
from .contracts.policy import Policy, load_policy
from .installed_models import describe_versions

VARIABLE: Final = "PAGEREEL_COPIES"
MOST: Final = 50
"""Most copies in the cache."""
MOST_BYTES: Final = 1 << 30
"""Most bytes of all copies together."""
_REEL: Final = "masked.reel"
_KEY: Final = "key"
_VALUES: Final = "values.json"
_BLOCK: Final = 1 << 20


def find_copies_folder() -> Path | None:
    """Return the folder of the copies, which may not exist yet, or None if copies are off."""
    asked = os.environ.get(VARIABLE, "")
    if asked.lower() == "off":
        return None
    if asked:
        return Path(asked) / "masked"
    base = find_cache_folder()
    return None if base is None else base / "masked"


class MaskedCopyCache:
    """The cached masked copy of one recording by one policy. It may not exist."""

    def __init__(self, source: str | os.PathLike[str], policy: Policy | str | os.PathLike[str]) -> None:
        self._place = _find_cache_entry_folder([source], policy)

    def find_copy(self) -> Path | None:
        """Return the path of the cached masked copy, or None if there is none."""
        return _find_cached_file(self._place, _REEL)

    def read_key(self) -> bytes | None:
        """Return the key from which the stand-ins of the cached copy follow, or None if there is no copy."""
        if self.find_copy() is None or self._place is None:
            return None
        with suppress(OSError):
            return (self._place / _KEY).read_bytes()
        return None

    def store_copy(self, masked: Path, key: bytes) -> None:
        """Store a masked recording that has passed the gate. If storing fails, the recording is masked again the next
        time.
        """
        if masked.stat().st_size <= MOST_BYTES // 4:
            _store_cache_entry(
                self._place, lambda made: (shutil.copyfile(masked, made / _REEL), (made / _KEY).write_bytes(key))
            )


class MaskedExcerptCache:
    """The cached result of masking `values` of several recordings together. It may not exist."""

    def __init__(
        self,
        sources: Sequence[str | os.PathLike[str]],
        policy: Policy | str | os.PathLike[str],
        values: Sequence[object],
    ) -> None:
        self._place = _find_cache_entry_folder(sources, policy, json.dumps(values))

    def find_values(self) -> list[Json] | None:
        """Return the cached masked values, or None if there are none."""
        found = _find_cached_file(self._place, _VALUES)
        with suppress(OSError, ValueError):
            return None if found is None else cast("list[Json]", json.loads(found.read_bytes()))
        return None

    def store_values(self, masked: str) -> None:
        """Store masked values that have passed the gate, given as JSON."""
        if len(masked) <= MOST_BYTES // MOST:
            _store_cache_entry(self._place, lambda made: (made / _VALUES).write_text(masked, "ascii"))


def _find_cache_entry_folder(
    sources: Sequence[str | os.PathLike[str]], policy: Policy | str | os.PathLike[str], excerpt_values: str = ""
) -> Path | None:
    """Return the folder for the masked copy of these recordings, whether it exists or not; None if their copy may not
    be stored.
    """
    rules, folder = load_policy(policy), find_copies_folder()
    # The key cannot describe what a user's recognizer finds; and no part of an encrypted recording is stored unencrypted.
    if folder is None or rules.recognizers or any(map(is_encrypted, sources)):
        return None
    hashes = [_hash_file(Path(source)) for source in sources]
    if None in hashes:
        return None
    told = "\n".join(
        (
            *map(str, hashes),
            repr(rules),
            __version__,
            describe_versions(),
            _fingerprint_code(),
            *([excerpt_values] if excerpt_values else []),
        )
    )
    return folder / hashlib.sha256(told.encode()).hexdigest()


def _find_cached_file(entry_folder: Path | None, name: str) -> Path | None:
    """Return the path of a cached file, or None. The time of last use of its folder is updated."""
    if entry_folder is None or not is_private_folder(entry_folder) or not (file := entry_folder / name).is_file():
        return None
    with suppress(OSError):
        os.utime(entry_folder)
    return file


def _store_cache_entry(entry_folder: Path | None, fill_folder: Callable[[Path], object]) -> None:
    """Store a folder that `fill_folder` has filled, in one step. If that fails, nothing is stored."""
    if entry_folder is None:
        return
    made = entry_folder.with_name(f".{entry_folder.name}.{secrets.token_hex(6)}")
    try:
        entry_folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not is_private_folder(entry_folder.parent):
            return
        made.mkdir(mode=0o700)
        fill_folder(made)
        for file in made.iterdir():
            file.chmod(0o600)
        os.replace(made, entry_folder)
        _delete_oldest_copies(entry_folder.parent)
    except OSError:
        shutil.rmtree(made, ignore_errors=True)


def delete_all_copies() -> None:
    """Delete all masked copies."""
    if (folder := find_copies_folder()) is not None:
        shutil.rmtree(folder, ignore_errors=True)


def _delete_oldest_copies(folder: Path) -> None:
    """Delete the copies that were unused longest, until neither their number nor their size exceeds the limits."""
    places = sorted((p for p in folder.iterdir() if p.is_dir()), key=lambda p: p.stat().st_mtime, reverse=True)
    held = 0
    for number, place in enumerate(places):
        held += sum(file.stat().st_size for file in place.iterdir())
        if number >= MOST or held > MOST_BYTES:
            shutil.rmtree(place, ignore_errors=True)


def _hash_file(path: Path) -> str | None:
    """Return the SHA-256 of a regular file, or None."""
    try:
        with path.open("rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return None
            digest = hashlib.sha256()
            while block := file.read(_BLOCK):
                digest.update(block)
    except OSError:
        return None
    return digest.hexdigest()


def _fingerprint_code() -> str:
    """Return a fingerprint of the code and data in this package: two states of a checkout may have the same version
    number.
    """
    room = Path(__file__).parent
    files = sorted(path for path in room.rglob("*") if path.suffix in (".py", ".txt", ".gz", ".npz"))
    return hashlib.sha256(
        "".join(f"{p.name}{(s := p.stat()).st_size}{s.st_mtime_ns}" for p in files).encode()
    ).hexdigest()
