"""Runs grow old: they are thinned, held, deleted, and nothing of what is gone is in any file."""

from __future__ import annotations

import itertools
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import orjson
import pytest

from pagereel.cli import main
from pagereel.errors import UsageError
from pagereel.library import Library, parse_query
from pagereel.library.retention import TierTimes, find_overdue_runs, parse_retention
from pagereel.library.searching import search_catalogue
from pagereel.reading import open_recording
from pagereel.reel import open_reel, verify
from tests.redaction.reels import Maker

DAY = 86_400_000.0
START = datetime(2026, 11, 1, tzinfo=UTC).timestamp() * 1_000
BETWEEN = {
    "text": "qhalfway7",
    "attribute": "wattribute3",
    "console": "kconsole9",
    "body": "jbody4",
    "address": "vaddress6",
    "picture": "xpicture2",
    "typed": "ytyped8",
    "caption": "ucaption5",
    "error": "rthrown1",
    "title of a call": "ccalled1",
    "locator": "llocated3",
    "error of a call": "hquoted2",
    "error of a step": "mquoted6",
    "detail of a gap": "ddetail4",
    "line of code": "ocode5",
}
"""What was there between the ends of steps alone. Each begins with a letter of its own: an index keeps a word without what it has in common with the one before."""
PROMPT, ANSWER, ENDED = "fprompt1", "ganswer1", "bended1"


def walked(path: Path, id: str = "aaaaaa", started: float = START, success: bool = True, agent: str = "bot") -> Path:
    """A run of two steps: pages at their ends hold :data:`ENDED`, all else holds canaries."""
    maker = Maker(path, id=id, started=started, agent=agent, metadata={"test": "t::pay", "error": "assert failed"})
    sheet = maker.resource("text/css", ".logo { background: url(logo.svg) }")
    logo = maker.resource("image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'/>")
    other = maker.resource(
        "image/svg+xml", f"<svg xmlns='http://www.w3.org/2000/svg'><text>{BETWEEN['picture']}</text></svg>"
    )
    body = maker.resource("application/json", f'{{"said": "{BETWEEN["body"]}"}}')
    shot = maker.resource("image/png", b"\x89PNG not really")
    for number, (url, sha, mime) in enumerate(
        [("style.css", sheet, "text/css"), ("logo.svg", logo, "image/svg+xml"), ("other.svg", other, "image/svg+xml"),
         (f"api?q={BETWEEN['address']}", body, "application/json")]
    ):  # fmt: skip
        address = f"https://shop.example/{url}"
        maker.put("request", id=f"r{number}", page=1, method="GET", url=address, type="other", headers={}, d=1)
        maker.put("response", id=f"r{number}", status=200, headers={}, end=maker.t + 1, size=9, mime=mime, body=sha)
    link = ["link", {"rel": "stylesheet", "href": "style.css"}]
    maker.page(
        "snapshot",
        why="start",
        ops=[
            [
                "doc",
                1,
                ["#document", {}, ["html", {}, ["head", {}, link], ["body", {}, ["p", {}, "Begins"], ["input", {}]]]],
            ]
        ],
    )
    maker.put("step", id=1, title="Look around", reasoning="There is a shop")
    maker.put(
        "llm",
        id=2,
        step=1,
        model="m-1",
        input_tokens=10,
        output_tokens=5,
        cost_usd=0.25,
        prompt=PROMPT,
        response=ANSWER,
    )
    maker.ops(
        ["text", 7, BETWEEN["text"]], ["attr", 6, {"data-x": BETWEEN["attribute"]}], ["value", 8, BETWEEN["typed"]]
    )
    maker.ops(["add", 6, 20, ["img", {"src": "other.svg"}]])
    maker.put(
        "call", id=9, step=1, page=1, method="fill", title=f'Fill "{BETWEEN["title of a call"]}"', params={"value": BETWEEN["title of a call"]}, duration=5,
        locator=f'page.get_by_text("{BETWEEN["locator"]}")', log=BETWEEN["locator"],
        error=f'TimeoutError: "{BETWEEN["error of a call"]}"\nCall log:\n{BETWEEN["error of a call"]}',
        source={"file": "bot.py", "line": 3, "function": "run", "code": [f"fill({BETWEEN['line of code']!r})"]},
    )  # fmt: skip
    maker.put("gap", reason="fetched", detail={"url": f"https://shop.example/{BETWEEN['detail of a gap']}"})
    maker.put("console", page=1, level="error", text=BETWEEN["console"])
    maker.put("error", page=1, message=BETWEEN["error"])
    maker.checkpoint()
    maker.t += 2_000
    maker.ops(
        ["text", 7, ENDED],
        ["attr", 6, {"data-x": None}],
        ["value", 8, ""],
        ["del", 20],
        ["cues", 6, [[1, 9, BETWEEN["caption"], {}]]],
    )
    maker.put("screenshot", id=3, step=1, page=1, label="the end", body=shot)
    maker.put("step_end", id=1, success=True)
    maker.put("step", id=4, title="Pay")
    maker.put("step_end", id=4, success=success, error=f"it timed out\nCall log:\n{BETWEEN['error of a step']}")
    return maker.done()


