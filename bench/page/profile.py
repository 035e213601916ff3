"""Prints in which functions of the injector a workload spends its time: `python -m bench.page.profile "table of 60,000"`.

The bundle is built unminified for it, so that functions have their names. `--save FILE` keeps the profile for a browser's
flame graph.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from pagereel.browser import launch_options
from pagereel.recorder.runtime import injector_script

from .measure import SNAPSHOT, open_fresh_page, prepare_workload, wait_until_quiet
from .recorders import RECORDERS

ROOT = Path(__file__).resolve().parents[2]


def build_readable_injector() -> str:
    """Return the injector's bundle, built without minifying it."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "injector.js"
        esbuild = ROOT / "node_modules" / ".bin" / "esbuild"
        entry = str(ROOT / "injector_js" / "src" / "main.ts")
        subprocess.run([str(esbuild), entry, "--bundle", "--format=iife", f"--outfile={out}"], check=True, timeout=60, capture_output=True)  # fmt: skip
        return out.read_text(encoding="utf-8")


def profile_workload(browser: Any, workload: str, variant: str, interval: int = 100) -> dict[str, Any]:
    """Return V8's sampling profile of one workload; it is sampled every `interval` µs."""
    with open_fresh_page(browser) as (page, cdp):
        recorder = prepare_workload(page, cdp, workload, variant)
        cdp.send("Profiler.enable")
        cdp.send("Profiler.setSamplingInterval", {"interval": interval})
        cdp.send("Profiler.start")
        if workload == SNAPSHOT:
            recorder.start()
        else:
            page.evaluate(f"workloads['{workload}']()")
        wait_until_quiet(page, recorder)
        found: dict[str, Any] = cdp.send("Profiler.stop")["profile"]
        return found


def list_function_times(sampling_profile: dict[str, Any]) -> list[tuple[str, float]]:
    """Return each function with its own ms, the largest first, without idle time and the page's own."""
    own: dict[str, float] = defaultdict(float)
    nodes = {node["id"]: node for node in sampling_profile["nodes"]}
    for sample, delta in zip(sampling_profile["samples"], sampling_profile["timeDeltas"], strict=True):
        frame = nodes[sample]["callFrame"]
        name = frame["functionName"] or "(anonymous)"
        if name not in {"(idle)", "(root)", "(program)"}:
            own[f"{name}:{frame['lineNumber'] + 1}"] += delta / 1000
    return sorted(own.items(), key=lambda item: -item[1])


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.page.profile", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("workload")
    parser.add_argument("--variant", default="pagereel", choices=list(RECORDERS))
    parser.add_argument("--top", type=int, default=24)
    parser.add_argument("--save", type=Path)
    options = parser.parse_args(arguments)
    injector_script.read_bundle = build_readable_injector  # type: ignore[assignment]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        found = profile_workload(browser, options.workload, options.variant)
        browser.close()
    rows = list_function_times(found)
    print(f"{options.workload}, {options.variant}: {sum(ms for _, ms in rows):.0f} ms of script")
    for name, ms in rows[: options.top]:
        print(f"{ms:8.1f} ms  {name}")
    if options.save:
        options.save.write_text(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
