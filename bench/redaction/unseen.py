"""Sets that nobody tuned on: posts, invoices, chats, letters, news, dashboards and tables, each line written by hand (`unseen.txt`, `fifth.txt`).

Written on 23 and 24 November 2026, each before the rules of its day, and run after them. Whoever reads what fails here makes a set worthless, so
failures are counted by type and never printed. Of the sixth set (`sixth.txt`) the first, third, fifth line and so on are read for what fails, the others never;
of the seventh (`seventh.txt`, 25 November 2026, positions and companies above all) and the eighth (`eighth.txt`, agents' logs, chats, mails, tickets, tables, code,
in twenty languages) likewise. Of the ninth (`ninth.txt`, 26 November 2026, other trades) all lines are read; the tenth (`tenth.txt`, of
the same day) was judged once, after the rules that the ninth led to, and read afterwards. The eleventh (`eleventh.txt`, of the same day, 27 languages) is by
somebody who had seen neither rules, nor lists, nor the other sets; of it the second, fourth, sixth line and so on are read for what fails, the others never.
The twelfth (`twelfth.txt`, of the same day, 24 languages) is by another such; it is read like the eleventh.
The thirteenth (`thirteenth.txt`, of the evening, 300 lines, 30 of them in other scripts) and the fourteenth (`fourteenth.txt`, 200 lines in ten languages of other scripts) are by two more; the second, fourth, sixth line and so on of the
thirteenth was read, of the fourteenth none. The fifteenth (`fifteenth.txt`, of the night after, 300 lines in nine languages) and the sixteenth (`sixteenth.txt`, 240 lines in ten languages of other scripts) are by two further ones: the second, fourth, sixth
line and so on of the fifteenth was read, of the sixteenth none.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench.redaction.by_language import parse

FILE = Path(__file__).with_name("unseen.txt")
FIFTH = Path(__file__).with_name("fifth.txt")
SIXTH = Path(__file__).with_name("sixth.txt")
SEVENTH = Path(__file__).with_name("seventh.txt")
EIGHTH = Path(__file__).with_name("eighth.txt")
NINTH = Path(__file__).with_name("ninth.txt")
TENTH = Path(__file__).with_name("tenth.txt")
ELEVENTH = Path(__file__).with_name("eleventh.txt")
TWELFTH = Path(__file__).with_name("twelfth.txt")
THIRTEENTH = Path(__file__).with_name("thirteenth.txt")
FOURTEENTH = Path(__file__).with_name("fourteenth.txt")
FIFTEENTH = Path(__file__).with_name("fifteenth.txt")
SIXTEENTH = Path(__file__).with_name("sixteenth.txt")


def sentences(file: Path = FILE) -> list[dict[str, Any]]:
    """Rows as in `pii_sentences_dev.jsonl`. In the file ``\\n`` and ``\\t`` stand for a line's end and a tab, lines with ``#`` say the style."""
    lines = [line for line in file.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return [parse(line.replace("\\n", "\n").replace("\\t", "\t"), number) for number, line in enumerate(lines)]
