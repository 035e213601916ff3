"""Writes the facts of each day as Parquet files, for DuckDB, Spark or ClickHouse: runs, steps, and what runs used.

SELECT agent, avg(cost) FROM read_parquet('facts/runs/*/*.parquet', hive_partitioning = true) GROUP BY agent

They contain no text of pages, prompts or answers. A day's files are rewritten only when a run of that day was added,
thinned or deleted.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import orjson

from pagereel.errors import SetupError
from pagereel.reel import remote_stores

from ..catalogue import Catalogue
from ..run_facts import RUN, UsageFigures

if TYPE_CHECKING:
    import pyarrow

VERSION: Final = 1
_STATE: Final = "days.json"
_UNDATED: Final = "undated"
_TYPES: Final = {"str": "string", "float": "float64", "int": "int64", "bool": "bool_"}
_RUN: Final = {
    "id": "string",
    "tier": "string",
    "bytes": "int64",
    **{each.name: _TYPES[str(each.type).partition(" | ")[0]] for each in RUN},
}
_USED: Final = {
    "id": "string",
    "operator": "string",
    "value": "string",
    **{each.name: _TYPES[str(each.type)] for each in fields(UsageFigures)},
}
_STEP: Final = {
    "id": "string", "number": "int64", "parent": "int64", "began": "float64", "duration": "float64", "title": "string", "success": "bool_", "calls": "int64",
    "tokens": "int64", "cost": "float64",
}  # fmt: skip
_FROM: Final = {
    "runs": (_RUN, "FROM run"),
    "steps": (_STEP, "FROM step JOIN run ON run.n = step.run"),
    "uses": (_USED, "FROM used JOIN run ON run.n = used.run"),
}


def write_changed_days(catalogue: Catalogue, target: str) -> tuple[list[str], list[str]]:
    """Write the Parquet files of the days whose runs changed, to a folder or an address that fsspec knows.

    Return those days, and the days that have no runs any more. Raises SetupError where pyarrow is not installed.
    """
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise SetupError("Files of Parquet need pyarrow; install it with: pip install 'pagereel[parquet]'.") from None
    days: dict[str, Any] = defaultdict(lambda: hashlib.sha256(f"{VERSION}".encode()))
    for day, *told in catalogue.execute("SELECT day, id, tier, sha256, bytes FROM run ORDER BY day, id").fetchall():
        days[day].update(repr(told).encode())
    now = {day: hashed.hexdigest() for day, hashed in days.items()}
    before = _read_day_hashes(target)
    changed = sorted(day for day, digest in now.items() if before.get(day or _UNDATED) != digest)
    gone = sorted(before.keys() - {day or _UNDATED for day in now})
    for day in changed:
        for table in _FROM:
            _write_parquet_table(
                _build_day_table(catalogue, table, day), _get_parquet_file_name(target, table, day or _UNDATED)
            )
    for day in gone:
        for table in _FROM:
            _remove_parquet_file(_get_parquet_file_name(target, table, day))
    if changed or gone or not before:
        _write_day_hashes(target, {day or _UNDATED: digest for day, digest in now.items()})
    return [day or _UNDATED for day in changed], gone


def _build_day_table(catalogue: Catalogue, name: str, day: str) -> pyarrow.Table:
    import pyarrow

    columns, source = _FROM[name]
    owner = {"runs": "run", "steps": "step", "uses": "used"}[name]
    asked = ", ".join("run.id" if column == "id" else f"{owner}.{column}" for column in columns)
    rows = catalogue.execute(
        f"SELECT {asked} {source} WHERE run.day = ? ORDER BY run.started, run.id", (day,)
    ).fetchall()
    arrays = {}
    for at, (column, kind) in enumerate(columns.items()):
        values: Iterable[Any] = [row[at] for row in rows]
        if kind == "bool_":
            values = [None if value is None else bool(value) for value in values]
        arrays[column] = pyarrow.array(values, type=getattr(pyarrow, kind)())
    return pyarrow.table(arrays)


def _get_parquet_file_name(target: str, table: str, day: str) -> str:
    return f"{target.rstrip('/')}/{table}/day={day}/facts.parquet"


def _write_parquet_table(table: pyarrow.Table, name: str) -> None:
    import pyarrow.parquet

    with tempfile.TemporaryDirectory(prefix="pagereel-") as folder:
        made = Path(folder) / "facts.parquet"
        pyarrow.parquet.write_table(table, made, compression="zstd")
        _store_parquet_file(made, name)


def _store_parquet_file(temporary: Path, name: str) -> None:
    if remote_stores.is_url(name):
        remote_stores.upload(temporary, name)
        return
    target = Path(name)
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    meanwhile = target.with_name(f".{target.name}")
    meanwhile.write_bytes(temporary.read_bytes())
    meanwhile.chmod(0o600)
    os.replace(meanwhile, target)


def _remove_parquet_file(name: str) -> None:
    if remote_stores.is_url(name):
        remote_stores.remove(name)
        return
    Path(name).unlink(missing_ok=True)
    if Path(name).parent.is_dir():
        Path(name).parent.rmdir()


def _read_day_hashes(target: str) -> dict[str, str]:
    with remote_stores.open_for_reading(f"{target.rstrip('/')}/{_STATE}") as file:
        try:
            record = orjson.loads(file.read()) if file is not None else {}
        except orjson.JSONDecodeError:
            record = {}
    return {str(day): str(digest) for day, digest in record.items()} if isinstance(record, dict) else {}


def _write_day_hashes(target: str, days: dict[str, str]) -> None:
    with tempfile.TemporaryDirectory(prefix="pagereel-") as folder:
        made = Path(folder) / _STATE
        made.write_bytes(orjson.dumps(days, option=orjson.OPT_SORT_KEYS))
        _store_parquet_file(made, f"{target.rstrip('/')}/{_STATE}")
