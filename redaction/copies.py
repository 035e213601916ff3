"""Cache masked copies of recordings for the next question: masking takes seconds, a question a fraction of one.

A copy stands in a private folder of the user's cache, with the key of its stand-ins: a replay that is built later has the same ones. It is found by the
bytes of the recording, the policy, and the code and models that masked it. The oldest copies are deleted when there are many. `PAGEREEL_COPIES` names
another folder; `off` keeps none.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from pagereel import __version__
from pagereel.reel import is_encrypted

from .contracts.cached_file import cache, is_private
from .contracts.policy import Policy, load_policy
from .installed_models import versions

VARIABLE: Final = "PAGEREEL_COPIES"
MOST: Final = 50
"""Copies that are kept."""
MOST_BYTES: Final = 1 << 30
"""Bytes of all of them."""
_REEL: Final = "masked.reel"
_KEY: Final = "key"
_BLOCK: Final = 1 << 20


def cache_folder() -> Path | None:
    """Return the folder of the copies, which may not exist yet, or None if copies are off."""
    asked = os.environ.get(VARIABLE, "")
    if asked.lower() == "off":
        return None
    if asked:
        return Path(asked) / "masked"
    base = cache()
    return None if base is None else base / "masked"


class Copies:
    """The cached copy of one recording by one policy, which may not exist."""

    def __init__(self, source: str | os.PathLike[str], policy: Policy | str | os.PathLike[str]) -> None:
        rules = load_policy(policy)
        folder = cache_folder()
        self._place: Path | None = None
        # What a recognizer of the user's own finds is told by no name, and of an encrypted recording nothing lies about in plain.
        plain = not rules.recognizers and not is_encrypted(source)
        if folder is not None and plain and (source_hash := _hash_of(Path(source))) is not None:
            told = "\n".join((source_hash, repr(rules), __version__, versions(), _code()))
            self._place = folder / hashlib.sha256(told.encode()).hexdigest()

    def find(self) -> Path | None:
        """Return the path of the masked copy, or None."""
        if self._place is None or not is_private(self._place):
            return None
        reel = self._place / _REEL
        if not reel.is_file():
            return None
        with suppress(OSError):
            os.utime(self._place)
        return reel

    def key(self) -> bytes | None:
        """Return the key of the copy's stand-ins, or None."""
        if self.find() is None or self._place is None:
            return None
        with suppress(OSError):
            return (self._place / _KEY).read_bytes()
        return None

    def keep(self, masked: Path, key: bytes) -> None:
        """Cache a masked recording that has passed the gate. If that fails, the recording is masked again the next time."""
        if self._place is None or masked.stat().st_size > MOST_BYTES // 4:
            return
        made = self._place.with_name(f".{self._place.name}.{secrets.token_hex(6)}")
        try:
            self._place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not is_private(self._place.parent):
                return
            made.mkdir(mode=0o700)
            shutil.copyfile(masked, made / _REEL)
            (made / _KEY).write_bytes(key)
            for file in made.iterdir():
                file.chmod(0o600)
            os.replace(made, self._place)
            _make_room(self._place.parent)
        except OSError:
            shutil.rmtree(made, ignore_errors=True)


def clear_copies() -> None:
    """Delete all masked copies."""
    if (folder := cache_folder()) is not None:
        shutil.rmtree(folder, ignore_errors=True)


def _make_room(folder: Path) -> None:
    """Delete the copies that were unused longest, until few enough are left."""
    places = sorted((p for p in folder.iterdir() if p.is_dir()), key=lambda p: p.stat().st_mtime, reverse=True)
    held = 0
    for number, place in enumerate(places):
        held += sum(file.stat().st_size for file in place.iterdir())
        if number >= MOST or held > MOST_BYTES:
            shutil.rmtree(place, ignore_errors=True)


def _hash_of(path: Path) -> str | None:
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


def _code() -> str:
    """Return a fingerprint of this room's code: two states of a checkout may have the same version."""
    room = Path(__file__).parent
    files = sorted(path for path in room.rglob("*") if path.suffix in (".py", ".txt", ".gz", ".npz"))
    return hashlib.sha256(
        "".join(f"{p.name}{(s := p.stat()).st_size}{s.st_mtime_ns}" for p in files).encode()
    ).hexdigest()
