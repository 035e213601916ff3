"""Which of several agents asks a model, where nobody says it: told by their prompts, the tools that they are offered, and their conversations.

An agent keeps its prompt and its tools from turn to turn, or most of them: a prompt may hold the date, or what is remembered. So two prompts need
not be the same, and the less so, the more else agrees: the tools, and whose tools' results are told. A call that is offered no tool and continues no
conversation (a title, a summary, a judge's verdict) makes no agent. Conversations under the same prompt are several agents only once two of them
went on in turns: a chat that begins anew is the same agent, and so are calls that ask one thing many times over.

The first agent is the run's own, and has no name here; the others are counted, and their names say that they are inferred. So many lanes at most are
told apart as somebody may still look through: agents after them share one name, as where each errand is a new agent with a prompt of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from pagereel.reel import Json

from .runtime.jsonable import hash_of

if TYPE_CHECKING:
    from .models import ModelCall, ModelRequest

_SAME: Final = 0.9
"""How much of their words the prompts of two calls share at least, if they are one agent's."""
_SAME_TOOLS: Final = 0.8
"""The same where both have the same tools."""
_SAME_TALK: Final = 0.5
"""The same where one tells, with the same tools, what came of the other's tool calls."""
_READ: Final = 100_000
"""Characters of a prompt that are compared."""
_WORD: Final = re.compile(r"[^\W\d_]+")
"""Dates and counters change, and are passed over."""
_INSTRUCTIONS: Final = ("system", "developer")
_SPOKEN: Final = ("assistant", "model", "tool", "function")
"""Roles of messages that come after a first answer."""
_PROMPTS: Final = 1_000
"""Prompts that are remembered for each agent."""
_AGENTS: Final = 100
"""Agents that are told apart, the run's own among them."""
REST: Final = "further agents (inferred)"
"""What all others are called together."""
_CONVERSATIONS: Final = 1_000
"""Conversations, and tool calls that are waited for, that are remembered."""


@dataclass(slots=True, eq=False)
class _Conversation:
    agent: _Agent
    opening: bytes
    began: float
    last: float
    """When its last call began."""


@dataclass(slots=True, eq=False)
class _Agent:
    words: frozenset[str]
    tools: frozenset[str]
    prompts: set[bytes]
    name: str | None
    now: _Conversation | None = None
    """The conversation that it is in."""
    beside: list[_Agent] = field(default_factory=list)
    """Others under the same prompt."""


