"""Infers which of several agents makes a model call, if the caller does not name it: by prompt, offered tools, and conversation.

An agent keeps most of its prompt and its tools from call to call; a date or a memory in the prompt may change. So two
similar prompts count as the same agent's. They may differ more if the tools are the same, or if the call returns
results of the other's tool calls. A call that offers no tools and continues no conversation (a title, a summary, a
judge's verdict) makes no new agent. Conversations under the same prompt count as several agents only once two of them
have alternated: a new chat belongs to the same agent, and so do calls that repeat one question.

The first agent is the run itself and has no name; the others get numbers, and their names say that they are inferred.
If there are more than `_AGENTS` agents, the rest share one name, because a reader cannot tell more of them apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from pagereel.reel import Json

from .runtime.json_conversion import hash_json

if TYPE_CHECKING:
    from .model_log import ModelCall, ModelRequest

_SAME: Final = 0.9
"""Smallest share of common words at which two prompts belong to one agent."""
_SAME_TOOLS: Final = 0.8
"""The same share where both calls offer the same tools."""
_SAME_TALK: Final = 0.5
"""The same share where the tools are the same and one call returns results of the other's tool calls."""
_READ: Final = 100_000
"""Characters of a prompt that are compared."""
_WORD: Final = re.compile(r"[^\W\d_]+")
"""A word of a prompt. Digits are left out, because dates and counters change."""
_INSTRUCTIONS: Final = ("system", "developer")
_ROLES_AFTER_ANSWER: Final = ("assistant", "model", "tool", "function")
"""Roles that a message has only after the model's first answer."""
_PROMPTS: Final = 1_000
"""Largest number of prompts remembered for each agent."""
_AGENTS: Final = 100
"""Largest number of agents with a name of their own, the run itself included."""
REST: Final = "further agents (inferred)"
"""The common name of all agents after the first `_AGENTS`."""
_CONVERSATIONS: Final = 1_000
"""Largest number of conversations, and of tool calls without a result, that are remembered."""


@dataclass(slots=True, eq=False)
class _AgentConversation:
    agent: _InferredAgent
    opening: bytes
    began: float
    last: float
    """When its last call began."""


@dataclass(slots=True, eq=False)
class _InferredAgent:
    words: frozenset[str]
    tools: frozenset[str]
    prompts: set[bytes]
    name: str | None
    now: _AgentConversation | None = None
    """The agent's present conversation."""
    beside: list[_InferredAgent] = field(default_factory=list)
    """Other agents with the same prompt."""


@dataclass(slots=True)
class AgentAttribution:
    """Infers which agent makes each model call of one recording."""

    _agents: list[_InferredAgent] = field(default_factory=list)
    _conversations: list[_AgentConversation] = field(default_factory=list)
    _waited: dict[str, _AgentConversation] = field(default_factory=dict)
    """A provider's id of a tool call → the conversation that asked for it."""
    _count: int = 0
    _rest: _InferredAgent = field(default_factory=lambda: _InferredAgent(frozenset(), frozenset(), set(), REST))
    """One agent for all after the first `_AGENTS`. It is not in `_agents`, so no prompt is compared with it."""

    def infer_agent_name(self, call: ModelCall) -> str | None:
        """Return the name of the agent that makes a call; None for the run itself."""
        asked = call.asked
        assert asked is not None
        prompt, messages = _split_instructions(asked)
        goes_on = bool(asked.results) or any(_is_after_model_answer(message) for message in messages)
        agent = self._find_or_add_agent(prompt, asked, goes_on)
        if agent is None:
            return None
        opening = hash_json(messages[:1])
        found = self._find_continued_conversation(asked, agent, opening) if goes_on else None
        if found is None:
            found = _AgentConversation(agent, opening, call.began, call.began)
            agent.now = agent.now or found
            self._conversations.append(found)
            del self._conversations[:-_CONVERSATIONS]
        found.last = max(found.last, call.began)
        if found.agent is agent and found is not agent.now and goes_on:
            self._split_overlapping_agents(agent, found)
        for use in call.answered.calls:
            if use.id:
                self._waited[use.id] = found
        while len(self._waited) > _CONVERSATIONS:
            del self._waited[next(iter(self._waited))]
        return found.agent.name

    def _find_or_add_agent(
        self, prompt: list[Json], request: ModelRequest, continues_conversation: bool
    ) -> _InferredAgent | None:
        """Return the agent with this prompt and these tools, or a new one; None for a call that belongs to no agent."""
        key = hash_json(prompt)
        known = next((each for each in (*self._agents, self._rest) if prompt and key in each.prompts), None)
        if known is not None:
            return known
        tools = frozenset(_iter_tool_names(request.tools))
        waited = [each.agent.prompts for each in islice(self._iter_answered_conversations(request), 1)]
        words = frozenset(_WORD.findall(" ".join(_iter_texts_in_json(prompt))[:_READ].casefold()))
        nearest = sorted(self._agents, key=lambda each: -_compute_jaccard_index(each.words, words))
        known = next(
            (each for each in nearest if _is_same_agent(each, words, tools, any(each.prompts is of for of in waited))),
            None,
        )
        if known is not None:
            return _add_prompt_to_agent(known, prompt, key)
        if not (tools or continues_conversation):
            return None
        if self._count >= _AGENTS:
            return _add_prompt_to_agent(self._rest, prompt, key)
        agent = _InferredAgent(words, tools, {key}, self._assign_next_agent_name())
        self._agents.append(agent)
        return agent

    def _iter_answered_conversations(self, request: ModelRequest) -> Iterator[_AgentConversation]:
        """Yield the conversations whose tool results a request returns, the latest first."""
        for answer in reversed(request.results):
            if answer.id in self._waited:
                yield self._waited[answer.id]

    def _find_continued_conversation(
        self, request: ModelRequest, agent: _InferredAgent, first_message_hash: bytes
    ) -> _AgentConversation | None:
        """Return the conversation that a call continues, found by a tool result or by its first message."""
        alike = (each for each in reversed(self._conversations) if each.opening == first_message_hash)
        return next(
            (
                each
                for each in chain(self._iter_answered_conversations(request), alike)
                if each.agent.prompts is agent.prompts
            ),
            None,
        )

    def _split_overlapping_agents(self, agent: _InferredAgent, found_conversation: _AgentConversation) -> None:
        """Give the younger of an agent's two conversations to another agent if the older one continued after the
        younger one began, because one agent would not have both at once. Otherwise make `found_conversation` the agent's current
        conversation.
        """
        assert agent.now is not None
        elder, younger = sorted((agent.now, found_conversation), key=lambda each: each.began)
        if elder.last <= younger.began:
            agent.now = found_conversation
            return
        agent.now = elder
        # An agent whose conversation ended before this one began can take it.
        other = next((each for each in agent.beside if each.now is None or each.now.last < younger.began), None)
        if other is None and (agent is self._rest or self._count >= _AGENTS):
            return
        if other is None:
            other = _InferredAgent(agent.words, agent.tools, agent.prompts, self._assign_next_agent_name())
            agent.beside.append(other)
        other.now, younger.agent = younger, other

    def _assign_next_agent_name(self) -> str | None:
        self._count += 1
        return f"agent {self._count} (inferred)" if self._count > 1 else None


