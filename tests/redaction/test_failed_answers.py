"""What a failed answer says of its failure can be read, where it is a program's own words; whoever it names never stays."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import pytest

from pagereel.reading import find_first_failure, open_recording
from pagereel.redaction import mask_excerpts_jointly, redact
from pagereel.redaction.passes.impersonal_error_messages import is_common_text
from tests.redaction.oracle import holds
from tests.redaction.reels import Maker, words

DECLINED = "Your card was declined."
SHAPES = (
    lambda said: ("application/json", {"message": said}),
    lambda said: ("application/json", {"error": {"type": said, "detail": said}}),
    lambda said: ("application/json", {"detail": [{"loc": ["body", "plan"], "msg": said, "type": "value_error.missing"}]}),
    lambda said: ("application/problem+json", {"title": said, "status": 422, "type": "about:blank"}),
    lambda said: ("application/json", [{"errorMessage": said, "code": said}]),
    lambda said: ("application/json", {"errors": [said]}),
    lambda said: ("text/html; charset=utf-8", f"<!doctype html><title>{said}</title><h1>{said}</h1><p>{said}"),
    lambda said: ("text/plain", said),
)  # fmt: skip
FRAMES = (
    "{}",
    "{} is not allowed to do this",
    "No account was found for {}",
    "The payment of {} was declined, try again later",
    "error: {}",
)


def failing(path: Path, bodies: list[tuple[str, object]], *shown: str, status: int = 402) -> Path:
    """A recording of requests that fail with these bodies, on a page that shows these texts."""
    m = Maker(path)
    m.body(*(["p", {}, text] for text in shown), ["button", {}, "Pay"])
    for number, (mime, value) in enumerate(bodies, 1):
        body = m.resource(mime.partition(";")[0], value if isinstance(value, str) else json.dumps(value))
        m.put("request", id=str(number), page=1, method="POST", type="fetch", url=f"https://shop.example/api/{'abcdefgh'[number % 8]}", headers={})  # fmt: skip
        m.put(
            "response",
            id=str(number),
            status=status,
            end=m.t,
            size=1,
            body=body,
            mime=mime,
            headers={"content-type": mime},
        )
    return m.done()


def strangers(seed: int) -> Iterator[str]:
    """Whoever and whatever must not stay, in words that no list has and in words that lists have."""
    rand = random.Random(seed)

    def made() -> str:
        return "".join(rand.choice("ka ri mo ta len vor shi bel nu dra pes gol wim zek fa".split()) for _ in range(3))  # noqa: SIM905

    latin = [
        "maria lopez",
        "Okonkwo",
        "bjork gudmundsdottir",
        "Priya Raghunathan",
        "smith",
        "zhang weiming",
        "Hannah Baker",
        "jones",
        "Frau Schneider",
    ]
    other = ["王小明", "محمد العتيبي", "佐藤健一", "Иванова Ольга", "Γιώργος Παπαδόπουλος", "राजेश कुमार", "김민준"]
    yield from [*rand.sample(latin, 4), *rand.sample(other, 3), made(), made().capitalize(), f"{made()} {made()}"]
    yield f"{made()}.{rand.randrange(100)}@{made()}.nl"
    yield f"+31 6 {rand.randrange(10**7, 10**8)}"
    yield f"({rand.randrange(200, 999)}) {rand.randrange(200, 999)}-{rand.randrange(1000, 9999)}"
    yield f"ORD-{rand.randrange(10**5, 10**6)}"
    yield str(rand.randrange(10**5, 10**9))
    yield "".join(rand.choices("abcdefghijkmnpqrstuvwxyz23456789", k=24))
    yield f"sk_live_{''.join(rand.choices('ABCDEFGHJKLMNabcdefg23456789', k=20))}"
    yield "-".join("".join(rand.choices("0123456789abcdef", k=k)) for k in (8, 4, 4, 4, 12))
    yield f"4{''.join(rand.choices('0123456789', k=15))}"


def test_nobody_whom_a_failed_answer_names_stays(tmp_path: Path) -> None:
    seed = random.randrange(10**6)
    shapes, frames = cycle(SHAPES), cycle(FRAMES)
    canaries = list(strangers(seed))
    # Nothing announces the number of an order within plain text: docs/redaction.md says so.
    bodies = [
        body
        for canary in canaries
        for body in (next(shapes)(next(frames).format(canary)) for _ in range(3))
        if not (body[0] == "text/plain" and canary.startswith("ORD-"))
    ]
    reel = failing(tmp_path / "a.reel", bodies)
    redact(reel, tmp_path / "b.reel")
    masked = tmp_path / "b.reel"
    assert not [canary for canary in canaries if holds(masked, canary)], f"seed {seed}"


def test_what_a_program_says_of_its_failure_is_the_same_everywhere(tmp_path: Path) -> None:
    bodies = [shape(DECLINED) for shape in SHAPES]
    bodies += [("application/json", {"code": "card_declined", "message": "用户余额不足", "name": "declined"})]
    reel = failing(tmp_path / "a.reel", bodies, "抱歉:用户余额不足")
    redact(reel, tmp_path / "b.reel")
    said = words(tmp_path / "b.reel")
    assert said.count(DECLINED) == 11 and "card_declined" in said and said.count("用户余额不足") == 2
    chain = find_first_failure(open_recording(tmp_path / "b.reel"))["chain"]
    assert "“Your card was declined”" in chain[0] and "(masked)" not in str(chain)
    compared = mask_excerpts_jointly([reel], [(DECLINED, "body"), ("please call my daughter tonight", "body")]).values
    assert compared[0] == DECLINED and compared[1] != "please call my daughter tonight"


def test_a_text_that_a_redaction_made_is_told_as_such(tmp_path: Path) -> None:
    reel = failing(
        tmp_path / "a.reel", [("application/json", {"message": "The Ostenvik account of Quillfeather is closed"})]
    )
    redact(reel, tmp_path / "b.reel")
    (said,) = find_first_failure(open_recording(tmp_path / "b.reel"))["chain"]
    assert said.endswith("” (masked).") and "Ostenvik" not in said
    (raw,) = find_first_failure(open_recording(reel))["chain"]
    assert "Ostenvik" in raw and "(masked)" not in raw


def test_only_what_tells_of_the_failure_is_read(tmp_path: Path) -> None:
    """An answer that did not fail is masked whole, and so is what stands under other keys; GraphQL's errors come with status 200."""
    note = "please call my daughter tonight"
    failed = failing(
        tmp_path / "a.reel", [("application/json", {"error": DECLINED, "note": note, "order": {"title": note}})]
    )
    passed = failing(tmp_path / "c.reel", [("application/json", {"message": note}), ("application/json", {"errors": [{"message": DECLINED}], "data": None})], status=200)  # fmt: skip
    for reel in (failed, passed):
        redact(reel, tmp_path / "b.reel")
        said = words(tmp_path / "b.reel")
        assert DECLINED in said and note not in said


@pytest.mark.parametrize("text", ["card_declined", "Invalid username or password", "value_error.missing", "Rate limit exceeded. Try again in 30 seconds.", "Ihre Karte wurde abgelehnt."])  # fmt: skip
def test_words_that_everybody_uses_are_nobodys(text: str) -> None:
    assert is_common_text(text)


@pytest.mark.parametrize("text", ["tok_1Nq8fKxQ2", "a1b2c3d4e5", "P r i y a", "call 555 0199", "jones is not allowed", "Please call Grace Stone", "rose young"])  # fmt: skip
def test_a_word_more_and_it_may_be_somebodys(text: str) -> None:
    assert not is_common_text(text)
