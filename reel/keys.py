"""Keys of encrypted files: a passphrase, or an X25519 key pair in PEM, as ``openssl genpkey -algorithm x25519`` makes it.

Each file is encrypted with a random key of its own, which is encrypted once for each key that may open the file. A
public key is enough to write, so a machine that records need not be able to read. All primitives are from
``cryptography`` (PyCA): scrypt, X25519, HKDF-SHA256, AES-256-GCM.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from ..errors import LockedError, SetupError, UsageError
from ..user_files import read_file_limited

KEY_FILE_VARIABLE: Final = "PAGEREEL_KEY_FILE"
"""Environment variable with the path of a file that holds a passphrase (its first line) or a PEM key."""
PASSPHRASE_VARIABLE: Final = "PAGEREEL_PASSPHRASE"
"""Environment variable with the passphrase itself."""

WORK: Final = 17
"""log2 of scrypt's N: 128 MiB and a third of a second."""
_WORK_LIMIT: Final = 20
"""Largest `WORK` that is accepted in a file; more would fill the memory."""
SHORTEST: Final = 8
"""Shortest passphrase, in characters."""
_KEY_LIMIT: Final = 64 << 10


class Key:
    """One key. :meth:`load` reads a key of either kind from a file, :meth:`passphrase` makes one from a text.

    Its ``repr`` has the kind and, for a key pair, the fingerprint; never the key.
    """

    def __init__(self, kind: str, secret: bytes, public: bytes = b"", work: int = WORK) -> None:
        """Use :meth:`passphrase`, :meth:`load` or :meth:`parse` instead of this constructor."""
        self.kind = kind
        """``passphrase``, ``private`` or ``public``."""
        self._secret = secret
        self._public = public
        self._work = work
        self._derived: dict[tuple[bytes, int], bytes] = {}
        self._salt = os.urandom(16)

    @classmethod
    def passphrase(cls, text: str, *, work: int = WORK) -> Key:
        """Return a key from a passphrase of at least 8 characters. `work`: log2 of scrypt's N, lower only in tests."""
        if len(text) < SHORTEST:
            raise UsageError(f"A passphrase has at least {SHORTEST} characters.")
        _require_cryptography()
        return cls("passphrase", text.encode("utf-8", "replace"), work=work)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Key:
        """Return the key in a file: a PEM private or public key (X25519), else a passphrase in its first line.

        Raises UsageError if the file has no key.
        """
        try:
            data = read_file_limited(path, _KEY_LIMIT)
        except OSError as error:
            raise UsageError(f"The key file {path} cannot be read: {error.strerror or error}.") from None
        return cls.parse(data, f"The key file {path}")

    @classmethod
    def parse(cls, data: bytes, name: str = "The key") -> Key:
        """Return a key from the content of a key file. `name` begins the sentence of an error."""
        if b"-----BEGIN" not in data:
            words = data.split(b"\n", 1)[0].strip(b"\r\t ")
            if len(words) < SHORTEST:
                raise UsageError(f"{name} holds neither a PEM key nor a passphrase of at least {SHORTEST} characters.")
            return cls.passphrase(words.decode("utf-8", "replace"))
        _require_cryptography()
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

        found: object
        try:
            if b"PRIVATE KEY" in data:
                found = serialization.load_pem_private_key(data, password=None)
            else:
                found = serialization.load_pem_public_key(data)
        except (ValueError, TypeError, UnsupportedAlgorithm):
            raise UsageError(f"{name} is not a PEM key without a password.") from None
        if isinstance(found, X25519PrivateKey):
            return cls("private", found.private_bytes_raw(), found.public_key().public_bytes_raw())
        if isinstance(found, X25519PublicKey):
            return cls.of_public(found.public_bytes_raw())
        raise UsageError(f"{name} is not an X25519 key; make one with: pagereel keygen")

    @classmethod
    def of_public(cls, raw: bytes) -> Key:
        """Return the public key with these 32 bytes."""
        return cls("public", b"", raw)

    @property
    def fingerprint(self) -> str:
        """Return 16 hex digits that identify a key pair; "" for a passphrase."""
        return hashlib.sha256(self._public).hexdigest()[:16] if self._public else ""

    @property
    def name(self) -> str:
        """Return the key's name in messages: ``a passphrase`` or ``the key 0123…``."""
        return f"the key {self.fingerprint}" if self._public else "a passphrase"

    def __repr__(self) -> str:
        return f"<Key: {self.kind}{' ' if self._public else ''}{self.fingerprint}>"

    def __reduce__(self) -> str:
        raise TypeError("A key is never serialized.")

    # -- wrapping --------------------

    def wrap_file_key(self, file_key: bytes, context: bytes) -> dict[str, Any]:
        """Return `file_key` encrypted for the holder of this key, as JSON. `context` binds it to its file."""
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        nonce = os.urandom(12)
        if self.kind == "passphrase":
            wrapped = AESGCM(self._derive_key(self._salt, self._work)).encrypt(nonce, file_key, context)
            return {"type": "scrypt", "salt": self._salt.hex(), "work": self._work, "nonce": nonce.hex(),
                    "wrapped": wrapped.hex()}  # fmt: skip
        from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

        ephemeral = X25519PrivateKey.generate()
        point = ephemeral.public_key().public_bytes_raw()
        shared = ephemeral.exchange(X25519PublicKey.from_public_bytes(self._public))
        wrapped = AESGCM(_derive_with_hkdf(shared, point + self._public)).encrypt(nonce, file_key, context)
        return {"type": "x25519", "public": self._public.hex(), "ephemeral": point.hex(), "nonce": nonce.hex(),
                "wrapped": wrapped.hex()}  # fmt: skip

    def unwrap_file_key(self, entry: Mapping[str, Any], context: bytes) -> bytes | None:
        """Return the file's key, or None if this key does not open the entry."""
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        try:
            nonce, wrapped = bytes.fromhex(entry["nonce"]), bytes.fromhex(entry["wrapped"])
            if self.kind == "passphrase" and entry["type"] == "scrypt":
                work = entry["work"]
                if type(work) is not int or not 1 <= work <= _WORK_LIMIT:
                    return None
                kek = self._derive_key(bytes.fromhex(entry["salt"]), work)
            elif self.kind == "private" and entry["type"] == "x25519" and entry["public"] == self._public.hex():
                from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

                point = bytes.fromhex(entry["ephemeral"])
                own = X25519PrivateKey.from_private_bytes(self._secret)
                kek = _derive_with_hkdf(own.exchange(X25519PublicKey.from_public_bytes(point)), point + self._public)
            else:
                return None
            return AESGCM(kek).decrypt(nonce, wrapped, context)
        except (InvalidTag, KeyError, TypeError, ValueError):
            return None

    def _derive_key(self, salt: bytes, scrypt_work: int) -> bytes:
        key = salt, scrypt_work
        if key not in self._derived:
            n = 1 << scrypt_work
            self._derived[key] = hashlib.scrypt(
                self._secret, salt=salt, n=n, r=8, p=1, maxmem=n * 1100 + (4 << 20), dklen=32
            )
        return self._derived[key]


