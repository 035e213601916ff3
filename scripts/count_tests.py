"""Adds up JUnit reports and prints `N passed, N failed, N skipped`; exits 1 when one failed or none ran.

The first argument is the number of failed parts of the run that are not tests; each counts as one failure.
"""

import sys
from pathlib import Path
from xml.etree import ElementTree


def main(other_failures: int, reports: list[Path]) -> int:
    passed = skipped = 0
    failed = 0
    for report in reports:
        for case in ElementTree.parse(report).iter("testcase"):
            kinds = {child.tag for child in case}
            if kinds & {"failure", "error"}:
                failed += 1
            elif "skipped" in kinds:
                skipped += 1
            else:
                passed += 1
    failed = max(failed, other_failures)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), [path for path in map(Path, sys.argv[2:]) if path.exists()]))
