"""A coding agent mends a small program: it reads, runs the tests, edits, and is refused once on the way. It has no pagereel in it; `pagereel proxy` records what it asks of its model.

pip install "pagereel[models]" anthropic
python examples/coding_agent.py run.reel && pagereel build run.reel run.html

The model is scripted and the first process plays its provider; the command that it starts is what one would type: `pagereel proxy --reel run.reel -- python agent.py`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

TASK = "The tests of this folder fail. Mend the program."
SYSTEM = "You are a coding agent. Look before you change anything, change little, and run the tests before you say that it is done."
FILES = {
    "prices.py": 'def total(prices, discount=0):\n    """Return the sum of all prices, less a discount in percent."""\n    return sum(prices) * discount / 100\n',
    "test_prices.py": "from prices import total\n\nassert total([10, 20]) == 30, total([10, 20])\nassert total([10, 20], 10) == 27\nprint('2 passed')\n",
}
MENDED = "return sum(prices) * (100 - discount) / 100"
TOOLS = [
    {"name": "read_file", "description": "Read a file", "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}}},
    {
        "name": "edit_file",
        "description": "Put one text in the place of another",
        "input_schema": {"type": "object", "properties": {name: {"type": "string"} for name in ("path", "old", "new")}},
    },
    {"name": "run_python", "description": "Run a program", "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}}},
]  # fmt: skip


# -- the agent: nothing of pagereel in it ------------------------------------------------------------------------------


def use(name: str, given: dict[str, str]) -> str:
    """Do what a tool is asked for, in this folder."""
    if name == "read_file":
        return Path(given["path"]).read_text()
    if name == "edit_file":
        path = Path(given["path"])
        text = path.read_text()
        if text.count(given["old"]) != 1:
            raise ValueError(f"{given['old']!r} does not stand there once")
        path.write_text(text.replace(given["old"], given["new"]))
        return "changed"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    done = subprocess.run(
        [sys.executable, given["path"]], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    if done.returncode:
        raise ValueError((done.stdout + done.stderr).strip().splitlines()[-1])
    return done.stdout


def work() -> None:
    """Ask the model what to do until it wants nothing more."""
    from anthropic import Anthropic

    client = Anthropic(api_key="none")
    messages: list[Any] = [{"role": "user", "content": TASK}]
    while True:
        answer = client.messages.create(
            model="scripted-1",
            max_tokens=500,
            system=SYSTEM,
            messages=messages,
            tools=TOOLS,  # type: ignore[arg-type]
        )
        messages.append({"role": "assistant", "content": [block.model_dump() for block in answer.content]})
        results = []
        for block in answer.content:
            if block.type == "tool_use":
                told: dict[str, Any] = {"type": "tool_result", "tool_use_id": block.id}
                try:
                    results.append(told | {"content": use(block.name, block.input)})  # type: ignore[arg-type]
                except ValueError as error:
                    results.append(told | {"content": str(error), "is_error": True})
        if not results:
            print(answer.content[-1].text)  # type: ignore[union-attr]
            return
        messages.append({"role": "user", "content": results})


# -- its provider, and the command --------------------------------------------------------------------------------------


def main(reel: Path) -> None:
    """Play the provider, and have the agent run under `pagereel proxy`."""
    from pagereel.fixtures.providers import Body, ScriptedProviders, ScriptedTurn

    test = ("run_python", {"path": "test_prices.py"})
    script = [
        ScriptedTurn("I look at the program and its tests.", "Nothing is known yet.", (("read_file", {"path": "prices.py"}), ("read_file", {"path": "test_prices.py"})), 320, output_tokens=60),
        ScriptedTurn("I run the tests.", "", (test,), 610, output_tokens=24),
        ScriptedTurn("The model is busy.", status=529),
        ScriptedTurn("The discount is taken for what is left.", "With 0 percent all of it is gone.", (("edit_file", {"path": "prices.py", "old": "return total(prices)", "new": MENDED}),), 690, output_tokens=70),
        ScriptedTurn("That text does not stand there; I take the line as it is.", "", (("edit_file", {"path": "prices.py", "old": "return sum(prices) * discount / 100", "new": MENDED}),), 790, output_tokens=66),
        ScriptedTurn("And once more the tests.", "", (test,), 880, output_tokens=22),
        ScriptedTurn("The discount was multiplied in, in place of what it leaves. Both tests pass.", input_tokens=930, output_tokens=30),
    ]  # fmt: skip

    def scripted(turn: int, body: Body) -> ScriptedTurn:
        return script[min(turn, len(script) - 1)]

    with ScriptedProviders(scripted) as providers, tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            (Path(folder) / name).write_text(text)
        command = [
            sys.executable, "-P", "-c", "import sys; from pagereel.cli import main; sys.exit(main())",
            "proxy", "--reel", str(reel.absolute()), "--overwrite", "--agent", "coding-agent", "--upstream", f"anthropic={providers.provider_url('anthropic')}",
            "--", sys.executable, str(Path(__file__).absolute()), "--work",
        ]  # fmt: skip
        status = subprocess.run(
            command, cwd=folder, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}, check=False
        ).returncode
        if status or MENDED not in (Path(folder) / "prices.py").read_text():
            sys.exit("The program was not mended.")


if __name__ == "__main__":
    if sys.argv[1:] == ["--work"]:
        work()
    else:
        main(Path(sys.argv[1] if len(sys.argv) > 1 else "run.reel"))
