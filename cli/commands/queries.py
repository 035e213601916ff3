"""The verbs of `pagereel query`: one for each question about a recording, with its options."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Parameter, Signature
from typing import Annotated, Any, Final

import typer

from pagereel.cli.options import From, Json, Policy, Reel, To

Grep = Annotated[
    str | None, typer.Option("--grep", metavar="REGEX", help="Only entries that match.", show_default=False)
]
Agent = Annotated[
    str | None,
    typer.Option(
        "--agent", metavar="NAME", help="Only the entries of this agent, if there are several.", show_default=False
    ),
]
Limit = Annotated[
    int | None, typer.Option("--limit", metavar="N", min=1, help="The largest number of entries.", show_default=False)
]
ForAgent = Annotated[
    bool,
    typer.Option(
        "--for-agent", help="Mark what was recorded as data and not instructions, and show invisible characters."
    ),
]


At = Annotated[
    str | None,
    typer.Option("--at", metavar="MOMENT", help="The moment: ms, end, 'step N', or a mark; default: the end."),
]
Selector = Annotated[
    str, typer.Argument(metavar="SELECTOR", help="#total, .price, [data-testid=total].", show_default=False)
]
Step = Annotated[str, typer.Argument(metavar="STEP", help="A step's number, or a moment in ms.", show_default=False)]

_NEEDED: Final = Parameter.empty
_PARAMETERS: Final[dict[str, tuple[Any, Any]]] = {
    "reel": (Reel, _NEEDED),
    "selector": (Selector, _NEEDED),
    "step": (Step, _NEEDED),
    "at": (At, None),
    "grep": (Grep, None),
    "agent": (Agent, None),
    "start": (From, None),
    "end": (To, None),
    "limit": (Limit, None),
    "redaction": (Policy, "vendor"),
    "for_agent": (ForAgent, False),
    "json": (Json, False),
}
"""What questions take, in their order: each one's type, and what it is where nothing is given."""
_EVERY: Final = ("reel", "redaction", "for_agent", "json")
_LIST: Final = ("grep", "start", "end", "limit")
_LIST_OF_AGENTS: Final = (*_LIST, "agent")


def _build_question_command(question: str, extra_parameters: Sequence[str]) -> Callable[..., int]:
    """Return the function of the command that answers the question `question`.

    `extra_parameters`: the parameters of this question, in addition to those that all questions have.
    """

    def answer_question(reel: Any, selector: str | None = None, step: str | None = None, **options: Any) -> int:
        from pagereel.cli.query_and_export import print_query_answer

        return print_query_answer(reel, question, selector or step, **options)

    taken = {name: of for name, of in _PARAMETERS.items() if name in (*_EVERY, *extra_parameters)}
    answer_question.__annotations__ = {name: kind for name, (kind, _) in taken.items()} | {"return": int}
    parameters = [
        Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=kind)
        for name, (kind, default) in taken.items()
    ]
    answer_question.__signature__ = Signature(parameters, return_annotation=int)  # type: ignore[attr-defined]
    return answer_question


_QUESTIONS: Final[tuple[tuple[str, tuple[str, ...], str, str], ...]] = (
    ("overview", (), "Say what the run was: its pages, steps, figures.", ""),
    ("summary", (), "Summarize the run in one paragraph.", "--json"),
    ("steps", _LIST_OF_AGENTS, "List the steps, with how each ended.", "--grep pay"),
    ("calls", _LIST_OF_AGENTS, "List what was called: clicks, typing, tools, models.", "--grep click --json"),
    ("errors", _LIST_OF_AGENTS, "List what went wrong.", ""),
    ("console", _LIST, "List what the pages wrote to the console.", "--grep warning"),
    ("requests", _LIST, "List what the pages asked the network for.", "--from 1000 --to 2000"),
    ("messages", _LIST, "List messages of WebSockets and event streams.", "--limit 20"),
    ("notes", _LIST_OF_AGENTS, "List what agents noted.", "--agent buyer"),
    ("stalls", _LIST, "List when a page or the machine did not respond.", ""),
    ("text", ("at",), "Print what the pages said at a moment.", '--at "step 3"'),
    ("first-failure", (), "Say what went wrong first, and what came of it.", ""),
    ("when-changed", ("selector", *_LIST), "List when an element changed, and after what.", "'#total'"),
    ("around", ("step",), "Show a step with what came before and after it.", "3"),
)
"""Each question's word, what it takes, what it gives, and what an example of it asks."""


def build_question_commands() -> list[tuple[str, Callable[..., int], str]]:
    """Return the verbs of `query`, each as its name, its function and its description."""
    found = []
    for what, takes, does, more in _QUESTIONS:
        command = _build_question_command(what, takes)
        command.__doc__ = (
            f"{does} Redacted unless told otherwise.\n\n`pagereel query REEL {what}` is the same.\n\n"
            f"\b\nExample:\n  pagereel query {what} run.reel {more}".rstrip()
        )
        found.append((what, command, does))
    return found
