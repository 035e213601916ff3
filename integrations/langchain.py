"""Records LangChain and LangGraph: their runs, graph nodes, model calls and tool calls."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler

from pagereel.integrations.tools import ToolCall
from pagereel.recorder import Session, Step, get_active_session


class ReplayCallbackHandler(BaseCallbackHandler):
    """A callback handler that records the actions of a chain, graph or agent into the active recording.

    >>> agent.invoke(task, config={"callbacks": [ReplayCallbackHandler()]})  # doctest: +SKIP

    The outermost run and each node of a graph are recorded as steps; other runnables between them are left out.
    `session`: the recording to write to; by default the active one.
    """

    raise_error = False
    """Tells LangChain to log errors of this handler and continue."""
    run_inline = True
    """Tells LangChain to call this handler in the caller's own task, so that its step is the current step for the
    caller's actions.
    """

    def __init__(self, session: Session | None = None) -> None:
        super().__init__()
        self._given = session
        self._steps: dict[UUID, Step] = {}
        self._tools: dict[UUID, ToolCall] = {}
        self._calls: dict[UUID, tuple[float, dict[str, Any]]] = {}

    @property
    def _session(self) -> Session | None:
        return self._given or get_active_session()

    # -- runs and nodes -----------------------------------------------------------------------------------------------

    def on_chain_start(
        self,
        serialized: dict[str, Any] | None,
        inputs: Any,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        tags: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        name = _read_runnable_name(serialized, kwargs)
        node = (metadata or {}).get("langgraph_node")
        session = self._session
        if session is None or (parent_run_id is not None and (node is None or node != name)):
            return
        step = session.step(name, **{"langchain.inputs": inputs, "langchain.tags": tags or []})
        step.__enter__()
        self._steps[run_id] = step

    def on_chain_end(self, outputs: Any, *, run_id: UUID, parent_run_id: UUID | None = None, **kwargs: Any) -> None:
        step = self._steps.pop(run_id, None)
        if step is not None:
            step.outcome(success=True, **{"langchain.outputs": outputs})
            step.__exit__(None, None, None)

    def on_chain_error(
        self, error: BaseException, *, run_id: UUID, parent_run_id: UUID | None = None, **kwargs: Any
    ) -> None:
        step = self._steps.pop(run_id, None)
        if step is not None:
            step.__exit__(type(error), error, None)

    # -- models -------------------------------------------------------------------------------------------------------

    def on_chat_model_start(
        self,
        serialized: dict[str, Any] | None,
        messages: Sequence[Sequence[Any]],
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        tags: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        prompt = [{"role": m.type, "content": m.content} for batch in messages for m in batch]
        self._begin_model_call(run_id, serialized, prompt, metadata, kwargs)

    def on_llm_start(
        self,
        serialized: dict[str, Any] | None,
        prompts: list[str],
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        tags: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        self._begin_model_call(run_id, serialized, prompts, metadata, kwargs)

    def on_llm_end(self, response: Any, *, run_id: UUID, parent_run_id: UUID | None = None, **kwargs: Any) -> None:
        answers = [generation for batch in response.generations for generation in batch]
        messages = [getattr(answer, "message", None) for answer in answers]
        said = [
            _read_answer_text(message) if message is not None else answer.text
            for answer, message in zip(answers, messages, strict=True)
        ]
        usage = next((u for m in messages if (u := getattr(m, "usage_metadata", None))), None)
        told = response.llm_output or {}
        usage = usage or told.get("token_usage") or {}
        details: dict[str, Any] = next((d for m in messages if (d := getattr(m, "response_metadata", None))), {})
        model = details.get("model_name") or details.get("model") or told.get("model_name")
        self._end_model_call(
            run_id,
            response=said[0] if len(said) == 1 else said,
            input_tokens=usage.get("input_tokens", usage.get("prompt_tokens")),
            output_tokens=usage.get("output_tokens", usage.get("completion_tokens")),
            **({"model": model} if model else {}),
        )

    def on_llm_error(
        self, error: BaseException, *, run_id: UUID, parent_run_id: UUID | None = None, **kwargs: Any
    ) -> None:
        self._end_model_call(run_id, error=f"{type(error).__name__}: {error}")

    def _begin_model_call(self, run: UUID, serialized: Any, prompt: Any, metadata: Any, kwargs: dict[str, Any]) -> None:
        given = kwargs.get("invocation_params") or {}
        known = metadata or {}
        model = (
            known.get("ls_model_name")
            or given.get("model")
            or given.get("model_name")
            or _read_runnable_name(serialized, kwargs)
        )
        fields = {"model": str(model), "provider": known.get("ls_provider"), "prompt": prompt}
        self._calls[run] = time.perf_counter(), fields

    def _end_model_call(self, run: UUID, **fields: Any) -> None:
        began, known = self._calls.pop(run, (None, {}))
        session = self._session
        if session is not None and began is not None:
            duration = round((time.perf_counter() - began) * 1000, 1)
            session.llm_call(**{**known, "duration": duration, **fields})

    # -- tools --------------------------------------------------------------------------------------------------------

    def on_tool_start(
        self,
        serialized: dict[str, Any] | None,
        input_str: str,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        tags: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        inputs: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        self._tools[run_id] = ToolCall(
            self._session, _read_runnable_name(serialized, kwargs), inputs if inputs else input_str
        )

    def on_tool_end(self, output: Any, *, run_id: UUID, parent_run_id: UUID | None = None, **kwargs: Any) -> None:
        call = self._tools.pop(run_id, None)
        if call is not None:
            call.write_result(getattr(output, "content", output))

    def on_tool_error(
        self, error: BaseException, *, run_id: UUID, parent_run_id: UUID | None = None, **kwargs: Any
    ) -> None:
        call = self._tools.pop(run_id, None)
        if call is not None:
            call.write_result(error=f"{type(error).__name__}: {error}")


def _read_runnable_name(serialized: dict[str, Any] | None, kwargs: dict[str, Any]) -> str:
    """Return the name of a runnable (a chain, model or tool) from what LangChain passes to a callback."""
    known = serialized or {}
    return str(kwargs.get("name") or known.get("name") or (known.get("id") or ["run"])[-1])


def _read_answer_text(message: Any) -> Any:
    """Return the text of a model's answer; if the answer has tool calls, a dictionary of the text and the calls."""
    asked = [{"name": c.get("name"), "arguments": c.get("args")} for c in getattr(message, "tool_calls", None) or ()]
    return {"content": message.content, "tool_calls": asked} if asked else message.content
