"""Writes tests/golden/VERSION/: one file of each kind that this version of pagereel makes, for tests of later versions.

Run `.venv/bin/python scripts/make_golden_files.py` once for each release (docs/releasing.md), and never again for the same
release: the files of a released version stay as that version wrote them. They show the run of an invented shop without
a server, which fails at the payment. All persons are invented, and no file names the machine that wrote it.
"""

from __future__ import annotations

import getpass
import json
import platform
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import Route, sync_playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from pagereel import Library, __version__, build, record, redact
from pagereel.browser import launch_options
from pagereel.comparison import accept_run
from pagereel.redaction import load_policy
from pagereel.reel import new_key_pair

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parent.parent
SHOP = "https://shop.example"
PAGE = """<!doctype html><html lang="en"><title>Checkout</title><style>body{font:16px sans-serif}#state{color:#a00}</style>
<h1>Checkout</h1><form><label>Full name <input id="name"></label><label>E-mail <input id="mail" type="email"></label>
<label>Parcels <select id="parcels"><option>One<option>Two</select></label><button type="button" id="pay">Pay 48 EUR</button></form>
<p id="state">Order 7731 for Elena Marchetti</p><script>
document.querySelector("#pay").onclick = async () => {
  const answer = await fetch("/api/pay", {method: "POST", body: JSON.stringify({to: document.querySelector("#mail").value})});
  console.error("payment: " + answer.status);
  document.querySelector("#state").textContent = answer.ok ? "Paid" : "The card was declined";
};</script>"""
POLICY = 'base = "vendor"\nrequire_models = false\n\n[[patterns]]\nregex = "BX-\\\\d{2,5}"\n'


def answer_shop_request(route: Route, *, accepts_card: bool) -> None:
    """Answer a request of the shop's page in place of a server; `accepts_card`: the card is accepted."""
    if not route.request.url.endswith("/api/pay"):
        route.fulfill(body=PAGE, content_type="text/html")
    elif accepts_card:
        route.fulfill(status=201, json={"order": 7731})
    else:
        route.fulfill(status=402, json={"error": "declined", "order": 7731})


def record_checkout(
    browser: Browser, reel: Path, *, accepts_card: bool, encrypt_to: list[str | bytes] | None = None
) -> None:
    """Record an agent that fills in the checkout form and pays; `accepts_card`: the card is accepted."""
    context = browser.new_context(viewport={"width": 800, "height": 500})
    context.route("**/*", lambda route: answer_shop_request(route, accepts_card=accepts_card))
    with record(
        context, reel, agent="checkout-bot", metadata={"ticket": "T-12"}, versions={"prompt": "Buy what the ticket says."},
        **({"encrypt_to": encrypt_to} if encrypt_to else {}),
    ) as session:  # fmt: skip
        page = context.new_page()
        with session.step("Open the checkout"):
            page.goto(f"{SHOP}/checkout?order=7731")
        with session.step("Fill in the form", reasoning="The ticket says who it is for."):
            session.llm_call(
                model="m",
                input_tokens=1200,
                output_tokens=80,
                cost_usd=0.004,
                prompt="Badge BX-4711. Who?",
                response="Elena Marchetti",
            )
            call = session.tool_call("address_book", arguments={"name": "Elena Marchetti"})
            session.tool_result(call, result={"mail": "elena.marchetti@example.com"})
            page.get_by_label("Full name").fill("Elena Marchetti")
            page.get_by_label("E-mail").fill("elena.marchetti@example.com")
            page.get_by_label("Parcels").select_option("Two")
        session.mark("before payment")
        with session.step("Pay") as step:
            page.get_by_role("button", name="Pay 48 EUR").click()
            try:
                page.get_by_text("Paid").wait_for(timeout=5000 if accepts_card else 400)
            except PlaywrightTimeout:
                step.outcome(success=False, reason="The card was declined")
        session.outcome(accepts_card, "paid" if accepts_card else "The card was declined")
    context.close()


def write_golden_files(folder: Path) -> None:
    """Write one file of each kind into an empty folder."""
    key = folder / "team.key"
    key.write_text("a passphrase that everybody may read\n")
    private, public = new_key_pair()
    (folder / "team.pem").write_bytes(private)
    (folder / "policy.toml").write_text(POLICY)
    run, paid, locked = folder / "failed.reel", folder / "paid.reel", folder / "locked.reel"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        record_checkout(browser, run, accepts_card=False)
        record_checkout(browser, paid, accepts_card=True)
        record_checkout(browser, locked, accepts_card=True, encrypt_to=[str(key), public])
        browser.close()
    policy = load_policy(folder / "policy.toml")
    build(run, folder / "masked.html", policy)
    build(paid, folder / "compact.html", None, compact=True)
    redact(run, folder / "masked.reel", policy, vault=folder / "masked.vault", vault_key=str(key))
    accept_run(folder / "baseline", paid, why="the checkout as it should be", by="release")
    (folder / "library").mkdir()
    (folder / "library" / "library.toml").write_text('index = "vendor"\n\n[retention]\nfull = "9000d"\n')
    with Library(folder / "library") as library:
        library.add(run)
    (folder / "version.json").write_text(json.dumps({"version": __version__}) + "\n")


if __name__ == "__main__":
    target = ROOT / "tests" / "golden" / __version__
    if target.exists():
        sys.exit(f"{target.relative_to(ROOT)} is there: files of a released version stay as it wrote them.")
    target.mkdir(parents=True)
    platform.platform = lambda *_, **__: "Linux"
    getpass.getuser, socket.gethostname = (lambda: "release"), (lambda: "example")
    try:
        write_golden_files(target)
    except BaseException:
        shutil.rmtree(target)
        raise
    subprocess.run(["du", "-ab", str(target)], check=True)
