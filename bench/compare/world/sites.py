"""Applications of the second and third set: their packages, the agent's scripts, and the places where a difference can be planted."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pagereel.fixtures import thirdparty

from ..scripted_agent import PlannedAgent

PROGRAMS = Path(__file__).with_name("programs")
Script = Callable[[PlannedAgent], None]


@dataclass(frozen=True)
class CompareSite:
    """One application, the script that the agent follows in it, and the places where a difference can be planted."""

    name: str
    requirements: tuple[str, ...]
    path: str
    script: Script
    parts: tuple[str, ...]
    """What stands around it: :mod:`.noise`."""
    api: tuple[str, str]
    """Method and address (a pattern) of a request that the run makes on its way."""
    button: tuple[str, str, str]
    """A selector, the words on what it finds, and other words."""
    price: tuple[str, str]
    """A figure that the page shows, and another one."""
    words: tuple[str, str]
    """Words of the page, and the same in another language."""
    row: tuple[str, ...]
    """A selector of rows, and what stands in the one that is left out: a word that no other has, and any others."""
    field: str
    """A selector of a field that the run does not use."""
    json: tuple[str, str, object] = (r"/around/offer", "days", 5)
    """A request, a path in its answer, and another value."""
    without: tuple[str, ...] = ()
    """What cannot be planted: on pages that are left after a second nothing stands too long."""
    ready: str = "/"
    again: str = ""
    """Asked for before each run, to undo what the last one did; ``new``: the program is started anew."""


@contextlib.contextmanager
def run_site(site: CompareSite) -> Iterator[int]:
    """Run the application's program in a new folder until the block ends; give its port."""
    binaries = thirdparty.install_python_packages(site.name, *site.requirements)
    with tempfile.TemporaryDirectory() as work:
        shutil.copy(PROGRAMS / f"{site.name}_app.py", work)
        port = thirdparty.find_free_port()
        environment = {"HOME": work, "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}"}
        command = [str(binaries / "python"), f"{site.name}_app.py", str(port)]
        with thirdparty.run_program(command, f"http://127.0.0.1:{port}{site.ready}", environment, Path(work)):
            yield port


def undo_last_run(site: CompareSite, port: int) -> None:
    """Ask the application to undo the changes of the last run, where it has an address for that."""
    if site.again.startswith("/"):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{site.again}", timeout=20):
            pass


# -- the second set --------------------


def run_datasette_script(agent: PlannedAgent) -> None:
    page = agent.page
    with agent.step("Open the table"):
        page.goto(agent.url)
        agent.click(page.get_by_role("link", name="pottery", exact=True).first)
        agent.click(page.get_by_role("link", name="pots", exact=True).first)
        agent.wait_for_text("40 rows")
    with agent.step("Ask for one glaze"):
        agent.do_in_planned_order(
            lambda: agent.use_tool(
                "select", {"column": "glaze"}, lambda: page.locator("select").first.select_option("glaze")
            ),
            lambda: agent.fill(page.locator("input[type=text], input:not([type])").first, "ash"),
        )
        agent.click(page.get_by_role("button", name="Apply"))
        agent.wait_for_text("8 rows")
        agent.pause(400)
    with agent.step("Open the first pot"):
        agent.click(page.get_by_role("link", name="4", exact=True))
        agent.wait_for_text("pots: 4")
        agent.pause(500)
        agent.click(page.get_by_role("link", name="home"))
        agent.wait_for_text("Powered by")
        agent.pause(300)


def run_fava_script(agent: PlannedAgent) -> None:
    page = agent.page
    with agent.step("Look at the year"):
        page.goto(agent.url)
        agent.wait_for_text("Net Profit")
        agent.click(page.get_by_role("link", name="Balance Sheet"))
        agent.wait_for_text("Assets")
        agent.pause(300)
    with agent.step("Find the landlord"):
        agent.click(page.get_by_role("link", name="Journal"))
        agent.wait_for_text("Rent of month 10")
        agent.do_in_planned_order(
            lambda: agent.click(page.get_by_role("button", name="Postings")),
            lambda: agent.click(page.get_by_role("button", name="Metadata")),
        )
        agent.fill(page.get_by_role("combobox", name="Account", exact=True), "Expenses:Rent")
        page.keyboard.press("Enter")
        page.get_by_text("Clay works").first.wait_for(state="detached")
        agent.pause(400)
    with agent.step("Count it"):
        agent.click(page.get_by_role("link", name="Trial Balance"))
        agent.wait_for_text("Expenses")
        agent.pause(600)