def everything(folder: Path) -> bytes:
    """All bytes of all files below a folder, and what reels say unpacked."""
    found = []
    for path in folder.rglob("*"):
        if path.is_file():
            found.append(path.read_bytes())
            if path.suffix == ".reel":
                with open_reel(path) as reel:
                    found += [orjson.dumps(event) for event in reel.events()]
    return b"\n".join(found)


def tails(canaries: Iterator[str] | list[str], held: bytes) -> list[str]:
    return [canary for canary in canaries if canary[2:].encode() in held]


def found(library: Library, query: str) -> list[str]:
    """The ids that a query finds, without its line in the log: what somebody looked for stays there."""
    return [run.id for run in search_catalogue(library.catalogue, parse_query(query)).runs]


def ruled(folder: Path, retention: str, index: str = "off") -> Library:
    folder.mkdir()
    (folder / "library.toml").write_text(f'index = "{index}"\n{retention}')
    return Library(folder)


AGES = '[retention]\nfull = "30d"\nsteps = "90d"\nfacts = "300d"\n[[retention.rule]]\nquery = "outcome:failed"\nfull = "60d"\n'


def test_the_steps_tier_holds_nothing_between_the_ends_of_steps(tmp_path: Path) -> None:
    source = walked(tmp_path / "a.reel")
    with ruled(tmp_path / "runs", AGES) as library:
        library.add(source)
        before = everything(tmp_path / "runs")
        assert sorted(tails(list(BETWEEN.values()), before)) == sorted(set(BETWEEN.values())), (
            "else this test could not fail"
        )
        assert found(library, BETWEEN["text"]) == ["aaaaaa"]
        told = library.expire(START + 31 * DAY)
        assert (told.thinned, told.deleted, told.kept) == (["aaaaaa"], [], [])
        assert tails(list(BETWEEN.values()), everything(tmp_path / "runs")) == []
        assert found(library, BETWEEN["text"]) == []
        for kept in (
            f"seen:{ENDED}",
            f"said:{ANSWER}",
            'said:"there is a shop"',
            "outcome:passed cost:>0.2",
            "tier:steps",
            "model:m-1",
        ):
            assert [run.id for run in library.search(kept).runs] == ["aaaaaa"], kept
        shown = library.show("aaa")
        assert shown["tier"] == "steps" and shown["tokens"] == 15 and shown["errors"] == 3
        (run,) = library.search(f"seen:{ENDED}").runs
    kept = tmp_path / "runs" / run.path
    report = verify(kept)
    assert report.ok, report.problems
    reading = open_recording(kept)
    assert "bended1" in reading.text(at="step 1")[0]["text"] and [step["title"] for step in reading.steps()] == [
        "Look around",
        "Pay",
    ]
    (call,) = [call for call in reading.calls() if call["kind"] == "playwright"]
    assert (call["title"], call["error"], call["step"]) == ("fill", "TimeoutError", 1) and "code" not in call["source"]
    with open_reel(kept) as reel:
        events = list(reel.events())
        (thinned,) = [event for event in events if event["k"] == "thinned"]
        assert thinned["tier"] == "steps" and len(str(thinned["sha256"])) == 64
        bodies = {str(event["mime"]) for event in events if event["k"] == "resource"}
        assert bodies == {"text/css", "image/svg+xml", "image/png"}, (
            "the page's sheet, the picture that it draws, the screenshot"
        )
        assert reel.header["expires"] == "2027-08-28T00:00:00+00:00"


