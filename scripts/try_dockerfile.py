"""Runs the RUN lines of the Dockerfile in a shell, without Docker, in a new virtual environment.

    python scripts/try_dockerfile.py [FOLDER]

Commands that would change the machine (users, package lists) are left out; packages are installed, which needs root. At
the end the image's own command builds a masked replay of a recording. Exit status 1: a command failed.
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


def list_run_steps(dockerfile: str) -> list[str]:
    """Return the shell commands of a Dockerfile's RUN lines, in order."""
    return re.findall(r"(?m)^RUN (.+)$", dockerfile)


def adapt_step_to_machine(step: str, source: Path) -> str:
    """Return a RUN command as it is run on this machine: without its changes of the machine, on the source copy
    `source`.
    """
    parts = [part for part in step.split(" && ") if not part.startswith((*MACHINES, "mkdir", "chown"))]
    return " && ".join(parts).replace("/src", str(source))


def main(folder: Path) -> int:
    """Run all RUN commands in `folder`, then the image's command. Return the exit status."""
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
    commands = [
        adapt_step_to_machine(step, source) for step in list_run_steps((ROOT / "Dockerfile").read_text("utf-8"))
    ]
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
