"""What a call is called: what was done, to what people call the element, with which value."""

from __future__ import annotations

import pytest

from pagereel.reel import build_action_title, build_element_title

BUTTON = 'get_by_role("button", name="Add")'


@pytest.mark.parametrize(
    ("method", "locator", "params", "title"),
    [
        ("goto", None, {"url": "/checkout"}, "Go to /checkout"),
        ("goto", None, {"url": "http://127.0.0.1:40123/checkout?step=2#top"}, "Go to /checkout?step=2"),
        ("goto", None, {"url": "https://shop.example/"}, "Go to shop.example"),
        ("goto", None, {"url": "https://someone:secret@shop.example/a"}, "Go to shop.example/a"),
        ("goto", None, {"url": "data:text/html,<h1>x"}, "Go to data:…"),
        ("fill", 'get_by_label("Postal code")', {"value": "9999 XX"}, 'Fill Postal code "9999 XX"'),
        ("fill", 'locator("#q")', {"value": "a\n b" * 60}, f'Fill #q "{("a b" * 60)[:79]}…"'),
        ("press_sequentially", 'get_by_placeholder("Search")', {"text": "abc"}, 'Type "abc" into Search'),
        ("press", 'get_by_test_id("q")', {"key": "Enter"}, "Press Enter in q"),
        ("press", None, {"key": "Enter"}, "Press Enter"),
        ("keyboard.press", None, {"key": "Tab"}, "Press Tab"),
        ("click", BUTTON, None, "Click Add"),
        ("dblclick", f"{BUTTON}.nth(1)", None, "Double click Add (number 2)"),
        ("click", f'locator("li").filter(has_text="Bowl").{BUTTON}.first', None, 'Click Add (first) in li "Bowl"'),
        ("click", f'locator("iframe").content_frame.{BUTTON}', None, "Click Add"),
        ("click", 'get_by_text("Say \\"yes\\"")', None, 'Click "Say "yes""'),
        ("click", 'get_by_role("button")', None, "Click button"),
        ("click", f'{BUTTON}.or_(get_by_text("Order"))', None, "Click Add or Order"),
        (
            "click",
            f'locator("tr").filter(has=get_by_text("Bowl").or_(get_by_text("Cup"))).{BUTTON}',
            None,
            'Click Add in tr "Cup"',
        ),
        ("click", f'{BUTTON}.describe("The first bowl")', None, "Click The first bowl"),
        ("click", 'get_by_text(re.compile("A.d", re.IGNORECASE))', None, "Click /A.d/"),
        ("click", None, {"selector": "text=Pay"}, "Click text=Pay"),
        ("select_option", 'get_by_label("Colour")', {"options": [{"value_or_label": "b"}]}, 'Select "b" in Colour'),
        ("select_option", 'get_by_label("Colour")', {"options": [{"index": 1}]}, "Select 1 in Colour"),
        ("set_input_files", 'get_by_label("CV")', {"payloads": [{"name": "cv.pdf"}]}, 'Choose "cv.pdf" for CV'),
        ("set_input_files", 'get_by_label("CV")', {"local_paths": ["/home/x/cv.pdf"]}, 'Choose "cv.pdf" for CV'),
        ("wait_for", 'get_by_text("Loading")', {"state": "hidden"}, 'Wait for "Loading" to go'),
        ("wait_for_timeout", None, {"wait_timeout": 1500}, "Wait 1.5 s"),
        ("to_have_text", 'locator("li").first', {"expected_text": ["A"]}, 'Expect li (first) to have text "A"'),
        ("not_to_be_checked", 'get_by_label("Agree")', {"is_not": True}, "Expect Agree not to be checked"),
        ("to_have_title", None, {"expected_text": ["Shop"]}, 'Expect the page to have title "Shop"'),
        ("to_have_count", 'locator("li")', {"expected_number": 2}, "Expect li to have count 2"),
        ("to_have_count", 'locator("li")', {"expected_number": 12_345_678}, "Expect li to have count 12345678"),
        ("wait_for_timeout", None, {"wait_timeout": 305.0951}, "Wait 305 ms"),
        ("wait_for_timeout", None, {"wait_timeout": 12_345.6}, "Wait 12.3 s"),
        ("mouse.click", None, {"x": 10, "y": 20.5}, "Click at 10, 20.5"),
        ("inner_text", 'locator("h1")', None, "Inner text h1"),
        ("evaluate", None, {"expression": "1 +\n 1"}, "Evaluate 1 + 1"),
        ("odd", None, {"url": 7, "options": "no list"}, "Odd"),
    ],
)
def test_a_call_says_what_was_done(method: str, locator: str | None, params: object, title: str) -> None:
    assert build_action_title({"method": method, "locator": locator, "params": params}) == title


def test_a_title_without_values_has_none_and_is_whole_so_that_it_can_be_masked() -> None:
    name = "x" * 300
    call = {"method": "fill", "locator": f'get_by_label("{name}")', "params": {"value": "4711"}}
    assert build_action_title(call, with_values=False) == f"Fill {name}"
    assert len(build_action_title(call)) == 240


def test_a_locator_that_is_none_is_told_as_it_is_at_once() -> None:
    for odd in ("(((((", '"' * 20_000, 'get_by_role("' + "\\" * 20_000, "a." * 20_000):
        assert build_element_title(odd)
