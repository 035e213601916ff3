"""Runs the steps of the Dockerfile without Docker: each RUN line in a shell, with an environment of its own for the Python of its first line.

    python scripts/try_dockerfile.py [FOLDER]

Steps that change the machine (users, lists of packages) are said and left out; packages are installed, where this is root's machine. At the end the image's
command masks and builds a recording. Exit status 1 where a step fails.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MACHINES = ("useradd", "rm -rf /var")
"""What is the image's alone."""
RECORDING = "tests/golden/0.1.0/failed.reel"


def steps(dockerfile: str) -> list[str]:
    """Return the commands that build the image, in order."""
    return re.findall(r"(?m)^RUN (.+)$", dockerfile)


def here(step: str, source: Path) -> str:
    """Return a step as it runs outside of an image: without what changes the machine, and on a copy of the source."""
    parts = [part for part in step.split(" && ") if not part.startswith((*MACHINES, "mkdir", "chown"))]
    return " && ".join(parts).replace("/src", str(source))


def main(folder: Path) -> int:
    """Run all steps, then the image's command. Return the exit status."""
    source = folder / "src"
    source.mkdir(parents=True)
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    subprocess.run(["tar", "x", "-C", source], input=archive, check=True)
    venv.create(folder / "python", with_pip=True)
    environment = {
        **os.environ,
        "PATH": f"{folder / 'python' / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "DEBIAN_FRONTEND": "noninteractive",
    }
    commands = [here(step, source) for step in steps((ROOT / "Dockerfile").read_text("utf-8"))]
    for command in [*filter(None, commands), f"pagereel build {ROOT / RECORDING} {folder / 'run.html'}"]:
        print(f"== {command}", flush=True)
        if subprocess.run(command, shell=True, env=environment, cwd=folder).returncode:
            return 1
    return 0


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(main(Path(sys.argv[1])))
    with tempfile.TemporaryDirectory(prefix="pagereel-image-") as name:
        sys.exit(main(Path(name)))
