"""`pagereel gate`: searches any file for known values."""

from __future__ import annotations

from pathlib import Path

from pagereel.cli.argument_requirements import require_readable_file
from pagereel.cli.console import print_json, show_progress
from pagereel.errors import GateError, UsageError
from pagereel.user_files import read_text_file_limited

SHORTEST = 3
"""Shortest value in characters; shorter ones occur everywhere by chance."""
LARGEST = 64 << 20
"""Largest list of values, in bytes."""


def print_gate_result(file: Path, known: Path | None, reel: Path | None, redaction: str, *, json: bool) -> int:
    """Search a file for the values in `known`, or for those of the recording `reel`, and print where they are. Return 1
    if there are any.
    """
    if (known is None) == (reel is None):
        raise UsageError("Give the values to look for with --known FILE or --reel RECORDING, not both.")
    require_readable_file(file, accepts_pipe=True)
    from pagereel.redaction import KnownValues, gate_html, known_values, load_policy

    if known is not None:
        values = KnownValues.given(_read_value_list(known), "the list")
    else:
        assert reel is not None
        require_readable_file(reel)
        load_policy(redaction)
        with show_progress(f"Reading {reel.name}") as advance:
            values = known_values(reel, redaction, progress=lambda _name, done, total: advance(done, total))
    with show_progress(f"Searching {file.name}"):
        try:
            result = gate_html(file, values, check=False)
        except GateError as error:
            raise GateError(f"{file}: {error}") from None
    if json:
        print_json(
            {
                "clean": result.clean, "values": result.values, "layers": result.layers, "bytes": result.bytes,
                "leaks": [
                    {"type": leak.entity, "channel": leak.channel, "layer": leak.layer, "place": leak.place,
                     "encoding": leak.encoding, "count": leak.count} for leak in result.leaks
                ],
            }
        )  # fmt: skip
    else:
        print(result.sentence() if result.clean else f"{file} is not clean:")
        for leak in result.leaks:
            print(f"  {leak}")
    return 0 if result.clean else 1


def _read_value_list(path: Path) -> list[tuple[str, str]]:
    """Return the known values in a file as pairs of value and type.

    Raises UsageError for a value that is too short to be searched for.
    """
    require_readable_file(path, accepts_pipe=True)
    try:
        lines = read_text_file_limited(path, LARGEST).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read as text: {getattr(error, 'strerror', None) or error}.") from None
    found = []
    for number, line in enumerate(lines, 1):
        entity, tab, value = line.partition("\t")
        if not tab or not entity.strip().replace("_", "").isupper():
            entity, value = "VALUE", line
        value = " ".join(value.split())
        if not value:
            continue
        if len(value) < SHORTEST or not any(c.isalnum() for c in value):
            raise UsageError(
                f"Line {number} of {path} is too short to search for; write at least {SHORTEST} characters."
            )
        found.append((value, entity.strip()))
    if not found:
        raise UsageError(f"{path} holds no value; write one value a line.")
    return found
