"""Reads XSS payloads from the lists in a folder."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

_READ = """
const list = (await import(process.argv[1])).default;
const text = (item) => typeof item === "string" ? item : item.payload ?? item.data ?? "";
console.log(JSON.stringify(list.map(text).flat().map(String)));
"""


def read_payload_lists(folder: Path, limit: int) -> dict[str, list[str]]:
    """Return the distinct payloads with markup of each list, by the list's name; of longer lists `limit` payloads, evenly spread."""
    found: dict[str, list[str]] = {}
    for path in sorted(folder.iterdir()):
        if path.suffix in (".mjs", ".js"):
            script = ["node", "--input-type=module", "-e", _READ, str(path.resolve())]
            items = json.loads(subprocess.run(script, capture_output=True, text=True, check=True, timeout=60).stdout)
        elif path.suffix == ".txt":
            items = path.read_text("utf-8", "replace").splitlines()
        else:
            continue
        seen = list(dict.fromkeys(_fill_placeholders(item) for item in items if "<" in item))
        step = max(1, len(seen) // limit)
        found[path.stem] = seen[::step][:limit] if len(seen) > limit else seen
    return found


def _fill_placeholders(payload: str) -> str:
    """Replace the placeholders for scripts that H5SC's payloads hold."""
    for name in ("js_alert", "js_uri_alert", "js_eval_alert", "js_string_alert"):
        payload = payload.replace(f"%{name}%", "javascript:alert(1)" if "uri" in name else "alert(1)")
    return payload
