"""Scores `find_pii` beside plain Presidio with the same spaCy pipeline, in one run.

    python -m bench.redaction                       # data from PAGEREEL_PII_DATA, else ../shared/data/
    python -m bench.redaction sentences.jsonl --ui my_strings.json --json out.json
    python -m bench.redaction --session             # only time and memory of a session of 8,000 strings and its gate
    python -m bench.redaction --languages           # only the table by language
    python -m bench.redaction --refusals            # only: how many default builds of 300 pages does the gate refuse?
    python -m bench.redaction --refusals --pages 120:200   # some of them: all take half an hour

Data: one JSON object a line, `{"text", "template_id", "spans": [[start, end, type], …]}`. Templates whose id divides by
three are held out: no rule may be written while looking at them, and they are reported apart. *fresh* are sentences of our own from
templates, names and streets that nothing was tuned on (:mod:`bench.redaction.fresh`); of the other sets (:mod:`bench.redaction.sets`)
*read* is the half by which rules may be written, *rest* the half that nobody reads.

Figures: *full* is the share of labelled spans whose every letter and digit is masked, by whatever type (half a masked
address leaks); *recall*, *precision* and *F2* count characters (letters and digits), regardless of type.
"""

from __future__ import annotations

import argparse
import json
import os
import random
from collections import defaultdict
from pathlib import Path
from typing import Any

from bench.redaction import by_language, fresh, gate_refusals, secret_classes, sets
from bench.redaction.score import System, find_with_pagereel, find_with_presidio, measure_over_masking, score_rows
from bench.redaction.session import measure_session
from bench.redaction.strings import collect_ui_strings

FRESH_SEED = 20261121
"""Always the same sentences of our own, so that figures of two days compare."""
DEFAULT = Path("../shared/data/pii_sentences_dev.jsonl")


def main() -> None:
    """Run the measures that the options choose, and print their figures."""
    parser = argparse.ArgumentParser(prog="python -m bench.redaction", description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("data", nargs="?", type=Path, default=Path(os.environ.get("PAGEREEL_PII_DATA", DEFAULT)))
    parser.add_argument(
        "--ui", type=Path, action="append", default=[], help="strings of interfaces: .json, .po, .whl, .tgz, .deb"
    )
    parser.add_argument("--most", type=int, default=400, help="strings of one interface")
    parser.add_argument("--skip-presidio", action="store_true", help="leave the comparison out")
    parser.add_argument("--session", action="store_true", help="only time and memory of a whole session")
    parser.add_argument("--languages", action="store_true", help="only the table by language")
    parser.add_argument(
        "--refusals", action="store_true", help="only record and build pages, and count what the gate refuses"
    )
    parser.add_argument(
        "--pages", type=_parse_range, default=(0, None), help="with --refusals: the pages from:to, counted from 0"
    )
    parser.add_argument("--reels", type=Path, nargs="*", default=[], help="with --refusals: recordings to build too")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="for the secrets and the session")
    parser.add_argument("--json", type=Path, help="write every figure there")
    options = parser.parse_args()
    result: dict[str, Any] = {"seed": options.seed}
    if options.refusals:
        print(gate_refusals.describe_refusals(gate_refusals.count_refusals(options.reels, *options.pages)))
        return
    if options.languages:
        result["languages"] = measure_languages("pagereel", find_with_pagereel)
    else:
        # The session first: its memory is that of a process that did nothing before.
        result["session"] = measure_session(options.seed)
    if not options.session and not options.languages:
        if not options.data.is_file():
            parser.error(f"there are no sentences at {options.data}; name the file, or set PAGEREEL_PII_DATA")
        rows = [json.loads(line) for line in options.data.read_text("utf-8").splitlines()]
        systems: dict[str, System] = {"pagereel": find_with_pagereel}
        if not options.skip_presidio:
            systems["Presidio"] = find_with_presidio
        for name, system in systems.items():
            system(["warm up"])
            result[name] = measure_system(
                name, system, rows, collect_ui_strings(options.ui, options.most), options.seed
            )
    if options.json:
        options.json.write_text(json.dumps(result, indent=1))


def _parse_range(value: str) -> tuple[int, int | None]:
    """Return a range such as ``120:200`` as two numbers; an end that is left out becomes None, a begin that is left out 0."""
    first, _, last = value.partition(":")
    return int(first or 0), int(last) if last else None


