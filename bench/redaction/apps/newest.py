"""A fourth set: a business suite in Russian and a notebook of data in Japanese, each worked by an agent whose prompts hold what the page says."""

from __future__ import annotations

from .run import App, Errand


def asked(run: Errand, question: str, answer: str) -> None:
    """Have a model be asked about what the page says, as agents do."""
    said = run.page.locator("body").inner_text()[:4_000]
    prompt = [
        {"role": "system", "content": "You work for the studio. Answer in one line."},
        {"role": "user", "content": f"The page says:\n{said}\n\n{question}"},
    ]
    run.session.llm_call(
        model="gpt-5-mini", input_tokens=1_800, output_tokens=40, cost_usd=0.002, prompt=prompt, response=answer
    )


def business(run: Errand) -> None:
    """Tryton: sign in, look at the parties, open one, write another name."""
    page, other = run.page, run.people[5]
    with run.step("Sign in"):
        run.go("/")
        page.locator("input#login").fill("admin")
        page.keyboard.press("Enter")
        page.locator("input[type=password]:visible").last.fill("clay-and-ash-19")
        page.keyboard.press("Enter")
        page.locator("#tabs .tab-pane, .wizard-form, #tablist li").first.wait_for()
        run.mark("home", 2500)
    with run.step("Look at the parties"):
        run.go("/#studio/model/party.party")
        page.get_by_text(run.people[1]["name"]).first.wait_for()
        run.mark("parties", 2500)
        asked(run, f"In which town is {other['name']}?", f"{other['name']}: {other['city']}, {other['street']}")
    with run.step(f"Open {other['name']}"):
        run.go("/#studio/model/party.party/6")
        page.wait_for_function(
            "name => [...document.querySelectorAll('input')].some(e => e.value === name)", arg=other["name"]
        )
        run.mark("party", 3000)
        page.evaluate(
            "name => [...document.querySelectorAll('input')].find(e => e.value === name).focus()", other["name"]
        )
        page.keyboard.press("Control+A")
        page.keyboard.type(run.people[12]["name"])
        run.mark("renamed", 900)


def lab(run: Errand) -> None:
    """JupyterLab: read a long notebook, ask a model about it, write a note into it."""
    page, other = run.page, run.people[2]
    with run.step("Open the notebook"):
        run.go("/lab/tree/customers.ipynb")
        page.locator(".jp-Notebook .jp-Cell").nth(3).wait_for()
        run.mark("notebook", 2500)
    with run.step("Who owes most?", f"{other['name']} asked for the list."):
        asked(run, "Who owes most?", f"{max(run.people, key=lambda one: one['balance'])['name']}")
        page.locator(".jp-Cell").nth(5).scroll_into_view_if_needed()
        run.mark("further", 900)
    with run.step("Write a note"):
        page.locator(".jp-Cell").last.scroll_into_view_if_needed()
        page.locator(".jp-Cell").last.dblclick()
        page.keyboard.press("Control+End")
        page.keyboard.type(f"\n4. Written by {run.clerk['first']}: {other['email']} has paid.")
        run.mark("note", 900)


NEWEST = (
    App("business", "business suite, Tryton, Russian", "ru_RU", "tryton", ("trytond==8.0.12", "trytond-party==8.0.4", "trytond-sale==8.0.5"), ("python", "business_app.py", "{port}", "ru"), business, language="ru", modules=("tryton-sao@8.0.11",)),
    App("lab", "notebook of data, JupyterLab, Japanese", "ja_JP", "jupyter", ("jupyterlab==4.6.6",), ("python", "lab_app.py", "{port}"), lab, "/lab", language="ja"),
)  # fmt: skip
