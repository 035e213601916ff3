"""`pagereel library add` and `watch`: add recordings."""

from __future__ import annotations

import json as jsonlib
import signal
import threading
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pagereel.cli.argument_requirements import warn_of_missing_models
from pagereel.cli.console import print_json, print_lines, print_message, print_warning, show_progress
from pagereel.errors import UsageError

if TYPE_CHECKING:
    from pagereel.library import Library


def add_recordings(
    opened: Library, files: list[str], *, link: bool, masked: bool, jobs: int, executor: str, json: bool
) -> int:
    """Add the recordings in `files` to a library. Return 1 if one could not be added."""
    from pagereel.reel import remote_stores

    if opened.settings.index is not None:
        warn_of_missing_models()
    names = [
        name
        for word in files
        for name in (remote_stores.expand_pattern(word) if remote_stores.is_url(word) else [word])
    ]
    done: list[dict[str, Any]] = []
    with show_progress("Adding") as advance:
        taken = opened.add_many(names, link=link, masked=masked, jobs=jobs, executor=executor, progress=advance)
        for name, added, error in taken:
            did, id = ("failed", None) if added is None else (added.did, added.id)
            done.append({"file": name, "id": id, "did": did, "error": error})
    order = {name: place for place, name in enumerate(names)}
    done.sort(key=lambda each: order.get(each["file"], 0))
    if json:
        print_json(done)
    else:
        print_lines(f"{each['did']} {each['id']} {each['file']}" for each in done if not each["error"])
    for each in done:
        if each["error"]:
            print_warning(f"not added: {each['error']}")
    return 1 if any(each["error"] for each in done) else 0


def watch_places(
    opened: Library,
    places: list[str],
    *,
    link: bool,
    masked: bool,
    jobs: int,
    every: str | None,
    once: bool,
    json: bool,
) -> int:
    """Watch folders and addresses, and add recordings as they appear, until SIGINT or SIGTERM.

    With `once`, add only the recordings that are there now, and return 1 if one could not be added.
    """
    from pagereel.library import LibraryWatch

    watching = LibraryWatch(opened, places, jobs=jobs, link=link, masked=masked)
    seconds = _parse_interval(every)
    failed = False

    def report_outcome(watched_file: Any) -> None:
        nonlocal failed
        if watched_file.did == "failed":
            failed = True
            print_warning(f"not added: {watched_file.said}")
        elif json:
            print(jsonlib.dumps(asdict(watched_file), ensure_ascii=False), flush=True)
        elif watched_file.did != "known":
            print(" ".join(filter(None, (watched_file.did, watched_file.said, watched_file.source))), flush=True)

    if once:
        for seen in watching.scan_places_once():
            report_outcome(seen)
        return 1 if failed else 0
    ended = threading.Event()
    before = {name: signal.signal(name, lambda *_: ended.set()) for name in (signal.SIGINT, signal.SIGTERM)}
    print_message(f"Watching {', '.join(places)}; Ctrl-C ends it.")
    try:
        watching.scan_places_until(seconds, report_outcome, ended.wait)
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)
    return 0


def _parse_interval(text: str | None) -> float:
    try:
        every = float(text or 5.0)
    except ValueError:
        every = 0.0
    if not 0.1 <= every <= 86_400:
        raise UsageError(f"--every takes seconds, from 0.1 to 86400, not {text!r}.")
    return every
