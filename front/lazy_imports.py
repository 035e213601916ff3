"""Imports names of a package on their first use, so that importing the package itself is cheap."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping


def import_attribute(package: str, modules: Mapping[str, str], name: str) -> object:
    """Import the attribute for which a package's ``__getattr__`` was called, set it on the package, and return it.

    :param modules: for each name the module that defines it, relative to the package; a module of the parent package
    has a
        dot before it.
    :raises AttributeError: the package has no such name.
    """
    if name not in modules:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    found: object = getattr(importlib.import_module(f".{modules[name]}", package), name)
    setattr(sys.modules[package], name, found)
    return found