def _add_prompt_to_agent(agent: _InferredAgent, prompt: list[Json], prompt_hash: bytes) -> _InferredAgent:
    """Add a prompt to those of an agent, and return the agent."""
    if prompt and len(agent.prompts) < _PROMPTS:
        agent.prompts.add(prompt_hash)
    return agent


def _is_same_agent(
    known_agent: _InferredAgent, prompt_words: frozenset[str], tools: frozenset[str], continues_tool_calls: bool
) -> bool:
    """Return whether a prompt and tools belong to a known agent. `continues_tool_calls`: the call returns results of that agent's
    tool calls to the model.
    """
    if not (
        prompt_words and known_agent.words
    ):  # Without a prompt the tools decide: where the provider stores the conversation, later requests have no prompt.
        return (
            _compute_jaccard_index(known_agent.tools, tools) >= 0.5
            if known_agent.tools and tools
            else not prompt_words and not known_agent.words
        )
    same_tools = bool(tools) and tools == known_agent.tools
    needed = _SAME if not same_tools else _SAME_TALK if continues_tool_calls else _SAME_TOOLS
    return _compute_jaccard_index(known_agent.words, prompt_words) >= needed


def _compute_jaccard_index(first_set: frozenset[str], second_set: frozenset[str]) -> float:
    """Return the share of common elements in two sets (Jaccard's index)."""
    return len(first_set & second_set) / len(first_set | second_set) if first_set or second_set else 1.0


def _split_instructions(request: ModelRequest) -> tuple[list[Json], list[Json]]:
    """Return the instructions of a request, and its other messages."""
    instructions: list[Json] = list(request.system)
    said: list[Json] = []
    for message in request.messages:
        at_begin = isinstance(message, dict) and message.get("role") in _INSTRUCTIONS and not said
        (instructions if at_begin else said).append(message)
    return instructions, said


def _is_after_model_answer(message: Json) -> bool:
    """Return whether a message can only be in a request that comes after the model's first answer, such as a tool's
    result.
    """
    if not isinstance(message, dict):
        return False
    return message.get("role") in _ROLES_AFTER_ANSWER or ("role" not in message and "call" in str(message.get("type")))


def _iter_tool_names(tools: list[Json]) -> Iterator[str]:
    """Yield the names of tools, in the format of any provider."""
    for tool in tools:
        if not isinstance(tool, dict):
            continue
        inner = tool.get("function")
        declared = tool.get("functionDeclarations") or tool.get("function_declarations")
        if isinstance(declared, list):
            yield from _iter_tool_names(declared)
        elif isinstance(inner, dict):
            yield str(inner.get("name"))
        else:
            yield str(tool.get("name") or tool.get("type") or next(iter(tool), ""))


def _iter_texts_in_json(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from _iter_texts_in_json(each)
    elif isinstance(value, dict):
        for name, each in value.items():
            if name not in ("role", "type"):
                yield from _iter_texts_in_json(each)
