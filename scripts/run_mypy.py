"""Runs mypy --strict outside the checkout, on the installed wheel or, with `--tree`, on the checkout.

CI checks the wheel, because users import it, together with tests/typing/, which states the types of public names.
`--tree [ROOM …]` is for development. mypy does not understand setuptools' package-dir or editable installs, so the
rooms are linked into a folder as the package `pagereel`.
"""

import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TYPING = ROOT / "tests" / "typing"


def link_rooms_as_package(folder: Path) -> None:
    """Link all rooms into `folder` as the package `pagereel`, as they would be in site-packages."""
    rooms = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["package-dir"]
    package = folder / "pagereel"
    package.mkdir()
    for file in (ROOT / rooms["pagereel"]).iterdir():
        if file.suffix in {".py", ".typed"}:
            (package / file.name).symlink_to(file)
    for name, room in rooms.items():
        if name != "pagereel":
            (package / name.removeprefix("pagereel.")).symlink_to(ROOT / room)


def main(arguments: list[str]) -> int:
    """Run mypy. Return its exit status."""
    with tempfile.TemporaryDirectory() as temporary:
        elsewhere = Path(temporary)
        modules, uses = ["pagereel"], sorted(path.stem for path in TYPING.glob("*_types.py"))
        if arguments[:1] == ["--tree"]:
            link_rooms_as_package(elsewhere)
            if arguments[1:]:
                modules, uses = [f"pagereel.{room}" for room in arguments[1:]], []
        cache = ROOT / ".mypy_cache" / "tree" if arguments else elsewhere / "cache"
        command = [sys.executable, "-P", "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml")]
        packages = [word for module in modules for word in ("-p", module)]
        packages += [word for module in uses for word in ("-m", module)]
        return subprocess.call(
            [*command, f"--cache-dir={cache}", *packages], cwd=elsewhere, env={**os.environ, "MYPYPATH": str(TYPING)}
        )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
