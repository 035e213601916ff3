"""Sums up JUnit reports and prints `N passed, N failed, N skipped`.

The first argument is the number of parts of the test run that failed. If it exceeds the number of failed tests, it is
printed instead of that number. Exit status 1: a test or a part failed, or no test ran.
"""

import sys
from pathlib import Path
from xml.etree import ElementTree

_BAD = {"failure", "error"}


def main(failed_part_count: int, reports: list[Path]) -> int:
    """Print how many tests passed, failed and were skipped in these reports. Return the exit status."""
    passed = skipped = 0
    failed = 0
    for report in reports:
        for case in ElementTree.parse(report).iter("testcase"):
            kinds = {child.tag for child in case}
            if kinds & _BAD:
                failed += 1
            elif "skipped" in kinds:
                skipped += 1
            else:
                passed += 1
    failed = max(failed, failed_part_count)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


def list_failed_tests(report: Path) -> set[str]:
    """Return the names of the tests that failed in a report; an empty set if the report does not exist."""
    if not report.exists():
        return set()
    return {
        _get_test_name(case)
        for case in ElementTree.parse(report).iter("testcase")
        if _BAD & {child.tag for child in case}
    }


def count_failure_causes(report: Path) -> int:
    """Return the number of distinct causes of failures in a report: a fixture that fails for several tests is one
    cause.
    """
    if not report.exists():
        return 0
    found: set[str | None] = set()
    for case in ElementTree.parse(report).iter("testcase"):
        for child in case:
            if child.tag in _BAD:
                of_a_fixture = child.tag == "error" and child.get("message")
                found.add(of_a_fixture or _get_test_name(case))
    return len(found)


def mark_retried_tests_passed(report: Path, retry_report: Path, failed_tests: set[str]) -> list[str]:
    """Mark the failed tests of a report as passed if they ran in a second report, and return their names.

    The second report is of a run in which these tests passed. A test that is missing in it stays failed.
    """
    ran = {_get_test_name(case) for case in ElementTree.parse(retry_report).iter("testcase")}
    tree = ElementTree.parse(report)
    settled = []
    for case in tree.iter("testcase"):
        if _get_test_name(case) in failed_tests & ran:
            for child in list(case):
                if child.tag in _BAD:
                    case.remove(child)
            settled.append(_get_test_name(case))
    tree.write(report, encoding="utf-8", xml_declaration=True)
    return settled


def _get_test_name(case: ElementTree.Element) -> str:
    return f"{case.get('classname')}::{case.get('name')}"


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), [path for path in map(Path, sys.argv[2:]) if path.exists()]))
