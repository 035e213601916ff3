"""bench/compare/judge: judges the comparison by differences planted in applications that it was not tuned on; prints totals only.

    python -m bench.compare.judge [--keep FOLDER] [--app NAME …] [--repeats 8] [--sites FILE]

The applications are Ihatemoney's budget, Trac's tickets and wiki, and TiddlyWiki, which synchronizes with its server. A proxy edits what their servers
answer; all else that varies from run to run is their own. A run that gave up, on a machine that was too slow for it, is left out and counted. Each pair
and each unchanged run is compared with one run and a baseline of three more. No miss is named: whoever opens a run to see why it was missed tunes on
it, and then has to replace it. `--sites` names a Python file of other applications in `SITES`, written as here.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, unquote

from playwright.sync_api import Browser, Locator, sync_playwright

from pagereel.browser import launch_options
from pagereel.comparison import KINDS, Comparison, compare
from pagereel.fixtures import thirdparty
from pagereel.recorder import record

from .scripted_agent import ScriptedAgent, run_script
from .world.fault_proxy import FaultProxy, ProxiedRequest, ProxyPlan, ServedAnswer

PROGRAM = Path(__file__).parent / "world" / "programs" / "judge_app.py"
RIGHT, ALARMS, BASELINE = 0.95, 0.02, 3
Edit = Callable[[str], str]
MAY: Final = {
    "status": set(KINDS) - {"cost", "model"}, "background": {"network", "console", "page"}, "data": {"page", "network"}, "figure": {"page", "network"},
    "row": {"page", "network"}, "moved": {"page", "network"}, "label": {"page"}, "missing": {"page"}, "disabled": {"page", "network"}, "link": {"page"},
    "console": {"console"}, "slow": {"time", "page"}, "redirect": {"network", "time"}, "word": set(KINDS) - {"cost", "model"},
    "outcome": {"outcome"}, "cost": {"cost"},
}  # fmt: skip
"""What is planted, and the kinds of differences that it may bring."""


@dataclass(frozen=True)
class PlantedFault:
    """One difference that is planted in a site.

    `at` is a pattern of the method and address of the request whose answer the proxy changes.
    """

    kinds: tuple[str, ...]
    """Kinds that the divergence may be of; `words`: one of them stands in its summary."""
    words: tuple[str, ...]
    at: str = ""
    edit: Edit | None = None
    since: int = 1
    """Number of the answer from which on it is edited."""
    status: int = 0
    step: str = ""
    """Title of the step in which it was done; "" where that is not asked."""


@dataclass(frozen=True)
class JudgeSite:
    """One application, the script that the agent follows in it, and the differences that can be planted there."""

    name: str
    requirements: tuple[str, ...]
    path: str
    script: Callable[[JudgeAgent], None]
    plants: dict[str, PlantedFault]
    program: Path = PROGRAM
    """A Python file that serves the application by `NAME PORT` from the folder that it runs in, with the packages of `requirements`."""


class JudgeAgent(ScriptedAgent):
    """An agent that can plant a difference itself.

    With the plan `word` it fills a word backwards, with `outcome` it lets a step fail, with `cost` it records an expensive model call.
    """

    fills = 0

    def fill(self, locator: Locator, text: str) -> None:
        self.fills += 1
        locator.fill(text[::-1] if self.plan == "word" and self.fills == 3 else text)

    def click(self, locator: Locator) -> None:
        self.tools += 1
        self.record_model_call(f"What comes next, after {self.tools - 1} actions?")
        locator.click()

    def record_model_call(self, question: str) -> None:
        dear = self.plan == "cost" and self.tools == 4
        self.pause(150)
        self.session.llm_call(
            model="clay-2-mini", provider="example", input_tokens=40_000 if dear else 950, output_tokens=50, cost_usd=0.09 if dear else 0.001,
            duration=900, prompt=question, response="Go on.",
        )  # fmt: skip


def make_swap_edit(first: str, second: str) -> Edit:
    """Return an edit that swaps two parts of a text, each given as a regular expression."""

    def swap_matches(text: str) -> str:
        one, other = re.search(first, text, re.S), re.search(second, text, re.S)
        if one is None or other is None or one.end() > other.start():
            return text
        return text[: one.start()] + other[0] + text[one.end() : other.start()] + one[0] + text[other.end() :]

    return swap_matches


def make_replacement_edit(old: str, new: str) -> Edit:
    """Return an edit that replaces each match of the pattern `old` by `new`."""
    return lambda text: re.sub(old, new, text, flags=re.S)


def add_agent_faults(backwards_word: str, faults: dict[str, PlantedFault], costly_step: str) -> dict[str, PlantedFault]:
    """Return a site's planted differences with those that the agent makes itself: `word`, `outcome` and `cost`.

    `backwards_word` is the word that is filled backwards, `costly_step` the title of the step with the expensive model call.
    """
    return faults | {
        "word": PlantedFault(("action",), (backwards_word[::-1],)),
        "outcome": PlantedFault(("outcome",), ("not reached", "failed")),
        "cost": PlantedFault(("cost",), ("cost", "USD"), step=costly_step),
    }


def make_console_fault(request_pattern: str) -> PlantedFault:
    """Return a planted difference that makes the page log a TypeError to the console."""
    return PlantedFault(("console",), ("rota is undefined",), request_pattern, make_replacement_edit("</head>", "<script>console.error('TypeError: rota is undefined')</script></head>"))  # fmt: skip


def run_budget_script(agent: JudgeAgent) -> None:
    page = agent.page
    with agent.step("Open the budget"):
        page.goto(agent.url)
        page.get_by_role("link", name="Add a new bill").first.wait_for()
        agent.pause(300)
    with agent.step("Add a bill"):
        agent.click(page.get_by_role("link", name="Add a new bill").first)
        agent.fill(page.locator("#what[required]"), "Cobalt oxide")
        page.locator("#payer[required]").select_option(label="Georg")
        agent.fill(page.locator("#amount[required]"), "36")
        agent.click(page.locator("#submit[value=Submit]"))
        agent.wait_for_text("Cobalt oxide")
        agent.pause(300)
    with agent.step("Correct another"):
        agent.click(page.locator("a[href$='/edit/2']").first)
        agent.fill(page.locator("#what[required]"), "Ash wood")
        agent.click(page.locator("#submit[value=Submit]"))
        page.get_by_role("columnheader", name="How much?").first.wait_for()
        agent.pause(300)
    with agent.step("Settle"):
        agent.click(page.get_by_role("link", name="Settle").first)
        agent.wait_for_text("To whom?")
        agent.click(page.get_by_role("link", name="Statistics").first)
        agent.wait_for_text("Expenses by month")
        agent.pause(300)
    with agent.step("Look again"):
        agent.click(page.get_by_role("link", name="Bills").first)
        agent.wait_for_text("Cobalt oxide")
        agent.pause(600)


BILLS, BILL = r"GET /demo/", r"GET /demo/edit/2"
BUDGET = JudgeSite("budget", ("ihatemoney==7.2.1", "setuptools<81"), "/demo", run_budget_script, add_agent_faults("Ash wood", {
    "status": PlantedFault(("network",), ("500",), r"POST /demo/edit/2", status=500),
    "background": PlantedFault(("network",), ("404", "tagsinput"), r"GET /static/js/tagsinput\.js", status=404),
    "data": PlantedFault(("page",), ("Food shipping",), BILLS, make_replacement_edit("Food shopping", "Food shipping")),
    "figure": PlantedFault(("page",), ("200.50", "200"), BILLS, make_replacement_edit(r"200\.00", "200.50"), since=3),
    "row": PlantedFault(("page",), ("AMAP", "50.00"), BILLS, make_replacement_edit(r"<tr\b(?:(?!</tr>).)*AMAP.*?</tr>", "")),
    "moved": PlantedFault(("page",), ("below",), r"GET /demo/settle_bills", make_swap_edit(r'<a [^>]*>Settle</a>', r'<a [^>]*>Statistics</a>')),
    "label": PlantedFault(("page",), ("external", "invoice"), BILL, make_replacement_edit("External link", "Link to the invoice")),
    "missing": PlantedFault(("page",), ("Invite people",), BILLS, make_replacement_edit(r"Invite people", "")),
    "disabled": PlantedFault(("page",), ("disabled",), BILL, make_replacement_edit('id="external_link"', 'id="external_link" disabled')),
    "link": PlantedFault(("page",), ("href",), r"GET /demo/statistics", make_replacement_edit('href="/demo/settle_bills"', 'href="/demo/settle"')),
    "console": make_console_fault(BILL),
    "slow": PlantedFault(("time",), (" took ",), BILL),
    "redirect": PlantedFault(("network",), ("/hop", "307"), r"GET /demo/statistics"),
}, "Correct another"))  # fmt: skip


def run_wiki_script(agent: JudgeAgent) -> None:
    page = agent.page
    with agent.step("Look at the tickets"):
        page.goto(agent.url)
        agent.wait_for_text("Order more cobalt")
        agent.pause(300)
    with agent.step("Answer one"):
        agent.click(page.get_by_role("link", name="Kiln door does not close"))
        agent.fill(page.locator("#comment"), "The hinge is bent.")
        if not page.locator("#field-keywords").is_visible():
            agent.click(page.get_by_role("link", name="Modify Ticket"))
        agent.fill(page.locator("#field-keywords"), "hinge")
        agent.fill(page.locator("#field-cc"), "mirela")
        agent.click(page.locator("input[name=submit]").last)
        page.locator(".change").first.wait_for()
        agent.pause(300)
    with agent.step("Read the wiki"):
        agent.click(page.get_by_role("link", name="Wiki", exact=True).first)
        agent.wait_for_text("Welcome to Trac")
        agent.click(page.get_by_role("link", name="Roadmap", exact=True).first)
        agent.wait_for_text("milestone1")
        agent.pause(300)
    with agent.step("Look again"):
        agent.click(page.get_by_role("link", name="View Tickets").first)
        agent.click(page.get_by_role("link", name="Active Tickets", exact=False).first)
        agent.wait_for_text("Order more cobalt")
        agent.pause(600)


REPORT, TICKET = r"GET /report/1(\?.*)?", r"GET /ticket/2(\?.*)?"
WIKI = JudgeSite("wiki", ("trac==1.6", "setuptools<81"), "/report/1", run_wiki_script, add_agent_faults("mirela", {
    "status": PlantedFault(("network",), ("500",), r"POST /ticket/2.*", status=500),
    "background": PlantedFault(("network",), ("404", "folding"), r"GET /chrome/common/js/folding\.js.*", status=404),
    "data": PlantedFault(("page",), ("Order less",), REPORT, make_replacement_edit("Order more cobalt", "Order less; Order more cobalt")),
    "figure": PlantedFault(("page",), ("9 matches",), REPORT, make_replacement_edit("4 matches", "9 matches"), since=2),
    "row": PlantedFault(("page",), ("Repaint the sign", "#4"), REPORT, make_replacement_edit(r"<tr\b(?:(?!</tr>).)*Repaint the sign.*?</tr>", "")),
    "moved": PlantedFault(("page",), ("below",), r"GET /roadmap", make_swap_edit(r"<a [^>]*>Timeline</a>", r"<a [^>]*>Roadmap</a>")),
    "label": PlantedFault(("page",), ("Watchers",), TICKET, make_replacement_edit("Cc:", "Watchers:")),
    "missing": PlantedFault(("page",), ("Timeline",), r"GET /wiki", make_replacement_edit(r"<a [^>]*>Timeline</a>", "")),
    "disabled": PlantedFault(("page",), ("disabled",), TICKET, make_replacement_edit('name="preview"', 'name="preview" disabled')),
    "link": PlantedFault(("page",), ("href",), r"GET /wiki", make_replacement_edit('href="/prefs"', 'href="/preferences"')),
    "console": make_console_fault(TICKET),
    "slow": PlantedFault(("time",), (" took ",), r"GET /roadmap"),
    "redirect": PlantedFault(("network",), ("/hop", "307"), r"GET /roadmap"),
}, "Read the wiki"))  # fmt: skip


def run_notes_script(agent: JudgeAgent) -> None:
    page = agent.page
    with agent.step("Open the notes"):
        page.goto(agent.url)
        agent.wait_for_text("Syncing Changes")
        agent.pause(600)
    with agent.step("Write one"):
        agent.click(page.get_by_role("button", name="new tiddler").first)
        agent.fill(page.locator("input.tc-titlebar"), "Celadon")
        agent.fill(page.locator("input[placeholder='tag name']"), "glazes")
        agent.click(
            page.get_by_role("button", name="Confirm changes to this tiddler")
            .or_(page.get_by_role("button", name="ok"))
            .first
        )
        page.locator("input.tc-titlebar").wait_for(state="detached")
        agent.pause(1500)
    with agent.step("Look it up"):
        agent.fill(page.locator("input[type=search]").first, "Celadon")
        agent.wait_for_text("matches")
        agent.pause(500)
        page.locator("input[type=search]").first.fill("")
    with agent.step("Look at the others"):
        agent.click(page.get_by_role("switch", name="More").or_(page.get_by_role("tab", name="More")).first)
        agent.pause(500)
        agent.click(page.get_by_role("switch", name="Recent").or_(page.get_by_role("tab", name="Recent")).first)
        agent.pause(800)


HOME = r"GET /"
NOTES = JudgeSite("notes", ("npm:tiddlywiki@5.3.8",), "/", run_notes_script, add_agent_faults("Celadon", {
    "status": PlantedFault(("network",), ("500",), r"PUT /recipes/default/tiddlers/Celadon", status=500),
    "background": PlantedFault(("network",), ("500",), r"GET /recipes/default/tiddlers\.json.*", status=500),
    "data": PlantedFault(("network", "page"), ("Welcome to",), HOME, make_replacement_edit(r"Welcome to ~TiddlyWiki and the ~TiddlyWiki community", "Welcome to ~TiddlyWiki and its community")),
    "figure": PlantedFault(("network", "page"), ("read_only", "true", "nobody", "username"), r"GET /status", make_replacement_edit('"username": ?"[^"]*"', '"username":"nobody"')),
    "label": PlantedFault(("page",), ("Lately",), HOME, make_replacement_edit(r"(SideBar/Recent/Caption[^}]*?)Recent", r"\1Lately")),
    "missing": PlantedFault(("page",), ("close all",), HOME, make_replacement_edit(r"(CloseAll/Button[^}]*?)close all", r"\1")),
    "link": PlantedFault(("page",), ("href",), HOME, make_replacement_edit(r"Visit https://tiddlywiki\.com/", "Visit https://notes.example/")),
    "console": PlantedFault(("console",), ("rota is undefined",), HOME, make_replacement_edit("</body>", "<script>console.error('TypeError: rota is undefined')</script></body>")),
    "slow": PlantedFault(("time",), (" took ",), r"GET /status"),
    "redirect": PlantedFault(("network",), ("/hop", "307"), r"GET /status"),
}, "Look at the others"))  # fmt: skip
SITES = (BUDGET, WIKI, NOTES)


def make_proxy_plan(fault: str, planted_fault: PlantedFault | None) -> ProxyPlan:
    """Return what the proxy does in a run with this fault; the plan's `came` gets an item each time the fault was planted."""
    came: list[str] = []
    met: list[str] = []

    def is_faulty_request(request: ProxiedRequest) -> bool:
        return planted_fault is not None and bool(planted_fault.at) and re.fullmatch(planted_fault.at, f"{request.method} {request.target}") is not None  # fmt: skip

    def answer_itself(request: ProxiedRequest) -> ServedAnswer | None:
        if fault == "redirect" and request.path == "/hop":
            came.append(request.target)
            return ServedAnswer(status=307, headers=[("Location", unquote(request.target.partition("?to=")[2]))])
        if planted_fault is None or not is_faulty_request(request):
            return None
        if planted_fault.status:
            came.append(request.target)
            return ServedAnswer(b'{"reason": "not now"}', "application/json", planted_fault.status)
        if fault == "redirect" and not met:
            met.append(request.target)
            return ServedAnswer(status=307, headers=[("Location", f"/hop?to={quote(request.target)}")])
        return None

    def compute_delay(request: ProxiedRequest) -> float:
        if fault == "slow" and is_faulty_request(request) and not came:
            came.append(request.target)
            return 3.0
        return 0.0

    def choose_edit(request: ProxiedRequest) -> Callable[[bytes], bytes] | None:
        if planted_fault is None or planted_fault.edit is None or not is_faulty_request(request):
            return None
        met.append(request.target)
        return edit_body if len(met) >= planted_fault.since else None

    def edit_body(body: bytes) -> bytes:
        assert planted_fault is not None and planted_fault.edit is not None
        text = body.decode()
        new = planted_fault.edit(text)
        if new != text:
            came.append("edited")
        return new.encode()

    return ProxyPlan(answer_itself, compute_delay, choose_edit, came)


