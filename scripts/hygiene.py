"""Fails when a committed file carries what belongs to one machine: absolute home or work paths, an index's address."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FORBIDDEN = {
    "a path of one machine": re.compile(rb"(?<![\w/.])/(?:work|root)/[a-z]"),
    "the address of a package index": re.compile(rb"--(?:extra-)?index-url|\"resolved\": \"http"),
}
ALLOWED = {"scripts/hygiene.py"}


def main() -> int:
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.split(b"\0")
    found = 0
    for name in sorted(filter(None, (file.decode() for file in files))):
        path = ROOT / name
        if name in ALLOWED or not path.is_file():
            continue
        for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
            for what, pattern in FORBIDDEN.items():
                if pattern.search(line):
                    print(f"{name}:{number}: {what}")
                    found += 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
