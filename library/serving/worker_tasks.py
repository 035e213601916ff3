"""The tasks of the worker process.

Each returns a dictionary, even for an error, because an exception might not be picklable.
"""

from __future__ import annotations

import functools
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pagereel.errors import PagereelError, ReelError

CONFLICT = "There is another recording of the id {id}, and it is whole: it is not replaced."


def _return_errors_as_values(task: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    @functools.wraps(task)
    def call_task(*given: Any) -> dict[str, Any]:
        try:
            return task(*given)
        except ReelError as error:
            return {"status": 422, "error": _remove_paths(str(error), given)}
        except PagereelError as error:
            return {"status": 409, "error": _remove_paths(str(error), given)}
        except (RecursionError, MemoryError, ValueError, LookupError, TypeError) as error:
            return {"status": 422, "error": f"The recording cannot be read ({type(error).__name__})."}

    return call_task


def _remove_paths(message: str, arguments: tuple[Any, ...]) -> str:
    """Remove paths of this machine from a message."""
    for value in sorted((value for value in arguments if isinstance(value, str)), key=len, reverse=True):
        if os.sep in value:
            message = message.replace(value, "the recording")
    return message


@_return_errors_as_values
def add_recording(folder: str, path: str, user: str) -> dict[str, Any]:
    """Add a recording to the library in `folder`. A sealed recording there is not replaced by another with its id."""
    from pagereel.library.library import Library, read_recording_identity

    id, sha256 = read_recording_identity(Path(path))
    with Library(folder, create=False, user=user) as library:
        there = library.catalogue.get_entry(id)
        if there is not None and there.sha256 != sha256 and library.has_sealed_recording(id):
            return {"status": 409, "error": CONFLICT.format(id=id)}
        added = library.add(path)
    return {"id": added.id, "did": added.did}


@_return_errors_as_values
def load_models() -> dict[str, Any]:
    """Import the modules that the other tasks use, and load the language models."""
    from pagereel.player_build import build  # noqa: F401
    from pagereel.redaction import find_pii

    find_pii(["Nobody is named here."])
    return {}


@_return_errors_as_values
def write_masked_copy(source: str, destination: str, policy: str) -> dict[str, Any]:
    """Write a masked copy of a recording."""
    from pagereel.redaction import redact

    _write_atomically(Path(destination), lambda to: redact(source, to, policy, on_leak="drop"))
    return {}


@_return_errors_as_values
def write_replay(source: str, destination: str) -> dict[str, Any]:
    """Write the replay of a recording that is already masked as needed."""
    from pagereel.player_build import build

    _write_atomically(Path(destination), lambda to: build(source, to, redaction=None))
    return {}


@functools.cache
def get_player_hash() -> str:
    """Return the first characters of a hash of the player's files in this pagereel, for names of cached replays."""
    from pagereel.player_build import hash_shell

    return hash_shell()[:8]


def _write_atomically(destination: Path, write: Callable[[Path], object]) -> None:
    """Write a file under a temporary name, readable by this user alone, and rename it to `destination` when it is complete."""
    meanwhile = destination.with_name(f".{secrets.token_hex(6)}.{destination.name}")
    before = os.umask(0o077)
    try:
        write(meanwhile)
        meanwhile.chmod(0o600)
        os.replace(meanwhile, destination)
    finally:
        os.umask(before)
        meanwhile.unlink(missing_ok=True)


@_return_errors_as_values
def write_comparison_page(
    a: str, b: str, policy: str | None, destination: str, names: tuple[str, str]
) -> dict[str, Any]:
    """Write a page that shows two recordings, and a JSON file of their comparison beside it, all masked together.
    `names`: titles of the recordings.
    """
    import orjson

    from pagereel.comparison import compare, write_comparison

    result = compare(a, b, redaction=policy)

    def write_page_and_json(page: Path) -> None:
        # This comes first, so that the JSON has the same stand-ins as the page.
        write_comparison(result, page, *names)
        moments = [round(result.joint(each)) for each in result.differences]
        written = orjson.dumps({"told": result.to_json(), "moments": moments}, default=str).decode()
        checked = result.check(written)
        _write_atomically(Path(destination).with_suffix(".json"), lambda to: to.write_text(checked, "utf-8"))

    _write_atomically(Path(destination), write_page_and_json)
    return {}


@_return_errors_as_values
def write_preview_picture(
    source: str, destination: str, words: str, size: tuple[int, int], draw: Callable[[Path, float], bytes]
) -> dict[str, Any]:
    """Write the picture for the preview of a link: `words` above the page as it was at the run's failure, or else at
    its end.
    """
    from pagereel.reading import find_first_failure, open_recording

    reading = open_recording(source)
    first = find_first_failure(reading).get("first") or {}
    at = float(first["t"]) if isinstance(first.get("t"), int | float) else float(reading.moment("end"))
    try:
        page = draw(Path(source), at)
    except PagereelError:
        page = None  # no browser is installed here: draw only the text
    _write_atomically(Path(destination), lambda to: to.write_bytes(_draw_preview_card(page, words, size)))
    return {}


def _draw_preview_card(page: bytes | None, words: str, size: tuple[int, int]) -> bytes:
    import io

    from PIL import Image, ImageDraw, ImageFont

    width, height = size
    band = height // 5
    picture = Image.new("RGB", size, "#eef0f3")
    if page is not None:
        shown = Image.open(io.BytesIO(page)).convert("RGB")
        scale = (width - 80) / shown.width
        shown = shown.resize((width - 80, max(1, round(shown.height * scale))))
        picture.paste(shown.crop((0, 0, width - 80, height - band - 30)), (40, band + 30))
    pen = ImageDraw.Draw(picture)
    pen.rectangle((0, 0, width, band), fill="#14181f")
    pen.text((40, band * 0.16), "A recorded browser run", fill="#a8b2c0", font=ImageFont.load_default(30))
    pen.text((40, band * 0.5), words, fill="#ffffff", font=ImageFont.load_default(44))
    out = io.BytesIO()
    picture.save(out, "PNG", optimize=True)
    return out.getvalue()