def test_the_facts_tier_holds_no_text_of_pages_prompts_and_answers(tmp_path: Path) -> None:
    with ruled(tmp_path / "runs", AGES) as library:
        library.add(walked(tmp_path / "a.reel"))
        made = tmp_path / "runs" / "served"
        made.mkdir()
        (made / "aaaaaa.0123.vendor.html").write_text(ENDED)
        library.expire(START + 91 * DAY)
        gone = [*BETWEEN.values(), PROMPT, ANSWER, ENDED, "assert failed"]
        assert tails(gone, everything(tmp_path / "runs")) == []
        shown = library.show("aaa")
        assert shown["tier"] == "facts" and shown["goal"] == ["Look around", "Pay"] and shown["cost_usd"] == 0.25
        assert "passed" in shown["markdown"]
        assert found(library, '"look around" cost:0.25 test:t::pay') == ["aaaaaa"]
        before = library.search("", limit=200)
        assert library.rebuild() == 1
        assert library.search("", limit=200) == before
        library.expire(START + 301 * DAY)
        assert library.search("").total == 0 and not library.find_leftovers()
    assert tails(["Look around"], everything(tmp_path / "runs")) == []


def test_a_year_ahead_nothing_is_overdue_and_what_is_held_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "runs"
    with ruled(
        folder,
        AGES + '[[retention.rule]]\nquery = "flag:evidence"\nfull = "forever"\nsteps = "forever"\nfacts = "forever"\n',
    ) as library:
        for number in range(12):
            library.add(
                walked(tmp_path / "x.reel", f"run{number:03}", START + number * 10 * DAY, success=number % 3 > 0)
            )
        library.keep("run002", "ticket 4711")
        library.keep("run003", "until spring", until=START + 200 * DAY)
        library.flag("run004", "Evidence")
        ahead = START + 365 * DAY
        late = find_overdue_runs(library, ahead)
        assert sorted(late) == [f"run{number:03}" for number in range(12) if number != 4]
        planned = library.expire(ahead, dry_run=True)
        assert library.search("").total == 12 and find_overdue_runs(library, ahead) == late, "a dry run does nothing"
        done = library.expire(ahead)
        assert planned == done
        assert done.held == ["run002"] and done.kept == ["run004"]
        assert done.deleted == ["run000", "run001", "run003", "run005", "run006"]
        assert done.thinned == [f"run{number:03}" for number in range(7, 12)]
        assert set(find_overdue_runs(library, ahead)) == {"run002"}, "none but the one that is held"
        tiers = {id: library.resolve(id).tier for id in library.catalogue.list_ids()}
        assert tiers == {"run002": "full", "run004": "full"} | {f"run{number:03}": "facts" for number in range(7, 12)}
        assert library.log()[1] and not library.find_leftovers()
        answers = [library.search(query, limit=200) for query in ("", "flag:evidence", "outcome:failed", "tier:facts")]
        library.rebuild()
        assert [
            library.search(query, limit=200) for query in ("", "flag:evidence", "outcome:failed", "tier:facts")
        ] == answers
        library.release("run002")
        assert library.expire(ahead).deleted == ["run002"]
    assert main(["library", "audit", str(folder)]) == 0
    assert "of 6 deleted nothing is left" in capsys.readouterr().out
    (folder / "recordings" / "run000.reel").write_bytes(b"somebody put it back")
    assert main(["library", "audit", str(folder)]) == 1


def test_the_masked_copy_knows_when_it_is_to_be_gone(tmp_path: Path) -> None:
    with ruled(tmp_path / "runs", AGES, index="vendor") as library:
        source = walked(tmp_path / "a.reel")
        library.add(source)
        entry = library.resolve("aaaaaa")
        assert (tmp_path / "runs" / entry.place).read_bytes() == source.read_bytes()
        with open_reel(tmp_path / "runs" / entry.indexed) as reel:
            assert reel.header["expires"] == "2027-08-28T00:00:00+00:00" and reel.sealed
        told = library.expire(START + 31 * DAY)
        assert told.thinned == ["aaaaaa"]
        for name in (entry.place, entry.indexed):
            assert verify(tmp_path / "runs" / name).ok
        assert tails(list(BETWEEN.values()), everything(tmp_path / "runs")) == []
    with ruled(tmp_path / "others", "[retention]\n") as other:
        other.add(tmp_path / "runs" / entry.indexed)
        assert len(other.expire(START + 299 * DAY).kept) == 1
        assert len(other.expire(START + 301 * DAY).deleted) == 1, (
            "the header says so, whatever the rules of this library"
        )


def test_a_recording_that_stands_elsewhere_is_left_alone(tmp_path: Path) -> None:
    source = walked(tmp_path / "a.reel")
    before = source.read_bytes()
    with ruled(tmp_path / "runs", AGES) as library:
        library.add(source, link=True)
        library.expire(START + 31 * DAY)
        assert tails(list(BETWEEN.values()), everything(tmp_path / "runs")) == []
        assert library.search(f"seen:{ENDED}").total == 1
        library.expire(START + 301 * DAY)
        assert library.search("").total == 0
    assert source.read_bytes() == before


