"""The first set of applications, and the errands that are done in them."""

from __future__ import annotations

from .app_recording import Errand, MaskedApp

DJANGO = ("django==5.2.19", "django-simpleui==2026.1.13")


def work_in_django_admin(errand: Errand) -> None:
    """Work in Django's admin: find a customer, change the telephone and the status, list the orders."""
    page, customer = errand.page, errand.people[5]
    with errand.step("Sign in"):
        errand.open_path("/admin/")
        page.locator("#id_username").fill(errand.clerk["user"])
        page.locator("#id_password").fill("clay")
        page.locator("input[type=submit], button[type=submit]").first.click()
        page.locator("#content-main").wait_for()
    with errand.step("Look at the customers"):
        page.locator("#content-main a[href='/admin/crm/customer/']").first.click()
        page.locator("#result_list").wait_for()
        errand.mark("list")
    with errand.step(f"Find {customer['name']}", "The ticket says that the number has changed."):
        page.locator("#searchbar").fill(customer["name"])
        page.locator("#searchbar").press("Enter")
        page.locator("#result_list").wait_for()
        page.locator("th.field-name a").first.click()
        page.locator("#customer_form").wait_for()
        page.locator("#id_phone").fill(errand.people[6]["phone"])
        page.locator("#id_status").select_option("closed")
        errand.mark("form")
        page.locator("[name=_continue]").click()
        page.locator(".success").wait_for()
        errand.mark("saved")
    with errand.step("Look at the orders"):
        errand.open_path("/admin/crm/order/")
        page.locator("#result_list").wait_for()
        errand.mark("orders")


def work_in_simpleui(errand: Errand) -> None:
    """Work in SimpleUI, which shows Django's admin in iframes: sign in, open the customers from the menu."""
    page = errand.page
    with errand.step("Sign in"):
        errand.open_path("/admin/")
        page.locator("[name=username]").fill(errand.clerk["user"])
        page.locator("[name=password]").fill("clay")
        page.locator("button, input[type=submit]").last.click()
        page.locator("#main, .el-menu").first.wait_for()
        errand.mark("home", 1500)
    with errand.step("Look at the customers"):
        errand.open_path("/admin/crm/customer/")
        page.locator("#result_list").wait_for()
        errand.mark("list", 900)
    with errand.step("Open one"):
        page.locator("th.field-name a").nth(2).click()
        page.locator("#customer_form").wait_for()
        errand.mark("form", 900)


def work_in_forum(errand: Errand) -> None:
    """Work in the forum Spirit: sign in, answer in a topic, open a member's page."""
    page, other = errand.page, errand.people[1]
    with errand.step("Sign in"):
        errand.open_path("/")
        page.get_by_text("Log in", exact=True).first.click()
        page.locator("#id_username").fill(errand.clerk["user"])
        page.locator("#id_password").fill("clay-and-ash-19")
        page.locator("#id_password").press("Enter")
        page.get_by_text("Create Topic").wait_for()
        errand.mark("topics")
    with errand.step("Answer the question", f"{other['first']} asked for the temperature."):
        page.get_by_text("Trimming feet", exact=True).first.click()
        page.locator(".comment__text").first.wait_for()
        errand.mark("topic")
        page.locator("a.js-reply-button").nth(1).click()
        page.keyboard.type(
            f"Thank you {other['first']}, that helped. Call me: {errand.clerk['phone']}. {errand.clerk['first']}"
        )
        page.get_by_role("button", name="Publish").click()
        page.locator(".comments_list__comment >> text=that helped").wait_for()
        errand.mark("answered")


