"""Tests the reporter in npm/ with the real Playwright Test, in a new project of three tests, one of which fails.

    python scripts/try_playwright_test.py [--allure] [--keep FOLDER]

Playwright Test is installed from npm without its browsers; the tests use the Chromium of this machine. The script
checks that the failed test's replay is in Playwright's HTML report (with --allure also in Allure's report) and plays
from there, and that the summary names the first cause. Exit status 1: a check failed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from folder_server import serve_folder

from pagereel.browser import launch_options

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parent.parent
CONFIG = """import {{ defineConfig }} from "@playwright/test";
export default defineConfig({{
  testDir: ".",
  use: {{ trace: "retain-on-failure", launchOptions: {launch} }},
  reporter: [["list"], ["@pagereel/reporter", {options}], ["html", {{ open: "never" }}]{more}],
}});
"""
TESTS = """import { expect, test } from "@playwright/test";
const PAGE = `<h1>Checkout</h1><button>Pay 48 EUR</button><p id=state>Order 7731</p><script>
document.querySelector("button").onclick = async () => {
  const answer = await fetch("/api/pay", { method: "POST" });
  document.querySelector("#state").textContent = answer.ok ? "Paid" : "The card was declined";
}</script>`;
for (const [name, status] of [["pays", 201], ["pays with a card that is declined", 402]] as const) {
  test(name, async ({ page }) => {
    await page.route("**/*", (route) => (route.request().url().endsWith("/api/pay") ? route.fulfill({ status, json: {} }) : route.fulfill({ body: PAGE, contentType: "text/html" })));
    await page.goto("https://shop.example/checkout");
    await page.getByRole("button", { name: "Pay 48 EUR" }).click();
    await expect(page.getByText("Paid")).toBeVisible({ timeout: 1500 });
  });
}
test.fail("is known to fail", async ({ page }) => {
  await page.setContent("<h1>Later</h1>");
  await expect(page.getByText("Now")).toBeVisible({ timeout: 200 });
});
"""


def main() -> int:
    """Make the project in a folder and run the checks. Return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--allure", action="store_true", help="with Allure's reporter as well, from npm")
    parser.add_argument("--keep", type=Path, help="make the project here, and keep it")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pagereel-playwright-") as name:
        return run_playwright_project(options.keep or Path(name), allure=options.allure)


def run_playwright_project(folder: Path, *, allure: bool) -> int:
    """Make the project in `folder`, run its tests, and print whether each check holds. Return the exit status."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"name": "try", "private": true, "type": "module"}')
    (folder / "shop.spec.ts").write_text(TESTS)
    found = launch_options()
    launch = {
        "executablePath": found["executable_path"],
        "args": found["args"],
        "chromiumSandbox": found["chromium_sandbox"],
    }
    pagereel = {"command": str(Path(sys.executable).with_name("pagereel")), "redaction": "off", "each": allure}
    more = ', ["allure-playwright"]' if allure else ""
    (folder / "playwright.config.ts").write_text(
        CONFIG.format(launch=json.dumps(launch), options=json.dumps(pagereel), more=more)
    )
    environment = {**os.environ, "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD": "1", "CI": "1"}
    packages = ["@playwright/test", *(["allure-playwright", "allure"] if allure else [])]
    quiet = ["--no-audit", "--no-fund", "--loglevel=error"]
    subprocess.run(["npm", "install", *quiet, *packages], cwd=folder, check=True, env=environment)
    own = folder / "node_modules" / "@pagereel" / "reporter"
    shutil.copytree(ROOT / "npm", own, dirs_exist_ok=True)
    done = subprocess.run(["npx", "playwright", "test"], cwd=folder, capture_output=True, text=True, env=environment)
    print(done.stdout, done.stderr, sep="\n")
    results = list((folder / "allure-results").glob("*.html"))
    if allure:
        generate = ["npx", "allure", "generate", "allure-results", "-o", "allure-report"]
        subprocess.run(generate, cwd=folder, check=True, env=environment)
    held = {
        "one test of three fails": "1 failed" in done.stdout and "2 passed" in done.stdout,
        "the summary says what went wrong first": "POST shop.example/api/pay answered 402" in done.stdout,
        "one replay is built": len(list((folder / "test-results").rglob("replay.html"))) == 1,
        "it is in Playwright's report, and plays": does_html_report_replay_play(folder / "playwright-report"),
    }
    if allure:
        held["it is in Allure's results"] = any(b"pagereel" in path.read_bytes() for path in results)
        held["what Allure's report gives for it plays"] = does_allure_report_replay_play(folder / "allure-report")
    for what, holds in held.items():
        print(f"{'yes' if holds else 'NO '}  {what}")
    return int(not all(held.values()))


def does_html_report_replay_play(report: Path) -> bool:
    """Return whether the replay linked from the failed test in Playwright's HTML report shows the page with the
    failure.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        page = browser.new_context().new_page()
        page.goto((report / "index.html").resolve().as_uri())
        page.get_by_text("pays with a card that is declined").first.click()
        page.get_by_text(re.compile("attachments", re.I)).first.wait_for()
        link = page.locator("a[href$='.html']", has_text="replay").first
        shown = read_text_at_end(page, str(link.evaluate("link => link.href")))
        browser.close()
    return "The card was declined" in shown


def does_allure_report_replay_play(report: Path) -> bool:
    """Return whether the replay downloaded from the failed test in Allure's report shows the page with the failure."""
    from playwright.sync_api import sync_playwright

    with serve_folder(report) as home, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        page = browser.new_page()
        # The report asks an analytics host for a script.
        page.route("**/*", lambda route: route.continue_() if route.request.url.startswith(home) else route.abort())
        page.goto(home)
        page.get_by_text("pays with a card that is declined").first.click()
        row = page.get_by_test_id("test-result-attachment-header").filter(has_text="replay")
        with page.expect_download() as download:
            row.get_by_role("button").last.click()
        download.value.save_as(report / "downloaded.html")
        shown = read_text_at_end(browser.new_page(), (report / "downloaded.html").resolve().as_uri())
        browser.close()
    return "The card was declined" in shown


def read_text_at_end(page: Page, address: str) -> str:
    """Open the replay at an address, seek to its end, and return the text that its page shows."""
    page.goto(address)
    page.evaluate("async () => { await pagereel.ready; await pagereel.seek(pagereel.duration); }")
    return str(page.evaluate("pagereel.frame.contentDocument.body.innerText"))


if __name__ == "__main__":
    sys.exit(main())
