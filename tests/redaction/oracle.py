"""An oracle of its own: it opens a reel and looks for a canary in many encodings, without any code of the redaction."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, quote_plus, unquote

from pagereel.reel import open_reel


def forms(canary: str) -> set[str]:
    """The canary in the ways in which it could be written, in lower case."""
    found = {
        canary,
        quote(canary, safe=""),
        quote_plus(canary),
        quote(quote(canary, safe=""), safe=""),
        html.escape(canary),
        json.dumps(canary)[1:-1],
        json.dumps(json.dumps(canary)[1:-1])[1:-1],
        canary.encode().hex(),
        "".join(f"&#{ord(c)};" for c in canary),
        canary.replace(" ", ""),
        canary.replace(" ", "-"),
    }
    if canary.replace(" ", "").isalpha():
        found.update(canary.split())  # either name of a person tells who it is
    return {f.lower() for f in found}


def cores(canary: str) -> set[str]:
    """The canary inside base64, at each of the three alignments."""
    out = set()
    for shift in range(3):
        text = base64.b64encode(b"x" * shift + canary.encode() + b"xx").decode()
        out.add(text[(0, 2, 3)[shift] : -4])
    return {c for c in out if len(c) > 7}


def leaves(tree: object) -> Iterator[str]:
    """The text nodes of a tree or an op, in order: what a person reads as one."""
    if isinstance(tree, list):
        for child in tree[1:]:
            if isinstance(child, str):
                yield child
            else:
                yield from leaves(child)


def text_of(path: Path) -> str:
    """Everything in a reel as one text: JSON lines, and each resource in base64 decoded."""
    out = []
    with open_reel(path) as reel:
        for event in reel.events():
            out.append(json.dumps(event, ensure_ascii=False))
            out += ["".join(leaves(op)) for op in event.get("ops") or []]  # type: ignore[union-attr]
            if event.get("base64"):
                out.append(base64.b64decode(str(event["base64"])).decode("latin-1"))
    plain = "\n".join(out)
    return plain + "\n" + unquote(plain) + "\n" + html.unescape(plain) + "\n" + re.sub(r"</?[a-z]+>", "", plain)


def holds(path: Path, canary: str) -> bool:
    """Whether a reel tells the canary in any form."""
    text = text_of(path)
    small = text.lower()
    return any(form in small for form in forms(canary)) or any(core in text for core in cores(canary))