def run_flask_admin_script(agent: PlannedAgent) -> None:
    page = agent.page
    with agent.step("Open the list"):
        page.goto(agent.url)
        agent.click(page.get_by_role("link", name="Pots"))
        agent.wait_for_text("Heron jug")
    with agent.step("Add a pot"):
        agent.click(page.get_by_role("link", name="Create"))
        agent.do_in_planned_order(
            lambda: agent.fill(page.get_by_label("Name"), "Salt bowl"),
            lambda: agent.fill(page.get_by_label("Price"), "44"),
        )
        agent.click(page.get_by_role("button", name="Save", exact=True))
        agent.wait_for_text("successfully created")
        agent.pause(400)
    with agent.step("Find it"):
        agent.fill(page.get_by_role("textbox", name="name"), "Salt")
        page.keyboard.press("Enter")
        page.get_by_text("Heron jug").first.wait_for(state="detached")
        agent.click(page.get_by_role("link", name="Home"))
        agent.pause(500)


def run_starlette_admin_script(agent: PlannedAgent) -> None:
    page = agent.page
    with agent.step("Open the guests"):
        page.goto(agent.url)
        agent.click(page.get_by_role("link", name="Guests").first)
        agent.wait_for_text("Maren Lund")
    with agent.step("Take in another"):
        agent.click(page.get_by_role("link", name="New Guest"))
        agent.do_in_planned_order(
            lambda: agent.fill(page.get_by_label("Name"), "Ruth Adler"),
            lambda: agent.fill(page.get_by_label("Nights"), "6"),
        )
        agent.click(page.get_by_role("button", name="Save", exact=True))
        agent.wait_for_text("Ruth Adler")
        agent.pause(400)
    with agent.step("Look for her"):
        agent.fill(page.get_by_role("searchbox").first, "Ruth")
        page.keyboard.press("Enter")
        page.get_by_text("Maren Lund").first.wait_for(state="detached")
        agent.pause(300)
        agent.click(page.get_by_role("link", name="Guests").first)
        agent.wait_for_text("Maren Lund")
        agent.pause(400)


def run_locust_script(agent: PlannedAgent) -> None:
    page = agent.page
    with agent.step("Set it up"):
        page.goto(agent.url)
        agent.wait_for_text("Start new load test")
        agent.do_in_planned_order(
            lambda: agent.fill(page.get_by_label("Number of users"), "3"),
            lambda: agent.fill(page.get_by_label("Ramp up"), "2"),
        )
        agent.click(page.get_by_role("button", name="Advanced options"))
        agent.pause(400)
    with agent.step("Let it run"):
        agent.click(page.get_by_role("button", name="Start", exact=True))
        agent.wait_for_text("/basket")
        agent.pause(1500)
        agent.click(page.get_by_role("tab", name="Failures"))
        agent.pause(500)
    with agent.step("Stop it"):
        agent.click(page.get_by_role("button", name="Stop"))
        agent.pause(600)
        agent.click(page.get_by_role("tab", name="Statistics"))
        agent.pause(500)


def run_isso_script(agent: PlannedAgent) -> None:
    page = agent.page
    with agent.step("Read"):
        page.goto(agent.url)
        agent.wait_for_text("No Comments Yet")
        agent.pause(300)
    with agent.step("Say something"):
        agent.do_in_planned_order(
            lambda: agent.fill(
                page.get_by_role("textbox", name="Type Comment Here").or_(page.locator(".isso-textarea")).first,
                "The glaze crazed in the second firing.",
            ),
            lambda: agent.fill(page.get_by_label("Name (optional)").first, "Ines"),
        )
        agent.click(page.get_by_role("button", name="Preview").or_(page.locator("input[name=preview]")).first)
        agent.pause(400)
        agent.click(page.get_by_role("button", name="Submit").or_(page.locator("input[type=submit]")).first)
        agent.wait_for_text("right now")
        agent.pause(400)
    with agent.step("Think again"):
        agent.click(page.locator("a:has-text('Edit')"))
        agent.pause(300)
        agent.click(page.locator("a:has-text('Cancel')"))
        agent.pause(400)


