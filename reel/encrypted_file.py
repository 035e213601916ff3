"""The encrypted file: one header line of JSON, then one encrypted record for each zstd frame of the plain file.

Each record is encrypted by itself (AES-256-GCM), so that records can be read after a crash, and a damaged record makes
only the later ones unreadable. Its associated data are the hash of the header and its number: a record that was
changed, moved, left out, or taken from another file cannot be decrypted. docs/format.md has the layout.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Protocol

import orjson

from ..errors import FutureFormatError, ReelError
from .keys import Key, unwrap_with_key
from .limits import FRAME_BYTES
from .zstd_frames import (
    ReadAt,
    TruncatedZstdFrameError,
    UnreadableZstdFrameError,
    ZstdFrameExtent,
    find_zstd_frame_extent,
)

ENCRYPTED_MAGIC: Final = b'{"pagereel":"encrypted"'
VERSION: Final = 1
HEADER_LIMIT: Final = 64 << 10
PURPOSES: Final = {"reel": "recording", "vault": "vault"}
_LENGTH: Final = 4
_NONCE: Final = 12
_TAG: Final = 16
_LARGEST: Final = FRAME_BYTES + (1 << 20)


def is_encrypted(path: str | os.PathLike[str]) -> bool:
    """Return whether a file begins like an encrypted one; False for a file that cannot be read."""
    try:
        with Path(path).open("rb") as file:
            return file.read(len(ENCRYPTED_MAGIC)) == ENCRYPTED_MAGIC
    except OSError:
        return False


class ZstdFrameContainer(Protocol):
    """Reads the zstd frames of a file, which are stored plainly or each in an encrypted record."""

    start: int
    """Offset of the first frame in bytes."""

    def read_zstd_frame(self, read_at: ReadAt, offset: int, size: int, number: int) -> tuple[ZstdFrameExtent, bytes]:
        """Return zstd frame `number`, which begins at `offset` of a file of `size` bytes, and the number of bytes that
        it takes in the file. Raises UnreadableZstdFrameError.
        """

    def decrypt_record(self, record: bytes, number: int) -> bytes:
        """Return the zstd frame in a record of the file. Raises UnreadableZstdFrameError."""


class PlainZstdFrameContainer:
    """A plain reel: zstd frames, one after the other."""

    start = 0

    def read_zstd_frame(self, read_at: ReadAt, offset: int, size: int, number: int) -> tuple[ZstdFrameExtent, bytes]:
        reach = find_zstd_frame_extent(read_at, offset, size)
        return reach, read_at(offset, reach.length)

    def decrypt_record(self, record: bytes, number: int) -> bytes:
        return record


class EncryptedZstdFrameContainer:
    """An encrypted file that can be decrypted: opened by :func:`open_encrypted_file`, or made from a :class:`ZstdFrameEncryptor` to read its
    own records.
    """

    def __init__(self, header: bytes, file_key: bytes, key: Key | None = None) -> None:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        self.start = len(header)
        self.key = key
        """The key that opened it."""
        self._bound = hashlib.sha256(header).digest()
        self._cipher = AESGCM(file_key)

    def read_zstd_frame(self, read_at: ReadAt, offset: int, size: int, number: int) -> tuple[ZstdFrameExtent, bytes]:
        head = read_at(offset, _LENGTH)
        length = _LENGTH + _NONCE + int.from_bytes(head)
        if len(head) < _LENGTH or (offset + length > size and length <= _LARGEST):
            raise TruncatedZstdFrameError("the file ends inside a frame")
        if length > _LARGEST or length < _LENGTH + _NONCE + _TAG:
            raise UnreadableZstdFrameError("no encrypted frame begins here")
        packed = self.decrypt_record(read_at(offset, length), number)
        inner = find_zstd_frame_extent(lambda at, count: packed[at : at + count], 0, len(packed))
        if inner.length != len(packed):
            raise UnreadableZstdFrameError("the frame is followed by something else")
        return ZstdFrameExtent(length, inner.bound), packed

    def decrypt_record(self, record: bytes, number: int) -> bytes:
        from cryptography.exceptions import InvalidTag

        nonce = record[_LENGTH : _LENGTH + _NONCE]
        try:
            return self._cipher.decrypt(nonce, record[_LENGTH + _NONCE :], self._bound + number.to_bytes(8))
        except (InvalidTag, ValueError):
            raise UnreadableZstdFrameError("the frame was changed, or belongs to another place or file") from None


class ZstdFrameEncryptor:
    """Encrypts the zstd frames of one file so that the holder of any one of several keys can decrypt them."""

    def __init__(self, keys: Sequence[Key], purpose: str) -> None:
        self._keys = keys
        self._purpose = purpose
        self._file_key = os.urandom(32)
        self._sealed = 0
        identity = os.urandom(16).hex()
        context = _build_key_context(purpose, identity)
        recipients = [key.wrap_file_key(self._file_key, context) for key in keys]
        about = {"pagereel": "encrypted", "version": VERSION, "purpose": purpose, "id": identity,
                 "cipher": "aes-256-gcm", "keys": recipients}  # fmt: skip
        self.header = orjson.dumps(about) + b"\n"
        """The file's first line."""
        self.box = EncryptedZstdFrameContainer(self.header, self._file_key)
        """The layout that reads these records."""

    def create_for_another_file(self) -> ZstdFrameEncryptor:
        """Return an encryptor for another file with the same keys. It has a new file key, so that no nonce is used
        twice.
        """
        return ZstdFrameEncryptor(self._keys, self._purpose)

    def encrypt_zstd_frame(self, packed: bytes, number: int) -> bytes:
        """Return the encrypted record of zstd frame `number`. The nonce counts calls, not frames, because a frame that
        could not be written is encrypted again with other content.
        """
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        nonce = self._sealed.to_bytes(_NONCE)
        self._sealed += 1
        bound = hashlib.sha256(self.header).digest() + number.to_bytes(8)
        closed = AESGCM(self._file_key).encrypt(nonce, packed, bound)
        return len(closed).to_bytes(_LENGTH) + nonce + closed


