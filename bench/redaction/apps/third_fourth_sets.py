"""The third and fourth set of applications, chosen after the rules were final.

Each is worked in by an agent whose prompts hold the page's text. The third set: an issue tracker, a project's pages and tickets, a notebook. The
fourth: a business suite in Russian, and a notebook of data in Japanese.
"""

from __future__ import annotations

from .app_recording import Errand, MaskedApp


def work_in_issue_tracker(errand: Errand) -> None:
    """Work in Roundup: sign in, find an issue, change it, see who takes part."""
    page, clerk = errand.page, errand.clerk
    with errand.step("Sign in"):
        errand.open_path("/studio/")
        page.locator("input[name=__login_name]").fill(clerk["user"])
        page.locator("input[name=__login_password]").fill("clay-and-ash-19")
        page.locator("input[name=__login_password]").press("Enter")
        page.get_by_text("Your Details").wait_for()
        errand.mark("issues")
    with errand.step(f"Find what {errand.people[14]['name']} wrote"):
        page.locator("input[name='@search_text']").first.fill(errand.people[14]["first"])
        page.keyboard.press("Enter")
        page.locator("table.list").first.wait_for()
        errand.mark("found")
    with errand.step("Answer"):
        errand.open_path("/studio/issue2")
        page.locator("[name='@note']").fill(
            f"I wrote to {errand.people[14]['name']}; call {clerk['phone']} if she asks."
        )
        errand.mark("issue")
        page.locator("[name=submit_button], input[type=submit]").last.click()
        page.locator(".ok-message").first.wait_for()
        errand.mark("answered")
    with errand.step("Look at my details"):
        page.get_by_text("Your Details").first.click()
        page.locator("input[name=realname]").wait_for()
        errand.mark("details")


def work_in_project(errand: Errand) -> None:
    """Work in Trac: read a page about people, search for somebody, open a ticket and write one."""
    page, other = errand.page, errand.people[12]
    with errand.step("Read who does what"):
        errand.open_path("/wiki")
        page.locator("table.wiki").first.wait_for()
        errand.mark("people")
        page.get_by_text("FiringPlan", exact=True).first.click()
        page.locator("pre.wiki").wait_for()
        errand.mark("plan")
    with errand.step(f"Search for {other['name']}"):
        page.locator("#proj-search").fill(other["last"])
        page.keyboard.press("Enter")
        page.locator("#results, .message").first.wait_for()
        errand.mark("found")
    with errand.step("Look at the ticket"):
        errand.open_path("/ticket/3")
        page.locator("#ticket").wait_for()
        errand.mark("ticket")
    with errand.step("Write one"):
        errand.open_path("/newticket")
        page.locator("#field-reporter").fill(errand.clerk["email"])
        page.locator("#field-summary").fill(f"Send {other['name']} the receipt")
        page.locator("#field-description").fill(f"To {other['street']}, {other['city']}.")
        errand.mark("form")
        page.locator("input[name=submit]").last.click()
        page.locator("#ticket").wait_for()
        errand.mark("written")
        errand.open_path("/report/1")
        errand.mark("report")


def work_in_notebook(errand: Errand) -> None:
    """Work in TiddlyWiki: read the minutes, open a note about somebody, search, write a note."""
    page = errand.page
    with errand.step("Read the minutes"):
        errand.open_path("/")
        page.locator("[data-tiddler-title='Glaze meeting']").wait_for()
        errand.mark("minutes", 900)
    with errand.step("Open a note about somebody"):
        page.locator(f".tc-tiddlylink >> text={errand.people[2]['name']}").first.click()
        page.locator(f'[data-tiddler-title="{errand.people[2]["name"]}"]').wait_for()
        errand.mark("person", 900)
    with errand.step(f"Look for {errand.people[4]['first']}"):
        page.locator(".tc-search input[type=search], .tc-sidebar-search input").first.fill(errand.people[4]["first"])
        errand.mark("found", 1200)
    with errand.step("Write a note"):
        page.locator("[aria-label='new tiddler']").first.click()
        page.locator(".tc-titlebar.tc-edit-texteditor").fill(f"Call with {errand.people[5]['name']}")
        page.frame_locator("iframe.tc-edit-texteditor-body").locator("textarea").fill(f"Wants the jugs by Friday. {errand.people[5]['phone']}")  # fmt: skip
        errand.mark("edit", 900)
        page.locator(".tc-tiddler-edit-frame [aria-label='confirm changes to this tiddler'], .tc-tiddler-edit-frame button:has(.tc-image-done-button)").first.click()  # fmt: skip
        errand.mark("written", 1200)