def run_panel_script(agent: PlannedAgent) -> None:
    page = agent.page
    with agent.step("Choose"):
        page.goto(agent.url)
        agent.wait_for_text("Total 48 EUR")
        agent.do_in_planned_order(
            lambda: agent.use_tool(
                "select", {"glaze": "cobalt"}, lambda: page.get_by_label("Glaze").select_option("cobalt")
            ),
            lambda: (agent.fill(page.get_by_label("Name"), "Joost"), page.keyboard.press("Tab")),
        )
        agent.wait_for_text("Total 61 EUR")
        agent.pause(300)
    with agent.step("Order"):
        agent.click(page.get_by_role("button", name="Order"))
        agent.wait_for_text("Ordered by Joost")
        agent.pause(400)
    with agent.step("And once more"):
        agent.click(page.get_by_role("button", name="Begin anew"))
        agent.wait_for_text("Nothing is ordered.")
        agent.pause(400)
        agent.click(page.get_by_role("button", name="Order"))
        agent.wait_for_text("Ordered by Joost")
        agent.pause(500)


SECOND = (
    CompareSite(
        "datasette", ("datasette==0.65.5",), "/", run_datasette_script, ("advert", "clock", "toast"),
        ("GET", r"/pottery/pots\?.*ash.*"), ("input[type=submit]", "Apply", "Go"), ("137", "731"), ("Suggested facets", "Vorgeschlagene Facetten"),
        ("tr", "137", "39"), "select[name=_filter_op]", without=("spinner",),
    ),
    CompareSite(
        "fava", ("fava==1.30.16",), "/kiln-and-sons/income_statement/", run_fava_script, ("advice", "live", "clock"),
        ("GET", r"/kiln-and-sons/api/.*Rent.*"), ("article button", "Postings", "Details"), ("640.00", "460.00"), ("Balance Sheet", "Bilanz"),
        ("li", "Rent of month 4"), "input[placeholder=Time]", (r"/kiln-and-sons/api/income_statement.*", "data.charts.0.data.0.balance.EUR", -999.5),
    ),
    CompareSite(
        "flask-admin", ("flask-admin==2.2.1", "flask-sqlalchemy", "wtforms"), "/admin/", run_flask_admin_script, ("advert", "variant", "live"),
        ("POST", r"/admin/pot/new/.*"), ("input[type=submit]", "Save", "Keep"), ("54", "45"), ("successfully created", "erfolgreich angelegt"),
        ("tr", "Ash dish"), "input[type=submit][name=_add_another]", without=("spinner",), ready="/admin/", again="/__again",
    ),
    CompareSite(
        "starlette-admin", ("starlette-admin==1.0.3", "sqlalchemy[asyncio]", "uvicorn", "python-multipart", "itsdangerous"), "/admin/", run_starlette_admin_script,
        ("moving", "toast", "live"), ("POST", r"/admin/.*create.*"), ("button", "Save", "Keep"), ("15", "51"), ("Guests", "Gäste"),
        ("tr", "Pia Roth"), "input[name=room]", without=("spinner",), ready="/admin/", again="/__again",
    ),
    CompareSite(
        "locust", ("locust==2.47.0",), "/", run_locust_script, ("clock", "variant", "toast"),
        ("POST", r"/swarm"), ("button", "Advanced options", "More options"), ("http://shop.example", "http://store.example"), ("Start new load test", "Neuen Lasttest beginnen"),
        ("p", "Failures"), "input[name=host]", (r"/swarm", "message", "Swarming resumed"), again="new",
    ),
    CompareSite(
        "isso", ("isso==0.14.0",), "/demo/index.html", run_isso_script, ("advice", "moving", "clock", "toast"),
        ("POST", r"/new\?.*"), ("input", "Preview", "Look first"), ("0 Comments", "4 Comments"), ("Below is the actual comment field", "Darunter steht das Feld"),
        ("p", "Website"), "input[name=website]", (r"/new\?.*", "likes", 4), ready="/demo/index.html", again="new",
    ),
    CompareSite(
        "panel", ("panel==1.9.4",), "/shop", run_panel_script, ("live", "advert", "advice"),
        ("GET", r"/shop"), ("button", "Begin anew", "Start over"), ("one is 48 EUR", "one is 84 EUR"), ("How it is made", "Wie es entsteht"),
        ("li", "Glazed"), "button", ready="/shop",
    ),
)  # fmt: skip


# -- the third set --------------------


