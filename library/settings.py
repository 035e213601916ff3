"""``library.toml``: what the people of a library decided for it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from pagereel.errors import UsageError

NAME = "library.toml"


@dataclass(frozen=True, slots=True)
class Settings:
    """`index`: the policy under which a recording is masked before it is looked through; None: it is not, and the catalogue is as private as a raw reel."""

    index: str | None = "vendor"


def load_settings(folder: Path) -> Settings:
    """Read the file, or give the defaults without one. Raises UsageError where it does not hold together."""
    path = folder / NAME
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}.") from None
    unknown = [name for name in found if name != "index"]
    if unknown:
        raise UsageError(f"{path} names {unknown[0]!r}, which is no setting: there is index.")
    index = found.get("index", "vendor")
    if not isinstance(index, str) or not index:
        raise UsageError(f'{path}: index is a policy\'s name or path, or "off", not {index!r}.')
    if index == "off":
        return Settings(None)
    near = folder / index
    return Settings(str(near) if near.suffix in (".toml", ".yaml", ".yml") and near.is_file() else index)
