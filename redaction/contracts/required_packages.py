"""Check whether the packages of the extra `redaction` are installed, without importing them, and name the command that installs them."""

from __future__ import annotations

import importlib.util
from typing import Final

from pagereel.errors import SetupError

_PACKAGES: Final = ("ahocorasick_rs", "numpy", "presidio_analyzer", "spacy")
"""Modules of the packages that the extra `redaction` installs and every redaction needs."""


_NEEDED: Final = "Redaction needs packages that a plain install does not bring: pip install 'pagereel[redaction]', then run `pagereel setup` (with uv: uvx --from 'pagereel[redaction]' pagereel)"
_ELSE: Final = "; or leave everything in the recording as it is, with `--redaction off` (in Python `redaction=None`)"


def require_packages(*, optional: bool = True) -> None:
    """Raise SetupError if a package that every redaction needs is missing.

    :param optional: the caller also works without a redaction, and the error says so.
    """
    if not has_all_packages():
        raise SetupError(f"{_NEEDED}{_ELSE if optional else ''}.", missing="packages")


def has_all_packages() -> bool:
    """Return whether all packages are installed that every redaction needs."""
    return all(map(is_installed, _PACKAGES))


def is_installed(module: str) -> bool:
    """Return whether a module is installed, without importing it."""
    try:
        return importlib.util.find_spec(module) is not None
    except ImportError:
        return False