Keys = Key | str | bytes | os.PathLike[str] | Sequence[Key | str | bytes | os.PathLike[str]]
"""The keys that may be given for encryption: key objects, paths of key files, or PEM; one or several."""


def load_keys(key_sources: Keys | None) -> tuple[Key, ...]:
    """Return the given keys as :class:`Key` objects; a string is a path unless it is PEM. Raises UsageError."""
    if key_sources is None:
        return ()
    many = [key_sources] if isinstance(key_sources, Key | str | bytes | os.PathLike) else list(key_sources)
    return tuple(_load_key(one) for one in many)


def _load_key(key_source: Key | str | bytes | os.PathLike[str]) -> Key:
    if isinstance(key_source, Key):
        return key_source
    if isinstance(key_source, bytes) or (isinstance(key_source, str) and "-----BEGIN" in key_source):
        return Key.parse(key_source if isinstance(key_source, bytes) else key_source.encode())
    if isinstance(key_source, str | os.PathLike):
        return Key.load(key_source)
    raise UsageError("encrypt_to takes the path of a key file, a PEM key or a Key, or a list of them.")


# -- which key opens what is opened now --------------------

_current: ContextVar[Key | None] = ContextVar("pagereel_key", default=None)


@contextmanager
def using_key(key: Key | str | bytes | os.PathLike[str] | None) -> Iterator[None]:
    """Use this key, instead of the environment's, for every encrypted file that is opened in the ``with`` block. None
    changes nothing.
    """
    token = _current.set(_load_key(key) if key is not None else _current.get())
    try:
        yield
    finally:
        _current.reset(token)


