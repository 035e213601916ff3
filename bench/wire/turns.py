"""Runs an agent of fifty turns that sends the whole conversation anew each time, and reads a page of so many words at each turn."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import httpx2

from .client import KEY
from .provider import make_prose


def main(turns: int, words: int, path: str) -> None:
    """Run the turns, and write each message that was sent, once, as a line of JSON to `path`."""
    messages: list[Any] = [
        {"role": "system", "content": make_prose(7, 400)},
        {"role": "user", "content": make_prose(8, 60)},
    ]
    tools = [
        {
            "type": "function",
            "function": {"name": "read_page", "description": make_prose(9, 40), "parameters": {"type": "object"}},
        }
    ]
    thoughts: list[str] = []
    with httpx2.Client(timeout=None) as client:
        for turn in range(turns):
            body = {
                "model": "m",
                "messages": messages,
                "tools": tools,
                "stream": turn % 2 == 0,
                "stream_options": {"include_usage": True},
            }
            sent = json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode()
            url = f"{os.environ['OPENAI_BASE_URL']}/chat/completions"
            answer = client.post(
                url, content=sent, headers={"authorization": f"Bearer {KEY}", "content-type": "application/json"}
            )
            message, thought = _read_message(answer)
            thoughts.append(thought)
            messages.append(message)
            # What a page said: the larger part of what agents read.
            messages += [
                {"role": "tool", "tool_call_id": call["id"], "content": make_prose(3000 + turn, words)}
                for call in message["tool_calls"]
            ]
    with open(path, "w", encoding="utf-8") as file:
        file.write(
            "\n".join(
                json.dumps(each, separators=(",", ":"), ensure_ascii=False) for each in [*messages, *tools, *thoughts]
            )
        )


def _read_message(answer: httpx2.Response) -> tuple[dict[str, Any], str]:
    """Return the message of an answer, streamed or not, and its reasoning text."""
    if not answer.headers["content-type"].startswith("text/event-stream"):
        told = answer.json()["choices"][0]["message"]
        message = {"role": "assistant", "content": told["content"], "tool_calls": told["tool_calls"]}
        return message, told["reasoning_content"]
    text, thought = "", ""
    calls: dict[int, Any] = {}
    for line in answer.text.split("\n"):
        if line.startswith("data: {"):
            for choice in json.loads(line[6:])["choices"]:
                text += choice["delta"].get("content") or ""
                thought += choice["delta"].get("reasoning_content") or ""
                for call in choice["delta"].get("tool_calls", []):
                    known = calls.setdefault(
                        call["index"], {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}
                    )
                    known["id"] = known["id"] or call.get("id", "")
                    known["function"]["name"] += call["function"].get("name") or ""
                    known["function"]["arguments"] += call["function"]["arguments"]
    return {"role": "assistant", "content": text, "tool_calls": list(calls.values())}, thought


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
