"""Browser tests whose first attempt fails: the marker `flaw` says what the proxy breaks, and which words name it."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from bench.compare import judge
from bench.compare.world.fault_proxy import FaultProxy, ProxiedRequest, ProxyPlan, ServedAnswer
from pagereel.fixtures import thirdparty

PROGRAMS = Path(judge.__file__).parent / "world" / "programs"
flaw = pytest.mark.flaw
put = judge.make_replacement_edit
expect.set_options(timeout=6000)
Start = Callable[[str], str]


@contextlib.contextmanager
def run_packaged_app(name: str, requirement: str, command: list[str], folder: Path, file: Path, **environment: str) -> Iterator[int]:  # fmt: skip
    """Run a program from PyPI in a folder on a free port, and give the port."""
    port, binaries = thirdparty.find_free_port(), thirdparty.install_python_packages(name, requirement)
    shutil.copy(file, folder)
    asked = [str(binaries / command[0]), *(part.format(port=port) for part in command[1:])]
    with thirdparty.run_program(asked, f"http://127.0.0.1:{port}/", {"HOME": str(folder), "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}", **environment}, folder):  # fmt: skip
        yield port


@pytest.fixture
def start(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Start]:
    """Give a function that starts an application and returns its address; in the first attempt of a test its proxy plants the flaw."""
    mark = request.node.get_closest_marker("flaw")
    planned: dict[str, Any] = dict(mark.kwargs) if getattr(request.node, "execution_count", 1) == 1 else {}

    def is_flawed_request(proxied: ProxiedRequest) -> bool:
        """Return whether the flaw is planted in the answer to this request."""
        return bool(planned.get("at")) and re.fullmatch(planned["at"], f"{proxied.method} {proxied.target}") is not None

    plan = ProxyPlan(
        lambda asked: ServedAnswer(b"not now", "text/plain", planned["status"]) if is_flawed_request(asked) and "status" in planned else None,
        lambda asked: planned.get("late", 0.0) if is_flawed_request(asked) else 0.0,
        lambda asked: (lambda body: planned["edit"](body.decode()).encode()) if is_flawed_request(asked) and "edit" in planned else None,
    )  # fmt: skip
    with contextlib.ExitStack() as stack:

        def start_app(name: str) -> str:
            if name == "fava":
                running = run_packaged_app("fava", "fava==1.30.16", ["python", "fava_app.py", "{port}"], tmp_path, PROGRAMS / "fava_app.py")  # fmt: skip
            elif name == "shiny":
                fetched = {"FETCHED": f"{planned.get('fetched', 60)} 60 60 60"}
                running = run_packaged_app("shiny", "shiny==1.8.0", ["shiny", "run", "--port", "{port}", "shiny_app.py"], tmp_path, Path(__file__).with_name("shiny_app.py"), **fetched)  # fmt: skip
            else:
                running = judge.run_site(next(site for site in judge.SITES if site.name == name))
            port = stack.enter_context(running)
            return f"http://127.0.0.1:{port}" if name == "shiny" else stack.enter_context(FaultProxy(port, plan)).url

        yield start_app


@pytest.fixture
def page(start: Start, page: Page) -> Page:  # so that the application outlives its page
    """Give Playwright's page with short time limits; it closes before the application ends."""
    page.set_default_timeout(6000)
    page.set_default_navigation_timeout(30_000)
    return page


@flaw("POST /demo/add", at=r"POST /demo/add.*", late=10)
def test_a_bill_is_added(page: Page, start: Start) -> None:
    page.goto(start("budget") + "/demo/")
    page.get_by_role("link", name="Add a new bill").first.click()
    page.locator("#what[required]").fill("Cobalt oxide")
    page.locator("#payer[required]").select_option(label="Georg")
    page.locator("#amount[required]").fill("36")
    page.locator("#submit[value=Submit]").click(no_wait_after=True)
    expect(page.get_by_text("Cobalt oxide").first).to_be_visible()


