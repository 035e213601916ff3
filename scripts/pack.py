"""Packs the player's texts as they stand in nearly every replay, as small as deflate can: dist/shell.deflate, a thirtieth less than zlib makes of them.

`--check` fails when the file does not hold the texts as they are in dist/ now. What it holds is compared and not its bytes, for Zopfli weighs its choices in
floating point, which not every processor rounds alike. A build takes the file only where it holds the texts it would pack itself (player_build/html_file.py).
"""

import sys
import tempfile
import zlib
from pathlib import Path

from typecheck import ROOT, lay_out

PACKED = ROOT / "dist" / "shell.deflate"
#: What zlib puts around the stream.
HEAD, TAIL = 2, 4


def texts() -> bytes:
    """Return what the first script of a replay unpacks, of this checkout, whatever is installed."""
    with tempfile.TemporaryDirectory() as folder:
        lay_out(Path(folder))
        sys.path.insert(0, folder)
        from pagereel.player_build.html_file import join_shell_texts

        return join_shell_texts()


def main(arguments: list[str]) -> int:
    wanted = texts()
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
