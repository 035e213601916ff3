"""Runs mypy --strict from outside the checkout: on the installed wheel, or with `--tree` on the checkout itself.

Users import the wheel, so that is what CI checks, with tests/typing/, which holds what the public names are typed as. `--tree [room …]` is for the moment of writing: mypy follows neither
setuptools' package-dir nor its editable installs, so the rooms are laid out as the package they become, by links.
"""

import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TYPING = ROOT / "tests" / "typing"


def lay_out(folder: Path) -> None:
    """Make `folder` look as site-packages would with the rooms in it."""
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
    with tempfile.TemporaryDirectory() as temporary:
        elsewhere = Path(temporary)
        modules, uses = ["pagereel"], sorted(path.stem for path in TYPING.glob("*_types.py"))
        if arguments[:1] == ["--tree"]:
            lay_out(elsewhere)
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
