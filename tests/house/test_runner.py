"""How the runner deals out the tests, and what it makes of one that fails and then passes, and of one that fails for good."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
FIXTURE = "import pytest\n@pytest.fixture(scope='module')\ndef once():\n    from pathlib import Path\n    seen = Path(__file__).with_suffix('.seen')\n    before = seen.exists()\n    seen.touch()\n    assert before\n"
ONCE = "def test_it(tmp_path_factory):\n    from pathlib import Path\n    seen = Path(__file__).with_suffix('.seen')\n    before = seen.exists()\n    seen.touch()\n    assert before\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "scripts").mkdir()
    for name in ("run_tests.py", "count_tests.py"):
        shutil.copy(SCRIPTS / name, tmp_path / "scripts")
    for room in ("player", "steady"):  # The player's is one of the rooms that are dealt out.
        (tmp_path / "tests" / room).mkdir(parents=True)
        (tmp_path / "tests" / room / f"test_{room}.py").write_text("def test_it(): pass\n")
    (tmp_path / "tests" / "player" / "test_unsteady.py").write_text(ONCE)
    return tmp_path


def ran(checkout: Path) -> tuple[int, str]:
    command = [sys.executable, str(checkout / "scripts" / "run_tests.py")]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    return done.returncode, done.stdout


def test_a_test_that_passes_when_it_runs_again_is_named(checkout: Path) -> None:
    status, printed = ran(checkout)
    assert status == 0, printed
    assert "UNSTEADY: tests.player.test_unsteady::test_it" in printed or "UNSTEADY: test_unsteady::test_it" in printed
    assert printed.splitlines()[-1] == "3 passed, 0 failed, 0 skipped"
    reports = {path.stem for path in (checkout / "out" / "junit").iterdir()}
    assert reports == {"python-player-1", "python-player-2", "python-steady"}


def test_a_test_that_fails_twice_or_with_many_others_fails(checkout: Path) -> None:
    (checkout / "tests" / "steady" / "test_broken.py").write_text("def test_it(): assert False\n")
    status, printed = ran(checkout)
    assert status == 1
    assert printed.splitlines()[-1] == "3 passed, 1 failed, 0 skipped"
    many = "".join(f"def test_{n}(): assert False\n" for n in range(6))
    (checkout / "tests" / "steady" / "test_broken.py").write_text(many)
    (checkout / "tests" / "player" / "test_unsteady.seen").unlink()
    status, printed = ran(checkout)
    assert status == 1
    assert "again" not in printed
    assert printed.splitlines()[-1] == "2 passed, 7 failed, 0 skipped"


def test_a_fixture_that_failed_for_many_tests_is_one_failure(checkout: Path) -> None:
    tests = "".join(f"def test_{n}(once): pass\n" for n in range(8))
    (checkout / "tests" / "steady" / "test_shared.py").write_text(FIXTURE + tests)
    status, printed = ran(checkout)
    assert status == 0, printed
    assert printed.count("UNSTEADY: ") == 9
    assert printed.splitlines()[-1] == "11 passed, 0 failed, 0 skipped"
