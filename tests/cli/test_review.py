"""The reviewer: everything that was masked, choices that become a policy, and a server that answers nobody else."""

from __future__ import annotations

import http.client
import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pagereel.cli.review import RedactionReview, create_review_server
from pagereel.errors import PolicyError
from pagereel.player_build import unpack_replay
from pagereel.redaction import Policy, PolicyRule, load_policy, to_policy_toml
from pagereel.redaction.passes.rewriter import StandInRewriter

from ..chromium import open_chromium
from ..redaction.reels import Maker

NAME = "Priya Raghunathan"
AXE = Path(__file__).resolve().parents[2] / "node_modules/axe-core/axe.min.js"


class Served:
    """A review and its server."""

    def __init__(self, folder: Path) -> None:
        m = Maker(folder / "run.reel")
        m.body(
            ["h1", {}, f"Hello, my name is {NAME}"],
            ["p", {}, "Please bring the bluebird lamp to Joris Vandermeulen"],
            ["input", {"autocomplete": "name", "value": NAME}],
        )
        m.put("request", id="1", page=1, method="GET", type="fetch", url="https://shop.example/",
              headers={"authorization": "Bearer abcdef0123456789"})  # fmt: skip
        m.checkpoint()
        self.review = RedactionReview(m.done(), folder / "run.html", "vendor", folder / "run.policy.toml")
        self.server = create_review_server(self.review)
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        self.host = f"127.0.0.1:{self.server.server_port}"
        self.review.start_build()
        self.review.wait_for_build()

    def ask(
        self, method: str, name: str, body: Any = None, token: str | None = None, **headers: str
    ) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=60)
        given = {"Host": self.host, "Origin": f"http://{self.host}", **headers}
        connection.request(
            method, f"/{token or self.review.token}/{name}", json.dumps(body) if body is not None else None, given
        )
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, content


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("review"))
    yield served
    served.server.shutdown()
    served.server.server_close()


def test_every_mask_is_listed_by_type_and_channel(served: Served) -> None:
    masks = json.loads(served.ask("GET", "state")[1])["masks"]
    name = next(m for m in masks if m["value"] == NAME)
    assert name["type"] == "PERSON"
    assert set(name["channels"]) == {"dom.text", "dom.value"}
    assert name["count"] >= 2 and name["at"] == 20 and name["shows"]
    header = next(m for m in masks if m["standIn"] == "[masked]")
    assert header["type"] == "SECRET" and not header["byValue"] and not header["byType"]
    assert {m["value"] for m in masks} >= {NAME, "Joris Vandermeulen"}


@pytest.mark.parametrize(
    ("method", "name", "token", "headers", "status"),
    [
        ("GET", "state", "guessed", {}, 403),
        ("GET", "state", None, {"Host": "attacker.example"}, 403),
        ("POST", "done", None, {"Origin": "http://attacker.example"}, 403),
        ("POST", "apply", None, {"Origin": "null"}, 403),
        ("GET", "../run.reel", None, {}, 404),
        ("GET", "review.py", None, {}, 404),
        ("POST", "apply", None, {"Content-Length": "99999999"}, 413),
    ],
)
def test_nobody_else_is_answered(
    served: Served, method: str, name: str, token: str | None, headers: dict[str, str], status: int
) -> None:
    answered, body = served.ask(method, name, None, token, **headers)
    assert answered == status
    assert NAME.encode() not in body
    assert not served.review.done.is_set()


def test_rules_that_do_not_hold_together_change_nothing(served: Served) -> None:
    status, body = served.ask("POST", "apply", {"rules": [{"kind": "entity", "match": "SECRET", "action": "allow"}]})
    assert status == 400
    assert json.loads(body)["error"] == "rule 1 cannot allow all of SECRET; allow single ones by value."
    assert served.ask("POST", "apply", {"rules": [1]})[0] == 400
    assert not served.review.save.exists()
    assert [p.name for p in served.review.save.parent.iterdir() if "toml" in p.name] == []


def test_a_policy_is_read_as_it_was_written(tmp_path: Path) -> None:
    rules = (
        PolicyRule("value", 'a "quoted"\\ näme\t😀', "mask"),
        PolicyRule("selector", "[data-x=1]", "drop"),
        PolicyRule("entity", "PERSON", "allow"),
    )
    policy = Policy("ours", form_values="detect", headers=("a", "b"), rules=rules)
    (tmp_path / "p.toml").write_text(to_policy_toml(policy))
    assert load_policy(tmp_path / "p.toml") == policy
    with pytest.raises(PolicyError):
        load_policy(tmp_path / "q.toml")


