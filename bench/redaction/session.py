"""Measures time and memory to redact a session of 8,000 distinct strings, and to run the gate on a file of 50 MB.

Each measurement runs in a process of its own, so that no other memory counts. The 50 MB are bytes of text after the file's layers are opened; in the
file the data are deflated and in base64.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
import zlib
from base64 import b64encode
from pathlib import Path
from typing import Any

from pagereel.fixtures.canaries import draw_canaries
from pagereel.reel import ReelWriter

STRINGS = 8_000
GATE_BYTES = 50_000_000
_CAPTIONS = (
    "Add to cart", "Sort by price", "Continue to checkout", "Free delivery over € 50", "Results per page", "Sign out",
    "Your order has been shipped and will arrive soon", "This field is required", "Download the invoice", "In stock",
    "Compare with similar products", "Please ring twice when you deliver the parcel", "Last updated a moment ago",
)  # fmt: skip
_NOUNS = [
    "kettle",
    "lamp",
    "vase",
    "shelf",
    "jacket",
    "monitor",
    "cable",
    "ticket",
    "report",
    "branch",
    "build",
    "filter",
    "chart",
    "invoice",
    "budget",
]
_ADJECTIVES = [
    "red",
    "small",
    "wooden",
    "open",
    "closed",
    "monthly",
    "quiet",
    "heavy",
    "broken",
    "shared",
    "private",
    "recent",
    "blue",
    "narrow",
]


def make_strings(count: int, seed: int) -> list[str]:
    """Return ``count`` distinct strings such as pages show: captions, products, prices, people, logs and JSON."""
    dice = random.Random(seed)
    found: dict[str, None] = {}
    while len(found) < count:
        person = draw_canaries(dice)
        thing = f"{dice.choice(_ADJECTIVES)} {dice.choice(_NOUNS)}"
        number = dice.randrange(10**5)
        text = dice.choice(
            (
                f"{dice.choice(_CAPTIONS)} ({number % 97})",
                thing.capitalize() + f" no. {number}",
                f"€ {number / 100:.2f}",
                f"{number % 400} of {number} {dice.choice(_NOUNS)}s",
                person["name"],
                f"Order {number} of {person['name']}",
                f"{person['address']}, {number:05d}",
                f"Assigned to {person['name']} since the {dice.choice(_NOUNS)} was {dice.choice(_ADJECTIVES)}",
                person["email"],
                f"https://shop.example/{dice.choice(_NOUNS)}/{number}?page={number % 9}",
                f"TypeError: {dice.choice(_NOUNS)}.{dice.choice(_ADJECTIVES)} is undefined at app.js:{number}",
                json.dumps({"id": number, "state": dice.choice(_ADJECTIVES), "title": thing}),
            )
        )
        found[text] = None
    return list(found)


def measure_session(seed: int) -> dict[str, Any]:
    """Measure a session in a process of its own, print the figures and return them."""
    load = os.getloadavg()[0]
    done = subprocess.run(
        [sys.executable, "-m", "bench.redaction.session", str(seed)],
        capture_output=True,
        text=True,
        timeout=1_800,
        check=True,
    )
    figures: dict[str, Any] = {"load": load, "processors": os.cpu_count(), **json.loads(done.stdout.splitlines()[-1])}
    print(
        f"session   {STRINGS:,} unique strings: redact {figures['redact']:.1f} s ({STRINGS / figures['redact']:.0f} strings/s), "
        f"gate of {figures['gate_bytes'] / 1e6:.0f} MB {figures['gate']:.1f} s, together {figures['redact'] + figures['gate']:.1f} s; "
        f"processor time {figures['cpu']:.1f} s; {figures['megabytes']:.0f} MB and {figures['worker_megabytes']:.0f} MB a worker, "
        f"most of it shared; {figures['processors']} processors, load {load:.1f} before the run",
        flush=True,
    )
    return figures


def _write_reel(path: Path, seed: int) -> None:
    """Write a reel of one page with all strings as paragraphs."""
    paragraphs = [["p", {}, text] for text in make_strings(STRINGS, seed)]
    with ReelWriter(path, {"started": 1, "recorder": {}, "browser": {}, "options": {}}) as writer:
        writer.write({"k": "document", "t": 1, "d": 1, "page": 1, "frame": "F", "url": "https://shop.example/", "top": True,
                      "viewport": {"w": 800, "h": 600, "dpr": 1}, "mode": "CSS1Compat"})  # fmt: skip
        tree = ["#document", {}, ["html", {}, ["head", {}], ["body", {}, *paragraphs]]]
        writer.write({"k": "snapshot", "t": 2, "d": 1, "n": 0, "why": "start", "ops": [["doc", 1, tree]]})
        writer.close("closed")


def _make_html(masked: Path, size: int) -> bytes:
    """Return an HTML file such as a build writes, with the masked reel's lines repeated in chunks until they have ``size`` bytes."""
    from pagereel.reel import open_reel

    with open_reel(masked) as reel:
        lines = "\n".join(json.dumps(e, ensure_ascii=False) for e in reel.events() if e.get("k") == "snapshot").encode()
    out = [b"<!doctype html><title>run</title>"]
    done = number = 0
    while done < size:
        body = b'{"chunk":%d}\n' % number + lines
        engine = zlib.compressobj(6, zlib.DEFLATED, -15)
        packed = engine.compress(body) + engine.flush()
        out.append(b'<script type="application/octet-stream" id="chunk-%d">%s</script>' % (number, b64encode(packed)))
        done += len(body)
        number += 1
    return b"\n".join(out)


def _run_session(seed: int) -> None:
    """Redact the session and run the gate, and print the figures as JSON."""
    import resource

    from pagereel.redaction import gate_html, redact

    with tempfile.TemporaryDirectory() as folder:
        raw, masked = Path(folder) / "raw.reel", Path(folder) / "masked.reel"
        _write_reel(raw, seed)
        begin = time.perf_counter()
        report = redact(raw, masked)
        redacted = time.perf_counter() - begin
        html = _make_html(masked, GATE_BYTES)
        begin = time.perf_counter()
        result = gate_html(html, report)
        gated = time.perf_counter() - begin
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        json.dumps(
            {
                "redact": redacted, "gate": gated, "gate_bytes": result.bytes, "values": result.values,
                "cpu": own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime,
                "megabytes": own.ru_maxrss / 1024, "worker_megabytes": children.ru_maxrss / 1024,
            }
        )
    )  # fmt: skip


if __name__ == "__main__":
    _run_session(int(sys.argv[1]))
