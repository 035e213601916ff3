"""Write and open vaults: the originals of a masked recording in a separate file, encrypted to a key.

A vault holds two things. The *mapping* from stand-ins to values answers "who is Stigr Lukloveguwud?" when a vendor
writes about an invented person. The *original recording* is stored frame by frame, and can be restored byte for byte.
The mapping alone does not suffice for that: several spellings of a value share one stand-in, and dropped content has
none. So a vault is as private as the unmasked recording, which may be deleted when there is a vault.

A vault belongs to one masked recording: the recording carries the vault's id, and the vault the hash of the
recording's events. Its file is a reel (docs/format.md, "Encrypted") with the purpose ``vault``.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import secrets
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from pagereel.errors import LockedError, ReelError, UsageError
from pagereel.reel import ENCRYPTED_MAGIC, Json, Key, Keys, Reel, ReelWriter, load_keys, open_reel

from ..contracts.entities import CODED

VERSION = 1
_READABLE = 4


def write_vault(
    path: Path, identity: str, reel: Reel, masked: Path, stand_ins: Iterable[tuple[str, str, str]], encrypt_to: Keys
) -> None:
    """Write the vault with the id `identity` for the recording `reel`, whose masked copy is `masked`. An old file is
    replaced in one step.

    Raises UsageError for a key or path that cannot be used.
    """
    keys = load_keys(encrypt_to)
    if not keys:
        raise UsageError("A vault needs a key: a passphrase or a public key to encrypt it to.")
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    mapping = list(stand_ins)
    frames = hashlib.sha256()
    count = 0
    about: dict[str, Json] = {
        "id": identity,
        "version": VERSION,
        "recording": reel.header.get("id"),
        "masked": hash_events(masked),
        "stand_ins": len(mapping),
    }
    try:
        writer = ReelWriter(temporary, {"started": 0, "vault": about}, flush_ms=1e9, encrypt_to=keys, purpose="vault")
        try:
            for stand_in, entity, value in mapping:
                writer.write({"k": "stand_in", "t": 0, "stand_in": stand_in, "entity": entity, "value": value})
            for frame in reel.iter_zstd_frames():
                frames.update(frame)
                count += 1
                writer.write({"k": "original", "t": 0, "n": count, "base64": base64.b64encode(frame).decode()})
            writer.write({"k": "original_end", "t": 0, "frames": count, "sha256": frames.hexdigest()})
        finally:
            writer.close()
        os.replace(temporary, path)
    except OSError as error:
        raise UsageError(f"The vault {path} cannot be written: {error.strerror or error}.") from None
    finally:
        with suppress(OSError):
            temporary.unlink()


def hash_events(path: str | os.PathLike[str]) -> str:
    """Return the SHA-256 of a reel's events. It does not depend on how they are divided into frames."""
    digest = hashlib.sha256()
    with open_reel(path) as reel:
        for event in reel.events():
            digest.update(orjson.dumps(event) + b"\n")
    return digest.hexdigest()


def read_vault_id(path: str | os.PathLike[str]) -> str:
    """Return the id of the vault that a masked reel names. Raises UsageError if it names none."""
    with open_reel(path) as reel:
        for event in reel.events():
            if event.get("k") == "redaction":
                report = event.get("report")
                if isinstance(report, dict) and isinstance(report.get("vault"), str):
                    return str(report["vault"])
                raise UsageError(f"{path} was masked without a vault, so it cannot be unmasked.")
    raise UsageError(f"{path} is not masked; there is nothing to unmask.")


@dataclass(frozen=True, repr=False)
class StandInEntry:
    """One entry of the mapping: a stand-in, its type, and the value that it replaces."""

    stand_in: str
    entity: str
    value: str


