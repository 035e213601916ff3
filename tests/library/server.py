"""A library that is served by the real command, and requests to it."""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pagereel.library import Library

from ..command import PAGEREEL
from .runs import made

ROLES = ("reader", "internal", "raw", "writer", "auditor", "admin")
HOSTILE = '"><script>document.title="run"</script><img src=x onerror="document.title=1">'
MAIL = "ana.lima@lima-books.pt"
PATHS = (
    *("/", "/?q=card", "/?q=a:b", "/runs/run-0000", "/runs/run-0002"),
    *("/figures", "/compare?a=run-0001&b=run-0000", "/audit", "/runs/none"),
)
"""The pages of a library that is filled, what is not found among them."""


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.body.decode()


@dataclass
class Served:
    """`address`: as the command printed it; `pages` and `replays`: both origins' host and port."""

    folder: Path
    address: str
    pages: str

    def ask(
        self,
        method: str,
        path: str,
        token: str | None = None,
        body: bytes | None = None,
        to: str | None = None,
        **headers: str,
    ) -> Answer:
        """Send a request as it stands; nothing is followed, and no path is made nicer."""
        connection = http.client.HTTPConnection(to or self.pages, timeout=60)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            sent = {"Host": to or self.pages, **({"Authorization": f"Bearer {token}"} if token else {})}
            sent |= {name.replace("_", "-"): value for name, value in headers.items()}
            if body is not None and "Transfer-Encoding" not in sent:
                sent["Content-Length"] = str(len(body))
            for name, value in sent.items():
                connection.putheader(name, value)
            connection.endheaders(body)
            answer = connection.getresponse()
            return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
        finally:
            connection.close()

    @contextmanager
    def listen(
        self, path: str, token: str | None = None, to: str | None = None, source: str = "127.0.0.1", **headers: str
    ) -> Iterator[tuple[Answer, Iterator[dict[str, str]]]]:
        """Give an answer that goes on, without its body, and the events that come: ``id``, ``event``, ``data``. At the end of the block it is hung up."""
        connection = http.client.HTTPConnection(to or self.pages, timeout=60, source_address=(source, 0))
        try:
            sent = {"Host": to or self.pages, **({"Authorization": f"Bearer {token}"} if token else {})}
            connection.request("GET", path, headers=sent | {k.replace("_", "-"): v for k, v in headers.items()})
            answer = connection.getresponse()
            told = Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, b"")

            def events() -> Iterator[dict[str, str]]:
                event: dict[str, str] = {}
                while line := answer.readline():
                    name, _, value = line.decode().rstrip("\n").partition(": ")
                    if name:
                        event[name] = value
                    elif "data" in event:
                        yield event
                        event = {}
                    else:
                        event = {}

            yield told, events()
        finally:
            connection.close()

    def logged(self, count: int, **fits: object) -> list[dict[str, Any]]:
        """The log's lines that fit, when there are so many: those that say that a view has ended are written when that is noticed."""
        for _ in range(200):
            found = [line for line in self.log() if fits.items() <= line.items()]
            if len(found) >= count:
                break
            time.sleep(0.05)
        return found

    def get(self, path: str, token: str | None = "admin", **headers: str) -> Answer:
        return self.ask("GET", path, token, **headers)

    def log(self) -> list[dict[str, Any]]:
        with Library(self.folder, create=False) as library:
            lines, whole = library.log()
        assert whole
        return [dict(line) for line in lines]


@contextmanager
def served(folder: Path, *options: str) -> Iterator[Served]:
    """Run the command until the block ends."""
    process = subprocess.Popen(
        [*PAGEREEL, "serve", str(folder), "--port", "0", *options], stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address, "the server did not start"
        yield Served(folder, address, urlsplit(address).netloc)
    finally:
        process.terminate()
        assert process.wait(30) == 0


def tokens(path: Path) -> Path:
    """Write a tokens file in which each role's token is its own name."""
    rows = [
        f'[[token]]\nname = "the {role}"\nrole = "{role}"\nsha256 = "{hashlib.sha256(role.encode()).hexdigest()}"\n'
        for role in ROLES
    ]
    path.write_text("\n".join(rows))
    return path


def filled(folder: Path, reels: Path) -> Path:
    """Make a library of four runs; each holds a mail address, one a hostile title."""
    with Library(folder) as library:
        for number, (agent, success, lines) in enumerate(
            [
                ("checkout-bot", False, ("Your card was declined", f"Write to {MAIL}")),
                ("checkout-bot", True, ("Thank you", f"Write to {MAIL}")),
                (HOSTILE, None, (HOSTILE, f"Write to {MAIL}")),
                ("sacrifice", None, ("Goodbye",)),
            ]
        ):
            library.add(
                made(
                    reels / f"{number}.reel",
                    *lines,
                    id=f"run-000{number}",
                    agent=agent,
                    success=success,
                    started=1_700_000_000_000 + number,
                )
            )
    return folder
