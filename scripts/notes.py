"""Prints what CHANGELOG.md says of one version, as the notes of its release: `python scripts/notes.py 1.0.0`.

Exit status 2 where the version is not that of front/__init__.py and npm/package.json, or the changelog has nothing of it.
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def versions(root: Path) -> set[str]:
    """Return the version as each package has it: one, where they agree."""
    front = re.search(r'(?m)^__version__ = "(.+)"$', (root / "front" / "__init__.py").read_text("utf-8"))
    reporter = json.loads((root / "npm" / "package.json").read_text("utf-8"))["version"]
    return {reporter, front[1] if front else ""}


def section(changelog: str, version: str) -> str:
    """Return the changelog's section of a version, without its heading; empty where it has none."""
    parts = re.split(r"(?m)^## \[(.+?)\].*$", changelog)
    return dict(zip(parts[1::2], parts[2::2], strict=True)).get(version, "").strip()


def main(version: str, root: Path = ROOT) -> int:
    """Print the notes. Return the exit status."""
    there = versions(root)
    if there != {version}:
        print(
            f"{version} is asked for, and front/__init__.py and npm/package.json say {' and '.join(sorted(there))}.",
            file=sys.stderr,
        )
        return 2
    notes = section((root / "CHANGELOG.md").read_text("utf-8"), version)
    if not notes:
        print(
            f"CHANGELOG.md has no section ## [{version}], or nothing in it: docs/releasing.md, step 1.", file=sys.stderr
        )
        return 2
    print(notes)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]) if len(sys.argv) == 2 else "notes.py takes a version, for example 1.0.0")
