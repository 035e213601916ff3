"""Checks committed files and commit subjects. Exit status 1: a check failed.

A file must not contain absolute paths of one machine, or the address of a package index. A subject must have 12 to 72
characters, begin with a capital letter, and end without a full stop.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FORBIDDEN = {
    "a path of one machine": re.compile(rb"(?<![\w/.])/(?:work|root)/[a-z]"),
    "the address of a package index": re.compile(rb"--(?:extra-)?index-url|\"resolved\": \"http"),
}
ALLOWED = {"scripts/check_commits_and_files.py"}
SUBJECTS_SINCE = "39d9cd59"
"""Commits after this one have subjects of 12 to 72 characters that begin with a capital letter and end without a full stop."""
SUBJECT = re.compile(r"[A-Z].{10,70}[^.\s]")


def main() -> int:
    """Print each violation. Return the exit status."""
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
    for line in list_commit_subjects():
        commit, _, subject = line.partition(" ")
        if not SUBJECT.fullmatch(subject):
            print(f"{commit}: a subject has 12 to 72 characters, a capital letter first and no full stop: {subject}")
            found += 1
    return 1 if found else 0


def list_commit_subjects() -> list[str]:
    """Return the hash and subject of each commit to check; nothing in a shallow clone that lacks the first of them."""
    command = ["git", "log", "--no-merges", "--format=%h %s", f"{SUBJECTS_SINCE}..HEAD"]
    log = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return log.stdout.splitlines() if log.returncode == 0 else []


if __name__ == "__main__":
    sys.exit(main())
