"""Serves sqlite-web over a small database, which is written anew at each start."""

import os
import sqlite3
import sys

with sqlite3.connect("library.db") as db:
    db.execute("create table books (id integer primary key, title text, author text, year integer)")
    titles = ("Ash and Iron", "Of Kilns", "The Salt Road", "Clay", "Wheel Songs", "A Potter's Year")
    db.executemany(
        "insert into books (title, author, year) values (?, ?, ?)",
        [(t, f"Author {n}", 1961 + 7 * n) for n, t in enumerate(titles)],
    )
os.execvp("sqlite_web", ["sqlite_web", "-H", "127.0.0.1", "-p", sys.argv[1], "-x", "library.db"])