def work_in_page_admin(errand: Errand) -> None:
    """Work in Wagtail: sign in, list the pages, change one, find somebody among the users."""
    page, other = errand.page, errand.people[4]
    with errand.step("Sign in"):
        errand.open_path("/admin/login/")
        page.locator("#id_username").fill(errand.clerk["user"])
        page.locator("#id_password").fill("clay-and-ash-19")
        page.locator("#id_password").press("Enter")
        page.locator("#main").wait_for()
        errand.mark("home", 900)
    with errand.step("Look at the pages"):
        errand.open_path("/admin/pages/3/")
        page.get_by_text(errand.people[9]["name"]).first.wait_for()
        errand.mark("pages", 900)
    with errand.step("Change one"):
        errand.open_path("/admin/pages/4/edit/")
        page.locator("#id_title").wait_for()
        page.locator("#id_title").fill(errand.people[15]["name"])
        errand.mark("edit", 900)
    with errand.step(f"Find {other['name']}"):
        errand.open_path(f"/admin/users/?q={other['first']}")
        page.locator("table.listing").first.wait_for()
        errand.mark("found", 900)
        errand.open_path("/admin/users/")
        page.locator("table.listing").first.wait_for()
        errand.mark("users", 900)


LATER = (
    MaskedApp("tracker", "tracker of issues, Roundup", "en_US", "roundup", ("roundup==2.6.0",), ("python", "tracker_app.py", "{port}"), work_in_issue_tracker, "/studio/"),
    MaskedApp("project", "pages and tickets, Trac", "de_DE", "trac", ("trac==1.6", "setuptools<81"), ("python", "project_app.py", "{port}"), work_in_project),
    MaskedApp("notebook", "notebook, TiddlyWiki", "en_IE", "faker", ("faker==40.63.0",), ("python", "notebook_app.py", "{port}"), work_in_notebook, modules=("tiddlywiki@5.4.1",)),
    MaskedApp("pages-ar", "content management, Wagtail, Arabic", "ar_AA", "wagtail", ("wagtail==8.0.1",), ("python", "pages_app.py", "{port}", "ar"), work_in_page_admin, "/admin/login/", language="ar"),
)  # fmt: skip


def record_model_question(errand: Errand, question: str, answer: str) -> None:
    """Record a model call whose prompt holds the page's text and a question; no model is asked."""
    said = errand.page.locator("body").inner_text()[:4_000]
    prompt = [
        {"role": "system", "content": "You work for the studio. Answer in one line."},
        {"role": "user", "content": f"The page says:\n{said}\n\n{question}"},
    ]
    errand.session.llm_call(
        model="gpt-5-mini", input_tokens=1_800, output_tokens=40, cost_usd=0.002, prompt=prompt, response=answer
    )


def work_in_business_suite(errand: Errand) -> None:
    """Work in Tryton: sign in, list the parties, open one, write another name."""
    page, other = errand.page, errand.people[5]
    with errand.step("Sign in"):
        errand.open_path("/")
        page.locator("input#login").fill("admin")
        page.keyboard.press("Enter")
        page.locator("input[type=password]:visible").last.fill("clay-and-ash-19")
        page.keyboard.press("Enter")
        page.locator("#tabs .tab-pane, .wizard-form, #tablist li").first.wait_for()
        errand.mark("home", 2500)
    with errand.step("Look at the parties"):
        errand.open_path("/#studio/model/party.party")
        page.get_by_text(errand.people[1]["name"]).first.wait_for()
        errand.mark("parties", 2500)
        record_model_question(
            errand, f"In which town is {other['name']}?", f"{other['name']}: {other['city']}, {other['street']}"
        )
    with errand.step(f"Open {other['name']}"):
        errand.open_path("/#studio/model/party.party/6")
        page.wait_for_function(
            "name => [...document.querySelectorAll('input')].some(e => e.value === name)", arg=other["name"]
        )
        errand.mark("party", 3000)
        page.evaluate(
            "name => [...document.querySelectorAll('input')].find(e => e.value === name).focus()", other["name"]
        )
        page.keyboard.press("Control+A")
        page.keyboard.type(errand.people[12]["name"])
        errand.mark("renamed", 900)


