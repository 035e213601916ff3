"""Serves Isso, a comment system, below a page of its own."""

import os
import sys
from pathlib import Path

port = sys.argv[1]
Path("isso.cfg").write_text(
    f"""[general]
dbpath = {Path.cwd() / "comments.db"}
host = http://127.0.0.1:{port}
[server]
listen = http://127.0.0.1:{port}
[guard]
enabled = false
"""
)
os.execvp("isso", ["isso", "-c", "isso.cfg", "run"])
