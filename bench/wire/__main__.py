"""Sends model traffic to a scripted provider straight and over the proxy, and prints the proxy's figures."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson

from pagereel.reel import ReelWriter, open_reel

from ..process import PAGEREEL
from . import __doc__ as about
from .client import KEY

ROOT = Path(__file__).resolve().parents[2]
FIRST_TOKEN = 10.0
"""Ms that the proxy may add to the first token."""
PAGE = 2200
"""Words of a page that an agent reads at each turn: after fifty its context has some 200,000 tokens."""
RATIO = 1.2
"""What is kept of a conversation may be this many times its distinct messages."""


def main(arguments: list[str]) -> int:
    """Return 0 when all figures are within their limits, 1 when not."""
    parser = argparse.ArgumentParser(prog="python -m bench.wire", description=(about or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=40, help="pairs of requests for each format and size")
    parser.add_argument("--turns", type=int, default=50)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    provider = subprocess.Popen(
        [sys.executable, "-m", "bench.wire.provider"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        assert provider.stdout is not None
        port = provider.stdout.readline().strip()
        with TemporaryDirectory() as folder:
            found = _measure_traffic(Path(folder), port, options.rounds)
            found["turns"] = {
                str(words): _record_turns(Path(folder), port, options.turns, words) for words in (PAGE, 500)
            }
    finally:
        provider.kill()
    found["load"] = round(os.getloadavg()[0], 1)
    if options.json:
        options.json.write_text(json.dumps(found))
    met = (
        found["changed"] == 0
        and found["keys"] == 0
        and found["turns"][str(PAGE)]["on disk"] <= RATIO
        and found["first token"] <= FIRST_TOKEN
    )
    print(json.dumps(found, indent=1))
    print("met" if met else "not met")
    return 0 if met else 1


def _run_under_proxy(reel: Path, port: str, *command: str) -> str:
    """Run a Python module under `pagereel proxy`, recorded into `reel`, and return its output."""
    upstreams = [f"--upstream={name}=http://127.0.0.1:{port}" for name in ("anthropic", "ollama", "gemini")]
    upstreams.append(f"--upstream=openai=http://127.0.0.1:{port}/v1")
    done = subprocess.run(
        [*PAGEREEL, "proxy", "--reel", str(reel), *upstreams, "--", sys.executable, "-m", *command],
        cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True, env={**os.environ, "OPENAI_API_KEY": KEY},
    )  # fmt: skip
    return done.stdout


def _measure_traffic(folder: Path, port: str, rounds: int) -> dict[str, Any]:
    """Return what the proxy changed, added and left in its recording over all exchanges."""
    reel = folder / "traffic.reel"
    figures = json.loads(_run_under_proxy(reel, port, "bench.wire.client", port, str(rounds)))
    added = {name: _compute_added_ms(pairs) for name, pairs in figures["first"].items()}
    return {
        "exchanges": figures["exchanges"],
        "changed": figures["changed"],
        "first token": max(value["undisturbed"] for name, value in added.items() if "short" in name),
        "to the first token, ms": added,
        "keys": KEY.encode() in b"".join(_dump_events(reel)),
        "calls": sum(event["k"] == "llm" for event in _read_events(reel)),
    }


def _compute_added_ms(pairs: list[list[float]]) -> dict[str, float]:
    """Return by how many ms the proxy delays the first token: the median over all pairs, and undisturbed.

    Undisturbed is the difference between the fastest tenths of proxied and direct requests, which other work on the machine hardly delays.
    """
    tenth = max(1, len(pairs) // 10)
    direct, proxied = (statistics.mean(sorted(pair[which] for pair in pairs)[:tenth]) for which in (1, 2))
    middle = statistics.median(pair[0] for pair in pairs)
    return {"direct": round(direct, 2), "undisturbed": round(proxied - direct, 2), "median": round(middle, 2)}


def _record_turns(folder: Path, port: str, turns: int, words: int) -> dict[str, Any]:
    """Record an agent of that many turns over the proxy.

    Returns the sizes of its distinct messages and of the recording in bytes, and their ratios.
    """
    reel, alone = folder / f"{words}.reel", folder / f"{words}-alone.reel"
    _run_under_proxy(reel, port, "bench.wire.turns", str(turns), str(words), str(folder / "messages.jsonl"))
    distinct = (folder / "messages.jsonl").read_bytes()
    with ReelWriter(alone, {"started": 0}) as writer:
        for number, line in enumerate(distinct.splitlines(), 1):
            writer.write({"k": "said", "t": 0, "id": number, "role": "user", "content": orjson.loads(line)})
    said = sum(len(orjson.dumps(event)) for event in _read_events(reel) if event["k"] == "said")
    return {
        "distinct messages": len(distinct),
        "the messages as the recording has them": said,
        "a recording of them alone, on disk": alone.stat().st_size,
        "the recording with requests and answers to the byte, on disk": reel.stat().st_size,
        "as text": round(said / len(distinct), 2),
        "on disk": round(reel.stat().st_size / alone.stat().st_size, 2),
    }


def _read_events(reel: Path) -> list[dict[str, Any]]:
    """Return the events of a reel."""
    with open_reel(reel) as opened:
        return [dict(event) for event in opened.timeline()]


def _dump_events(reel: Path) -> list[bytes]:
    """Return the events of a reel, each as JSON."""
    return [orjson.dumps(event) for event in _read_events(reel)]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