def work_in_jupyterlab(errand: Errand) -> None:
    """Work in JupyterLab: read a long notebook, ask a model about it, write a note into it."""
    page, other = errand.page, errand.people[2]
    with errand.step("Open the notebook"):
        errand.open_path("/lab/tree/customers.ipynb")
        page.locator(".jp-Notebook .jp-Cell").nth(3).wait_for()
        errand.mark("notebook", 2500)
    with errand.step("Who owes most?", f"{other['name']} asked for the list."):
        record_model_question(errand, "Who owes most?", f"{max(errand.people, key=lambda one: one['balance'])['name']}")
        page.locator(".jp-Cell").nth(5).scroll_into_view_if_needed()
        errand.mark("further", 900)
    with errand.step("Write a note"):
        page.locator(".jp-Cell").last.scroll_into_view_if_needed()
        page.locator(".jp-Cell").last.dblclick()
        page.keyboard.press("Control+End")
        page.keyboard.type(f"\n4. Written by {errand.clerk['first']}: {other['email']} has paid.")
        errand.mark("note", 900)


NODES = """
import os, sys
os.execvp("node", ["node", os.environ["MODULES"] + "/node-red/red.js", "-u", "work", "-p", sys.argv[1], "-D", "editorTheme.tours=false", "-D", "telemetry.enabled=false"])
"""
CURVES = """
import json, os, sys
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.event_file_writer import EventFileWriter
for one in json.load(open("people.json"))[:4]:
    writer = EventFileWriter("runs/" + one["user"])
    for step in range(40):
        said = [Summary.Value(tag=tag, simple_value=one["balance"] / (step + 1)) for tag in ("loss/train", "kiln temperature")]
        writer.add_event(Event(step=step, wall_time=1.7e9 + step, summary=Summary(value=said)))
    writer.close()
os.execv(sys.executable, [sys.executable, "-m", "tensorboard.main", "--logdir=runs", "--port=" + sys.argv[1]])
"""


def work_in_node_red(errand: Errand) -> None:
    """Work in Node-RED: find a node, write a note about somebody into a flow, open the settings."""
    page, other = errand.page, errand.people[3]
    with errand.step("Open the editor"):
        errand.open_path("/")
        page.locator(".red-ui-palette-node").first.wait_for()
        errand.mark("editor", 1500)
    with errand.step("Look for a node"):
        page.locator("#red-ui-palette-search input").fill("comment")
        errand.mark("palette", 900)
        page.locator(".red-ui-palette-node:visible").first.drag_to(
            page.locator("#red-ui-workspace-chart"), target_position={"x": 300, "y": 200}
        )
        page.locator(".red-ui-flow-node").first.dblclick(force=True)
        page.locator("#node-input-name").fill(f"Ask {other['name']}")
        errand.mark("note", 900)
        page.locator("#node-dialog-ok").click()
        errand.mark("written", 900)
    with errand.step("Look at the settings"):
        page.keyboard.press("Control+,")
        errand.mark("settings", 1500)


def work_in_tensorboard(errand: Errand) -> None:
    """Work in TensorBoard: read the curves of all runs and of one, change the theme."""
    page, other = errand.page, errand.people[2]
    with errand.step("Look at the curves"):
        errand.open_path("/")
        page.locator("scalar-card").first.wait_for()
        errand.mark("curves", 2500)
    with errand.step(f"Those of {other['user']} alone"):
        page.locator("runs-data-table input, runs-selector input, tb-data-table input").first.fill(other["user"])
        errand.mark("one", 1500)
    with errand.step("Search for a tag"):
        page.locator("metrics-tag-filter input").first.fill("loss")
        errand.mark("tag", 1500)


NEWEST = (
    MaskedApp("business", "business suite, Tryton, Russian", "ru_RU", "tryton", ("trytond==8.0.12", "trytond-party==8.0.4", "trytond-sale==8.0.5"), ("python", "business_app.py", "{port}", "ru"), work_in_business_suite, language="ru", modules=("tryton-sao@8.0.11",)),
    MaskedApp("lab-zh", "notebook of data, JupyterLab, Chinese", "zh_CN", "jupyter-zh", ("jupyterlab==4.6.6", "jupyterlab-language-pack-zh-CN"), ("python", "lab_app.py", "{port}", "zh_CN"), work_in_jupyterlab, "/lab", language="zh-CN"),
    MaskedApp("nodes", "flows, Node-RED", "en_GB", "faker", ("faker==40.63.0",), ("python", "-c", NODES, "{port}"), work_in_node_red, modules=("node-red@4",)),
    MaskedApp("curves", "curves of training, TensorBoard, Angular", "en_US", "tensorboard", ("tensorboard", "setuptools<81"), ("python", "-c", CURVES, "{port}"), work_in_tensorboard),
    MaskedApp("lab", "notebook of data, JupyterLab, Japanese", "ja_JP", "jupyter", ("jupyterlab==4.6.6",), ("python", "lab_app.py", "{port}"), work_in_jupyterlab, "/lab", language="ja"),
)  # fmt: skip
