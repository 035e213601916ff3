"""Asks a provider straight and over the proxy in turns, and prints figures as JSON; the bench runs it under `pagereel proxy`."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from typing import Any

import httpx2

from .provider import make_prose

KEY = "sk-bench-canary-0123456789abcdef"
PATHS = {
    "chat": ("OPENAI_BASE_URL", "/v1", "/chat/completions"),
    "responses": ("OPENAI_BASE_URL", "/v1", "/responses"),
    "messages": ("ANTHROPIC_BASE_URL", "", "/v1/messages"),
    "ollama": ("OLLAMA_HOST", "", "/api/chat"),
    "gemini": ("GOOGLE_GEMINI_BASE_URL", "", "/v1beta/models/m:streamGenerateContent?alt=sse"),
}
HEADERS = {
    "authorization": f"Bearer {KEY}",
    "x-api-key": KEY,
    "x-goog-api-key": KEY,
    "content-type": "application/json",
}
SETTLES = 0.03
"""Seconds before each request: what the proxy reads of the last exchange takes no processor from the next, which is a direct one each second time."""
LONG = 800_000
"""Characters of a context of 200,000 tokens."""


def make_body(api_format: str, messages: list[Any], stream: bool, **more: Any) -> bytes:
    """Return the body of a request in the format of one API."""
    if api_format == "gemini":
        contents = [{"role": "user", "parts": [{"text": m["content"]}]} for m in messages]
        return json.dumps({"contents": contents, **more}, ensure_ascii=False).encode()
    name = "input" if api_format == "responses" else "messages"
    return json.dumps({"model": "m", name: messages, "stream": stream, **more}, ensure_ascii=False).encode()


def send_request(client: httpx2.Client, url: str, body: bytes) -> dict[str, Any]:
    """Send a request; return its status, the ms until the first bytes of the answer, and whether bytes arrived unchanged both ways."""
    time.sleep(SETTLES)
    began = time.perf_counter()
    first = 0.0
    parts = []
    with client.stream("POST", url, content=body, headers=HEADERS) as answer:
        for part in answer.iter_raw():
            first = first or time.perf_counter() - began
            parts.append(part)
    got = b"".join(parts)
    sha = hashlib.sha256(body).hexdigest()
    unchanged = (
        answer.headers["x-sent-sha256"] == sha and answer.headers["x-answer-sha256"] == hashlib.sha256(got).hexdigest()
    )
    return {"status": answer.status_code, "first": first * 1000, "unchanged": unchanged}


def main(port: str, rounds: int) -> None:
    """Print for each format and size how request pairs went, straight and over the proxy."""
    direct = f"http://127.0.0.1:{port}"
    figures: dict[str, Any] = {"first": {}, "changed": 0, "exchanges": 0}
    cases = {
        "short": [{"role": "user", "content": make_prose(1, 40)}],
        "200k tokens": [{"role": "user", "content": make_prose(2, LONG // 7)}],
    }
    with httpx2.Client(timeout=None) as client:
        for form, (variable, prefix, path) in PATHS.items():
            for case, messages in cases.items():
                differences = []
                for number in range(rounds + 3):
                    more = {"fail": (429, 500)[number]} if number < 2 and form != "gemini" else {}
                    body = make_body(form, messages, stream=number != 2, **more)
                    one = send_request(client, direct + prefix + path, body)
                    other = send_request(client, os.environ[variable] + path, body)
                    figures["exchanges"] += 1
                    figures["changed"] += not (other["unchanged"] and one["status"] == other["status"])
                    if number >= 3:
                        differences.append((other["first"] - one["first"], one["first"], other["first"]))
                figures["first"][f"{form}, {case}"] = differences
    print(json.dumps(figures))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
