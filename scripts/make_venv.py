"""Creates a virtual environment, even if Debian's Python lacks `ensurepip` (package python3-venv)."""

import subprocess
import sys
import venv
from importlib.util import find_spec
from pathlib import Path


def main(folder: Path) -> int:
    """Create the environment in `folder`. Return the exit status: 2 if there is neither ensurepip nor pip."""
    if find_spec("ensurepip"):
        venv.create(folder, with_pip=True, symlinks=True)
        return 0
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin" / "python"
    if find_spec("pip"):
        return subprocess.call([sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "pip"])
    print("This Python has neither ensurepip nor pip; install them ('apt-get install python3-venv').", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
