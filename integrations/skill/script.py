"""Writes the Python script of a skill: a function that makes the shared calls, with the inputs as parameters."""

from __future__ import annotations

import ast
import re
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Final

from pagereel.integrations.as_test.call_lines import write_call_line
from pagereel.integrations.as_test.literals import to_comment, to_literal, to_safe_locator
from pagereel.integrations.as_test.source import TestSource

from .conditions import SkillStage
from .inputs import Masker, SkillInput
from .procedure import Procedure, Slot, list_string_nodes

_FILE: Final = '''"""{about}

{status}
Made by pagereel from {count} recordings; SKILL.md beside it says what it does. Read it before you run it.
"""

from __future__ import annotations

import argparse
import os
{more}import sys

from playwright.sync_api import Page, expect, sync_playwright

{origins}

def run(page: Page, *{parameters}) -> None:
    """Do it on a page. Raises Playwright's errors where the site is not as it was, AssertionError where it does not say what it said."""
{body}


def main() -> int:
    """Run it in a browser of its own; the inputs come from the command line or the environment."""
    parser = argparse.ArgumentParser(description={about_code})
{options}    parser.add_argument("--headed", action="store_true")
    given = vars(parser.parse_args())
    headed = given.pop("headed")
    missing = [name for name, value in given.items() if value is None]
    if missing:
        parser.error(f"give {{', '.join('--' + name.replace('_', '-') for name in missing)}}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**{{**_options(), "headless": not headed}})
        run(browser.new_context().new_page(), **given)
        browser.close()
    return 0


def _options() -> dict[str, object]:
    """Return how to start the browser: as pagereel does, where it is installed."""
    try:
        from pagereel.browser import launch_options
    except ImportError:
        return {{}}
    return dict(launch_options())


if __name__ == "__main__":
    sys.exit(main())
'''


class ScriptWriter:
    """Writes the shared calls as lines of Python. A text that is an input is written as the parameter's name."""

    def __init__(
        self, procedure: Procedure, inputs: Sequence[SkillInput], stages: Sequence[SkillStage], mask: Masker
    ) -> None:
        self._procedure = procedure
        self._inputs = {use: each.name for each in inputs for use in each.uses}
        self._every = list(inputs)
        self._mask = mask
        self._sign = secrets.token_hex(8)
        self.source = TestSource("", False)
        self._names: dict[int, str] = {}
        self.stages = [(stage, self._write_stage(stage)) for stage in stages]

    def render_script(self, title: str, status: str) -> str:
        """Return the source of the script.

        `title`: its title; `status`: a sentence that says whether the script was run.
        """
        body = [
            line for stage, lines in self.stages for line in (f"# {to_comment(self._mask_stage_title(stage))}", *lines)
        ] or ["pass"]
        parameters = "".join(f", {each.name}: str" for each in self._every)
        options = "".join(_write_option_line(each) for each in self._every)
        origins = "".join(
            f'{name} = os.environ.get("{name}", {to_literal(self._mask(origin, "address"))})\n'
            for origin, name in self.source.origins.items()
        )
        return _FILE.format(
            about=to_comment(title).replace('"', "'").replace("\\", "/"), about_code=to_literal(to_comment(title).replace("%", "%%")),
            status=" ".join(status.split()).replace('"', "'").replace("\\", "/"), count=len(self._procedure.runs), origins=origins, options=options,
            parameters=parameters or "_: object", more="import re\n" if any("re.compile(" in line for line in body) else "",
            body="\n".join(f"    {line}" for line in body),
        )  # fmt: skip

    def _mask_stage_title(self, stage: SkillStage) -> str:
        return self._mask(stage.title, "text") if stage.title else "the page"

    def _write_stage(self, stage: SkillStage) -> list[str]:
        lines: list[str] = []
        for number in range(stage.first, stage.last + 1):
            shared = self._procedure.shared[number]
            page = self._get_page_variable(int(shared.first_call.record.get("page") or 1), lines)
            line = write_call_line(self._insert_placeholders(shared.first_call.record, number), page, self.source)
            if line is not None:
                lines.append(self._replace_placeholders(line))
        page = self._get_page_variable(stage.page, lines)
        for said, name in stage.says:
            if self._mask(name, "outline") == name:
                lines.append(f'expect({page}.locator("body")).to_match_aria_snapshot({to_literal(said)})')
        return lines

    def _get_page_variable(self, number: int, lines: list[str]) -> str:
        if number not in self._names:
            self._names[number] = "page" if not self._names else f"page_{len(self._names) + 1}"
            if len(self._names) > 1:
                lines.append(f"{self._names[number]} = page.context.new_page()")
        return self._names[number]

    def _insert_placeholders(self, record: Mapping[str, Any], number: int) -> dict[str, Any]:
        """Return a recorded call in which a unique placeholder stands for each input."""
        made = dict(record)
        params = dict(made["params"]) if isinstance(made.get("params"), Mapping) else {}
        code = to_safe_locator(made["locator"]) if made.get("locator") is not None else None
        if code is not None:
            tree = ast.parse(code, mode="eval")
            for place, node in enumerate(list_string_nodes(tree)):
                node.value = self._make_placeholder(number, ("locator", place)) or node.value
            made["locator"] = ast.unparse(tree)
        for name in ("value", "text"):
            if sign := self._make_placeholder(number, ("param", name)):
                params[name] = sign
        if sign := self._make_placeholder(number, ("param", "url")):
            params["url"] = re.sub(
                r"^(\w+://[^/?#]*).*$", lambda match: match[1] + sign, str(params["url"]), flags=re.S
            )
        if isinstance(params.get("options"), list):
            params["options"] = [
                {key: self._make_placeholder(number, (f"option {key}", place)) or text for key, text in option.items()}
                for place, option in enumerate(params["options"])
            ]
        return made | {"params": params}

    def _make_placeholder(self, number: int, slot: Slot) -> str:
        name = self._inputs.get((number, slot))
        return f"{self._sign}{name}{self._sign}" if name else ""

    def _replace_placeholders(self, line: str) -> str:
        return re.sub(rf'["\']{self._sign}(\w+){self._sign}["\']', r"\1", line)


def _write_option_line(skill_input: SkillInput) -> str:
    said = (
        f"{skill_input.about}, for example {skill_input.examples[0]!r}"
        if skill_input.examples
        else f"{skill_input.about}; no recording holds it"
    )
    flag, name = skill_input.name.replace("_", "-"), skill_input.name.upper()
    return f'    parser.add_argument("--{flag}", default=os.environ.get("{name}"), help={to_literal(to_comment(said).replace("%", "%%"))})\n'
