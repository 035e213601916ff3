"""A Selenium script and pagereel beside it: one line to adopt, nothing changes for the driver.

pip install pagereel selenium
python examples/selenium_attach.py run.reel && pagereel build run.reel run.html
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from pagereel.browser import launch_options
from pagereel.integrations import record_cdp

PAGE = """data:text/html,<!doctype html><title>Kettles</title>
<form onsubmit="event.preventDefault(); out.textContent = 'Sold: ' + q.value">
<label>Search <input id=q></label><button>Buy</button></form><p id=out></p>"""


def start_driver() -> webdriver.Chrome:
    """Start a Chromium with a debugging port, by Selenium as usual."""
    found = launch_options()
    options = webdriver.ChromeOptions()
    if executable := found.get("executable_path"):
        options.binary_location = str(executable)
    for argument in [*found.get("args", []), "--headless=new", "--no-sandbox", "--remote-debugging-port=0"]:
        options.add_argument(argument)
    driver = shutil.which("chromedriver")
    return webdriver.Chrome(options=options, service=Service(driver) if driver else Service())


def main(reel: Path) -> None:
    """Buys a kettle, on record."""
    driver = start_driver()
    try:
        address = driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        with record_cdp(f"http://{address}", reel, agent="selenium") as session:
            with session.step("Open the shop"):
                driver.get(PAGE)
            with session.step("Buy a kettle", reasoning="It is what was asked for") as step:
                driver.find_element(By.ID, "q").send_keys("kettle")
                driver.find_element(By.TAG_NAME, "button").click()
                WebDriverWait(driver, 10).until(lambda d: d.find_element(By.ID, "out").text == "Sold: kettle")
                step.outcome(success=True, message="sold")
            session.mark("sold")
    finally:
        driver.quit()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "run.reel"))
