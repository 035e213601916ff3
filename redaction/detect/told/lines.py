"""Numbers that one calls for service, in the countries whose such numbers have a shape of their own: *1588-0173* in Korea, *444 0 173* in Turkey."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import Finding
from ...words.late import Late

_HANGUL = re.compile("[\uac00-\ud7a3]")
_KOREAN = re.compile(r"(?<![\w.-])1(?:5|6|8)\d\d-\d{4}(?![\w-])")
_LINE = Late(
    r"(?:고객\s?센터|대표\s?(?:번호|전화)|상담\s?(?:전화|센터)?|문의(?:\s?전화)?|客服(?:[热熱][线線]|[电電]话|專線)?|[热熱][线線]|お問い?合わせ|フリーダイヤル|ナビダイヤル|\b(?:hotline|help\s?line|info\s?line|customer\s(?:care|service|services|support)|(?:free|toll)[ -]?free|freephone|freecall|support\sline|"
    r"servicenummer|service-?telefon|kundendienst|kundenservice|service\sclient|numéro\svert|atención\sal\scliente|atendimento(?:\sao\scliente)?|sac|central\sde\satendimento|numero\sverde|servizio\sclienti|klantenservice|infolinia|zákaznická\slinka|kundtjänst|kundeservice|asiakaspalvelu|"
    r"ügyfélszolgálat|müşteri\shizmetleri|çağrı\smerkezi|горячая\sлиния|tổng\sđài|layanan\spelanggan)\b)[^\d\n]{0,8}"
    r"(?P<s>\d{3,4}[ -]\d{3,4}(?:[ -]\d{3,4})?|\d{3}[ ]\d[ ]\d{3}|\d{2}[ ]\d{2}[ ]\d{2}|\d{4}[ ]\d{2}[ ]\d{2}|\d{7,11})(?![\w-]|[.,]\d)",
    re.IGNORECASE,
)


def find_lines(text: str) -> Iterable[Finding]:
    """Yield such numbers."""
    if len(text) > 4_000 or sum(map(str.isdigit, text)) < 6:
        return
    if _HANGUL.search(text):
        yield from (Finding(*m.span(), "PHONE_NUMBER", 0.8) for m in _KOREAN.finditer(text))
    yield from (Finding(*m.span("s"), "PHONE_NUMBER", 0.8) for m in _LINE.now.finditer(text))
