"""Prints a version's section of CHANGELOG.md, as its release notes: `python scripts/print_release_notes.py 1.0.0`.

Exit status 2: front/__init__.py or npm/package.json has another version, or the changelog has no such section.
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def read_package_versions(root: Path) -> set[str]:
    """Return the versions in front/__init__.py and npm/package.json: one if they agree, else two."""
    front = re.search(r'(?m)^__version__ = "(.+)"$', (root / "front" / "__init__.py").read_text("utf-8"))
    reporter = json.loads((root / "npm" / "package.json").read_text("utf-8"))["version"]
    return {reporter, front[1] if front else ""}


def extract_changelog_section(changelog: str, version: str) -> str:
    """Return the changelog's section of a version, without its heading; "" if there is none."""
    parts = re.split(r"(?m)^## \[(.+?)\].*$", changelog)
    return dict(zip(parts[1::2], parts[2::2], strict=True)).get(version, "").strip()


def main(version: str, root: Path = ROOT) -> int:
    """Print the release notes of a version. Return the exit status."""
    there = read_package_versions(root)
    if there != {version}:
        print(
            f"{version} is asked for, and front/__init__.py and npm/package.json say {' and '.join(sorted(there))}.",
            file=sys.stderr,
        )
        return 2
    notes = extract_changelog_section((root / "CHANGELOG.md").read_text("utf-8"), version)
    if not notes:
        print(
            f"CHANGELOG.md has no section ## [{version}], or nothing in it: docs/releasing.md, step 1.", file=sys.stderr
        )
        return 2
    print(notes)
    return 0


if __name__ == "__main__":
    sys.exit(
        main(*sys.argv[1:2]) if len(sys.argv) == 2 else "print_release_notes.py takes a version, for example 1.0.0"
    )
