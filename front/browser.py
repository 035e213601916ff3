"""Finds a Chromium on this machine, and the options to start it with.

The search order is: the executable that `PAGEREEL_CHROMIUM` names, the Chromium that Playwright downloaded for its
installed version, and the system's browsers. Nothing is started, and Playwright is not imported, so the search is fast.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict

from pagereel.errors import SetupError

CHROMIUM_VARIABLE = "PAGEREEL_CHROMIUM"
"""The environment variable that names the executable to use."""

SYSTEM_NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "msedge",
)
"""Executables looked for on PATH, in this order."""

SYSTEM_PATHS = {
    "darwin": (
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    ),
    "win32": (
        r"C:\Program Files\Google\Chrome\Application\chrome.exe",
        r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
        r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
    ),
    "linux": ("/snap/bin/chromium",),
}
"""Where a platform puts its browsers when they are not on PATH, by `sys.platform`."""

QUIET_ARGS = (
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""Switches with which the browser talks to nobody but the pages it is told to open."""


class LaunchOptions(TypedDict):
    """Keyword arguments for Playwright's `chromium.launch()`."""

    executable_path: str
    headless: bool
    args: list[str]
    chromium_sandbox: bool


def find_chromium() -> Path | None:
    """Return the path of a Chromium executable, or None if this machine has none.

    Raises SetupError when `PAGEREEL_CHROMIUM` is set and does not name an executable file.
    """
    wish = os.environ.get(CHROMIUM_VARIABLE)
    if wish:
        path = Path(wish).expanduser()
        if not _is_executable(path):
            raise SetupError(
                f"{CHROMIUM_VARIABLE} is {wish!r}, which is not an executable file; correct it, or unset it and run "
                "'pagereel setup'."
            )
        return path
    return next((path for path in _iter_chromium_candidates() if _is_executable(path)), None)


def launch_options(*, headless: bool = True) -> LaunchOptions:
    """Return options to start the Chromium that :func:`find_chromium` finds:
    `playwright.chromium.launch(**launch_options())`.

    The sandbox is on wherever the machine allows it, because recorded pages are not to be trusted. Raises SetupError
    when there is no Chromium.
    """
    path = find_chromium()
    if path is None:
        raise SetupError(
            f"No Chromium was found; run 'pagereel setup', or set {CHROMIUM_VARIABLE} to a browser's executable.",
            missing="setup",
        )
    args = list(QUIET_ARGS)
    if headless:
        args.append("--disable-gpu")
    sandbox = is_sandbox_usable(path)
    if not sandbox:
        args.append("--no-sandbox")
    return {"executable_path": str(path), "headless": headless, "args": args, "chromium_sandbox": sandbox}


def is_sandbox_usable(executable: Path) -> bool:
    """Return whether Chromium's sandbox works on this machine.

    It does not work for root or in a container, and on Linux only if the kernel allows user namespaces.
    """
    if not sys.platform.startswith("linux"):
        return True
    if os.geteuid() == 0 or Path("/.dockerenv").exists() or Path("/run/.containerenv").exists():
        return False
    helper = executable.resolve().parent / "chrome-sandbox"
    try:
        if helper.stat().st_mode & 0o4000:
            return True
    except OSError:
        pass
    # Without the set-user-id helper the sandbox needs user namespaces, which distributions switch off in three ways.
    return (
        _read_kernel_setting("kernel/unprivileged_userns_clone", 1) != 0
        and _read_kernel_setting("kernel/apparmor_restrict_unprivileged_userns", 0) != 1
        and _read_kernel_setting("user/max_user_namespaces", 1) != 0
    )


def _iter_chromium_candidates() -> Iterator[Path]:
    yield from _iter_playwright_browsers()
    for name in SYSTEM_NAMES:
        found = shutil.which(name)
        if found:
            yield Path(found)
    for platform, paths in SYSTEM_PATHS.items():
        if sys.platform.startswith(platform):
            yield from map(Path, paths)


def _iter_playwright_browsers() -> Iterator[Path]:
    """Yield the executables of the Chromium that `playwright install` downloaded for the installed Playwright.

    Playwright's `chromium.executable_path` is the same path, but needs half a second to start the driver.
    """
    folder = _find_installed_browser("chromium")
    if folder is None:
        return
    for pattern in ("chrome-linux*/chrome", "chrome-mac*/*.app/Contents/MacOS/*", "chrome-win*/chrome.exe"):
        yield from sorted(folder.glob(pattern))


def has_playwright_chromium(*, headless: bool = True) -> bool:
    """Return whether the installed Playwright has its own Chromium, so that launch() needs no `executable_path`."""
    wanted = ("chromium-headless-shell", "chromium") if headless else ("chromium",)
    names = _read_browser_revisions()
    name = next((name for name in wanted if name in names), None)
    return name is not None and _find_installed_browser(name) is not None


def _find_installed_browser(name: str) -> Path | None:
    """Return the folder of a browser that Playwright downloaded; None if it is missing or its download is
    incomplete.
    """
    revision, package = _read_browser_revisions().get(name), _find_playwright_driver()
    if revision is None or package is None:
        return None
    folder = _get_browsers_folder(package) / f"{name.replace('-', '_')}-{revision}"
    # The marker is written last: without it the download was cut short.
    return folder if (folder / "INSTALLATION_COMPLETE").exists() else None


def _read_browser_revisions() -> dict[str, str]:
    """Return the revision of each browser that the installed Playwright needs, by the browser's name."""
    package = _find_playwright_driver()
    try:
        browsers = json.loads((package / "browsers.json").read_text("utf-8"))["browsers"] if package else []
        return {browser["name"]: str(browser["revision"]) for browser in browsers}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _find_playwright_driver() -> Path | None:
    """Return the folder of the installed Playwright's driver."""
    spec = importlib.util.find_spec("playwright")
    return None if spec is None or spec.origin is None else Path(spec.origin).parent / "driver" / "package"


def _get_browsers_folder(package: Path) -> Path:
    wish = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    if wish == "0":
        return package / ".local-browsers"
    if wish:
        return Path(wish)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "ms-playwright"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "ms-playwright"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "ms-playwright"


def _is_executable(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _read_kernel_setting(name: str, default: int) -> int:
    try:
        return int(Path("/proc/sys", name).read_text())
    except (OSError, ValueError):
        return default
