"""Serves Datasette over a small database of a pottery's pots."""

import os
import sqlite3
import sys

with sqlite3.connect("pottery.db") as db:
    db.executescript(
        """create table pots (id integer primary key, name text, glaze text, price integer, made text);
        create table firings (id integer primary key, kiln text, degrees integer);"""
    )
    glazes = ("celadon", "tenmoku", "cobalt", "chalk", "ash")
    db.executemany("insert into pots values (?, ?, ?, ?, ?)", [
        (n, f"{('Moon jar', 'Heron jug', 'Tide bowl', 'Reed vase')[n % 4]}", glazes[n % 5], 20 + 3 * n, f"2026-0{1 + n % 9}-11") for n in range(1, 41)
    ])  # fmt: skip
    db.executemany("insert into firings values (?, ?, ?)", [(n, f"kiln {n % 3}", 1200 + 10 * n) for n in range(1, 9)])
os.execvp("datasette", ["datasette", "serve", "pottery.db", "-h", "127.0.0.1", "-p", sys.argv[1]])