def open_encrypted_file(
    path: Path, read_at: ReadAt, key: Key | None, purpose: str
) -> tuple[EncryptedZstdFrameContainer, dict[str, Any]]:
    """Read the header of an encrypted file and find its key. Return the container to decrypt its frames, and the
    header's fields.

    Raises LockedError without a key or with a wrong one, ReelError for a header that cannot be read or a file of
    another purpose, FutureFormatError for one of a newer pagereel.
    """
    line, end, _ = read_at(0, HEADER_LIMIT).partition(b"\n")
    try:
        about = orjson.loads(line)
        version, identity, keys = about["version"], str(about["id"]), list(about["keys"])
        kind = str(about["purpose"])
    except (ValueError, KeyError, TypeError):
        end = b""
    if not end:
        raise ReelError(f"{path} is an encrypted file whose header is damaged, so it cannot be opened.")
    if type(version) is not int or version > VERSION or about.get("cipher") != "aes-256-gcm":
        raise FutureFormatError(
            f"{path} is encrypted in a way that this pagereel does not know; install a newer one (pip install -U pagereel)."
        )
    if kind != purpose:
        raise ReelError(_describe_wrong_purpose(path, kind, purpose))
    file_key, opener = unwrap_with_key(keys, _build_key_context(kind, identity), path, key, PURPOSES.get(kind, kind))
    return EncryptedZstdFrameContainer(line + end, file_key, opener), about


def list_recipient_keys(header: dict[str, Any]) -> list[Key]:
    """Return the public keys for which a file is encrypted. `header`: the file's header."""
    return [Key.of_public(bytes.fromhex(entry["public"])) for entry in header["keys"] if entry.get("type") == "x25519"]


def _build_key_context(purpose: str, file_id: str) -> bytes:
    return f"pagereel {purpose} {file_id}".encode()


def _describe_wrong_purpose(path: Path, kind: str, purpose: str) -> str:
    if kind == "vault":
        return f"{path} is a vault, not a recording; pagereel unmask uses it."
    return f"{path} is an encrypted {PURPOSES.get(kind, kind)}, not a {PURPOSES.get(purpose, purpose)}."
