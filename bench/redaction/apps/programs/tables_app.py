"""Serves Datasette over customers and their visits: `tables_app.py PORT`."""

import json
import os
import sqlite3
import sys
from pathlib import Path

TOLD = json.loads(Path("people.json").read_text("utf-8"))
db = sqlite3.connect("studio.db")
db.execute("CREATE TABLE teacher (id INTEGER PRIMARY KEY, name TEXT)")
db.execute(
    "CREATE TABLE student (id INTEGER PRIMARY KEY, name TEXT, email TEXT, phone TEXT, city TEXT, born TEXT, course TEXT, level INTEGER, paid REAL, teacher INTEGER REFERENCES teacher(id))"
)
db.execute("CREATE TABLE visit (id INTEGER PRIMARY KEY, student INTEGER REFERENCES student(id), day TEXT, hours INTEGER, remark TEXT)")  # fmt: skip
db.executemany("INSERT INTO teacher VALUES (?, ?)", [(n, one["name"]) for n, one in enumerate(TOLD[:3], 1)])
for number, one in enumerate(TOLD, 1):
    course = ("Wheel throwing", "Glaze chemistry", "Hand building")[number % 3]
    db.execute("INSERT INTO student VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (number, one["name"], one["email"], one["phone"], one["city"], one["born"], course, 1 + number % 3, one["balance"], 1 + number % 3))  # fmt: skip
    db.execute("INSERT INTO visit VALUES (?, ?, ?, ?, ?)", (number, number, one["joined"], 1 + number % 4, ("Broke a lid.", "Wants a larger bat next time.", "")[number % 3]))  # fmt: skip
db.commit()
db.close()
words = [str(Path(sys.executable).with_name("datasette")), "serve", "studio.db", "-p", sys.argv[1], "-h", "127.0.0.1"]
os.execv(words[0], words)
