"""Records a trace with the Playwright of its own environment: ``python record.py URL OUT.zip CHROMIUM [argument …]``.

It imports nothing of pagereel: it runs in environments that have one release of Playwright and nothing else.
"""

from __future__ import annotations

import contextlib
import sys

from playwright.sync_api import Error, Page, sync_playwright

BUTTONS = "button:visible, [role=button]:visible, [role=tab]:visible, summary:visible, a[href^='#']:visible, input[type=submit]:visible"
FIELDS = "input[type=text]:visible, input:not([type]):visible, textarea:visible, input[type=password]:visible, input[type=search]:visible"
SHORT = 1_200


def walk_page(page: Page, url: str) -> None:
    """Open a page, and click, fill, select and scroll whatever controls it has."""
    page.goto(url, wait_until="load")
    page.wait_for_timeout(1_500)
    acts = [
        lambda: page.locator(BUTTONS).nth(1).click(timeout=SHORT),
        lambda: page.locator(FIELDS).nth(0).fill("Moon jar & heron", timeout=SHORT),
        lambda: page.locator(BUTTONS).nth(3).click(timeout=SHORT),
        lambda: page.locator("select:visible").nth(0).select_option(index=1, timeout=SHORT),
        lambda: page.locator("input[type=checkbox]:visible, input[type=radio]:visible").nth(0).check(timeout=SHORT),
        lambda: page.mouse.wheel(0, 400),
        lambda: page.wait_for_timeout(300),
        lambda: page.locator(FIELDS).nth(1).fill("second field", timeout=SHORT),
        lambda: page.keyboard.press("Tab"),
        lambda: page.locator(BUTTONS).nth(5).hover(timeout=SHORT),
        lambda: page.locator(BUTTONS).nth(0).click(timeout=SHORT),
        lambda: page.evaluate(
            "() => document.body.append(Object.assign(document.createElement('p'), {textContent: 'the end'}))"
        ),
        lambda: page.wait_for_timeout(300),
        lambda: page.evaluate("() => document.title"),
    ]
    for act in acts:
        with contextlib.suppress(Error):
            act()


def main(url: str, out: str, executable: str, *arguments: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=list(arguments))
        context = browser.new_context()
        context.tracing.start(screenshots=True, snapshots=True, sources=True, title=url)
        walk_page(context.new_page(), url)
        context.tracing.stop(path=out)
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
