"""Hand-made reels for the tests of the redaction."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import Any

from pagereel.reel import Event, PageModel, ReelWriter, open_reel


class Maker:
    """Builds a reel of one page, event by event, with checkpoints that are true of it."""

    def __init__(self, path: Path, **header: Any) -> None:
        self.path = path
        self.model = PageModel()
        self.writer = ReelWriter(
            path,
            {"started": 1, "recorder": {"name": "pagereel", "version": "0"}, "browser": {}, "options": {}, **header},
        )
        self.t = 0.0
        self.n = -1
        self.put("document", d=1, page=1, frame="F", url="https://shop.example/", top=True, viewport={"w": 800, "h": 600, "dpr": 1},
                 mode="CSS1Compat", title="Shop")  # fmt: skip

    def put(self, kind: str, **fields: Any) -> None:
        """A run event, 10 ms after the one before."""
        self.t += 10
        event: Event = {"k": kind, "t": self.t, **fields}
        self.model.apply(event)
        self.writer.write(event)

    def page(self, kind: str, **fields: Any) -> None:
        """A page event of document 1."""
        self.n += 1
        self.put(kind, d=1, n=self.n, **fields)

    def body(self, *children: Any) -> None:
        """The snapshot: a document with this body. Its nodes: 1 document, 2 html, 3 head, 4 body, then the children."""
        self.page(
            "snapshot",
            why="start",
            ops=[["doc", 1, ["#document", {}, ["html", {}, ["head", {}], ["body", {}, *children]]]]],
        )

    def ops(self, *ops: Any) -> None:
        """A mutation."""
        self.page("mutation", ops=list(ops))

    def resource(self, mime: str, data: bytes | str) -> str:
        """A resource; its hash."""
        raw = data.encode() if isinstance(data, str) else data
        sha = hashlib.sha256(raw).hexdigest()
        content = {"text": data} if isinstance(data, str) else {"base64": base64.b64encode(raw).decode()}
        self.put("resource", sha256=sha, mime=mime, size=len(raw), **content)
        return sha

    def checkpoint(self) -> None:
        """A checkpoint that agrees with the model."""
        digest, nodes = self.model.documents[1].compute_digest()
        self.page("checkpoint", digest=digest, nodes=nodes, equal=True)

    def done(self) -> Path:
        """Seal it."""
        assert self.model.error_count == 0, self.model.documents[1].problems
        self.writer.close("closed")
        return self.path


def reel_of(path: Path, *texts: str) -> Path:
    """A reel of texts: each as a note with an attribute, and as a prompt."""
    with ReelWriter(path, {"started": 0, "metadata": {"said": texts[0]}}) as writer:
        for number, text in enumerate(texts, 1):
            writer.write({"k": "note", "id": number, "t": float(number), "text": text, "attributes": {"again": text}})
            writer.write({"k": "llm", "id": 100 + number, "t": float(number), "prompt": [{"content": text}]})
    return path


def words(path: Path) -> str:
    """All that a reel says."""
    with open_reel(path) as reel:
        return str([reel.header, *reel.events()])
