"""The roles: what each may do, and under which policy it sees recordings."""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pagereel.errors import UsageError
from pagereel.user_files import parse_toml, read_text_file_limited

ROLES: Final = ("reader", "internal", "raw", "writer", "auditor", "admin")
SHOWN: Final = frozenset({"reader", "internal", "raw", "admin"})
"""Roles that may see the content of recordings."""
FIGURES: Final = SHOWN | {"auditor"}
AUDIT: Final = frozenset({"auditor", "admin"})
WRITES: Final = frozenset({"writer", "admin"})
DELETES: Final = frozenset({"admin"})
RAW: Final = frozenset({"raw", "admin"})
"""Roles that may see raw recordings, if they give a reason."""
STRICTNESS: Final = ("internal", "vendor", "strict")
"""Policies, the least strict first."""
_LARGEST: Final = 16 << 20
"""Largest tokens file, in bytes."""
_HASH: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Caller:
    """A caller: the name of the token, and its role."""

    name: str
    role: str

    def get_policy(self, reason: str | None) -> str | None:
        """Return the policy under which this caller sees recordings; None: raw."""
        if self.role == "reader":
            return "vendor"
        return None if self.role in RAW and reason else "internal"

    def may_search_index(self, index: str | None) -> bool:
        """Return whether this caller's role may search an index that is masked under the policy `index`.

        A policy that is a file is allowed for all roles.
        """
        if self.role in RAW:
            return True
        if index is None:
            return False
        return index not in STRICTNESS or self.role == "internal" or index != "internal"


class KnownTokens:
    """The callers that are known, each by the hash of its token; the tokens themselves are not stored."""

    def __init__(self, callers: dict[str, Caller], users: dict[str, str] | None = None) -> None:
        """`users`: the role of each name that a trusted proxy may send; ``*`` is for all other names."""
        self._callers = callers
        self._users = users or {}

    def find_proxy_user(self, name: str) -> Caller | None:
        """Return the caller that a trusted proxy names."""
        role = self._users.get(name) or self._users.get("*")
        return Caller(name, role) if role and re.fullmatch(r"[^\x00-\x1f\x7f]{1,200}", name) else None

    def find_caller(self, token: str) -> Caller | None:
        """Return the caller of a token. The lookup is by hash, so its duration reveals nothing about the token."""
        return self._callers.get(hash_token(token))


def hash_token(token: str) -> str:
    """Return the hash of a token, as in a tokens file."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def load_tokens(path: Path) -> KnownTokens:
    """Read a tokens file. Raises UsageError where it is invalid."""
    try:
        told = parse_toml(read_text_file_limited(path, _LARGEST))
    except (OSError, ValueError) as error:
        raise UsageError(f"The tokens {path} cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    rows, users = told.get("token", []), told.get("user", [])
    if not isinstance(rows, list) or not isinstance(users, list) or not (rows or users):
        raise UsageError(
            f"{path} holds no [[token]]; `pagereel serve DIR --tokens {path} --add-token NAME=reader` writes one."
        )
    found: dict[str, Caller] = {}
    for number, row in enumerate(rows, 1):
        name, role, sha256 = (
            (str(row.get(key, "")) for key in ("name", "role", "sha256")) if isinstance(row, dict) else ("", "", "")
        )
        if not name.strip() or role not in ROLES or not _HASH.fullmatch(sha256):
            raise UsageError(
                f"{path}: token {number} needs a name, a role ({', '.join(ROLES)}) and sha256, 64 digits (0 to 9, a to f)."
            )
        if sha256 in found:
            raise UsageError(f"{path}: token {number} is the same as that of {found[sha256].name!r}.")
        found[sha256] = Caller(name, role)
    return KnownTokens(found, dict(_parse_caller(path, number, row) for number, row in enumerate(users, 1)))


def _parse_caller(path: Path, number: int, row: object) -> tuple[str, str]:
    name, role = (str(row.get(key, "")) for key in ("name", "role")) if isinstance(row, dict) else ("", "")
    if not name.strip() or role not in ROLES:
        raise UsageError(f"{path}: user {number} needs a name and a role ({', '.join(ROLES)}).")
    return name, role


def create_admin_token() -> tuple[str, KnownTokens]:
    """Create a token with the role ``admin`` for a server that only this machine reaches. Return it, and the tokens
    with it alone.
    """
    token = secrets.token_urlsafe(32)
    return token, KnownTokens({hash_token(token): Caller("local", "admin")})


def add_token(path: Path, name_and_role: str) -> str:
    """Append the hash of a new token for ``NAME=ROLE`` to a file, created if missing. Return the token, which is
    stored nowhere.

    :raises UsageError: `name_and_role` has another form, or the file cannot be written.
    """
    name, _, role = name_and_role.rpartition("=")
    if not re.fullmatch(r"[\w.@ -]{1,100}", name) or role not in ROLES:
        raise UsageError(f"--add-token takes NAME=ROLE, a role of {', '.join(ROLES)}, not {name_and_role!r}.")
    token = secrets.token_urlsafe(32)
    try:
        if not path.exists():
            path.touch(0o600)
        with path.open("a", encoding="utf-8") as file:
            file.write(f'[[token]]\nname = "{name}"\nrole = "{role}"\nsha256 = "{hash_token(token)}"\n\n')
    except OSError as error:
        raise UsageError(f"The tokens {path} cannot be written: {error.strerror or error}.") from None
    return token