def find_default_key() -> Key | None:
    """Return the key of :func:`using_key`, else the key in ``PAGEREEL_KEY_FILE``, else that of ``PAGEREEL_PASSPHRASE``,
    else None.

    Raises UsageError for a key file that cannot be read.
    """
    if (key := _current.get()) is not None:
        return key
    if path := os.environ.get(KEY_FILE_VARIABLE):
        try:
            status = Path(path).stat()
        except OSError as error:
            raise UsageError(f"The key file {path} cannot be read: {error.strerror or error}.") from None
        return _load_key_cached(path, status.st_mtime_ns)
    words = os.environ.get(PASSPHRASE_VARIABLE)
    return _create_passphrase_key(words) if words else None


@lru_cache(maxsize=8)
def _load_key_cached(path: str, _changed: int) -> Key:
    return Key.load(path)


@lru_cache(maxsize=8)
def _create_passphrase_key(passphrase: str) -> Key:
    return Key.passphrase(passphrase)


def unwrap_with_key(
    entries: Sequence[Any], context: bytes, path: Path, key: Key | None, file_kind: str
) -> tuple[bytes, Key]:
    """Return the file key of the file at `path`, and the user's key that decrypted it. `file_kind` names the file's kind in
    error messages. Raises LockedError if there is no key, or the key is wrong.
    """
    known = [entry for entry in entries if isinstance(entry, dict)]
    holders = " or ".join(dict.fromkeys(_describe_key_holder(entry) for entry in known)) or "a key of a newer pagereel"
    given = key or find_default_key()
    if given is None:
        raise LockedError(
            f"{path} is an encrypted {file_kind}: give {holders} with --key-file FILE or {KEY_FILE_VARIABLE} "
            f"(a passphrase also in {PASSPHRASE_VARIABLE})."
        )
    _require_cryptography()
    for entry in known:
        if (found := given.unwrap_file_key(entry, context)) is not None:
            return found, given
    hint = "; a public key only encrypts, give the private one" if given.kind == "public" else ""
    raise LockedError(f"The key that was given does not open {path}: it is encrypted to {holders}{hint}.", wrong=True)


def _describe_key_holder(entry: Mapping[str, Any]) -> str:
    if entry.get("type") == "scrypt":
        return "its passphrase"
    try:
        return f"the private key {Key.of_public(bytes.fromhex(str(entry.get('public')))).fingerprint}"
    except ValueError:
        return "its private key"


def new_key_pair() -> tuple[bytes, bytes]:
    """Return a new X25519 key pair as PEM: private, public."""
    _require_cryptography()
    from cryptography.hazmat.primitives import serialization as form
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    key = X25519PrivateKey.generate()
    private = key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
    return private, key.public_key().public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo)


def _derive_with_hkdf(shared: bytes, salt: bytes) -> bytes:
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(SHA256(), 32, salt, b"pagereel x25519 v1").derive(shared)


def _require_cryptography() -> None:
    """Raise SetupError if the package `cryptography` is missing."""
    try:
        import cryptography  # noqa: F401
    except ImportError:
        raise SetupError("Encryption needs the package cryptography: pip install 'pagereel[encryption]'.") from None
