"""A third set of applications, chosen when the rules stood: a tracker of issues, a project's pages and tickets, a notebook."""

from __future__ import annotations

from .run import App, Errand


def tracker(run: Errand) -> None:
    """Roundup: sign in, look for an issue, change it, look at who takes part."""
    page, clerk = run.page, run.clerk
    with run.step("Sign in"):
        run.go("/studio/")
        page.locator("input[name=__login_name]").fill(clerk["user"])
        page.locator("input[name=__login_password]").fill("clay-and-ash-19")
        page.locator("input[name=__login_password]").press("Enter")
        page.get_by_text("Your Details").wait_for()
        run.mark("issues")
    with run.step(f"Find what {run.people[14]['name']} wrote"):
        page.locator("input[name='@search_text']").first.fill(run.people[14]["first"])
        page.keyboard.press("Enter")
        page.locator("table.list").first.wait_for()
        run.mark("found")
    with run.step("Answer"):
        run.go("/studio/issue2")
        page.locator("[name='@note']").fill(f"I wrote to {run.people[14]['name']}; call {clerk['phone']} if she asks.")
        run.mark("issue")
        page.locator("[name=submit_button], input[type=submit]").last.click()
        page.locator(".ok-message").first.wait_for()
        run.mark("answered")
    with run.step("Look at my details"):
        page.get_by_text("Your Details").first.click()
        page.locator("input[name=realname]").wait_for()
        run.mark("details")


def project(run: Errand) -> None:
    """Trac: read the people's page, look for somebody, open a ticket and write one."""
    page, other = run.page, run.people[12]
    with run.step("Read who does what"):
        run.go("/wiki")
        page.locator("table.wiki").first.wait_for()
        run.mark("people")
        page.get_by_text("FiringPlan", exact=True).first.click()
        page.locator("pre.wiki").wait_for()
        run.mark("plan")
    with run.step(f"Search for {other['name']}"):
        page.locator("#proj-search").fill(other["last"])
        page.keyboard.press("Enter")
        page.locator("#results, .message").first.wait_for()
        run.mark("found")
    with run.step("Look at the ticket"):
        run.go("/ticket/3")
        page.locator("#ticket").wait_for()
        run.mark("ticket")
    with run.step("Write one"):
        run.go("/newticket")
        page.locator("#field-reporter").fill(run.clerk["email"])
        page.locator("#field-summary").fill(f"Send {other['name']} the receipt")
        page.locator("#field-description").fill(f"To {other['street']}, {other['city']}.")
        run.mark("form")
        page.locator("input[name=submit]").last.click()
        page.locator("#ticket").wait_for()
        run.mark("written")
        run.go("/report/1")
        run.mark("report")


def notebook(run: Errand) -> None:
    """TiddlyWiki: read the minutes, open somebody's note, search, write a note."""
    page = run.page
    with run.step("Read the minutes"):
        run.go("/")
        page.locator("[data-tiddler-title='Glaze meeting']").wait_for()
        run.mark("minutes", 900)
    with run.step("Open a note about somebody"):
        page.locator(f".tc-tiddlylink >> text={run.people[2]['name']}").first.click()
        page.locator(f'[data-tiddler-title="{run.people[2]["name"]}"]').wait_for()
        run.mark("person", 900)
    with run.step(f"Look for {run.people[4]['first']}"):
        page.locator(".tc-search input[type=search], .tc-sidebar-search input").first.fill(run.people[4]["first"])
        run.mark("found", 1200)
    with run.step("Write a note"):
        page.locator("[aria-label='new tiddler']").first.click()
        page.locator(".tc-titlebar.tc-edit-texteditor").fill(f"Call with {run.people[5]['name']}")
        page.frame_locator("iframe.tc-edit-texteditor-body").locator("textarea").fill(f"Wants the jugs by Friday. {run.people[5]['phone']}")  # fmt: skip
        run.mark("edit", 900)
        page.locator(".tc-tiddler-edit-frame [aria-label='confirm changes to this tiddler'], .tc-tiddler-edit-frame button:has(.tc-image-done-button)").first.click()  # fmt: skip
        run.mark("written", 1200)


def pages(run: Errand) -> None:
    """Wagtail: sign in, look at the pages, change one, find somebody among the users."""
    page, other = run.page, run.people[4]
    with run.step("Sign in"):
        run.go("/admin/login/")
        page.locator("#id_username").fill(run.clerk["user"])
        page.locator("#id_password").fill("clay-and-ash-19")
        page.locator("#id_password").press("Enter")
        page.locator("#main").wait_for()
        run.mark("home", 900)
    with run.step("Look at the pages"):
        run.go("/admin/pages/3/")
        page.get_by_text(run.people[9]["name"]).first.wait_for()
        run.mark("pages", 900)
    with run.step("Change one"):
        run.go("/admin/pages/4/edit/")
        page.locator("#id_title").wait_for()
        page.locator("#id_title").fill(run.people[15]["name"])
        run.mark("edit", 900)
    with run.step(f"Find {other['name']}"):
        run.go(f"/admin/users/?q={other['first']}")
        page.locator("table.listing").first.wait_for()
        run.mark("found", 900)
        run.go("/admin/users/")
        page.locator("table.listing").first.wait_for()
        run.mark("users", 900)


LATER = (
    App("tracker", "tracker of issues, Roundup", "en_US", "roundup", ("roundup==2.6.0",), ("python", "tracker_app.py", "{port}"), tracker, "/studio/"),
    App("project", "pages and tickets, Trac", "de_DE", "trac", ("trac==1.6", "setuptools<81"), ("python", "project_app.py", "{port}"), project),
    App("notebook", "notebook, TiddlyWiki", "en_IE", "faker", ("faker==40.63.0",), ("python", "notebook_app.py", "{port}"), notebook, modules=("tiddlywiki@5.4.1",)),
    App("pages-ar", "content management, Wagtail, Arabic", "ar_AA", "wagtail", ("wagtail==8.0.1",), ("python", "pages_app.py", "{port}", "ar"), pages, "/admin/login/", language="ar"),
)  # fmt: skip
