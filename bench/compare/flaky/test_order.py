"""A test as people write it: it is right about what the page should say, and does not wait until the price is there."""

import os

import pytest
from playwright.sync_api import Page, expect


@pytest.fixture
def page(page: Page) -> Page:
    page.set_default_timeout(5000)
    return page


def test_two_tenmoku_are_ordered(page: Page) -> None:
    page.goto(os.environ["ORDERS"])
    page.get_by_label("Glaze").select_option("tenmoku")
    page.get_by_label("Number").fill("2")
    page.get_by_role("button", name="Order").click()
    expect(page.locator("#thanks")).to_have_text("2 tenmoku for 96 EUR, thank you.", timeout=2500)
