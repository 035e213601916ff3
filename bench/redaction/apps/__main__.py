"""Records applications with people's data, builds their replays raw and masked, and prints what was masked and what was left."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from bench.world.redacted_pairs import describe_totals
from pagereel.browser import launch_options

from . import __doc__ as about
from .app_recording import draw_people, read_catalogue, record_errand
from .first_set import APPS
from .report import AppReport, compare_builds
from .second_set import FURTHER
from .third_fourth_sets import LATER, NEWEST

ROOT = Path(__file__).resolve().parents[3]
SEEDS = (11, 12)


def main(arguments: list[str]) -> int:
    """Return 0 when each build succeeds, shows the same page, loses no resource and leaves no value; 1 when not."""
    parser = argparse.ArgumentParser(prog="python -m bench.redaction.apps", description=(about or "").split("\n")[0])
    every = (*APPS, *FURTHER, *LATER, *NEWEST)
    names = [app.name for app in every]
    parser.add_argument("--app", action="append", default=[], choices=names, metavar="NAME", help="only this one")
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "redaction-apps", help="where everything goes")
    parser.add_argument("--again", action="store_true", help="take the recordings that lie in --out")
    parser.add_argument("--list", action="store_true", help="name the applications and end")
    options = parser.parse_args(arguments)
    if options.list:
        print("\n".join(f"{app.name:14} {app.kind}" for app in every))
        return 0
    results: list[AppReport] = []
    options.out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        launch = launch_options()
        # What an application wants from elsewhere fails at once.
        launch["args"] = [*launch.get("args", []), "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
        for app in every:
            if options.app and app.name not in options.app:
                continue
            out = options.out / app.name
            out.mkdir(parents=True, exist_ok=True)
            browser = playwright.chromium.launch(**launch)
            reels = []
            for seed in SEEDS:
                reel, known = out / f"run{seed}.reel", out / f"people{seed}.json"
                if not (options.again and reel.exists()):
                    reel.unlink(missing_ok=True)
                    told = draw_people(app.locale, seed)
                    known.write_text(json.dumps(told, ensure_ascii=False), encoding="utf-8")
                    record_errand(browser, app, told, reel)
                reels.append(reel)
            for old in out.glob("* raw and masked.png"):
                old.unlink()
            found = compare_builds(
                browser,
                app.name,
                reels,
                json.loads((out / f"people{SEEDS[0]}.json").read_text()),
                out,
                read_catalogue(app),
            )
            browser.close()
            (out / "told.txt").write_text(f"{found}\n", encoding="utf-8")
            print(str(found).partition("\n")[0], flush=True)
            results.append(found)
    own, touched = sum(each.own for each in results), sum(len(each.touched) for each in results)
    print(
        f"{describe_totals(results)}; UI strings touched {touched} of {own}, of catalogues {sum(len(each.changed) for each in results)} of {sum(each.words for each in results)}; {sum(len(each.left) for each in results)} values left"
    )
    whole = all(each.page.all_equal and not (each.error or each.missing or each.left) for each in results)
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
