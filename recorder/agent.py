"""Records what the agent reports about itself: steps, model and tool calls, notes.

All methods are thread-safe and never raise because of a value that they are given.
"""

from __future__ import annotations

import itertools
import mimetypes
import os
from collections.abc import Callable, Mapping
from contextvars import Token
from hashlib import sha256
from traceback import walk_tb
from types import TracebackType
from typing import Any, TypeVar

import orjson

from pagereel.reel import WITH_AGENT, Event

from .agent_context import ActingAgentContext, RunPosition, RunPositions, build_agent_field, normalize_agent_name
from .agent_event_fields import build_json_event_fields, build_llm_fields, to_text_or_none
from .hooks.call_text import find_caller_line
from .model_log import ModelCall, ModelLog
from .runtime.json_conversion import (
    get_type_name,
    read_file,
    to_bool,
    to_event_number,
    to_json,
    to_json_fields,
    to_nonnegative_number,
    to_number,
    to_path,
    to_text,
)
from .runtime.pictures import copy_picture
from .runtime.screen_positions import TITLE_LIMIT, build_no_picture_note, find_action_position, parse_boxes, parse_point

_MOST = 1e12
"""Largest score that is accepted, and the negative of the smallest."""
_LARGEST = 10_000_000
"""Largest file that :meth:`Agent.artifact` keeps, in bytes."""
S = TypeVar("S", bound="Step")


class Step:
    """One step of the agent, as a context manager, sync or async. An exception in the block ends the step as failed,
    and propagates.

    >>> with session.step("Pay", reasoning="The total is right") as step:  # doctest: +SKIP
    ...     page.get_by_role("button", name="Pay").click()
    ...     step.outcome(success=True, message="paid")
    """

    def __init__(
        self, log: AgentLog, title: str, reasoning: str | None, agent: str | None, attributes: Mapping[str, Any]
    ) -> None:
        self.id = log.assign_next_id()
        """The step's number in the recording."""
        self._log = log
        self._title = title
        self._reasoning = reasoning
        self._agent = agent
        self._place = RunPosition(self.id)
        self._attributes = attributes
        self._token: Token[RunPosition] | None = None
        self._outcome: Event = {"success": None}
        self._open = False

    def outcome(self, success: bool | None = None, message: str | None = None, **attributes: Any) -> None:
        """Set the step's outcome, which is written when the step ends. A later call overrides the fields of an earlier
        one.
        """
        more = to_json_fields(attributes)
        if success is not None:
            self._outcome["success"] = to_bool(success)
            if self._outcome["success"] is None:  # neither true nor false: an array, or a missing value
                more["success"] = to_json(success)
        if message is not None:
            self._outcome["message"] = to_text(message, TITLE_LIMIT)
        if more:
            told = self._outcome.setdefault("attributes", {})
            assert isinstance(told, dict)
            told.update(more)

    def __enter__(self: S) -> S:
        if not self._open:
            self._open = True
            around = self._log.get_run_position(self._agent)
            self._place = RunPosition(self.id, around.agent)
            event: Event = {"id": self.id, "parent": around.step, "title": to_text(self._title, TITLE_LIMIT)}
            event |= build_agent_field(around.agent)
            if self._reasoning is not None:
                event["reasoning"] = to_text(self._reasoning)
            event["attributes"] = to_json_fields(self._attributes)
            self._log.write("step", event)
            self._token = self._log.places.enter_position(self._place)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._open:
            return
        self._open = False
        event: Event = {"id": self.id, **self._outcome}
        if kind is not None:
            event["success"] = False
            event["error"] = self._log.remember_reported_exception(error)
            if source := find_line_that_raised(trace):
                event["source"] = source
        self._log.places.leave_position(self._place, self._token)
        self._log.write("step_end", event)

    async def __aenter__(self: S) -> S:
        return self.__enter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.__exit__(kind, error, trace)


def find_line_that_raised(trace: TracebackType | None) -> Event | None:
    """Return the file, line and text of the caller's code that raised an exception, as an event's `source` field has
    them; None if they are unknown.
    """
    frames = [(f.f_code.co_filename, line, f.f_code.co_name) for f, line in walk_tb(trace)]
    try:
        return find_caller_line(reversed(frames))
    except Exception:  # a program may do anything to what its files say
        return None


