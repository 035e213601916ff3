"""Names of a door that come with their first use: importing the door then costs nothing of what stands behind them."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping


def lazy_attribute(package: str, modules: Mapping[str, str], name: str) -> object:
    """Return what a package's ``__getattr__`` is asked for, and keep it there.

    :param modules: the module below the package that each name comes from; one beside the package has a dot before it.
    :raises AttributeError: the package has no such name.
    """
    if name not in modules:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    found: object = getattr(importlib.import_module(f".{modules[name]}", package), name)
    setattr(sys.modules[package], name, found)
    return found
