"""A recording in other people's formats: a transcript to read or to feed to a program, HAR, rrweb, training pairs."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from pagereel import __version__
from pagereel.integrations.reading import Reading, Record
from pagereel.reel import Reel, open_reel

FORMATS = ("markdown", "jsonl", "har", "rrweb", "training")
_LONG = 2_000
"""Characters of one value in the Markdown transcript."""


def export(path: Path, form: str, page: int | None = None) -> str:
    """The reel at `path` as text in one of `FORMATS`. It is taken as it is: redact it before (`shareable`).

    `page`: the page (tab) that rrweb's events are of, else the first. Raises LookupError when it does not exist.
    """
    if form == "rrweb":
        from pagereel.integrations.rrweb import rrweb

        return json.dumps(rrweb(path, page), ensure_ascii=False, separators=(",", ":")) + "\n"
    if form == "training":
        from pagereel.integrations.training import pairs

        return "".join(json.dumps(pair, ensure_ascii=False) + "\n" for pair in pairs(path))
    if form == "har":
        return json.dumps(har(path), ensure_ascii=False, indent=1) + "\n"
    reading = Reading(path)
    if form == "jsonl":
        return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in story(reading))
    return "\n".join(markdown(reading)) + "\n"


def story(reading: Reading) -> list[Record]:
    """Everything that the agent did and that went wrong, in order of time; each record has `kind` and `t`."""
    found = [{"kind": "step", **step} for step in reading.steps()]
    found += reading.calls()
    found += reading.notes()
    found += [error for error in reading.errors() if error["kind"] in ("page error", "console", "request")]
    return sorted(found, key=lambda record: (float(record["t"]), record["kind"] != "step"))


def markdown(reading: Reading) -> Iterator[str]:
    """The transcript, for people and for models that read."""
    told = reading.overview()
    yield f"# {told['agent'] or 'Recording'}"
    yield ""
    started = told["started"]
    if isinstance(started, int | float):
        yield f"{datetime.fromtimestamp(started / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC, {told['duration'] / 1000:.1f} s, "
    yield (
        f"{told['steps']} steps ({len(told['failed_steps'])} failed), {told['calls']} calls, "
        f"{told['model_calls']} model calls, {told['tokens']} tokens, {told['cost_usd']} USD, {told['errors']} errors."
    )
    depth: dict[Any, int] = {}
    for record in story(reading):
        if record["kind"] == "step":
            depth[record["id"]] = level = min(depth.get(record.get("parent"), 1) + 1, 6)
            # Without a word about how it went, a step that came to its end is done; one that raised has failed.
            verdict = "failed" if record.get("success") is False else "done" if record["ended"] else "never ended"
            yield ""
            yield f"{'#' * level} {_line(record['title'])} (step {record['number']}, {_time(record)}, {verdict})"
            for name in ("reasoning", "message", "error"):
                if record.get(name):
                    yield f"{name.capitalize()}: {_line(record[name])}"
            yield ""
        else:
            yield from _item(record)


def _item(record: Record) -> Iterator[str]:
    kind = record["kind"]
    if kind == "playwright":
        what = " ".join(str(part) for part in (record["title"], record.get("locator")) if part)
        yield f"- {_time(record)} {_line(what)}{_json(record.get('params'))}{_trouble(record)}"
    elif kind == "model":
        tokens = f"{record.get('input_tokens', '?')} → {record.get('output_tokens', '?')} tokens"
        yield f"- {_time(record)} model {record.get('model', '')}, {tokens}"
        for name in ("prompt", "response"):
            if record.get(name) is not None:
                yield f"  - {name}:{_json(record[name])}"
    elif kind == "tool":
        yield f"- {_time(record)} tool {record['name']}{_json(record.get('arguments'))}{_trouble(record)}"
        if "result" in record:
            yield f"  - result:{_json(record['result'])}"
    else:
        text = record.get("text") or record.get("message") or record.get("name") or record.get("filename") or ""
        yield f"- {_time(record)} {kind}: {_line(text)}"


def _time(record: Record) -> str:
    return f"{float(record['t']) / 1000:.2f} s"


def _trouble(record: Record) -> str:
    return f" **{_line(record['error'])}**" if record.get("error") else ""


def _json(value: Any) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f" `{_line(text).replace('`', 'ˋ')}`"


def _line(value: Any) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= _LONG else f"{text[:_LONG]}… [cut: {len(text):,} characters]"


# -- HAR (http://www.softwareishard.com/blog/har-12-spec/) ------------------------------------------------------------


def har(path: Path) -> dict[str, Any]:
    """HTTP Archive 1.2, with the bodies that the recording holds."""
    with open_reel(path) as reel:
        started = reel.header.get("started")
        begin = float(started) if isinstance(started, int | float) else 0.0
        requests: list[dict[str, Any]] = []
        responses: dict[Any, dict[str, Any]] = {}
        pages: dict[Any, dict[str, Any]] = {}
        wanted: set[str] = set()
        for event in reel.timeline():
            if event["k"] == "request":
                requests.append(event)
                wanted.add(str(event.get("post")))
            elif event["k"] == "response":
                responses[event["id"]] = event
                wanted.add(str(event.get("body")))
            elif event["k"] == "document" and event.get("top"):
                pages.setdefault(event["page"], event)
        bodies = _bodies(reel, wanted)
        browser = reel.header.get("browser")
    named = browser if isinstance(browser, dict) else {}
    return {
        "log": {
            "version": "1.2",
            "creator": {"name": "pagereel", "version": __version__},
            "browser": {"name": str(named.get("name")), "version": str(named.get("version"))},
            "pages": [
                {
                    "startedDateTime": _date(begin, page["t"]),
                    "id": f"page_{number}",
                    "title": str(page.get("title") or page.get("url") or ""),
                    "pageTimings": {},
                }
                for number, page in pages.items()
            ],
            "entries": [_entry(begin, request, responses.get(request["id"]), bodies) for request in requests],
        }
    }


def _bodies(reel: Reel, wanted: set[str]) -> dict[str, dict[str, Any]]:
    return {str(e["sha256"]): e for e in reel.events({"resource"}) if e["sha256"] in wanted}


def _entry(
    begin: float, request: dict[str, Any], response: dict[str, Any] | None, bodies: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    answer = response or {}
    first = float(answer.get("t") or request["t"])
    last = float(answer.get("end") or first)
    wait, receive = max(0.0, first - request["t"]), max(0.0, last - first)
    sent = {
        "method": request["method"],
        "url": request["url"],
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _headers(request.get("headers")),
        "queryString": [{"name": n, "value": v} for n, v in parse_qsl(urlsplit(str(request["url"])).query)],
        "headersSize": -1,
        "bodySize": -1,
    }
    if (post := bodies.get(str(request.get("post")))) is not None:
        sent["postData"] = {"mimeType": str(post.get("mime") or ""), "text": _text(post)}
    content: dict[str, Any] = {"size": -1, "mimeType": str(answer.get("mime") or "")}
    if (body := bodies.get(str(answer.get("body")))) is not None:
        content["size"] = body.get("size") or -1
        content |= {"text": body["text"]} if "text" in body else {"text": body.get("base64"), "encoding": "base64"}
    headers = _headers(answer.get("headers"))
    entry = {
        "pageref": f"page_{request.get('page')}",
        "startedDateTime": _date(begin, request["t"]),
        "time": round(wait + receive, 1),
        "request": sent,
        "response": {
            "status": answer.get("status") or 0,
            "statusText": str(answer.get("status_text") or ""),
            "httpVersion": "HTTP/1.1",
            "cookies": [],
            "headers": headers,
            "content": content,
            "redirectURL": next((h["value"] for h in headers if h["name"].lower() == "location"), ""),
            "headersSize": -1,
            "bodySize": int(answer.get("size") or -1),
        },
        "cache": {},
        "timings": {"send": 0, "wait": round(wait, 1), "receive": round(receive, 1)},
    }
    if answer.get("error") or response is None:
        entry["_error"] = str(answer.get("error") or "no answer before the recording ended")
    return entry


def _headers(given: Any) -> list[dict[str, str]]:
    pairs = given.items() if isinstance(given, dict) else given or []
    return [{"name": str(name), "value": str(value)} for name, value in pairs]


def _text(resource: dict[str, Any]) -> str:
    if "text" in resource:
        return str(resource["text"])
    return base64.b64decode(str(resource.get("base64") or "")).decode("utf-8", "replace")


def _date(begin: float, t: float) -> str:
    return datetime.fromtimestamp((begin + t) / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
