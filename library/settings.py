"""``library.toml``: the settings of a library."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pagereel.errors import UsageError
from pagereel.reel import remote_stores
from pagereel.user_files import parse_toml, read_text_file_limited

from .retention import RetentionSettings, parse_retention

NAME: Final = "library.toml"
_LARGEST: Final = 4 << 20
"""Largest ``library.toml``, in bytes."""
CATALOGUE_VARIABLE: Final = "PAGEREEL_CATALOGUE"
"""Environment variable with a Postgres address, in place of ``catalogue`` in ``library.toml``."""
SCHEMA: Final = "pagereel"
_NAMES: Final = ("index", "catalogue", "schema", "store", "retention", "parquet")


@dataclass(frozen=True, slots=True)
class LibrarySettings:
    """The settings of a library.

    `index`: the policy under which a recording is masked before it is indexed; None: it is not masked, and the
    catalogue is as private as a raw reel. `catalogue`: an address of Postgres, with `schema` in it; None: a file in the
    folder. `store`: the place of recordings, as an address that fsspec knows; None: the folder. `parquet`: the place
    for the facts of each day, a path or an address.
    """

    index: str | None = "vendor"
    catalogue: str | None = None
    schema: str = SCHEMA
    store: str | None = None
    parquet: str | None = None
    retention: RetentionSettings = field(default_factory=RetentionSettings)


def load_settings(folder: Path) -> LibrarySettings:
    """Read the file, or return the defaults where it is missing. Raises UsageError where it is invalid."""
    path = folder / NAME
    try:
        found = parse_toml(read_text_file_limited(path, _LARGEST))
    except FileNotFoundError:
        found = {}
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    unknown = [name for name in found if name not in _NAMES]
    if unknown:
        raise UsageError(f"{path} names {unknown[0]!r}, an unknown setting; there are {', '.join(_NAMES)}.")
    index = found.get("index", "vendor")
    if not isinstance(index, str) or not index:
        raise UsageError(f'{path}: index is a policy\'s name or path, or "off", not {index!r}.')
    near = folder / index
    policy = str(near) if near.suffix in (".toml", ".yaml", ".yml") and near.is_file() else index
    store = _get_text_setting(found, "store", path)
    if store is not None and not remote_stores.is_url(store):
        raise UsageError(f"{path}: store is an address such as s3://bucket/runs, not {store!r}.")
    return LibrarySettings(
        index=None if index == "off" else policy,
        catalogue=os.environ.get(CATALOGUE_VARIABLE) or _get_text_setting(found, "catalogue", path),
        schema=_get_text_setting(found, "schema", path) or SCHEMA,
        store=store,
        parquet=_get_text_setting(found, "parquet", path),
        retention=parse_retention(found.get("retention"), str(path)),
    )


def load_settings_for_policy(folder: Path, redaction: str, *, is_new: bool) -> LibrarySettings:
    """Return the settings of a library that masks under this policy (or ``off``). A new library gets the policy as its
    setting.

    Raises UsageError where the library masks under another one.
    """
    path = folder / NAME
    policy = str(Path(redaction).resolve()) if Path(redaction).is_file() else redaction
    settings = load_settings(folder)
    told = read_text_file_limited(path, _LARGEST) if path.exists() else ""
    if is_new and "index" not in parse_toml(told):
        path.write_text(f"index = {json.dumps(policy, ensure_ascii=False)}\n{told}", "utf-8")
        settings = load_settings(folder)
    if settings.index != (None if policy == "off" else policy):
        raise UsageError(
            f"{folder} masks all its recordings alike, with {settings.index or 'off'}: leave out --redaction, or change index in {path} and run `pagereel library rebuild {folder}`."
        )
    return settings


def _get_text_setting(settings: dict[str, Any], name: str, path: Path) -> str | None:
    value = settings.get(name)
    if value is not None and (not isinstance(value, str) or not value):
        raise UsageError(f"{path}: {name} is a text, not {value!r}.")
    return value