@contextlib.contextmanager
def run_site(site: JudgeSite) -> Iterator[int]:
    """Run a site's program in a new folder until the block ends; give its port."""
    port = thirdparty.find_free_port()
    if site.requirements[0].startswith("npm:"):
        name, _, version = site.requirements[0].removeprefix("npm:").partition("@")
        start = ["node", str(thirdparty.fetch_npm_package(name, version) / f"{name}.js")]
        made, served = ["notes", "--init", "server"], ["notes", "--listen", f"port={port}", "host=127.0.0.1"]
        with tempfile.TemporaryDirectory() as aside:
            subprocess.run([*start, *made], cwd=aside, check=True, capture_output=True)
            with thirdparty.run_program([*start, *served], f"http://127.0.0.1:{port}{site.path}", {}, Path(aside)):
                yield port
        return
    binaries = thirdparty.install_python_packages(f"judge-{site.name}", *site.requirements)
    with tempfile.TemporaryDirectory() as aside:
        shutil.copy(site.program, aside)
        environment = {"HOME": aside, "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}"}
        command = [str(binaries / "python"), site.program.name, site.name, str(port)]
        with thirdparty.run_program(command, f"http://127.0.0.1:{port}{site.path}", environment, Path(aside)):
            yield port


def record_run(browser: Browser, site: JudgeSite, path: Path, fault: str = "") -> Path | None:
    """Record one run and return its path, or None where the fault could not be planted; a recording that is already there is kept."""
    if path.is_file():
        return path
    plant, part = site.plants.get(fault), path.with_suffix(".part")
    planned = make_proxy_plan(fault, plant)
    with run_site(site) as port, FaultProxy(port, planned) as proxy:
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        with record(context, part, agent="bench", overwrite=True) as session:
            run_script(site.script, JudgeAgent(session, context.new_page(), proxy.url + site.path, fault if plant is not None and not plant.at else ""))  # fmt: skip
        context.close()
    if plant is not None and plant.at and not planned.came:
        part.unlink()
        return None
    return part.rename(path)


