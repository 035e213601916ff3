"""The catalogue's tables, the same in SQLite and in Postgres.

Each distinct line of text is stored once for the whole library, in the table ``chunk``; ``line`` maps its hash to its
number, and counts the runs that have it. ``shown`` has for each run the numbers of its lines and the times at which
they showed. :mod:`.line_packing` compresses both. Names (of models, tools, hosts) are stored once in ``name``; ``used``
is a view of the names that each run used.

The words of a run are indexed as three documents: the texts of its pages; the agent's reasoning, prompts, answers and
notes; all other lines. So a search finds runs, of which there are thousands, and not lines, of which there are
millions.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final, NamedTuple

from ..run_facts import RUN, UsageFigures

VERSION: Final = 7
"""Version of the tables and their content. A catalogue of another version is rebuilt."""
KINDS: Final = ("page", "reasoning", "prompt", "answer", "note", "step", "console", "request", "error")
"""Kinds of lines; the tables have their indexes."""
COLUMNS: Final = {
    "page": ("page",),
    "said": ("reasoning", "prompt", "answer", "note"),
    "rest": ("step", "console", "request", "error"),
}
TIERS: Final = ("full", "steps", "facts", "gone")
"""How much of a run is kept, in decreasing order; a run that is gone has no row."""


class SqlCondition(NamedTuple):
    """An SQL condition on a run, and the values for its ``?``.

    `costly`: the database should evaluate all other conditions first.
    """

    sql: str
    values: tuple[Any, ...] = ()
    costly: bool = False


_TYPES: Final = {"str": "TEXT", "float": "REAL", "int": "INTEGER", "bool": "INTEGER"}


def _format_columns(names: Any) -> str:
    found = []
    for field in names:
        kind, _, none = str(field.type).partition(" | ")
        found.append(f"{field.name} {_TYPES[kind]}{'' if none else ' NOT NULL'}")
    return ", ".join(found)


TABLES: Final = (
    "CREATE TABLE run (n {serial}, id TEXT NOT NULL UNIQUE, sha256 TEXT NOT NULL, place TEXT NOT NULL, indexed TEXT NOT NULL, tier TEXT NOT NULL, added REAL NOT NULL,"
    f" bytes INTEGER NOT NULL, day TEXT NOT NULL, {_format_columns(RUN)}){{strict}}",
    "CREATE INDEX run_started ON run (started)",
    "CREATE TABLE name (operator TEXT NOT NULL, value TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (operator, value)){strict_keyed}",
    f"CREATE TABLE spent (name INTEGER NOT NULL, run INTEGER NOT NULL, {_format_columns(fields(UsageFigures))}, PRIMARY KEY (name, run)){{strict_keyed}}",
    f"CREATE VIEW used AS SELECT operator, value, run, {', '.join(each.name for each in fields(UsageFigures))} FROM spent JOIN name ON name.n = spent.name",
    "CREATE TABLE step (run INTEGER NOT NULL, number INTEGER NOT NULL, parent INTEGER, began REAL NOT NULL, duration REAL, title TEXT NOT NULL, success INTEGER,"
    " calls INTEGER NOT NULL, tokens INTEGER NOT NULL, cost REAL NOT NULL, PRIMARY KEY (run, number)){strict_keyed}",
    "CREATE TABLE line (hash INTEGER NOT NULL, n INTEGER NOT NULL, runs INTEGER NOT NULL, PRIMARY KEY (hash, n)){strict_keyed}",
    "CREATE TABLE chunk (first INTEGER PRIMARY KEY, count INTEGER NOT NULL, texts {bytes} NOT NULL){strict}",
    "CREATE TABLE shown (run INTEGER PRIMARY KEY, lines INTEGER NOT NULL, spans {bytes} NOT NULL, names {bytes} NOT NULL){strict}",
    "CREATE TABLE hold (id TEXT PRIMARY KEY, why TEXT NOT NULL, until REAL){strict_keyed}",
    "CREATE TABLE flag (id TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (id, name)){strict_keyed}",
    "CREATE TABLE expected (key TEXT NOT NULL, folded TEXT NOT NULL, list TEXT NOT NULL, PRIMARY KEY (key, list)){strict_keyed}",
)
"""Statements that create the tables. ``{serial}``: the type of a generated number; ``{bytes}``: that of bytes;
``{strict}``: SQLite's suffix.
"""
