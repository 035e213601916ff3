"""Executes the code and commands of the tutorials in docs/, in the order in which readers follow them, in one folder.

python scripts/run_tutorials.py FOLDER

A Python block with `title="NAME"` is saved as a file of that name. In a console block each line that begins with `$ `
is run as a command. It must exit with status 0, or with N if `# exits with N` follows it; otherwise AssertionError is
raised with the command and its output.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

TUTORIALS = Path(__file__).resolve().parent.parent / "docs" / "tutorials"
ORDER = ("agent", "pytest", "ticket", "vendor", "compare", "library")
BLOCK = re.compile(r'^```(\w+)(?: title="([\w.]+)")?\n(.*?)^```', re.MULTILINE | re.DOTALL)
EXITS = re.compile(r"\s*# exits with (\d+)$")


def run_all_tutorials(folder: Path) -> None:
    """Execute all tutorials in a folder, which is created if needed. Raises AssertionError for a command that fails."""
    folder.mkdir(parents=True, exist_ok=True)
    # The commands of this environment, as a reader's shell would find them.
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    environment = {**os.environ, "PATH": path, "PYTHONPATH": "", "PYTHONSAFEPATH": ""}
    for name in ORDER:
        for language, title, text in BLOCK.findall((TUTORIALS / f"{name}.md").read_text("utf-8")):
            if language == "python":
                (folder / title).write_text(text, "utf-8")
            elif language == "console":
                for line in re.findall(r"(?m)^\$ (.*)$", text):
                    _run_tutorial_command(name, line, folder, environment)


def _run_tutorial_command(tutorial: str, line: str, folder: Path, environment: dict[str, str]) -> None:
    """Run a command of a tutorial. Raises AssertionError unless it exits with the expected status."""
    expected = int(found[1]) if (found := EXITS.search(line)) else 0
    command = EXITS.sub("", line)
    done = subprocess.run(
        command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    output = done.stdout + done.stderr
    assert done.returncode == expected, f"{tutorial}.md: `{command}` exits with {done.returncode}:\n{output}"
    assert "PagereelError" not in output, f"{tutorial}.md: `{command}` fails by an error of our own:\n{output}"
    print(f"{tutorial}: {command}")


if __name__ == "__main__":
    run_all_tutorials(Path(sys.argv[1]))