def is_fault_named(planted_fault: PlantedFault, result: Comparison) -> bool:
    """Return whether the divergence has a planted kind, names the planted words, and lies in the planted step."""
    found = result.divergence
    if (
        found is None
        or found.kind not in planted_fault.kinds
        or not any(word in found.summary for word in planted_fault.words)
    ):
        return False
    return not planted_fault.step or found.b.title == planted_fault.step


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.compare.judge", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--app", action="append", metavar="NAME")
    parser.add_argument("--sites", type=Path, help="a file whose SITES are judged in place of these")
    parser.add_argument("--repeats", type=int, default=8)
    parser.add_argument("--keep", type=Path, help="the runs stay here, and those that are here are not made again")
    options = parser.parse_args(arguments)
    sites: tuple[JudgeSite, ...] = runpy.run_path(str(options.sites))["SITES"] if options.sites else SITES
    told, taken = dict.fromkeys(("pairs", "right", "with", "without", "repeats", "alarms", "gated", "not planted", "gave up"), 0), []  # fmt: skip
    with tempfile.TemporaryDirectory() as aside, sync_playwright() as playwright:
        folder = options.keep or Path(aside)
        folder.mkdir(parents=True, exist_ok=True)
        given: dict[str, Any] = launch_options()
        browser = playwright.chromium.launch(**{**given, "args": [*given["args"], "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]})  # fmt: skip
        for site in (site for site in sites if not options.app or site.name in options.app):
            good, *others = (
                record_run(browser, site, folder / f"{site.name}-base-{n}.reel") for n in range(1 + BASELINE)
            )
            assert good is not None
            if compare(good, good, redaction=None).outcome["a"] != "passed":
                raise SystemExit(f"{site.name}: the run to hold against did not pass; look at {good} (--keep)")
            for fault, plant in site.plants.items():
                bad = record_run(browser, site, folder / f"{site.name}-{fault}.reel", fault)
                told["not planted"] += bad is None
                if bad is None:
                    continue
                began = time.perf_counter()
                result = compare(good, bad, baseline=others, redaction=None)
                taken.append(time.perf_counter() - began)
                if result.outcome["b"] != "passed" and fault not in ("status", "word", "outcome"):
                    told["gave up"] += 1
                    continue
                told["pairs"] += 1
                told["right"] += is_fault_named(plant, result)
                told["with"] += bool(result.failed(plant.kinds))
                told["without"] += not result.failed([kind for kind in KINDS if kind not in MAY[fault]] or "none")
            for number in range(options.repeats):
                result = compare(good, record_run(browser, site, folder / f"{site.name}-again-{number}.reel"), baseline=others, redaction=None)  # type: ignore[arg-type]  # fmt: skip
                if result.outcome["b"] != "passed":
                    told["gave up"] += 1
                    continue
                told["repeats"] += 1
                told["alarms"] += not result.equal
                told["gated"] += bool(result.failed(KINDS))
        browser.close()
    return print_totals(told, taken)


def print_totals(counts: dict[str, int], comparison_seconds: list[float]) -> int:
    """Print the totals of all sites; return 0 when all floors are met, 1 when not."""
    pairs, repeats = max(counts["pairs"], 1), max(counts["repeats"], 1)
    for what, name in (("right", "first divergence right"), ("with", "--fail-on the planted kind exits with 1"), ("without", "--fail-on all kinds that it cannot bring exits with 0")):  # fmt: skip
        print(f"{name}: {counts[what]} of {pairs} ({counts[what] / pairs:.0%}; floor {RIGHT:.0%})")
    print(f"unchanged runs taken for different: {counts['alarms']} of {repeats} (at most {ALARMS:.0%}); with --fail-on all kinds {counts['gated']}")  # fmt: skip
    print(f"could not be planted: {counts['not planted']}; gave up: {counts['gave up']}; a comparison took {sorted(comparison_seconds)[len(comparison_seconds) // 2] * 1000 if comparison_seconds else 0:.0f} ms, median; load {os.getloadavg()[0]:.0f}")  # fmt: skip
    floors = [counts[what] / pairs >= RIGHT for what in ("right", "with", "without")]
    return 0 if all(floors) and counts["alarms"] / repeats <= ALARMS else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
