"""The verbs of `pagereel query`: what can be asked of a recording, and what each question takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final

import typer

from pagereel.cli.options import From, Json, Policy, Reel, To

Grep = Annotated[str | None, typer.Option("--grep", metavar="REGEX", help="Only what matches.", show_default=False)]
Agent = Annotated[
    str | None,
    typer.Option("--agent", metavar="NAME", help="Only what this one of several agents did.", show_default=False),
]
Limit = Annotated[int | None, typer.Option("--limit", metavar="N", min=1, help="At most so many.", show_default=False)]
ForAgent = Annotated[
    bool,
    typer.Option(
        "--for-agent", help="Mark what was recorded as data and not instructions, and show invisible characters."
    ),
]


def _whole(what: str) -> Callable[..., int]:
    """Return the command of a question with one answer."""

    def ask(reel: Reel, redaction: Policy = "vendor", for_agent: ForAgent = False, json: Json = False) -> int:
        return _answer(reel, what, redaction=redaction, for_agent=for_agent, json=json)

    return ask


def _list(what: str) -> Callable[..., int]:
    """Return the command of a question whose answer is a list."""

    def ask(
        reel: Reel,
        grep: Grep = None,
        start: From = None,
        end: To = None,
        limit: Limit = None,
        redaction: Policy = "vendor",
        for_agent: ForAgent = False,
        json: Json = False,
    ) -> int:
        return _answer(
            reel,
            what,
            grep=grep,
            start=start,
            end=end,
            limit=limit,
            redaction=redaction,
            for_agent=for_agent,
            json=json,
        )

    return ask


def _list_of_agents(what: str) -> Callable[..., int]:
    """Return the command of a question whose answer is a list that says which agent each was."""

    def ask(
        reel: Reel,
        grep: Grep = None,
        agent: Agent = None,
        start: From = None,
        end: To = None,
        limit: Limit = None,
        redaction: Policy = "vendor",
        for_agent: ForAgent = False,
        json: Json = False,
    ) -> int:
        return _answer(
            reel, what, grep=grep, agent=agent, start=start, end=end, limit=limit,
            redaction=redaction, for_agent=for_agent, json=json,
        )  # fmt: skip

    return ask


def _text(what: str) -> Callable[..., int]:
    def ask(
        reel: Reel,
        at: Annotated[
            str | None,
            typer.Option("--at", metavar="MOMENT", help="ms, end, 'step N', or a mark; else the end."),
        ] = None,
        redaction: Policy = "vendor",
        for_agent: ForAgent = False,
        json: Json = False,
    ) -> int:
        return _answer(reel, what, at=at, redaction=redaction, for_agent=for_agent, json=json)

    return ask


def _when_changed(what: str) -> Callable[..., int]:
    def ask(
        reel: Reel,
        selector: Annotated[
            str, typer.Argument(metavar="SELECTOR", help="#total, .price, [data-testid=total].", show_default=False)
        ],
        grep: Grep = None,
        start: From = None,
        end: To = None,
        limit: Limit = None,
        redaction: Policy = "vendor",
        for_agent: ForAgent = False,
        json: Json = False,
    ) -> int:
        return _answer(
            reel, what, selector, grep=grep, start=start, end=end, limit=limit,
            redaction=redaction, for_agent=for_agent, json=json,
        )  # fmt: skip

    return ask


def _around(what: str) -> Callable[..., int]:
    def ask(
        reel: Reel,
        step: Annotated[
            str, typer.Argument(metavar="STEP", help="A step's number, or a moment in ms.", show_default=False)
        ],
        redaction: Policy = "vendor",
        for_agent: ForAgent = False,
        json: Json = False,
    ) -> int:
        return _answer(reel, what, step, redaction=redaction, for_agent=for_agent, json=json)

    return ask


def _answer(reel: Any, what: str, about: str | None = None, **options: Any) -> int:
    from pagereel.cli.answers import answer_query

    return answer_query(reel, what, about, **options)


_QUESTIONS: Final = (
    ("overview", _whole, "Say what the run was: its pages, steps, figures.", ""),
    ("summary", _whole, "Tell the run in one paragraph.", "--json"),
    ("steps", _list_of_agents, "List the steps, with how each ended.", "--grep pay"),
    ("calls", _list_of_agents, "List what was called: clicks, typing, tools, models.", "--grep click --json"),
    ("errors", _list_of_agents, "List what went wrong.", ""),
    ("console", _list, "List what the pages wrote to the console.", "--grep warning"),
    ("requests", _list, "List what the pages asked the network for.", "--from 1000 --to 2000"),
    ("messages", _list, "List messages of WebSockets and event streams.", "--limit 20"),
    ("notes", _list_of_agents, "List what agents noted.", "--agent buyer"),
    ("stalls", _list, "List when something stood still.", ""),
    ("text", _text, "Print what the pages said at a moment.", '--at "step 3"'),
    ("first-failure", _whole, "Say what went wrong first, and what came of it.", ""),
    ("when-changed", _when_changed, "List when an element changed, and after what.", "'#total'"),
    ("around", _around, "Say what came before and after a step.", "3"),
)  # fmt: skip
"""Each question's word, what its command takes, what it gives, and what an example of it asks."""


def questions() -> list[tuple[str, Callable[..., int], str]]:
    """Return the commands: name, function, and what it does."""
    found = []
    for what, of, does, more in _QUESTIONS:
        command = of(what)
        command.__doc__ = (
            f"{does} Redacted unless told otherwise.\n\n`pagereel query REEL {what}` is the same.\n\n"
            f"\b\nExample:\n  pagereel query {what} run.reel {more}".rstrip()
        )
        found.append((what, command, does))
    return found
