"""An agent of two turns with each provider's own library: `python model_agents.py chat "at once" streamed`. It knows nothing of recordings."""

from __future__ import annotations

import json
import sys
from typing import Any

SYSTEM = "You help in a shop."
THING = next((word for word in sys.argv[2:] if word not in ("at once", "streamed")), "a vase")
TASK = f"Find {THING} below 80 euros."
SCHEMA: dict[str, Any] = {"type": "object", "properties": {"query": {"type": "string"}}}
FOUND = "Tern bottle vase, 64 euros"


def chat(streams: bool) -> str:
    from openai import OpenAI

    client = OpenAI()
    tools: Any = [{"type": "function", "function": {"name": "search", "parameters": SCHEMA}}]
    messages: Any = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": TASK}]
    while True:
        if streams:
            calls: dict[int, Any] = {}
            text = ""
            options: Any = {"include_usage": True}
            for chunk in client.chat.completions.create(
                model="m", messages=messages, tools=tools, stream=True, stream_options=options
            ):
                for choice in chunk.choices:
                    text += choice.delta.content or ""
                    for call in choice.delta.tool_calls or []:
                        known = calls.setdefault(
                            call.index, {"id": call.id, "type": "function", "function": {"name": "", "arguments": ""}}
                        )
                        known["function"]["name"] += (call.function and call.function.name) or ""
                        known["function"]["arguments"] += (call.function and call.function.arguments) or ""
            asked = list(calls.values())
        else:
            message = client.chat.completions.create(model="m", messages=messages, tools=tools).choices[0].message
            text, asked = message.content or "", [call.model_dump() for call in message.tool_calls or []]
        if not asked:
            return text
        messages.append({"role": "assistant", "content": text, "tool_calls": asked})
        messages += [{"role": "tool", "tool_call_id": call["id"], "content": FOUND} for call in asked]


def responses(streams: bool) -> str:
    from openai import OpenAI

    client = OpenAI()
    tools: Any = [{"type": "function", "name": "search", "parameters": SCHEMA, "strict": False}]
    given: Any = [{"role": "user", "content": TASK}]
    while True:
        if streams:
            with client.responses.stream(model="m", instructions=SYSTEM, input=given, tools=tools) as stream:
                response: Any = stream.get_final_response()
        else:
            response = client.responses.create(model="m", instructions=SYSTEM, input=given, tools=tools)
        calls = [item for item in response.output if item.type == "function_call"]
        if not calls:
            return str(response.output_text)
        for call in calls:
            given.append(
                {"type": "function_call", "call_id": call.call_id, "name": call.name, "arguments": call.arguments}
            )
            given.append({"type": "function_call_output", "call_id": call.call_id, "output": FOUND})


def messages(streams: bool) -> str:
    from anthropic import Anthropic

    client = Anthropic()
    tools: Any = [{"name": "search", "input_schema": SCHEMA}]
    given: Any = [{"role": "user", "content": TASK}]
    while True:
        if streams:
            with client.messages.stream(
                model="m", system=SYSTEM, messages=given, tools=tools, max_tokens=500
            ) as stream:
                message: Any = stream.get_final_message()
        else:
            message = client.messages.create(model="m", system=SYSTEM, messages=given, tools=tools, max_tokens=500)
        calls = [block for block in message.content if block.type == "tool_use"]
        if not calls:
            return "".join(block.text for block in message.content if block.type == "text")
        given.append(
            {"role": "assistant", "content": [block.model_dump(exclude_none=True) for block in message.content]}
        )
        results = [{"type": "tool_result", "tool_use_id": call.id, "content": FOUND} for call in calls]
        given.append({"role": "user", "content": results})


def ollama(streams: bool) -> str:
    from ollama import Client

    client = Client()
    tools: Any = [{"type": "function", "function": {"name": "search", "parameters": SCHEMA}}]
    given: Any = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": TASK}]
    while True:
        parts = client.chat(model="m", messages=given, tools=tools, stream=streams)
        answers: list[Any] = list(parts) if streams else [parts]
        calls = [call for answer in answers for call in answer.message.tool_calls or []]
        text = "".join(answer.message.content or "" for answer in answers)
        if not calls:
            return text
        given.append({"role": "assistant", "content": text, "tool_calls": [call.model_dump() for call in calls]})
        given += [{"role": "tool", "tool_name": call.function.name, "content": FOUND} for call in calls]


def gemini(streams: bool) -> str:
    from google import genai
    from google.genai import types

    client = genai.Client()
    tool = types.Tool(function_declarations=[types.FunctionDeclaration(name="search", parameters_json_schema=SCHEMA)])
    config = types.GenerateContentConfig(
        system_instruction=SYSTEM,
        tools=[tool],
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    given: Any = [types.Content(role="user", parts=[types.Part(text=TASK)])]
    while True:
        if streams:
            answers: list[Any] = list(client.models.generate_content_stream(model="m", contents=given, config=config))
        else:
            answers = [client.models.generate_content(model="m", contents=given, config=config)]
        parts = [part for answer in answers for part in (answer.candidates[0].content.parts or [])]
        calls = [part.function_call for part in parts if part.function_call]
        if not calls:
            return "".join(part.text for part in parts if part.text and not part.thought)
        given.append(types.Content(role="model", parts=parts))
        found = [types.Part.from_function_response(name=call.name, response={"found": FOUND}) for call in calls]
        given.append(types.Content(role="user", parts=found))


if __name__ == "__main__":
    ways = {"chat": chat, "responses": responses, "messages": messages, "ollama": ollama, "gemini": gemini}
    try:
        for how in sys.argv[2:]:
            if how != THING:
                print(ways[sys.argv[1]](how == "streamed"))
    except Exception as error:
        sys.exit(json.dumps(f"{type(error).__name__}: {error}", ensure_ascii=False))