@dataclass(slots=True)
class AgentAttribution:
    """For one recording."""

    _agents: list[_Agent] = field(default_factory=list)
    _conversations: list[_Conversation] = field(default_factory=list)
    _waited: dict[str, _Conversation] = field(default_factory=dict)
    """A provider's id of a tool call → in which conversation it was asked for."""
    _count: int = 0
    _rest: _Agent = field(default_factory=lambda: _Agent(frozenset(), frozenset(), set(), REST))
    """All agents after those that are told apart. It is not among them: nothing is like it."""

    def name(self, call: ModelCall) -> str | None:
        """Return the name of the agent that a call is from; None for the run's own."""
        asked = call.asked
        assert asked is not None
        prompt, messages = _parted(asked)
        goes_on = bool(asked.results) or any(_spoken(message) for message in messages)
        agent = self._agent(prompt, asked, goes_on)
        if agent is None:
            return None
        opening = hash_of(messages[:1])
        found = self._continued(asked, agent, opening) if goes_on else None
        if found is None:
            found = _Conversation(agent, opening, call.began, call.began)
            agent.now = agent.now or found
            self._conversations.append(found)
            del self._conversations[:-_CONVERSATIONS]
        found.last = max(found.last, call.began)
        if found.agent is agent and found is not agent.now and goes_on:
            self._weigh(agent, found)
        for use in call.answered.calls:
            if use.id:
                self._waited[use.id] = found
        while len(self._waited) > _CONVERSATIONS:
            del self._waited[next(iter(self._waited))]
        return found.agent.name

    def _agent(self, prompt: list[Json], asked: ModelRequest, goes_on: bool) -> _Agent | None:
        """Return the agent that has such a prompt and such tools, a new one too; None for a call that is no agent's."""
        key = hash_of(prompt)
        known = next((each for each in (*self._agents, self._rest) if prompt and key in each.prompts), None)
        if known is not None:
            return known
        tools = frozenset(_tools(asked.tools))
        waited = [each.agent.prompts for each in islice(self._told(asked), 1)]
        words = frozenset(_WORD.findall(" ".join(_texts(prompt))[:_READ].casefold()))
        nearest = sorted(self._agents, key=lambda each: -_shared(each.words, words))
        known = next(
            (each for each in nearest if _one(each, words, tools, any(each.prompts is of for of in waited))), None
        )
        if known is not None:
            return _remembered(known, prompt, key)
        if not (tools or goes_on):
            return None
        if self._count >= _AGENTS:
            return _remembered(self._rest, prompt, key)
        agent = _Agent(words, tools, {key}, self._next_name())
        self._agents.append(agent)
        return agent

    def _told(self, asked: ModelRequest) -> Iterator[_Conversation]:
        """Yield the conversations whose tools' results a request tells, the latest first."""
        for answer in reversed(asked.results):
            if answer.id in self._waited:
                yield self._waited[answer.id]

    def _continued(self, asked: ModelRequest, agent: _Agent, opening: bytes) -> _Conversation | None:
        """Return the conversation that a call continues: by a tool's result that was waited for, else by how it began."""
        alike = (each for each in reversed(self._conversations) if each.opening == opening)
        return next((each for each in chain(self._told(asked), alike) if each.agent.prompts is agent.prompts), None)

    def _weigh(self, agent: _Agent, found: _Conversation) -> None:
        """Two conversations of an agent have gone on: the younger is another agent's, if the elder went on beside it."""
        assert agent.now is not None
        elder, younger = sorted((agent.now, found), key=lambda each: each.began)
        if elder.last <= younger.began:
            agent.now = found
            return
        agent.now = elder
        # One that has asked nothing since is free for it.
        other = next((each for each in agent.beside if each.now is None or each.now.last < younger.began), None)
        if other is None and (agent is self._rest or self._count >= _AGENTS):
            return
        if other is None:
            other = _Agent(agent.words, agent.tools, agent.prompts, self._next_name())
            agent.beside.append(other)
        other.now, younger.agent = younger, other

    def _next_name(self) -> str | None:
        self._count += 1
        return f"agent {self._count} (inferred)" if self._count > 1 else None


def _remembered(agent: _Agent, prompt: list[Json], key: bytes) -> _Agent:
    """Return the agent, that a prompt is known to be one of from now on."""
    if prompt and len(agent.prompts) < _PROMPTS:
        agent.prompts.add(key)
    return agent


def _one(known: _Agent, words: frozenset[str], tools: frozenset[str], continued: bool) -> bool:
    """Return whether a prompt and tools are those of a known agent, whose conversation they may continue."""
    if not (
        words and known.words
    ):  # Then the tools tell; a conversation that a provider keeps is not told its prompt again.
        return _shared(known.tools, tools) >= 0.5 if known.tools and tools else not words and not known.words
    same_tools = bool(tools) and tools == known.tools
    needed = _SAME if not same_tools else _SAME_TALK if continued else _SAME_TOOLS
    return _shared(known.words, words) >= needed


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    """Return how much of all that two sets have is in both (Jaccard's index)."""
    return len(one & other) / len(one | other) if one or other else 1.0


def _parted(asked: ModelRequest) -> tuple[list[Json], list[Json]]:
    """Return the instructions of a request, and what is said."""
    instructions: list[Json] = list(asked.system)
    said: list[Json] = []
    for message in asked.messages:
        at_begin = isinstance(message, dict) and message.get("role") in _INSTRUCTIONS and not said
        (instructions if at_begin else said).append(message)
    return instructions, said


def _spoken(message: Json) -> bool:
    """Return whether a message comes after a first answer."""
    if not isinstance(message, dict):
        return False
    return message.get("role") in _SPOKEN or ("role" not in message and "call" in str(message.get("type")))


def _tools(tools: list[Json]) -> Iterator[str]:
    """Yield the names of tools, in whichever provider's form."""
    for tool in tools:
        if not isinstance(tool, dict):
            continue
        inner = tool.get("function")
        declared = tool.get("functionDeclarations") or tool.get("function_declarations")
        if isinstance(declared, list):
            yield from _tools(declared)
        elif isinstance(inner, dict):
            yield str(inner.get("name"))
        else:
            yield str(tool.get("name") or tool.get("type") or next(iter(tool), ""))


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, dict):
        for name, each in value.items():
            if name not in ("role", "type"):
                yield from _texts(each)