def run_remi_script(agent: PlannedAgent) -> None:
    page = agent.page
    with agent.step("Look at the errands"):
        page.goto(agent.url)
        agent.wait_for_text("3 errands")
        agent.click(page.get_by_role("button", name="Tell me more"))
        agent.wait_for_text("Errands are done on Fridays")
        agent.pause(300)
    with agent.step("Add one"):
        agent.do_in_planned_order(
            lambda: (agent.fill(page.get_by_placeholder("Errand"), "Buy string"), page.keyboard.press("Tab")),
            lambda: agent.use_tool(
                "select", {"rank": "high"}, lambda: page.locator("select:not(#currency)").select_option("high")
            ),
        )
        agent.pause(300)
        agent.click(page.get_by_role("button", name="Add errand"))
        agent.wait_for_text("4 errands")
        agent.pause(3000)
    with agent.step("Tick one off"):
        agent.click(page.get_by_role("button", name="Done with the first"))
        agent.wait_for_text("3 errands")
        agent.pause(600)


def run_sqladmin_script(agent: PlannedAgent) -> None:
    page = agent.page
    with agent.step("Open the boats"):
        page.goto(agent.url)
        agent.click(page.get_by_role("link", name="Boats").first)
        agent.wait_for_text("Curlew")
    with agent.step("Take in another"):
        agent.click(page.get_by_role("link", name="New Boat"))
        agent.do_in_planned_order(
            lambda: agent.fill(page.locator("[name=name]"), "Sanderling"),
            lambda: agent.fill(page.locator("[name=length]"), "44"),
        )
        agent.click(
            page.get_by_role("button", name="Save", exact=True)
            .or_(page.locator("input[type=submit][value=Save]"))
            .first
        )
        agent.wait_for_text("Sanderling")
        agent.pause(3000)
    with agent.step("Look for it"):
        agent.fill(page.get_by_placeholder("Search").first, "Sander")
        page.keyboard.press("Enter")
        page.get_by_text("Curlew").first.wait_for(state="detached")
        agent.pause(400)


def run_sqlite_web_script(agent: PlannedAgent) -> None:
    page = agent.page
    with agent.step("Open the table"):
        page.goto(agent.url)
        agent.click(page.get_by_role("link", name="books").first)
        agent.click(page.get_by_role("link", name="Content"))
        agent.wait_for_text("The Salt Road")
        agent.pause(300)
    with agent.step("Ask it"):
        agent.click(page.get_by_role("link", name="Query").last)
        agent.do_in_planned_order(
            lambda: agent.use_tool(
                "fill",
                {"sql": "all"},
                lambda: page.locator("textarea").fill("select title, year from books where year > 1970"),
            ),
            lambda: agent.click(page.get_by_role("link", name="+/- table definition")),
        )
        agent.click(page.get_by_role("button", name="Execute"))
        agent.wait_for_text("Wheel Songs")
        agent.pause(3000)
    with agent.step("Look at its structure"):
        agent.click(page.get_by_role("link", name="Structure"))
        agent.pause(600)


THIRD = (
    CompareSite(
        "remi", ("remi==2022.7.27", "setuptools<81"), "/", run_remi_script, ("carousel", "hashed", "rating", "clock"),
        ("GET", r"/"), ("button", "Done with the first", "Strike the first"), ("80 EUR", "60 EUR"), ("What is to be done", "Was zu tun ist"),
        ("li", "Sweep the kiln"), "input[name=remark]",
    ),
    CompareSite(
        "sqladmin", ("sqladmin==0.32.0", "sqlalchemy[asyncio]", "uvicorn", "itsdangerous"), "/admin/", run_sqladmin_script, ("chat", "live", "toast", "hashed"),
        ("POST", r"/admin/boat/create.*"), ("input", "Save", "Keep"), ("33", "63"), ("New Boat", "Neues Boot"),
        ("tr", "Dunlin"), "[name=berth]", ready="/admin/", again="/__again",
    ),
    CompareSite(
        "sqlite-web", ("sqlite-web==0.8.2",), "/", run_sqlite_web_script, ("advert", "chat", "rating", "carousel"),
        ("POST", r"/books/query/.*"), ("button", "Execute", "Run it"), ("1975", "1957"), ("powered by", "angetrieben von"),
        ("tr", "Wheel Songs", "5"), "input[placeholder='table name...']",
    ),
)  # fmt: skip
