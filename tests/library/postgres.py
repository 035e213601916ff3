"""A real Postgres server for tests and benches: started from Debian's package as a user who is not root, reached over a socket in a folder of its own."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def binaries() -> Path | None:
    """Where the server's programs are; None: it is not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    if found:
        return found[-1].parent
    named = shutil.which("initdb")
    return Path(named).resolve().parent if named else None


@contextmanager
def server(**settings: str) -> Iterator[str]:
    """Start a server, and give its address; it is ended and its files are gone afterwards."""
    programs = binaries()
    assert programs is not None
    folder = Path(tempfile.mkdtemp(prefix="pagereel-pg-"))
    user = _user()
    as_user = {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []} if user else {}
    environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8"}
    try:
        if user:
            shutil.chown(folder, user)
        data = folder / "data"
        command = [
            str(programs / "initdb"),
            "-D",
            str(data),
            "-A",
            "trust",
            "-U",
            "pagereel",
            "-E",
            "UTF8",
            "--locale=C.UTF-8",
            "--no-sync",
        ]
        subprocess.run(command, check=True, capture_output=True, env=environment, cwd=folder, **as_user)  # type: ignore[call-overload]
        told = {"listen_addresses": "", "unix_socket_directories": str(folder), "fsync": "off", **settings}
        options = [part for name, value in told.items() for part in ("-c", f"{name}={value}")]
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(
                [str(programs / "postgres"), "-D", str(data), *options],
                stdout=log,
                stderr=log,
                env=environment,
                cwd=folder,
                **as_user,
            )  # type: ignore[call-overload]
        try:
            address = f"postgresql:///postgres?host={folder}&user=pagereel"
            _wait(address, process, folder / "log")
            yield address
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _user() -> str | None:
    """Who the server runs as, when this is root."""
    if os.getuid():
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_name
        except KeyError:
            continue
    raise RuntimeError("no user for the server")


def _wait(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    import psycopg

    while True:
        try:
            psycopg.connect(address).close()
            return
        except psycopg.OperationalError:
            if process.poll() is not None:
                raise RuntimeError(log.read_text()) from None
            time.sleep(0.05)