def work_in_shop(errand: Errand) -> None:
    """Work in the shop Oscar: put a bowl into the basket, search for a teapot, check out as a guest."""
    page, guest = errand.page, errand.clerk
    with errand.step("Choose a bowl"):
        errand.open_path("/catalogue/")
        errand.mark("catalogue")
        page.locator("article a:has-text('Salt bowl')").first.click()
        page.locator("#product_description").wait_for()
        page.get_by_role("button", name="Add to basket").first.click()
        page.locator(".alert-success").first.wait_for()
    with errand.step("Check out as a guest"):
        page.get_by_text("View basket", exact=True).first.click()
        page.locator("#basket_formset").wait_for()
        errand.mark("basket")
        page.locator("a[href='/checkout/']").last.click()
        page.locator("#id_username").fill(guest["email"])
        page.get_by_text("Continue", exact=True).first.click()
        for name, value in (
            ("first_name", "first"),
            ("last_name", "last"),
            ("line1", "street"),
            ("line4", "city"),
            ("phone_number", "phone"),
        ):
            page.locator(f"#id_{name}").fill(guest[value] if name != "phone_number" else "+353 91 555 142")
        page.locator("#id_postcode").fill("H91 X2Y7")
        errand.mark("address")
        page.get_by_text("Continue", exact=True).first.click()
        errand.mark("preview", 1200)


def work_in_wiki(errand: Errand) -> None:
    """Work in An Otter Wiki: read a page about people, change a page, open its history."""
    page = errand.page
    with errand.step("Look up who to ask"):
        errand.open_path("/")
        page.locator("a[href='/People']").first.click()
        page.locator("h1:has-text('People')").wait_for()
        errand.mark("people")
    with errand.step("Write it down"):
        errand.open_path("/Glazes/edit")
        page.locator(".cm-content").click()
        page.keyboard.press("Control+End")
        page.keyboard.type(f"## Ash\nAsk {errand.people[3]['name']} of {errand.people[3]['company']}.")
        errand.mark("edit")
        page.locator("#save-page-btn").click()
        page.locator("#commit-message, [name=commit]:visible").first.fill("Ash begun")
        page.keyboard.press("Enter")
        page.locator("h2:has-text('Ash')").wait_for()
        errand.mark("saved")
    with errand.step("Look at the history"):
        errand.open_path("/Glazes/history")
        errand.mark("history")


def work_in_spreadsheet(errand: Errand) -> None:
    """Work in jspreadsheet: select a cell, write another name, choose a state, search."""
    page = errand.page
    with errand.step("Correct the third customer"):
        errand.open_path("/")
        page.locator("td[data-x='0'][data-y='2']").wait_for()
        errand.mark("sheet")
        page.locator("td[data-x='0'][data-y='2']").dblclick()
        page.keyboard.press("Control+A")
        page.keyboard.type(errand.people[7]["name"])
        page.keyboard.press("Enter")
        page.locator("td[data-x='6'][data-y='4']").click()
        errand.mark("corrected")
    with errand.step("Find what is overdue"):
        page.locator(".jss_search").first.fill("overdue")
        errand.mark("found", 900)


def work_in_contacts(errand: Errand) -> None:
    """Work in Flask-AppBuilder: sign in, list the contacts, open one, change it."""
    page = errand.page
    with errand.step("Sign in"):
        errand.open_path("/login/")
        page.locator("#username").fill("clerk")
        page.locator("#password").fill("clay")
        page.locator("input[type=submit]").click()
        page.get_by_text("People").first.wait_for()
    with errand.step("Look at the contacts"):
        errand.open_path("/contacts/list/")
        page.get_by_text(errand.people[1]["name"]).first.wait_for()
        errand.mark("list")
    with errand.step("Change one"):
        errand.open_path("/contacts/edit/5")
        page.locator("#name").wait_for()
        page.locator("#personal_phone").fill(errand.people[9]["phone"])
        errand.mark("form")
        page.locator("button[type=submit], input[type=submit]").first.click()
        errand.mark("saved", 1200)


def work_in_hotel(errand: Errand) -> None:
    """Work in starlette-admin: list the guests, find one, open the booking."""
    page, guest = errand.page, errand.people[4]
    with errand.step("Look at the guests"):
        errand.open_path("/admin/guest/list")
        page.get_by_text(guest["name"], exact=True).first.wait_for()
        errand.mark("list", 900)
    with errand.step(f"Find {guest['name']}"):
        page.get_by_role("searchbox").first.fill(guest["last"])
        page.keyboard.press("Enter")
        errand.mark("found", 1200)
    with errand.step("Look at the booking"):
        errand.open_path("/admin/guest/detail/5")
        errand.mark("booking", 1500)