def test_what_was_added_again_after_its_time_does_not_come_back_by_itself(tmp_path: Path) -> None:
    source = walked(tmp_path / "a.reel")
    with ruled(tmp_path / "runs", AGES) as library:
        library.add(source)
        library.expire(START + 31 * DAY)
        assert library.add(source).did == "known", "thinned, and the same recording"
        library.expire(START + 301 * DAY)
        ((_, added, _),) = library.add_many([source], again=False)
        assert added is not None and added.did == "known" and library.search("").total == 0
        assert library.add(source).did == "added", "somebody says so"


EXPIRE = """
import sys
from pagereel.library import Library, parse_query
with Library(sys.argv[1]) as library:
    library.catalogue
    print("begins", flush=True)
    library.expire(float(sys.argv[2]))
"""


@pytest.mark.slow
def test_killed_while_it_thins_it_goes_on_next_time(tmp_path: Path) -> None:
    with ruled(tmp_path / "runs", AGES) as library:
        for number in range(12):
            library.add(walked(tmp_path / "x.reel", f"run{number:03}", START + number))
    for nth in itertools.count(1):
        child = subprocess.Popen(
            [sys.executable, "-c", EXPIRE, str(tmp_path / "runs"), str(START + 31 * DAY)], stdout=subprocess.PIPE
        )
        assert child.stdout is not None and child.stdout.readline() == b"begins\n"
        time.sleep(0.015 * nth)
        if nth <= 10:
            child.send_signal(signal.SIGKILL)
        child.communicate()
        if nth > 10:
            break
    with Library(tmp_path / "runs") as library:
        assert library.search("tier:steps outcome:passed cost:0.25").total == 12, (
            "the figures are those of the whole runs"
        )
        assert library.log()[1] and find_overdue_runs(library, START + 31 * DAY) == {}
        found = library.search(f"seen:{ENDED}", limit=200)
        assert found.total == 12
        library.rebuild()
        assert library.search(f"seen:{ENDED}", limit=200) == found
    assert tails(list(BETWEEN.values()), everything(tmp_path / "runs")) == []


def test_tiers_by_age() -> None:
    times = TierTimes(full=10, steps=20, facts=30)
    assert [times.get_due_tier(age) for age in (0, 9, 10, 19, 20, 29, 30, 99)] == [
        "full",
        "full",
        "steps",
        "steps",
        "facts",
        "facts",
        "gone",
        "gone",
    ]
    assert TierTimes(full=10, facts=30).get_due_tier(15) == "facts", "a tier without a time is skipped"
    assert TierTimes(full=10).get_due_tier(11) == "gone" and TierTimes().get_due_tier(1e18) == "full"
    assert TierTimes(10, 20, 30).keep_longer_times(TierTimes(full=15, facts=5)) == TierTimes(15, 20, 30)
    with pytest.raises(UsageError, match="full must not last longer"):
        parse_retention({"full": "30d", "steps": "7d"}, "library.toml")
    for wrong, said in (({"full": "soon"}, "a time is"), ({"ful": "1d"}, "names 'ful'"), ({"rule": [{"full": "1d"}]}, "needs a query"),
                        ({"rule": [{"query": "colour:red"}]}, "Unknown operator colour"), (3, "is a table")):  # fmt: skip
        with pytest.raises(UsageError, match=said):
            parse_retention(wrong, "library.toml")


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "runs")
    with ruled(tmp_path / "runs", "") as library:
        library.add(walked(tmp_path / "a.reel"))
    assert main(["library", "expire", folder]) == 2
    assert "has no [retention]" in capsys.readouterr().err
    (tmp_path / "runs" / "library.toml").write_text('index = "off"\n[retention]\nfull = "30d"\n')
    assert main(["library", "keep", folder, "aaa"]) == 2
    assert main(["library", "keep", folder, "aaa", "--why", "a ticket", "--until", "2027-06-30"]) == 0
    assert main(["library", "expire", folder, "--now", "2027-01-01", "--json"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out.partition("\n")[2])["held"] == ["aaaaaa"]
    assert main(["library", "keep", folder, "aaa", "--release"]) == 0
    assert main(["library", "flag", folder, "aaa", "review"]) == 0
    assert main(["library", "search", folder, "flag:review"]) == 0
    assert main(["library", "expire", folder, "--now", "2027-01-01", "--dry-run"]) == 0
    assert "would be thinned 0, deleted 1, held 0, kept 0" in capsys.readouterr().out
    assert main(["library", "expire", folder, "--now", "2027-01-01"]) == 0
    assert main(["library", "list", folder]) == 0
    assert "0 runs" in capsys.readouterr().out