@pytest.mark.slow
def test_what_the_gate_refused_is_there_to_be_decided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StandInRewriter, "visit_code", lambda self, text, slot: text)  # a masker that lets stacks pass
    m = Maker(tmp_path / "run.reel")
    m.body(["p", {}, f"Hello, my name is {NAME}, as you know."])
    m.put("error", page=1, message="no", stack=f"Error: {NAME}\n    at x (app.js:1)")
    review = RedactionReview(m.done(), tmp_path / "run.html", "vendor", tmp_path / "run.policy.toml")
    review.start_build()
    review.wait_for_build()
    state = review.get_state()
    assert "--on-leak drop" in state["error"] and NAME not in state["error"] and not review.html.exists()
    assert NAME in {found["value"] for found in state["found"]}
    assert NAME in {mask["value"] for mask in state["masks"]}

    server = create_review_server(review)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    with open_chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"http://127.0.0.1:{server.server_port}/{review.token}/")
        page.locator("#leaks").wait_for(state="visible")
        stand_in = next(mask["standIn"] for mask in state["masks"] if mask["value"] == NAME)
        assert stand_in in page.locator("#found").inner_text() and NAME not in page.locator("#found").inner_text()
        page.locator("#originals").check()
        assert f"was {NAME}" in page.locator("#found").inner_text()
        if AXE.exists():
            page.evaluate(AXE.read_text())
            assert (
                page.evaluate(
                    "() => axe.run({exclude: [['#replay']]}, {iframes: false}).then(r => r.violations.map(v => v.id))"
                )
                == []
            )
        page.locator("#leave-out").click()
        page.wait_for_function("() => state.version === 1 && !state.building")
        page.locator("#leaks").wait_for(state="hidden")
    server.shutdown()
    server.server_close()
    assert review.get_state()["error"] is None and review.on_leak == "drop"
    assert NAME not in json.dumps(unpack_replay(review.html.read_bytes()).events)


def test_choices_become_a_policy_and_the_replay_is_built_again(served: Served) -> None:
    with open_chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
        page.goto(f"http://{served.host}/{served.review.token}/")
        page.locator("#veil").wait_for(state="hidden")
        page.locator("#originals").check()
        people = page.locator("#masks details", has=page.locator("summary", has_text="names of people"))
        if people.get_attribute("open") is None:
            people.locator("summary").click()
        row = people.locator(".row", has_text=f"was {NAME}")
        row.locator(".jump").click()
        page.locator("#spot").wait_for(state="visible")
        row.get_by_role("button", name="Unmask").click()
        page.evaluate(
            """() => {
                const page = document.getElementById('replay').contentWindow.pagereel.frame.contentDocument;
                const node = page.querySelector('p').firstChild, at = node.data.indexOf('bluebird lamp');
                page.getSelection().setBaseAndExtent(node, at, node, at + 13);
            }"""
        )
        page.locator("#take").click()
        assert page.locator("#mask-value").input_value() == "bluebird lamp"
        page.locator("#mask-form button").click()
        assert page.locator("#choices li").all_inner_texts() == [
            f"Let through “{NAME}”\nTake back",
            "Mask “bluebird lamp”\nTake back",
        ]
        for scheme in ("light", "dark") if AXE.exists() else ():  # npm ci
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            page.evaluate(AXE.read_text())
            found = page.evaluate(
                "() => axe.run({exclude: [['#replay']]}, {iframes: false}).then(r => r.violations.map(v => [v.id, v.nodes[0].html]))"
            )
            assert found == [], scheme
        page.locator("#apply").click()
        page.wait_for_function("() => state.version === 2 && !state.building")
        page.wait_for_function(
            "name => document.getElementById('replay').contentWindow.pagereel?.frame?.contentDocument"
            "?.body?.innerText.includes(name)",
            arg=NAME,
        )
        shown = page.evaluate(
            "() => document.getElementById('replay').contentWindow.pagereel.frame.contentDocument.body.innerText"
        )
        assert "bluebird" not in shown and "Vandermeulen" not in shown
        page.locator("#done").click()
        page.locator("#veil").wait_for(state="visible")
    assert served.review.done.is_set()
    assert problems == []
    policy = load_policy(served.review.save)
    assert policy.rules == (PolicyRule("value", NAME, "allow"), PolicyRule("value", "bluebird lamp", "mask"))
    assert served.review.save.stat().st_mode & 0o777 == 0o600
    built = json.dumps(unpack_replay(served.review.html.read_bytes()).events)
    assert NAME in built and "bluebird" not in built


def test_its_words_are_those_of_info() -> None:
    """Both tables stand in a script of their own: the page of the review loads nothing of the player's."""
    root = Path(__file__).resolve().parents[2]
    info = (root / "player_build/player/src/panels/info/redaction.ts").read_text("utf-8")
    review = (root / "cli/review.js").read_text("utf-8")
    tables = re.findall(r"= (\{\n  PERSON.*?\n\}|\[\n  \[/\^dom.*?\n\]);", info, re.DOTALL)
    assert len(tables) == 2 and all(f"= {table};" in review for table in tables)


def test_it_opens_when_there_is_something_to_see_with_the_players_controls(served: Served) -> None:
    with open_chromium() as browser:
        page = browser.new_page()
        page.goto(f"http://{served.host}/{served.review.token}/")
        replay = page.frame_locator("#replay")
        replay.get_by_role("button", name="Play").wait_for()
        page.wait_for_function("document.getElementById('replay').contentWindow.pagereel.ready.then(() => true)")
        frame = page.frames[1]
        assert frame.evaluate("pagereel.time > 0 && pagereel.frame.contentDocument.body.innerText.includes('Hello')")
