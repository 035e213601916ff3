"""Traces made by hand, and a page that writes its snapshots as Playwright's snapshotter does."""

from __future__ import annotations

import io
import json
import random
import zipfile
from pathlib import Path
from typing import Any

FRAME, PAGE = "frame@1", "page@1"


def options(**more: Any) -> dict[str, Any]:
    """The first line of a trace."""
    return {
        "version": 10,
        "type": "context-options",
        "origin": "library",
        "browserName": "chromium",
        "platform": "linux",
        "playwrightVersion": "1.65.1",
        "wallTime": 1_700_000_000_000,
        "monotonicTime": 1_000,
        "options": {},
    } | more


def snapshot(html: Any, time: float, **more: Any) -> dict[str, Any]:
    """A line with a snapshot."""
    told = {
        "callId": "call@1",
        "phase": "after",
        "pageId": PAGE,
        "frameId": FRAME,
        "frameUrl": "http://shop.example/",
        "html": html,
        "viewport": {"width": 800, "height": 600},
        "timestamp": time,
        "resourceOverrides": [],
        "isMainFrame": True,
    }
    return {"type": "frame-snapshot", "snapshot": told | more}


def zipped(path: Path, files: dict[str, Any]) -> Path:
    """A ZIP of the files: lists of lines become JSONL."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, jsonl(content) if isinstance(content, list) else content)
    return path


def jsonl(lines: list[Any]) -> str:
    return "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)


def trace(path: Path, *lines: Any, **files: Any) -> Path:
    """A trace of these lines after its options."""
    return zipped(path, {"trace.trace": [options(), *lines], "trace.network": [], **files})


def as_stream(path: Path) -> bytes:
    """The same files in a ZIP that was written without seeking: sizes follow the data, as Playwright writes it."""

    class Forward(io.RawIOBase):
        def __init__(self) -> None:
            self.parts: list[bytes] = []

        def writable(self) -> bool:
            return True

        def write(self, data: Any) -> int:
            self.parts.append(bytes(data))
            return len(data)

    out = Forward()
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[type-var]
        for name in source.namelist():
            archive.writestr(name, source.read(name))
    return b"".join(out.parts)


class Box:
    """A node of a page that changes; what the snapshotter remembers of it stands with it."""

    def __init__(self, tag: str, text: str = "") -> None:
        self.tag = tag
        self.text = text
        self.attrs: dict[str, str] = {}
        self.children: list[Box] = []
        self.cached: Any = None
        self.ref = (0, 0)


class ChangingPage:
    """A page to which anything happens, and its snapshots: what did not change is a reference."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.root = Box("HTML")
        self.body = Box("BODY")
        self.root.children = [Box("HEAD"), self.body]
        self.aside: list[Box] = []
        self.number = 0

    def boxes(self) -> list[tuple[Box, Box]]:
        """Each node below the body with its parent."""
        found: list[tuple[Box, Box]] = []
        stack = [self.body]
        while stack:
            parent = stack.pop()
            for child in parent.children:
                found.append((child, parent))
                stack.append(child)
        return found

    def change(self) -> None:
        """Do one thing."""
        dice, known = self.random, self.boxes()
        parents = [self.body, *[box for box, _ in known if box.tag]]
        parent = dice.choice(parents)
        act = dice.random()
        if act < 0.35 or not known:
            new = Box(dice.choice(["DIV", "P", "", "SPAN"]), str(dice.randrange(1000)))
            if new.tag and dice.random() < 0.3:
                new.attrs["id"] = str(dice.randrange(20))
            parent.children.insert(dice.randint(0, len(parent.children)), new)
            return
        box, above = dice.choice(known)
        if act < 0.5:
            above.children.remove(box)
            self.aside.append(box)
        elif act < 0.6 and self.aside:
            parent.children.insert(
                dice.randint(0, len(parent.children)), self.aside.pop(dice.randrange(len(self.aside)))
            )
        elif act < 0.75:
            if not self.within(parent, box):
                above.children.remove(box)
                parent.children.insert(dice.randint(0, len(parent.children)), box)
        elif act < 0.85:
            outer = Box("SECTION")
            above.children[above.children.index(box)] = outer
            outer.children = [box]
        elif act < 0.9:
            place = above.children.index(box)
            above.children[place : place + 1] = box.children
            box.children = []
        elif box.tag:
            box.attrs[dice.choice(["class", "title"])] = str(dice.randrange(1000))
        else:
            box.text = str(dice.randrange(1000))

    def within(self, box: Box, top: Box) -> bool:
        return box is top or any(self.within(box, child) for child in top.children)

    def snapshot(self) -> Any:
        """What the snapshotter writes now."""
        self.number += 1
        count = 0

        def visit(box: Box) -> tuple[bool, Any]:
            nonlocal count
            if box.tag:
                below = [visit(child) for child in box.children]
                values: Any = (tuple(map(id, box.children)), tuple(box.attrs.items()))
                same = box.cached == values and all(equal for equal, _ in below)
                node = [box.tag, dict(box.attrs), *[written for _, written in below]]
            else:
                values, node = box.text, box.text  # type: ignore[assignment]
                same = box.cached == values
            if same:
                return True, [[self.number - box.ref[0], box.ref[1]]]
            box.cached, box.ref = values, (self.number, count)
            count += 1
            return False, node

        return visit(self.root)[1]