def measure_system(
    name: str, system: System, rows: list[dict[str, Any]], interfaces: dict[str, list[str]], seed: int
) -> dict[str, Any]:
    """Return all figures of one detector by set of sentences, and print each when it is computed."""
    result: dict[str, Any] = {}
    parts = {
        "tuned": [r for r in rows if r["template_id"] % 3],
        "held out": [r for r in rows if r["template_id"] % 3 == 0],
    }
    for part, chosen in parts.items():
        for case, change in (("", str), ("lower", str.lower), ("UPPER", str.upper)):
            cased = [{**r, "text": change(r["text"])} for r in chosen if len(change(r["text"])) == len(r["text"])]
            figures = score_rows(cased, system([r["text"] for r in cased]))
            result[f"{part} {case}".strip()] = figures
            person = figures["types"].get("PERSON", {"full": 0.0})["full"]
            print(f"{name:9} {part:9} {case:6} full {figures['full']:.3f}  recall {figures['recall']:.3f}  "
                  f"precision {figures['precision']:.3f}  F2 {figures['f2']:.3f}  PERSON {person:.3f}", flush=True)  # fmt: skip
            if not case:
                print("          " + "  ".join(f"{k} {v['full']:.2f}/{v['n']}" for k, v in figures["types"].items()))
    by_hand = {"fresh": fresh.make_sentences(FRESH_SEED)}
    for name in sets.READ:
        by_hand |= {
            f"{name}, {of}": rows for of, rows in zip(("read", "rest"), sets.split_read_half(name), strict=True) if rows
        }
    for part, rows in by_hand.items():
        for case, change in (("", str), ("lower", str.lower), ("UPPER", str.upper)):
            cased = [{**r, "text": change(r["text"])} for r in rows if len(change(r["text"])) == len(r["text"])]
            figures = result[f"{part} {case}".strip()] = score_rows(cased, system([r["text"] for r in cased]))
            types = "  ".join(f"{k} {v['full']:.2f}/{v['n']}" for k, v in figures["types"].items())
            print(f"{name:9} {part:9} {case:6} full {figures['full']:.3f}  recall {figures['recall']:.3f}  "
                  f"precision {figures['precision']:.3f}  F2 {figures['f2']:.3f}  {types}", flush=True)  # fmt: skip
    result["languages"] = measure_languages(name, system)
    touched_all = strings_all = 0.0
    for source, strings in interfaces.items():
        touched = measure_over_masking(strings, system(strings))
        result[f"ui {source}"] = touched
        print(f"{name:9} interface strings, {source}: {touched['touched']:.2%} of {touched['strings']:,.0f} touched, "
              f"{touched['characters']:.2%} of characters", flush=True)  # fmt: skip
        touched_all += touched["touched"] * touched["strings"]
        strings_all += touched["strings"]
    if strings_all:
        result["ui all"] = {"strings": strings_all, "touched": touched_all / strings_all}
        print(
            f"{name:9} all interface strings: {touched_all / strings_all:.2%} of {strings_all:,.0f} touched", flush=True
        )
    result["secrets"] = measure_secrets(system, seed)
    whole = [kind for kind, share in result["secrets"].items() if share == 1]
    rest = "  ".join(f"{kind} {share:.2f}" for kind, share in result["secrets"].items() if share < 1)
    print(f"{name:9} secrets: {len(whole)} of {len(result['secrets'])} classes always masked whole  {rest}", flush=True)
    return result


def measure_languages(name: str, system: System) -> dict[str, Any]:
    """Return the figures of one detector by language, and print them as a table.

    The columns are full masks, persons, all else, precision, and sentences without personal data in which something is masked.
    """
    result: dict[str, Any] = {}
    print(f"{name:9} language    full  PERSON  others  precision  touched of those without  PERSON, names by Faker")
    for code, language in by_language.LANGUAGES.items():
        rows = by_language.read_sentences(code)
        found = system([r["text"] for r in rows])
        figures = result[code] = score_rows(rows, found)
        person = figures["types"]["PERSON"]
        others = [v for k, v in figures["types"].items() if k != "PERSON"]
        rest = sum(v["full"] * v["n"] for v in others) / sum(v["n"] for v in others)
        empty = [spans for row, spans in zip(rows, found, strict=True) if not row["spans"]]
        figures["touched"] = sum(map(bool, empty))
        others_names = by_language.replace_person_names(code, FRESH_SEED)
        if others_names is not None:
            other = figures["other names"] = score_rows(others_names, system([r["text"] for r in others_names]))
        faker = f"{other['types']['PERSON']['full']:.3f} of {other['types']['PERSON']['n']}" if others_names else ""
        print(f"          {language:10} {figures['full']:6.3f}  {person['full']:6.3f}  {rest:6.3f}  {figures['precision']:9.3f}"
              f"  {figures['touched']} of {len(empty)}  {faker}", flush=True)  # fmt: skip
    return result


def measure_secrets(system: System, seed: int) -> dict[str, float]:
    """Return for each class of secrets the share that is masked whole."""
    made = secret_classes.make_sentences(seed)
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for (kind, text, start, end), spans in zip(made, system([m[1] for m in made]), strict=True):
        masked = {i for s, e in spans for i in range(s, e)}
        counts[kind][0] += all(i in masked for i in range(start, end) if text[i].isalnum())
        counts[kind][1] += 1
    return {kind: whole / n for kind, (whole, n) in counts.items()}


if __name__ == "__main__":
    main()
