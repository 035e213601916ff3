"""Records browser-use: each step with the model's input, reasoning and actions, and the results of the actions.

    with record_cdp(address, "run.reel") as session:
        watch = BrowserUseWatch(session)
        browser = Browser(cdp_url=address)
        agent = Agent(task, llm=watch.model(llm), browser=browser, register_new_step_callback=watch.thought)
        await agent.run(on_step_end=watch.acted)

Nothing of browser-use is imported. Its objects differ between versions (0.5 to 0.13); fields that they lack are left
out.
"""

from __future__ import annotations

import asyncio
import base64
import time
from typing import Any, Protocol, TypeVar

from .agent_recording_session import AgentRecordingSession

M = TypeVar("M")


class AgentSession(AgentRecordingSession, Protocol):
    """The methods of a recording session that this module calls; the sessions of `record` and `record_cdp` have
    them.
    """

    def memory_op(self, op: str, key: Any = None, value: Any = None) -> int: ...
    def screenshot(self, label: str = "", *, boxes: Any = (), image: bytes | None = None) -> Any: ...


class BrowserUseWatch:
    """Records the steps of one browser-use agent into a session. Use one object for each agent."""

    def __init__(self, session: AgentSession) -> None:
        self._session = session
        self._step: Any = None
        self._calls: list[tuple[int, float]] = []
        self._asked: list[dict[str, Any]] = []

    def model(self, llm: M) -> M:
        """Return the model `llm` itself, after wrapping its method `ainvoke` so that its calls are recorded from now
        on.
        """
        ask = llm.ainvoke  # type: ignore[attr-defined]

        async def ainvoke_recorded(messages: Any, output_format: Any = None, **given: Any) -> Any:
            began = time.perf_counter()
            answer = await ask(messages, output_format, **given)
            usage = getattr(answer, "usage", None)
            self._asked.append(
                {
                    "model": _to_text(getattr(llm, "model", None)),
                    "provider": _to_text(getattr(llm, "provider", None)),
                    "input_tokens": getattr(usage, "prompt_tokens", None),
                    "output_tokens": getattr(usage, "completion_tokens", None),
                    "duration": round((time.perf_counter() - began) * 1000, 1),
                    "prompt": [_read_message(message) for message in messages],
                    "response": _to_json_value(getattr(answer, "completion", answer)),
                }
            )
            return answer

        object.__setattr__(llm, "ainvoke", ainvoke_recorded)
        return llm

    async def thought(self, state: Any, output: Any, number: int) -> None:
        """Begin a step with the model's reasoning and planned actions; to be passed as `register_new_step_callback`."""
        self._end_step()
        goal = getattr(output, "next_goal", None)
        actions = [_read_action(action) for action in getattr(output, "action", None) or ()]
        title = goal or ", ".join(name for name, _ in actions) or f"Step {number}"
        reasoning = getattr(output, "thinking", None) or getattr(output, "evaluation_previous_goal", None)
        step = self._session.step(str(title), reasoning=_to_text(reasoning), iteration=number)
        self._step = step.__enter__()
        shot = getattr(state, "screenshot", None)
        if isinstance(shot, str) and shot:
            seen = self._session.screenshot
            image = base64.b64decode(shot)
            if asyncio.iscoroutinefunction(seen):
                await seen("What the model saw", image=image)
            else:
                await asyncio.to_thread(seen, "What the model saw", image=image)
        for asked in self._asked:
            self._session.llm_call(**{name: value for name, value in asked.items() if value is not None})
        self._asked.clear()
        if memory := getattr(output, "memory", None):
            self._session.memory_op("write", "memory", memory)
        now = time.perf_counter()
        self._calls = [(self._session.tool_call(name, arguments), now) for name, arguments in actions]

    async def acted(self, agent: Any) -> None:
        """Record the results of a step's actions; to be passed as `agent.run(on_step_end=…)`."""
        if self._step is None:
            return
        results = list(getattr(getattr(agent, "state", None), "last_result", None) or ())
        errors = [str(result.error) for result in results if getattr(result, "error", None)]
        for (call, began), result in zip(self._calls, results, strict=False):
            told = getattr(result, "extracted_content", None) or getattr(result, "long_term_memory", None)
            self._session.tool_result(
                call,
                told,
                error=getattr(result, "error", None),
                duration=round((time.perf_counter() - began) * 1000, 1),
            )
        last = results[-1] if results else None
        done = getattr(last, "is_done", False)
        self._step.outcome(
            success=not (errors or (done and getattr(last, "success", None) is False)),
            message=errors[0] if errors else _to_text(getattr(last, "extracted_content", None)) if done else None,
        )
        self._end_step()

    def _end_step(self) -> None:
        step, self._step = self._step, None
        if step is not None:
            step.__exit__(None, None, None)
        self._calls = []


def _read_action(action: Any) -> tuple[str, Any]:
    """Return an action's name and arguments: `click`, `{"index": 3}`."""
    form = _to_json_value(action)
    if isinstance(form, dict) and form:
        name, arguments = next(iter(form.items()))
        return str(name), arguments
    return type(action).__name__, form


def _to_json_value(value: Any) -> Any:
    dump = getattr(value, "model_dump", None)
    return dump(mode="json", exclude_none=True, exclude_unset=True) if callable(dump) else value


def _read_message(message: Any) -> dict[str, Any]:
    """Return a message's role and text; its pictures are recorded separately as screenshots."""
    return {"role": _to_text(getattr(message, "role", None)), "text": _to_text(getattr(message, "text", message))}


def _to_text(value: Any) -> str | None:
    return None if value is None else str(value)
