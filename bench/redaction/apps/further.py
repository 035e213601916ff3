"""The second set of applications, chosen after the rules were written: tables, a shared budget, a repository and a chat."""

from __future__ import annotations

from .run import Errand, MaskedApp


def tables(run: Errand) -> None:
    """Work in Datasette: open a table, count by city, filter, query by SQL, open one row."""
    page, student = run.page, run.people[4]
    with run.step("Look at the students"):
        run.go("/studio/student?_facet=course&_facet=city")
        page.locator("table.rows-and-columns").wait_for()
        run.mark("table")
    with run.step(f"Find {student['name']}"):
        page.locator("select[name=_filter_column]").last.select_option("name")
        page.locator("input[name=_filter_value]").last.fill(student["name"])
        page.locator("input[type=submit]").first.click()
        page.locator("table.rows-and-columns").wait_for()
        run.mark("found")
    with run.step("Ask who owes more than 1000"):
        run.go("/studio?sql=select+name%2C+phone%2C+paid%2C+born+from+student+where+paid+%3E+1000+order+by+born")
        page.locator("table.rows-and-columns").wait_for()
        run.mark("sql")
    with run.step("Look at the visit"):
        run.go("/studio/visit/5")
        page.locator("table.rows-and-columns").wait_for()
        run.mark("row")


def budget(run: Errand) -> None:
    """Work in I Hate Money: create a project, add people, write a bill, see who owes whom."""
    page = run.page
    with run.step("Begin a project"):
        run.go("/create")
        page.locator("#name").fill("Kiln trip")
        page.locator("#id").fill("kiln-trip")
        page.locator("#password").fill("clay-and-ash-19")
        page.locator("#contact_email").fill(run.clerk["email"])
        page.locator("form [type=submit]").last.click()
        page.wait_for_url("**/kiln-trip/**")
    with run.step("Take people in"):
        for one in run.people[1:5]:
            run.go("/kiln-trip/")
            page.locator("#add-member-form input[name=name], form[action*=add] input[name=name]").first.fill(
                one["name"]
            )
            page.keyboard.press("Enter")
            page.get_by_text(one["name"]).first.wait_for()
    with run.step("Write the bills"):
        for number, what in enumerate(
            ("Train tickets", "Two bags of feldspar", f"Dinner with {run.people[6]['name']}")
        ):
            run.go("/kiln-trip/add")
            page.locator("#what:visible").fill(what)
            page.locator("#payer:visible").select_option(label=run.people[1 + number]["name"])
            page.locator("#amount:visible").fill(str(42 + 20 * number))
            run.mark(f"bill {number}")
            page.locator("#submit:visible").click()
            page.locator("#bill_table").wait_for()
        run.mark("bills")
    with run.step("Look who owes whom"):
        run.go("/kiln-trip/settle_bills")
        run.mark("settle")


def history(run: Errand) -> None:
    """Work in Mercurial's pages: read the log, a change, and a file with the author of each line."""
    page = run.page
    with run.step("Look at the log"):
        run.go("/shortlog")
        page.locator("table.bigtable").wait_for()
        run.mark("log")
    with run.step("Look at a change"):
        page.get_by_text("Less iron in the celadon").first.click()
        page.locator("#changesetEntry").wait_for()
        run.mark("change")
    with run.step("See who wrote the recipe"):
        run.go("/annotate/tip/recipes/celadon.txt")
        run.mark("annotate")
        run.go("/graph")
        run.mark("graph", 1200)


def talk(run: Errand) -> None:
    """Work in a chat made with NiceGUI: read, choose a channel, answer."""
    page = run.page
    with run.step("Read what was said"):
        run.go("/")
        page.locator(".q-message").first.wait_for()
        run.mark("chat", 1200)
    with run.step("Choose the channel"):
        page.locator(".q-select").first.click()
        page.locator(".q-item:has-text('Firing')").first.click()
        run.mark("channel")
    with run.step("Answer"):
        page.get_by_placeholder("Message").fill(f"I will ask {run.people[2]['name']} tomorrow.")
        page.get_by_placeholder("Message").press("Enter")
        page.get_by_text("tomorrow.").last.wait_for()
        run.mark("answered", 900)


FURTHER = (
    MaskedApp("tables", "tables, Datasette", "en_US", "datasette", ("datasette==0.65.5",), ("python", "tables_app.py", "{port}"), tables),
    MaskedApp("budget", "shared budget, I Hate Money", "fr_FR", "ihatemoney", ("ihatemoney==7.2.1", "setuptools<81"), ("python", "budget_app.py", "{port}"), budget),
    MaskedApp("history", "repository, Mercurial", "de_DE", "mercurial", ("mercurial==7.2.4",), ("python", "history_app.py", "{port}"), history),
    MaskedApp("talk", "chat, NiceGUI", "en_GB", "nicegui", ("nicegui==3.18.0",), ("python", "talk_app.py", "{port}"), talk),
)  # fmt: skip
