"""One script, written for both of Playwright's APIs, and what its calls look like in a reel."""

from __future__ import annotations

from typing import Any

PAGE = """<label>Email <input id=e></label><label>Password <input id=p type=password></label>
<button onclick="setTimeout(() => window.open('about:blank'), 20)">Pay</button><h1>Hi</h1>"""
SECRET = "hunter2-secret"


async def done(value: Any) -> Any:
    """The sync API has the result already."""
    return value


async def wait(work: Any) -> Any:
    return await work


async def drive(session: Any, page: Any, url: str, expect: Any, wait: Any) -> None:
    """``wait`` gives the result of a call: what the async API awaits and the sync API has at once."""
    await wait(page.goto(url))
    async with session.step("Sign in"):
        await wait(page.get_by_label("Email").fill("ada@example.com"))
        await wait(page.locator("#p").fill("hunter2-secret"))
        await wait(page.locator("#e").press("Tab"))
    await wait(page.get_by_role("button", name="Pay").hover())
    for failing in (
        lambda: page.locator("#nope").click(timeout=200),
        lambda: expect(page.locator("h1")).to_have_text("Bye", timeout=200),
    ):
        try:
            await wait(failing())
        except Exception as error:
            assert "200ms" in str(error) or "Actual value: Hi" in str(error), error
        else:
            raise AssertionError("it did not fail")
    await wait(expect(page.locator("h1")).to_have_text("Hi"))
    assert await wait(page.evaluate("x => x.a + 1", {"a": 4, "b": ["x"]})) == 5
    await wait(page.keyboard.press("Escape"))
    await wait(
        page.context.add_cookies([{"name": "sid", "value": "secret-cookie", "domain": "127.0.0.1", "path": "/"}])
    )


METHODS = [
    "goto",
    "fill",
    "fill",
    "press",
    "hover",
    "click",
    "to_have_text",
    "to_have_text",
    "evaluate",
    "keyboard.press",
    "add_cookies",
]


def check(recorded: Any, url: str) -> None:
    """What every way of listening gives."""
    calls = sorted(recorded.of("call"), key=lambda call: float(call["t"]))
    script = [call for call in calls if call["method"] != "new_page"]
    assert [call["method"] for call in script] == METHODS
    goto, email, password, press, hover, click, differs, holds, evaluate, escape, cookies = script

    assert goto["title"] == "Go to" and goto["params"]["url"] == url and goto["page"] == 1 and goto["step"] is None
    step = recorded.one("step")["id"]
    assert {email["step"], password["step"], press["step"]} == {step}
    assert email["locator"] == 'get_by_label("Email")' and email["params"]["value"] == "ada@example.com"
    assert password["locator"] == 'locator("#p")' and password["params"]["value"] == "•••••"
    assert press["params"]["key"] == "Tab"
    assert hover["locator"] == 'get_by_role("button", name="Pay")' and hover["page"] == 1
    assert "TimeoutError" in click["error"] and "waiting for locator" in click["error"] and click["duration"] >= 150
    assert differs["title"] == "Expect to have text" and differs["locator"] == 'locator("h1")' and differs["error"]
    assert "error" not in holds
    assert evaluate["params"]["arg"] == {"a": 4, "b": ["x"]}
    assert escape["params"] == {"key": "Escape"}
    assert cookies["params"]["cookies"][0]["name"] == "sid"
    assert "secret-cookie" not in repr(calls) and SECRET not in repr(recorded.events)
    for call in script:
        source = call["source"]
        assert source["file"].endswith("calls_script.py"), source
        assert any(line.startswith(">") for line in source["code"])
    recorded.whole_events()