@dataclass
class Vault:
    """An open vault, as :func:`open_vault` returns it."""

    path: Path
    id: str
    recording: str
    """The recording's own id; empty if it has none."""
    masked: str
    """SHA-256 of the masked recording's events."""
    _key: Key | None = field(repr=False)

    def require_vault_id(self, identity: str, name: object) -> None:
        """Raise UsageError if this is not the vault that a file names.

        :param identity: the id of the vault that the file names.
        :param name: the file's name, for the error message.
        """
        if identity != self.id:
            raise UsageError(
                f"{self.path} does not belong to {name}, but to another recording or another masking of it: it is the vault {self.id[:12]}, "
                f"and {name} names {identity[:12]}."
            )

    def list_stand_ins(self) -> list[StandInEntry]:
        """Return the mapping from stand-ins to values as a list of entries."""
        with self._open_vault_reel() as reel:
            return [
                StandInEntry(str(e["stand_in"]), str(e["entity"]), str(e["value"]))
                for e in reel.events()
                if e["k"] == "stand_in"
            ]

    def restore_recording(self, destination: str | os.PathLike[str]) -> int:
        """Write the original recording byte for byte, with mode 0600, and return its size in bytes. An encrypted recording is written decrypted.

        :raises ReelError: the vault is damaged.
        :raises UsageError: the file exists already, or cannot be written.
        """
        target = Path(destination)
        if target.exists():
            raise UsageError(f"{target} exists already, and unmask overwrites nothing; give another path.")
        temporary = target.with_name(f".{target.name}.{secrets.token_hex(6)}")
        digest, size, wanted = hashlib.sha256(), 0, ""
        try:
            with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                for frame in self._iter_original_zstd_frames():
                    if isinstance(frame, str):
                        wanted = frame
                        continue
                    digest.update(frame)
                    size += file.write(frame)
            if digest.hexdigest() != wanted:
                raise ReelError(f"{self.path} is damaged: the recording in it is not complete.")
            os.replace(temporary, target)
        except OSError as error:
            raise UsageError(f"{target} cannot be written: {error.strerror or error}.") from None
        finally:
            with suppress(OSError):
                temporary.unlink()
        return size

    def _iter_original_zstd_frames(self) -> Iterator[bytes | str]:
        """Yield the original frames as bytes, then their hash as a string."""
        with self._open_vault_reel() as reel:
            for event in reel.events():
                if event["k"] == "original":
                    yield base64.b64decode(str(event["base64"]))
                elif event["k"] == "original_end":
                    yield str(event["sha256"])

    def _open_vault_reel(self) -> Reel:
        return open_reel(self.path, self._key, purpose="vault")

    def replace_stand_ins(self, text: str) -> str:
        """Return a text about the masked recording with the original values in place of stand-ins. If a stand-in
        replaces several values, all of them are listed in brackets.
        """
        meanings: dict[str, dict[str, str]] = {}
        for entry in self.list_stand_ins():
            words = any(c.isalpha() for c in entry.stand_in)
            if len(entry.stand_in) >= _READABLE and (words or entry.entity in CODED):
                meanings.setdefault(entry.stand_in.casefold(), {}).setdefault(entry.value.casefold(), entry.value)
        if not meanings:
            return text
        longest = sorted(meanings, key=len, reverse=True)
        pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)", re.IGNORECASE)

        def replace_match(match: re.Match[str]) -> str:
            values = list(meanings.get(match.group().casefold(), {match.group(): match.group()}).values())
            return values[0] if len(values) == 1 else f"[{' | '.join(values)}]"

        return pattern.sub(replace_match, text)


def open_vault(path: str | os.PathLike[str], key: Key | None = None) -> Vault:
    """Open a vault with `key`, else with the key of the environment.

    Raises LockedError without a key or with a wrong one, UsageError for a file that is no vault.
    """
    try:
        with Path(path).open("rb") as file:
            encrypted = file.read(len(ENCRYPTED_MAGIC)) == ENCRYPTED_MAGIC
    except OSError as error:
        raise UsageError(f"The vault {path} cannot be read: {error.strerror or error}.") from None
    if not encrypted:
        raise UsageError(f"{path} is not a vault; give the file that --vault wrote.")
    with open_reel(path, key, purpose="vault") as reel:
        about = reel.header.get("vault")
        if not isinstance(about, dict):
            raise UsageError(f"{path} is a recording, not a vault.")
        if not reel.sealed or reel.damage is not None:
            raise ReelError(f"{path} is damaged or was cut off; it does not hold the whole recording.")
        if about.get("version") != VERSION:
            raise UsageError(f"{path} is the vault of a newer pagereel; install one (pip install -U pagereel).")
        recording = about.get("recording")
        return Vault(
            Path(path), str(about["id"]), str(recording) if recording else "", str(about["masked"]),
            reel.encrypt_to[0] if reel.encrypt_to else key,
        )  # fmt: skip


def unmask(
    source: str | os.PathLike[str],
    destination: str | os.PathLike[str],
    vault: str | os.PathLike[str],
    *,
    why: str,
    key: Key | None = None,
    log: str | os.PathLike[str] | None = None,
) -> int:
    """Write the recording from which the masked reel `source` was made, byte for byte, and return its size in bytes.

    Each attempt is written to `log` (else ``<vault>.log``) before anything is restored: see :mod:`.audit`.

    Raises LockedError for a wrong key, UsageError for another recording's vault, for a masked reel that was changed,
    and when the log cannot be written.
    """
    found = open_and_log(source, read_vault_id(source), vault, destination=destination, why=why, key=key, log=log)
    return found.restore_recording(destination)


def open_and_log(
    source: str | os.PathLike[str],
    identity: str | None,
    vault: str | os.PathLike[str],
    *,
    destination: str | os.PathLike[str],
    why: str,
    key: Key | None = None,
    log: str | os.PathLike[str] | None = None,
    reel: bool = True,
) -> Vault:
    """Open the vault for a file that names the vault `identity`, and log the attempt, whether it succeeds or not.

    :param identity: None for a text, which names no vault.
    :param reel: the file is a masked reel, whose events must be those that the vault was made for.
    """
    from .audit import AuditLog

    entry = AuditLog(log if log is not None else f"{os.fspath(vault)}.log", vault, source, destination, why)
    try:
        found = open_vault(vault, key)
        if identity is not None:
            found.require_vault_id(identity, source)
        if reel and hash_events(source) != found.masked:
            raise UsageError(f"{source} is not the file that was masked: its events have changed since.")
    except LockedError as error:
        entry.write_outcome("wrong key" if error.wrong else "no key", identity or "")
        raise
    except (ReelError, UsageError):
        entry.write_outcome("refused", identity or "")
        raise
    entry.write_outcome("opened", found.id, found.recording)
    return found
