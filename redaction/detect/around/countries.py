"""Countries by where they stand, in any case of letters: a country alone on a label is a choice in a list, and nobody's."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import Finding

_COUNTRIES = (
    "Afghanistan|Albania|Algeria|Andorra|Angola|Argentina|Armenia|Australia|Austria|Azerbaijan|Bahamas|Bahrain|Bangladesh|Barbados|Belarus|Belgium|Belize|Benin|Bhutan|Bolivia|Bosnia(?: and Herzegovina)?|Botswana|"
    "Brazil|Brunei|Bulgaria|Burkina Faso|Burundi|Cambodia|Cameroon|Canada|Cape Verde|Chile|China|Colombia|Comoros|Congo|Costa Rica|Croatia|Cuba|Cyprus|Czechia|Czech Republic|Denmark|Djibouti|Ecuador|Egypt|El Salvador|"
    "Eritrea|Estonia|Eswatini|Ethiopia|Fiji|Finland|France|Gabon|Gambia|Germany|Ghana|Greece|Greenland|Grenada|Guatemala|Guinea|Guyana|Haiti|Honduras|Hungary|Iceland|India|Indonesia|Iran|Iraq|Ireland|Israel|Italy|"
    "Ivory Coast|Jamaica|Japan|Kazakhstan|Kenya|Kosovo|Kuwait|Kyrgyzstan|Laos|Latvia|Lebanon|Lesotho|Liberia|Libya|Liechtenstein|Lithuania|Luxembourg|Madagascar|Malawi|Malaysia|Maldives|Malta|Mauritania|Mauritius|"
    "Mexico|Moldova|Monaco|Mongolia|Montenegro|Morocco|Mozambique|Myanmar|Namibia|Nepal|Netherlands|New Zealand|Nicaragua|Nigeria|North Korea|North Macedonia|Norway|Oman|Pakistan|Palestine|Panama|Papua New Guinea|"
    "Paraguay|Peru|Philippines|Poland|Portugal|Qatar|Romania|Russia|Rwanda|Saudi Arabia|Senegal|Serbia|Seychelles|Sierra Leone|Singapore|Slovakia|Slovenia|Somalia|South Africa|South Korea|South Sudan|Spain|Sri Lanka|"
    "Sudan|Suriname|Sweden|Switzerland|Syria|Taiwan|Tajikistan|Tanzania|Thailand|Togo|Tunisia|Turkmenistan|Türkiye|Uganda|Ukraine|United Arab Emirates|United Kingdom|United States(?: of America)?|Uruguay|Uzbekistan|"
    "Venezuela|Vietnam|Yemen|Zambia|Zimbabwe"
)
_COUNTRY_FIRST = re.compile(
    rf"\A\W*(?P<s>{_COUNTRIES})(?='s\b|:|,?[ ](?:[a-z]|[^\W\d_a-z][\w'’-]*[ ][^\W\d_]+[ ][^\W\d_]))", re.IGNORECASE
)
_COUNTRY_WITHIN = re.compile(
    rf"\b(?:in|to|from|of|through|across|around|into|visit(?:ing|ed)?|leav(?:e|ing)|left|near|for|(?:north|south|east|west)(?:ern)?|central)[ ](?:the[ ])?(?P<s>(?:{_COUNTRIES})(?:[ ]\([^\W\d_]{{3,12}}\))?)(?![\w-])",
    re.IGNORECASE,
)
_COUNTRY_AFTER = re.compile(rf"(?<=[^\W\d_]{{3}}),[ ](?P<s>{_COUNTRIES})(?=[.!?;)]?(?:\s|$))", re.IGNORECASE)
_COUNTRY_LINE = re.compile(
    rf"^[^\w\n]*(?:\d{{3,6}}[ ])?(?P<s>{_COUNTRIES})(?:[ ]\d{{3,6}})?[^\w\n]*$", re.IGNORECASE | re.MULTILINE
)


def find_countries(text: str) -> Iterable[Finding]:
    """Yield countries that begin a headline, follow a preposition or a town, or are a line."""
    if text.count(" ") > 2 and (match := _COUNTRY_FIRST.match(text)):
        yield Finding(*match.span("s"), "LOCATION", 0.6)
    if text.count(" ") > 2:
        for pattern in (_COUNTRY_WITHIN, _COUNTRY_AFTER):
            yield from (Finding(*m.span("s"), "LOCATION", 0.6) for m in pattern.finditer(text))
    if "\n" in text:
        yield from (Finding(*m.span("s"), "LOCATION", 0.6) for m in _COUNTRY_LINE.finditer(text))
