"""The second set of applications, chosen after the rules were written: tables, a shared budget, a repository and a chat."""

from __future__ import annotations

from .app_recording import Errand, MaskedApp


def work_in_datasette(errand: Errand) -> None:
    """Work in Datasette: open a table, count by city, filter, query by SQL, open one row."""
    page, student = errand.page, errand.people[4]
    with errand.step("Look at the students"):
        errand.open_path("/studio/student?_facet=course&_facet=city")
        page.locator("table.rows-and-columns").wait_for()
        errand.mark("table")
    with errand.step(f"Find {student['name']}"):
        page.locator("select[name=_filter_column]").last.select_option("name")
        page.locator("input[name=_filter_value]").last.fill(student["name"])
        page.locator("input[type=submit]").first.click()
        page.locator("table.rows-and-columns").wait_for()
        errand.mark("found")
    with errand.step("Ask who owes more than 1000"):
        errand.open_path(
            "/studio?sql=select+name%2C+phone%2C+paid%2C+born+from+student+where+paid+%3E+1000+order+by+born"
        )
        page.locator("table.rows-and-columns").wait_for()
        errand.mark("sql")
    with errand.step("Look at the visit"):
        errand.open_path("/studio/visit/5")
        page.locator("table.rows-and-columns").wait_for()
        errand.mark("row")


def work_in_budget(errand: Errand) -> None:
    """Work in I Hate Money: create a project, add people, write a bill, see who owes whom."""
    page = errand.page
    with errand.step("Begin a project"):
        errand.open_path("/create")
        page.locator("#name").fill("Kiln trip")
        page.locator("#id").fill("kiln-trip")
        page.locator("#password").fill("clay-and-ash-19")
        page.locator("#contact_email").fill(errand.clerk["email"])
        page.locator("form [type=submit]").last.click()
        page.wait_for_url("**/kiln-trip/**")
    with errand.step("Take people in"):
        for one in errand.people[1:5]:
            errand.open_path("/kiln-trip/")
            page.locator("#add-member-form input[name=name], form[action*=add] input[name=name]").first.fill(
                one["name"]
            )
            page.keyboard.press("Enter")
            page.get_by_text(one["name"]).first.wait_for()
    with errand.step("Write the bills"):
        for number, what in enumerate(
            ("Train tickets", "Two bags of feldspar", f"Dinner with {errand.people[6]['name']}")
        ):
            errand.open_path("/kiln-trip/add")
            page.locator("#what:visible").fill(what)
            page.locator("#payer:visible").select_option(label=errand.people[1 + number]["name"])
            page.locator("#amount:visible").fill(str(42 + 20 * number))
            errand.mark(f"bill {number}")
            page.locator("#submit:visible").click()
            page.locator("#bill_table").wait_for()
        errand.mark("bills")
    with errand.step("Look who owes whom"):
        errand.open_path("/kiln-trip/settle_bills")
        errand.mark("settle")


def work_in_mercurial(errand: Errand) -> None:
    """Work in Mercurial's pages: read the log, a change, and a file with the author of each line."""
    page = errand.page
    with errand.step("Look at the log"):
        errand.open_path("/shortlog")
        page.locator("table.bigtable").wait_for()
        errand.mark("log")
    with errand.step("Look at a change"):
        page.get_by_text("Less iron in the celadon").first.click()
        page.locator("#changesetEntry").wait_for()
        errand.mark("change")
    with errand.step("See who wrote the recipe"):
        errand.open_path("/annotate/tip/recipes/celadon.txt")
        errand.mark("annotate")
        errand.open_path("/graph")
        errand.mark("graph", 1200)


def work_in_chat(errand: Errand) -> None:
    """Work in a chat made with NiceGUI: read, choose a channel, answer."""
    page = errand.page
    with errand.step("Read what was said"):
        errand.open_path("/")
        page.locator(".q-message").first.wait_for()
        errand.mark("chat", 1200)
    with errand.step("Choose the channel"):
        page.locator(".q-select").first.click()
        page.locator(".q-item:has-text('Firing')").first.click()
        errand.mark("channel")
    with errand.step("Answer"):
        page.get_by_placeholder("Message").fill(f"I will ask {errand.people[2]['name']} tomorrow.")
        page.get_by_placeholder("Message").press("Enter")
        page.get_by_text("tomorrow.").last.wait_for()
        errand.mark("answered", 900)


FURTHER = (
    MaskedApp("tables", "tables, Datasette", "en_US", "datasette", ("datasette==0.65.5",), ("python", "tables_app.py", "{port}"), work_in_datasette),
    MaskedApp("budget", "shared budget, I Hate Money", "fr_FR", "ihatemoney", ("ihatemoney==7.2.1", "setuptools<81"), ("python", "budget_app.py", "{port}"), work_in_budget),
    MaskedApp("history", "repository, Mercurial", "de_DE", "mercurial", ("mercurial==7.2.4",), ("python", "history_app.py", "{port}"), work_in_mercurial),
    MaskedApp("talk", "chat, NiceGUI", "en_GB", "nicegui", ("nicegui==3.18.0",), ("python", "talk_app.py", "{port}"), work_in_chat),
)  # fmt: skip
