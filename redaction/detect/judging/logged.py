"""Numbers of programs' lines and of papers: the moment and the process of a line in a log, a line of a file, a length of time, the number of a ticket or a delivery note.

A model that knows addresses takes these for houses and postcodes; and a log without its times cannot be read. What it tells of somebody stays masked: names, users, addresses.
"""

from __future__ import annotations

import re

from ...contracts.types import Finding
from ...words.late import Late

_PLACED = frozenset({"ADDRESS", "ZIP_CODE"})
_STAMP = r"(?:(?:199[5-9]|20\d\d)[-/]\d\d[-/]\d\d[T ](?!00:00:00)\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:[ ]?Z|[ ]?[+-]\d\d:?\d\d)?)"
"""A moment of a machine: a day of birth is of before, or at midnight."""
_LEVEL = (
    r"(?:debug|info(?:rmation|rmación|rmação|rmacja|rmazione)?|notice|warn(?:ing)?|err(?:or|o|ore|eur|oare)?|crit(?:ical)?|fatal|trace|alert|emerg(?:ency)?|audit|severe|verbose|avertissement|fehler|warnung|hinweis|aviso|avviso|avvertenza|advertencia|"
    r"ostrzeżenie|błąd|fel|varning|fejl|advarsel|feil|virhe|varoitus|chyba|varování|hiba|figyelmeztetés|avertizare|hata|uyarı|bilgi|greška|upozorenje|fout|waarschuwing|ошибка|предупреждение|помилка|попередження|σφάλμα|προειδοποίηση)"
)
"""How grave a line of a log is, in many languages."""
_LOGGED = Late(
    rf"(?:^|(?<=\n))[ \t]*(?:"
    rf"[\[(]?(?P<a>{_STAMP})[\])]?[ \t]*[|:–-]?[ \t]*(?:\[[^\]\n]{{1,40}}\][ \t]*)?[\[(<|]?{_LEVEL}(?![^\W_])[\])>|:]?"
    r"|(?:<\d{1,3}>)?(?P<b>[A-Z][a-z]{2}[ ]{1,2}\d{1,2}[ ]\d\d:\d\d:\d\d)[ ][\w.-]+[ ][\w./-]+(?:\[\d+\])?:"
    rf"|(?:time|ts|timestamp|@timestamp)=\"?(?P<c>{_STAMP})\"?[ ](?:level|lvl|severity)=\"?{_LEVEL}(?![^\W_])"
    r")",
    re.IGNORECASE,
)
"""The moment of a line in a log: before a level, before a host and a program, or by its key."""
_SERVED = re.compile(r"\[(\d{1,2}/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d[ ][+-]\d{4})\]")
"""The moment at which a server answered."""
_PROCESS = re.compile(r"[a-z]\[\Z")
_PAPER = Late(
    r"(?<![^\W_])(?:ticket|issue|incident|invoice|receipt|delivery[ ]note|packing[ ](?:slip|list)|consignment|quot(?:e|ation)|purchase[ ]order|order|job|task|pull[ ]request|rma|batch|run|"
    r"(?:bon|bulletin)[ ]de[ ](?:livraison|commande)|commande|facture|devis|bestellung|auftrag|rechnung|lieferschein|vorgang|angebot|pedido|factura|albarán|presupuesto|encomenda|fatura|guia[ ]de[ ]remessa|nota[ ]fiscal|ordine|fattura|ddt|bolla|preventivo|"
    r"bestelling|factuur|pakbon|offerte|zamówienie|faktura|paragon|zlecenie|beställning|följesedel|ordre|følgeseddel|objednávka|dodací[ ]list|sipariş|irsaliye|teklif|rendelés|számla|comanda|factură)s?"
    r"[ ]{0,2}(?:n[°ºo]|no\.?|nr\.?|num\.?|number|nummer|č\.|sz\.|:)?[ ]{0,2}#?\Z",
    re.IGNORECASE,
)
"""What stands before the number of a paper or a case."""
_GOES_ON = re.compile(r"[ ]+[^\W\d_]")
"""A word right behind a number: a town behind its postcode, *colis 75011 Paris*."""
_NUMBER = re.compile(r"#?\d{3,9}")
_ASKED = re.compile(
    r"(?::|：|\b(?:apt|apartment|unit|suite|ste|house|flat|room|zip|plz|code|build(?:ing)?|block|tower|no)\.?)[ ]{0,3}\Z",
    re.IGNORECASE,
)
"""A label, or a word for a home, before a number with its mark."""
_IN_FILE = Late(
    r"(?:line|row|zeile|reihe|ligne|línea|linea|fila|linha|riga|regel|rij|wiersz[ua]?|lini[ai]|rad|rader|raden|linje|rivi|řádek|řádku|riadok|sor|satır|rând)[ ]{1,2}\d{1,7}"
)
"""Where something stands in a file: *wierszu 212*."""
_LASTED = re.compile(
    r"[ ]?(?:s|sec|secs|seconds?|ms|min|mins|minutes?|minuti|minutos|minuten|minut|sekund\w*|sekunden|secondi|segundos|secondes|seconden|saniye|dakika)(?=[.,;:)\]]|[ ]?\Z|\n)"
)
_SINCE = re.compile(
    r"(?<![^\W_])(?:in|after|took|for|within|nach|dauerte|en|po|dans|après|dopo|depois|após|na|efter|etter|za|után|sonra|binnen)[ ]\Z",
    re.IGNORECASE,
)
"""How long something took, where the clause ends, and what stands before that."""


def of_a_log(text: str, f: Finding) -> bool:
    """Return whether a finding is such a number. No label says that it is another."""
    if f.entity == "DATE_TIME":
        moments = [m.span(name) for m in _LOGGED.now.finditer(text) for name in "abc" if m[name]] if ":" in text else []
        moments += [m.span(1) for m in _SERVED.finditer(text)]
        return any(start <= f.start and f.end <= end + 1 for start, end in moments)
    if f.entity == "PHONE_NUMBER":
        return any(m.start(1) <= f.start and f.end <= m.end(1) for m in _SERVED.finditer(text))
    if f.entity not in _PLACED:
        return False
    value, before = text[f.start : f.end], text[max(0, f.start - 40) : f.start]
    if _IN_FILE.now.fullmatch(value):
        return not _ASKED.search(before)
    if not _NUMBER.fullmatch(value):
        return False
    if _PROCESS.search(before) and text[f.end :].startswith("]"):
        return True
    if _LASTED.match(text, f.end):
        return _SINCE.search(before) is not None
    if _GOES_ON.match(text, f.end):
        return False
    return _PAPER.now.search(before) is not None or (value.startswith("#") and not _ASKED.search(before))
