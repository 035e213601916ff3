"""Counts which strings of programs' interfaces the detector masks, by program and language.

    python -m bench.redaction.interfaces homebank-data_5.6.2-1_all.deb django_helpdesk-2.6.1-py3-none-any.whl
    python -m bench.redaction.interfaces --most 40 --languages de nl --each *.tgz

The programs are packages as registries serve them. A program's strings of one language are given to the detector together. Strings with an e-mail
address or a link are left out: they are masked on purpose. Those with placeholders and markup are kept. ``--each`` gives each string by itself, so that
no string is context for another. ``--placed`` also lays the strings out on pages and counts what a default build changes there: a word that is taken
for a person's in one string is then counted in each string that has it.
``--show`` prints what is masked, for programs that may be read: whoever has read the strings of a program can no longer judge by it.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from pathlib import Path

from bench.redaction.strings_on_pages import find_changed_strings
from bench.redaction.translations import read_english_strings, read_translations

LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt", "ru", "ja", "zh")
_PERSONAL = re.compile(r"@|://|\bwww\.")
_LONGEST = 400


def read_strings(package: Path, code: str, most: int) -> list[str]:
    """Return at most ``most`` interface strings of a package in one language, spread evenly over all of them."""
    every = read_english_strings(package) if code == "en" else read_translations(package, code)
    plain = [
        s
        for s in dict.fromkeys(s.strip() for s in every)
        if re.search(r"[^\W\d_]{2}", s) and not _PERSONAL.search(s) and len(s) < _LONGEST
    ]
    step = max(1, len(plain) // most)
    return plain[::step][:most]


def main() -> None:
    """Print the share of masked strings by program and by language."""
    from pagereel.redaction import find_pii

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="+", type=Path)
    parser.add_argument("--languages", nargs="+", default=LANGUAGES)
    parser.add_argument("--most", type=int, default=80, help="strings of one program in one language")
    parser.add_argument("--each", action="store_true", help="give each string by itself")
    parser.add_argument("--placed", action="store_true", help="lay the strings out on pages and build them, too")
    parser.add_argument("--show", action="store_true", help="print what is touched")
    options = parser.parse_args()
    counts: dict[str, Counter[str]] = {"touched": Counter(), "strings": Counter(), "placed": Counter()}
    for package in options.packages:
        program = re.split(r"[-_]\d", package.name)[0]
        for code in options.languages:
            texts = read_strings(package, code, options.most)
            found = [find_pii([t])[0] for t in texts] if options.each else find_pii(texts)
            changed = find_changed_strings(texts) if options.placed and texts else []
            for key in (program, code, "all"):
                counts["placed"][key] += len(changed)
            for text, became in changed if options.show else ():
                print(f"{program} {code}: {text!r} became {became!r}", flush=True)
            for text, findings in zip(texts, found, strict=True):
                for key in (program, code, "all"):
                    counts["strings"][key] += 1
                    counts["touched"][key] += bool(findings)
                if findings and options.show:
                    told = ", ".join(f"{text[f.start : f.end]!r} {f.entity} {f.score:.2f}" for f in findings)
                    print(f"{program} {code}: {text!r}: {told}", flush=True)
    for key, total in counts["strings"].items():
        alone = counts["touched"][key]
        placed = counts["placed"][key]
        pages = f"  on pages {placed / total:6.2%}  {placed:4}" if options.placed else ""
        print(f"{key:24} {alone / total:6.2%}  {alone:4} of {total:,}{pages}", flush=True)


if __name__ == "__main__":
    main()