class AgentLog:
    """Writes the agent's events. ``emit`` writes an event with its time, ``keep`` stores a resource's bytes with their
    MIME type, ``screen`` writes a picture and its event; ``boundary`` is called at the end of each step.
    """

    def __init__(
        self,
        emit: Callable[[Event], None],
        now: Callable[[], float],
        boundary: Callable[[], None],
        keep: Callable[[bytes, str], None] = lambda content, mime: None,
        screen: Callable[[Any, Event], None] = lambda image, event: None,
    ) -> None:
        self._emit = emit
        self._now = now
        self._boundary = boundary
        self._keep = keep
        self._screen = screen
        self._ids = itertools.count(1)
        self.places = RunPositions()
        self._raised = ""
        """What the exception says that a step told of last."""
        self.models = ModelLog(
            lambda event: self._emit(event), lambda *content: self._keep(*content), self.assign_next_id, screen
        )

    def assign_next_id(self) -> int:
        return next(self._ids)

    def get_run_position(self, agent: str | None = None) -> RunPosition:
        """Return the current step and agent; the argument `agent`, if given, replaces the agent's name."""
        here = self.places.get_current_position()
        named = normalize_agent_name(agent)
        return here if named is None else here._replace(agent=named)

    def get_time(self) -> float:
        """Return the time in ms on the recording's clock."""
        return self._now()

    def store_resource(self, content: bytes, mime: str) -> None:
        """Store a resource in the recording: its bytes and its MIME type."""
        self._keep(content, mime)

    def write_screen(self, image: Any, fields: Event, *, is_image_given: bool) -> None:
        """Write a ``screen`` event.

        ``image``: a picture copied by ``recorder/runtime/pictures.py``; None: the same picture as before. With
        ``is_image_given``, None means that the caller's value was no picture; then a note is written instead.
        """
        if is_image_given and image is None:
            self.write("note", build_no_picture_note(fields))
        else:
            self._screen(image, {"t": self._now(), **fields})

    def write(self, kind: str, fields: Mapping[str, Any]) -> float:
        """Write one event of the agent and return its time in ms."""
        t = self._now()
        if kind == "step":
            self.models.stop_inferring_steps(t)
        self._emit({"k": kind, "t": t, **fields})
        if kind in ("step", "step_end"):
            self._boundary()
        return t

    def remember_reported_exception(self, error: BaseException | None) -> str:
        """Return an exception as text, and remember that a step has reported it."""
        self._raised = to_text(f"{get_type_name(error)}: {to_text(error, TITLE_LIMIT)}".removesuffix(": "), TITLE_LIMIT)
        return self._raised

    def write_run_exception_note(self, error: BaseException | None, trace: TracebackType | None) -> None:
        """Write a note with the exception that ended the run, unless a step has reported it."""
        before = self._raised
        if error is None or self.remember_reported_exception(error) == before:
            return
        text = f"The run ended by {self._raised}"
        source = find_line_that_raised(trace)
        where = {"source": source} if source else {}
        self.write("note", {"id": self.assign_next_id(), "step": None, "text": text, "attributes": {"outcome": "failed"}, **where})  # fmt: skip


