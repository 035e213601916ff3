"""Reads and packs the lines by which the two nets were trained, one compressed file for each net.

    python -m bench.redaction.taught head > lines.txt               # to read or change them
    python -m bench.redaction.taught letters --pack lines.txt       # to write the file anew; prints the hash for HASHES

Values in a line are marked as in :mod:`bench.redaction.by_language`. A line that begins with ``#=`` names the writer and the part of the lines after it.
"""

from __future__ import annotations

import argparse
import hashlib
import lzma
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from bench.redaction.sets import parse_rows

HASHES = {
    "head": "bcde03cddcee5e0b7b7549b187e7b06c6de241cd5ec21d7a2ddfa636aa601abf",
    "letters": "84b744c0980e58eaf5b78e78ca2d1f890b6f9a478ab0873f001810ef634be71c",
}
"""SHA-256 of each net's file, as its README has it: weights are only what they are with these lines."""
_HEAD = "#= "


def get_taught_file(net: str) -> Path:
    """Return the path of the file with a net's lines."""
    return Path(__file__).with_name(net) / "read_taught_rows.txt.xz"


def read_taught_lines(net: str) -> list[str]:
    """Return the lines of a net's file.

    :raises ValueError: the file is not the one by which the net was trained.
    """
    stored = get_taught_file(net).read_bytes()
    if (found := hashlib.sha256(stored).hexdigest()) != HASHES[net]:
        raise ValueError(
            f"{get_taught_file(net)} has the hash {found}, not {HASHES[net]}; pack the lines anew or restore it."
        )
    return lzma.decompress(stored).decode().splitlines()


def read_taught_rows(net: str) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of a net's lines by their writer."""
    by_writer: dict[str, list[str]] = defaultdict(list)
    writer = ""
    for line in read_taught_lines(net):
        if line.startswith(_HEAD):
            writer = line.removeprefix(_HEAD).partition("/")[0]
        else:
            by_writer[writer].append(line)
    return {writer: parse_rows(lines) for writer, lines in by_writer.items()}


def main() -> None:
    """Print a net's lines, or pack a file of other lines in their place."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("net", choices=HASHES)
    parser.add_argument("--pack", type=Path, help="a file of lines to write in place of what is there")
    options = parser.parse_args()
    if options.pack:
        packed = lzma.compress(options.pack.read_bytes(), preset=9 | lzma.PRESET_EXTREME)
        get_taught_file(options.net).write_bytes(packed)
        print(hashlib.sha256(packed).hexdigest())
    else:
        sys.stdout.writelines(f"{line}\n" for line in read_taught_lines(options.net))


if __name__ == "__main__":
    main()
