"""Fetches third-party packages from npm, PyPI and Debian into a cache when they are first needed.

The cache is `$PAGEREEL_BENCH_CACHE`, else `pagereel-bench` below `$XDG_CACHE_HOME` or `~/.cache`.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve()
ROOT = HERE.parents[2]


class MaterialUnavailable(Exception):
    """Raised where a package cannot be fetched; the case that needs it is left out, and the report names it."""


def get_cache_folder() -> Path:
    """Return the folder of the cache; it is made when it is not there."""
    base = os.environ.get("PAGEREEL_BENCH_CACHE")
    folder = Path(base) if base else Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "pagereel-bench"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextlib.contextmanager
def _lock_cache() -> Iterator[None]:
    """Lock the cache while the block runs, so that only one process fetches at a time."""
    with (get_cache_folder() / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _run_command(command: list[str], cwd: Path, seconds: int = 240) -> None:
    """Run a command in a folder. Raises MaterialUnavailable when it fails or takes longer than `seconds`."""
    try:
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=seconds, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MaterialUnavailable(f"{command[0]}: {error}") from None
    if done.returncode:
        raise MaterialUnavailable(f"{' '.join(command[:3])}: {(done.stderr or done.stdout).strip()[-300:]}")


@functools.cache
def install_npm_packages(*packages: str) -> Path:
    """Return a folder whose `node_modules` holds these packages (`name@version`); their install scripts are not run."""
    digest = hashlib.sha256("\n".join(packages).encode()).hexdigest()[:12]
    name = f"npm-{packages[0].strip('@').replace('/', '_')}-{digest}"
    folder = get_cache_folder() / name
    with _lock_cache():
        if not (folder / ".done").exists():
            folder.mkdir(exist_ok=True)
            (folder / "package.json").write_text('{"private": true, "type": "module"}')
            arguments = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--legacy-peer-deps", *packages]
            _run_command([shutil.which("npm") or "npm", *arguments], folder, 600)
            (folder / ".done").touch()
    return folder


def read_npm_version(folder: Path, package: str) -> str:
    """Return `name@version` of a package as it is installed below the folder."""
    manifest = json.loads((folder / "node_modules" / package / "package.json").read_text(encoding="utf-8"))
    return f"{package}@{manifest['version']}"


def bundle_module(folder: Path, name: str, source: str, *options: str) -> Path:
    """Bundle an ES module with esbuild for a page and return the path of `name.js`; `name.css` stands beside it if there is a style sheet."""
    entry, out = folder / f"{name}.entry.jsx", folder / "bundles" / f"{name}.js"
    options = ("--jsx=automatic", *options)
    source = f"// {' '.join(options)}\n{source}"
    with _lock_cache():
        if not out.exists() or not entry.exists() or entry.read_text(encoding="utf-8") != source:
            entry.write_text(source, encoding="utf-8")
            esbuild = ROOT / "node_modules" / ".bin" / "esbuild"
            loaders = [f"--loader:.{kind}=dataurl" for kind in ("woff", "woff2", "ttf", "eot", "png", "gif", "svg")]
            arguments = [str(entry), "--bundle", "--format=iife", f"--outfile={out}", "--log-level=error", *loaders]
            defines = ['--define:process.env.NODE_ENV="production"']
            _run_command([str(esbuild), *arguments, *defines, *options], folder)
    return out


def run_node_module(folder: Path, source: str) -> None:
    """Run an ES module with Node in a folder that holds npm packages."""
    _run_command([shutil.which("node") or "node", "--input-type=module", "-e", source], folder)


@functools.cache
def unpack_pypi_package(package: str) -> Path:
    """Return the folder into which a wheel from PyPI (`name==version`) was unpacked, without its dependencies."""
    folder = get_cache_folder() / ("pypi-" + package.replace("==", "-"))
    with _lock_cache():
        if not (folder / ".done").exists():
            arguments = ["install", "--quiet", "--no-deps", "--target", str(folder), package]
            _run_command([sys.executable, "-m", "pip", *arguments], get_cache_folder())
            (folder / ".done").touch()
    return folder


@functools.cache
def unpack_debian_packages(*packages: str) -> Path:
    """Return the folder into which Debian packages were unpacked, without their dependencies and without installing them."""
    more = f"-{hashlib.sha256(' '.join(packages).encode()).hexdigest()[:12]}" if len(packages) > 1 else ""
    folder = get_cache_folder() / f"debian-{packages[0]}{more}"
    with _lock_cache():
        if (folder / ".done").exists():
            return folder
        with tempfile.TemporaryDirectory(dir=get_cache_folder()) as work:
            _run_command(["apt-get", "download", *packages], Path(work))
            for archive in sorted(Path(work).glob("*.deb")):
                _run_command(["dpkg-deb", "--extract", str(archive), str(folder)], Path(work))
        (folder / ".done").touch()
    return folder