class Agent:
    """The methods by which an agent reports its actions. All may be called from any thread, and none raises because of
    a value.
    """

    def __init__(self, log: AgentLog) -> None:
        self._log = log

    @classmethod
    def create_unrecorded(cls) -> Agent:
        """Return an agent that discards its events, for code that reports steps whether or not it is recorded."""
        return cls(AgentLog(lambda event: None, lambda: 0.0, lambda: None))

    def step(self, title: str, *, reasoning: str | None = None, agent: str | None = None, **attributes: Any) -> Step:
        """Return a step of the agent, for ``with`` or ``async with``. A step that is begun within another one belongs
        to it.

        ``agent``: the name of the agent, where a run has several. Everything reported within the step belongs to this
        agent, also in tasks and calls that the step starts, unless they name another one.
        """
        return Step(self._log, title, reasoning, agent, attributes)

    def agent(self, name: str | None) -> ActingAgentContext:
        """Return a context, for ``with`` or ``async with``, in which all events belong to this agent; None: the run
        itself.

        >>> with session.agent("planner"):  # doctest: +SKIP
        ...     client.responses.create(...)
        """
        return ActingAgentContext(self._log.places, name)

    def message(self, sender: str | None, to: str | None, text: str, **attributes: Any) -> int:
        """Record that one agent says something to another, or hands over to it. Return the message's id.

        ``sender``: None for the agent of this context; ``to``: None for all agents.
        """
        fields = build_json_event_fields(to=normalize_agent_name(to)) | {
            "text": to_text(text),
            "attributes": to_json_fields(attributes),
        }
        return self._write_event("agent_message", fields, agent=sender)

    def llm_call(
        self,
        *,
        model: str | None = None,
        provider: str | None = None,
        input_tokens: int | None = None,
        output_tokens: int | None = None,
        cost_usd: float | None = None,
        duration: float | None = None,
        prompt: Any = None,
        response: Any = None,
        agent: str | None = None,
        **attributes: Any,
    ) -> int:
        """Record a call of a model, after the model has answered. ``duration`` in ms. Return the call's id."""
        fields = build_llm_fields(
            {"model": model, "provider": provider},
            {"input_tokens": input_tokens, "output_tokens": output_tokens, "cost_usd": cost_usd, "duration": duration},
            {"prompt": prompt, "response": response},
            to_json_fields(attributes),
        )
        return self._write_event("llm", fields, agent=agent)

    def record_model_call(self, call: ModelCall) -> int:
        """Record a call of a model with its whole request and response; a message that several calls repeat is written
        once. Return the call's id.
        """
        if type(call) is not ModelCall:
            return self.note(f"no call of a model: {to_text(call, TITLE_LIMIT)}")
        return self._log.models.write_call(call)

    @property
    def open_step_id(self) -> int | None:
        """Return the id of the open step of this context; None if no step is open."""
        return self._log.get_run_position().step

    @property
    def current_agent_name(self) -> str | None:
        """Return the name of the agent of this context; None if it has none."""
        return self._log.get_run_position().agent

    def tool_call(self, name: str, arguments: Any = None, *, agent: str | None = None, **attributes: Any) -> int:
        """Record that a tool is called. Return the call's id, for :meth:`tool_result`."""
        fields = build_json_event_fields(name=to_text(name, TITLE_LIMIT), arguments=arguments) | {
            "attributes": to_json_fields(attributes)
        }
        return self._write_event("tool_call", fields, agent=agent)

    def tool_result(self, call: int, result: Any = None, *, error: Any = None, duration: float | None = None) -> int:
        """Record the result of a tool. ``call``: the id of the call; ``duration`` in ms."""
        fields = build_json_event_fields(
            result=result, error=to_text_or_none(error), duration=to_nonnegative_number(duration)
        )
        return self._write_event("tool_result", {"call": to_event_number(call), **fields}, step=False)

    def memory_op(self, op: str, key: Any = None, value: Any = None, *, agent: str | None = None) -> int:
        """Record that the agent reads or writes its memory."""
        return self._write_event(
            "memory", build_json_event_fields(op=to_text(op, 900), key=to_text_or_none(key), value=value), agent=agent
        )

    def note(self, text: str, *, agent: str | None = None, **attributes: Any) -> int:
        """Record a remark of the agent."""
        return self._write_event("note", {"text": to_text(text), "attributes": to_json_fields(attributes)}, agent=agent)

    def ask(self, question: str, *, agent: str | None = None, **attributes: Any) -> int:
        """Record that the agent asks a person for permission or for instructions. Return the id, for :meth:`answer`."""
        return self._write_event(
            "ask", {"text": to_text(question), "attributes": to_json_fields(attributes)}, agent=agent
        )

    def answer(self, ask: int, text: str, *, by: str | None = None) -> int:
        """Record a person's answer. ``ask``: the id of the question; ``by``: who answered."""
        return self._write_event(
            "answer",
            {
                "ask": to_event_number(ask),
                "text": to_text(text),
                **build_json_event_fields(by=to_text_or_none(by, TITLE_LIMIT)),
            },
        )

    def artifact(
        self, path: str | os.PathLike[str], *, name: str | None = None, agent: str | None = None, **attributes: Any
    ) -> int:
        """Record the present content of a file that the agent made. Of a file that cannot be read, or is larger than 10
        MB, only name and size are recorded. ``name``: the name to show; by default the file's name.
        """
        place = to_path(path)
        called = to_text_or_none(name, TITLE_LIMIT) or (place.name if place is not None else to_text(path, TITLE_LIMIT))
        fields: Event = {"name": called, "size": 0}
        content, why = read_file(place, _LARGEST)
        fields |= {"size": len(content)} if content is not None else {"why": why}
        if content is not None:
            mime = mimetypes.guess_type(str(place))[0] or "application/octet-stream"
            fields |= {"mime": mime, "body": sha256(content).hexdigest()}
            self._log.store_resource(content, mime)
        return self._write_event("artifact", fields | {"attributes": to_json_fields(attributes)}, agent=agent)

    def version(self, what: str, value: Any, *, name: str | None = None, agent: str | None = None) -> int:
        """Record the version of something that the run uses from now on, by a hash of it.

        ``what``: ``prompt``, ``model``, ``tools``, ``config``, or another word; ``value``: the text itself, or anything
        that is JSON; ``name``: what people call this version.
        """
        kept = to_json(value)
        text = kept if isinstance(kept, str) else orjson.dumps(kept, option=orjson.OPT_SORT_KEYS).decode()
        fields: Event = {
            "what": to_text(what, TITLE_LIMIT),
            "sha256": sha256(text.encode("utf-8", "replace")).hexdigest(),
        }
        return self._write_event(
            "version",
            fields | build_json_event_fields(name=to_text_or_none(name, TITLE_LIMIT), value=kept),
            agent=agent,
        )

    def screen(
        self, image: Any = None, *, action: Any = None, cursor: Any = None, window: str | None = None, visible: Any = (),
        agent: str | None = None, **attributes: Any,
    ) -> int:  # fmt: skip
        """Record what the agent saw on a screen, and what it did there. Return the event's id.

        ``image``: the bytes of a PNG, JPEG or WebP, a path, a Pillow image or a NumPy array; None: the same picture as
        before. ``action``: what the agent does on the screen, in words or as its model gave it (``{"action":
        "left_click", "coordinate": [310, 88]}``). ``cursor``: the pointer's position ``(x, y)`` in px of the picture;
        by default the position in the action. ``window``: the title of the window in use. ``visible``: boxes ``[x, y,
        w, h]`` in px that may be shown to others: the policy ``vendor`` blocks everything else.
        """
        number, here = self._log.assign_next_id(), self._log.get_run_position(agent)
        fields: Event = {"id": number, "step": here.step, **build_agent_field(here.agent)}
        fields |= build_json_event_fields(action=action) | (
            {"attributes": to_json_fields(attributes)} if attributes else {}
        )
        value = {
            "cursor": parse_point(cursor) or find_action_position(fields.get("action")),
            "visible": parse_boxes(visible) or None,
        }
        fields |= build_json_event_fields(**value, window=to_text_or_none(window, TITLE_LIMIT))
        self._log.write_screen(
            copy_picture(image) if image is not None else None, fields, is_image_given=image is not None
        )
        return number

    def outcome(self, success: bool, reason: str | None = None, *, agent: str | None = None) -> int:
        """Set whether the run reached its goal; the last call counts. Return the event's id.

        Without a call of this method, a run has failed if an exception ended the recording, or if the last outermost
        step failed and nothing after it succeeded at the same task.
        """
        done = to_bool(success)
        if done is None:
            return self.note(f"no outcome: {to_text(success, TITLE_LIMIT)}", agent=agent)
        return self._write_event(
            "outcome", {"success": done, **build_json_event_fields(text=to_text_or_none(reason))}, agent=agent
        )

    def score(self, name: str, value: float, *, comment: str | None = None, agent: str | None = None) -> int:
        """Record a score of the run: a judge's verdict, a person's rating, a test's figure."""
        figure = to_number(value)
        if figure is None or abs(figure) > _MOST:
            return self.note(f"{to_text(name, TITLE_LIMIT)}: {to_text(value, TITLE_LIMIT)}", agent=agent)
        fields: Event = {
            "name": to_text(name, TITLE_LIMIT),
            "value": figure,
            **build_json_event_fields(text=to_text_or_none(comment)),
        }
        return self._write_event("score", fields, agent=agent)

    def _write_event(self, kind: str, fields: Event, step: bool = True, agent: str | None = None) -> int:
        number = self._log.assign_next_id()
        here = self._log.get_run_position(agent)
        where: Event = {"step": here.step} if step else {}
        if kind in WITH_AGENT:
            where |= build_agent_field(here.agent)
        self._log.write(kind, {"id": number, **where, **fields})
        return number