def work_in_ledger(errand: Errand) -> None:
    """Work in Fava: open the journal, find a payment."""
    page = errand.page
    with errand.step("Look at the income"):
        errand.open_path("/kiln-and-sons/income_statement/")
        errand.mark("income", 900)
    with errand.step("Find a payment"):
        errand.open_path("/kiln-and-sons/journal/")
        page.get_by_text(errand.people[2]["name"]).first.wait_for()
        errand.mark("journal", 900)
    with errand.step("Ask for one payer"):
        errand.open_path(f"/kiln-and-sons/journal/?filter=payee%3A%22{errand.people[2]['last']}%22")
        errand.mark("one", 900)


def work_in_dashboard(errand: Errand) -> None:
    """Work in a Streamlit dashboard: read the table, open a person, search."""
    page = errand.page
    with errand.step("Look at the customers"):
        errand.open_path("/")
        page.locator("[data-testid=stTable]").wait_for()
        errand.mark("table", 900)
    with errand.step("Look at the first"):
        page.get_by_role("tab").nth(1).click()
        page.locator("summary").first.click()
        errand.mark("person", 900)
    with errand.step("Search"):
        page.get_by_label("Search by name").fill(errand.people[3]["first"])
        page.keyboard.press("Enter")
        errand.mark("found", 1500)


HOTEL = ("starlette-admin==1.0.3", "sqlalchemy[asyncio]", "uvicorn", "python-multipart", "itsdangerous")
APPS = (
    MaskedApp("admin-en", "Django admin, customers, English", "en_GB", "people-django", DJANGO, ("python", "admin_app.py", "{port}", "en"), work_in_django_admin, "/admin/login/"),
    MaskedApp("admin-zh", "Django admin, customers, Chinese", "zh_CN", "people-django", DJANGO, ("python", "admin_app.py", "{port}", "zh-hans"), work_in_django_admin, "/admin/login/", language="zh-CN"),
    MaskedApp("admin-ar", "Django admin, customers, Arabic", "ar_AA", "people-django", DJANGO, ("python", "admin_app.py", "{port}", "ar"), work_in_django_admin, "/admin/login/", language="ar"),
    MaskedApp("forum", "forum, Spirit", "en_US", "spirit", ("django-spirit==0.14.3", "setuptools<81"), ("python", "spirit_app.py", "{port}"), work_in_forum),
    MaskedApp("shop", "shop, Oscar", "en_IE", "oscar", ("django-oscar==4.2.1", "whoosh==2.7.4", "sorl-thumbnail==13.4.0"), ("python", "oscar_app.py", "{port}"), work_in_shop),
    MaskedApp("wiki", "wiki, An Otter Wiki", "de_DE", "otterwiki", ("otterwiki==2.26.1",), ("python", "otterwiki_app.py", "{port}"), work_in_wiki),
    MaskedApp("sheet", "spreadsheet, jspreadsheet", "en_US", "people-starlette", HOTEL, ("python", "sheet_app.py", "{port}"), work_in_spreadsheet, modules=("jspreadsheet-ce@5.0.4", "jsuites@5.13.5", "@jspreadsheet/formula@2.0.2")),
    MaskedApp("contacts", "contacts, Flask-AppBuilder", "fr_FR", "people-appbuilder", ("flask-appbuilder==5.3.0",), ("python", "contacts_app.py", "{port}"), work_in_contacts, "/login/"),
    MaskedApp("hotel", "bookings, starlette-admin", "en_US", "people-starlette", HOTEL, ("python", "hotel_app.py", "{port}"), work_in_hotel, "/admin/"),
    MaskedApp("ledger", "ledger, Fava", "nl_NL", "fava", ("fava==1.30.16",), ("python", "ledger_app.py", "{port}"), work_in_ledger),
    MaskedApp("board", "dashboard, Streamlit", "en_GB", "streamlit", ("streamlit==1.67.0",), ("streamlit", "run", "board_app.py", "--server.port={port}", "--server.address=127.0.0.1", "--server.headless=true", "--browser.gatherUsageStats=false"), work_in_dashboard, "/_stcore/health"),
    MaskedApp("simple-zh", "SimpleUI over Django's admin, Chinese", "zh_CN", "people-django", DJANGO, ("python", "admin_app.py", "{port}", "zh-hans", "simpleui"), work_in_simpleui, "/admin/login/", language="zh-CN"),
)  # fmt: skip
