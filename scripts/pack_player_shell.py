"""Compresses the player's scripts and styles with Zopfli into dist/shell.deflate, 3 % smaller than zlib would.

Nearly every replay contains these texts. A build uses the file only if it holds the texts that the build would
otherwise compress itself (player_build/html_file.py). With `--check` nothing is written; exit status 1: the texts in
the file differ from those in dist/. The decompressed texts are compared, because Zopfli's output depends on the
processor's floating-point rounding.
"""

import sys
import tempfile
import zlib
from pathlib import Path

from run_mypy import ROOT, link_rooms_as_package

PACKED = ROOT / "dist" / "shell.deflate"
#: What zlib puts around the stream.
HEAD, TAIL = 2, 4


def read_shell_texts() -> bytes:
    """Return the player's texts that a replay's first script unpacks, from this checkout and not an installed package."""
    with tempfile.TemporaryDirectory() as folder:
        link_rooms_as_package(Path(folder))
        sys.path.insert(0, folder)
        from pagereel.player_build.html_file import join_shell_texts

        return join_shell_texts()


def main(arguments: list[str]) -> int:
    """Write dist/shell.deflate, or with `--check` compare it. Return the exit status."""
    wanted = read_shell_texts()
    if "--check" in arguments:
        fresh = PACKED.exists() and zlib.decompress(PACKED.read_bytes(), -zlib.MAX_WBITS) == wanted
        if not fresh:
            print(
                f"{PACKED.relative_to(ROOT)} does not hold what dist/ says: run 'make js' and commit it",
                file=sys.stderr,
            )
        return 0 if fresh else 1
    import zopfli.zopfli

    PACKED.write_bytes(zopfli.zopfli.compress(wanted, numiterations=60)[HEAD:-TAIL])
    print(f"{PACKED.relative_to(ROOT)}  {PACKED.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