@flaw("GET /demo/statistics answered 503", at=r"GET /demo/statistics", status=503)
def test_the_statistics(page: Page, start: Start) -> None:
    page.goto(start("budget") + "/demo/")
    page.get_by_role("link", name="Statistics").first.click()
    expect(page.get_by_text("Expenses by month")).to_be_visible()


@flaw("We use cookies", at=r"GET /demo/", edit=put("</body>", "<div style='position:fixed;inset:0;z-index:99999;background:#fffc'><p>We use cookies</p><button>Accept</button></div></body>"))  # fmt: skip
def test_bills_are_settled(page: Page, start: Start) -> None:
    page.goto(start("budget") + "/demo/")
    page.get_by_role("link", name="Settle").first.click()
    expect(page.get_by_text("To whom?")).to_be_visible()


@flaw("folding.js answered 404", at=r"GET /chrome/common/js/folding\.js.*", status=404)
def test_a_ticket_is_modified(page: Page, start: Start) -> None:
    page.goto(start("wiki") + "/ticket/2")
    page.get_by_role("link", name="Modify Ticket").click()
    page.locator("#field-keywords").fill("hinge")
    page.locator("input[name=submit]").last.click()
    expect(page.locator(".change").first).to_contain_text("hinge")


@flaw("Repaint the sign", at=r"GET /report/1.*", edit=put(r"<tr\b(?:(?!</tr>).)*Repaint the sign.*?</tr>", ""))
def test_the_open_tickets(page: Page, start: Start) -> None:
    page.goto(start("wiki") + "/report/1")
    expect(page.get_by_role("link", name="Order more cobalt")).to_be_visible()
    expect(page.get_by_role("link", name="Repaint the sign")).to_be_visible()


@flaw("GET /roadmap", at=r"GET /roadmap", late=10)
def test_the_roadmap(page: Page, start: Start) -> None:
    page.goto(start("wiki") + "/wiki")
    page.get_by_role("link", name="Roadmap", exact=True).first.click(no_wait_after=True)
    expect(page.get_by_role("heading", name="Roadmap")).to_be_visible()


@flaw("PUT /recipes/default/tiddlers/Kiln", at=r"PUT /recipes/default/tiddlers/Kiln.*", status=500)
def test_a_note_is_kept(page: Page, start: Start) -> None:
    page.goto(start("notes") + "/")
    page.get_by_role("button", name="new tiddler").first.click()
    page.locator("input.tc-titlebar").fill("Kiln log")
    page.get_by_role("button", name="Confirm changes to this tiddler").or_(page.get_by_role("button", name="ok")).first.click()  # fmt: skip
    page.locator("input.tc-titlebar").wait_for(state="detached")
    page.wait_for_timeout(2500)
    page.goto(page.url.partition("#")[0] + "#Kiln%20log")
    page.reload()
    expect(page.get_by_text("Missing tiddler")).to_have_count(0)


@flaw("balance_sheet", at=r"GET /kiln-and-sons/api/balance_sheet.*", late=10)
def test_the_balance(page: Page, start: Start) -> None:
    page.goto(start("fava") + "/kiln-and-sons/income_statement/")
    expect(page.get_by_text("Rent").first).to_be_visible()
    page.get_by_role("link", name="Balance Sheet").click()
    expect(page.get_by_text("Stock").first).to_be_visible()


@flaw("6900", at=r"GET /kiln-and-sons/.*income_statement.*", edit=put(r"(?<!\d)6400(?!\d)", "6900"))
def test_the_income(page: Page, start: Start) -> None:
    page.goto(start("fava") + "/kiln-and-sons/income_statement/")
    expect(page.get_by_text("6400.00").first).to_be_visible()


@flaw("did not say “48 EUR each” yet", fetched=2500)
def test_two_tenmoku_are_ordered(page: Page, start: Start) -> None:
    page.goto(start("shiny"))
    page.get_by_label("Glaze").select_option("tenmoku")
    page.get_by_label("Number").fill("2")
    page.get_by_role("button", name="Order").click()
    expect(page.locator("#thanks")).to_have_text("2 tenmoku for 96 EUR, thank you.")
