"""What is told of somebody in a word or a number, by the words around it: ages of several people, peoples and beliefs, user names, years, codes."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..contracts.types import Finding
from ..words.english import english, ordinary
from ..words.hinted import Hinted
from ..words.words import LANGUAGES, TECHNOLOGY, UI_WORDS, common_words, function_words, given_names
from .around.ages import NO_AGE
from .judging.foreign import known
from .judging.prose import sentence_like
from .judging.telling import heard_by_nobody
from .shapes import DEMONYMS

_I = re.IGNORECASE
_N = r"(?:1[01]\d|[1-9]\d?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?)"
_KIN = (
    r"(?:kids?|child(?:ren)?|sons?|daughters?|twins|triplets|boys?|girls?|brothers?|sisters?|siblings?|babies|baby|toddler|grand(?:sons?|daughters?|kids?|children|mother|father|ma|pa|dad|mum)|nan|gran|mother|father|mum|mom|dad|husband|wife|aunt|uncle|nephews?|nieces?|"
    r"cousins?|eldest|youngest|oldest|partner|man|woman|lady|gentleman|teenagers?|pensioner)"
)
_PARENT = r"(?:grand)?(?:mother|father|mum|mom|dad|parent|nan|gran|ma|pa)"
"""*Mother of two* tells how many children somebody has, *a boy of two* how old he is."""
_AGES = tuple(
    Hinted(rule, _I)
    for rule in (
        rf"\b(?!{_PARENT}[ ]of\b){_KIN}(?:[ ](?:are|is|were|was)(?:[ ]both|[ ]all|[ ]now)?|,?[ ]aged|,?[ ]ages|[ ]of|,)?[ ][(]?(?P<s>{_N})(?:(?:,[ ]|[ ]and[ ]|,[ ]and[ ]|[ ]&[ ])(?P<t>{_N}))?(?:(?:,[ ]|[ ]and[ ]|,[ ]and[ ]|[ ]&[ ])(?P<u>{_N}))?(?=[ ]?(?:[,.;!?)\n]|\Z|(?:in|next|this|who|with|from|at|on|was|were|is|has|had|and[ ](?:a|an|the|my|his|her|our))\b))",
        rf"\b(?:aged|ages)[ ](?:between[ ]|from[ ])?(?P<s>{_N})(?:[ ]?(?:and|to|or|&|,|-|–)[ ]?(?P<t>{_N}))?(?![\w%:-])",
        rf"\b(?:is|was|are|now|turned|turning|turns|turn)[ ](?P<s>{_N})(?=[ ](?:years|months|weeks)\b(?:[ ]old)?[ ]?(?:[.,;!?)\n]|\Z|(?:old|today|tomorrow|now|next)\b))",
        rf"\b(?:he|she|who)(?:[ ]|'|’)(?:is|was|s|will[ ]be|ll[ ]be|turns|turned|just[ ]turned)[ ](?P<s>{_N})(?=[ ]?[,.;!?)\n]|[ ]?\Z)",
        rf"\b(?:person|patient|applicant|suspect|victim|claimant)[ ](?:is[ ]|aged[ ])(?P<s>{_N})(?![\w%:.-])",
        r"\b(?:patient|pt|client|name|sex|gender|f|m)[ ]?[:/|,][ ]?(?:f|m|female|male)?[ ]?[/|,·][ ]?(?P<s>[1-9]\d?)(?=[ ]?(?:y|yrs|years)?[ ]?(?:[,/|;·]|\Z|\n))",
        r"\(aged[ ](?P<s>[1-9]\d?)(?=½|¼|¾|\.5)",
        r"\b(?P<s>(?:100|[2-9]0|[2-9]1|1[68])(?:st|th))[ ](?:birthday|bday)\b",
        r"\b(?:her|his|their|my|your|our)[ ](?P<s>\d{1,3}(?:st|nd|rd|th))[ ](?:birthday|bday)\b",
    )
)
_AGE_GATE = Hinted(
    rf"\b(?:{_KIN}|aged|ages|years|months|weeks|birthday|bday|he|she|who|patient|pt|person|applicant|suspect|victim|claimant|name|sex|gender|f|m)\b",
    _I,
)
_PEOPLES = (
    "Aboriginal|Akan|Amazigh|Amhara|Amish|Andorran|Anglican|Antiguan|Ashkenazi|Assyrian|Aymara|Baha'i|Bahamian|Bahraini|Balinese|Baltic|Baluchi|Bamileke|Bantu|Baptist|Barbadian|Bashkir|Bavarian|Bedouin|Belizean|Bengali|Beninese|Berber|Bhutanese|Botswanan|"
    "Breton|Bruneian|Burkinabe|Burmese|Burundian|Caribbean|Caucasian|Chadian|Chechen|Cherokee|Chicano|Comorian|Coptic|Corsican|Creole|Dominican|Druze|Emirati|Eritrean|Eswatini|Fante|Flemish|Frisian|Fulani|Gabonese|Galician|Gambian|Grenadian|Guinean|Gujarati|Guyanese|"
    "Han|Hasidic|Hausa|Hawaiian|Hazara|Herero|Hindu|Hmong|Igbo|Inuit|Ismaili|Ivorian|Jain|Javanese|Jew|Kalenjin|Kannada|Karen|Kashmiri|Khmer|Kikuyu|Kosovar|Kosovan|Kyrgyz|Lakota|Laotian|Luo|Lutheran|Luxembourgish|Maasai|Malagasy|Malawian|Malay|Maldivian|Malian|Manx|Maori|Māori|Marathi|Mauritanian|"
    "Mauritian|Mayan|Mennonite|Métis|Methodist|Mohawk|Monegasque|Montenegrin|Mozambican|Navajo|Ndebele|Nepali|Newar|Nigerien|Ojibwe|Omani|Oromo|Ossetian|Pashtun|Pentecostal|Polynesian|Presbyterian|Punjabi|Quaker|Quechua|Rastafarian|Rohingya|Romani|Samoan|Sami|Sámi|Sephardic|Serb|Shia|Shona|Sicilian|Sindhi|"
    "Sinhalese|Sioux|Slav|Sotho|Sunni|Surinamese|Swazi|Tajik|Tamil|Tatar|Telugu|Tigrayan|Togolese|Tongan|Trinidadian|Tswana|Turkmen|Tutsi|Twi|Uyghur|Vincentian|Walloon|Wolof|Xhosa|Yazidi|Yoruba|Zulu|Zoroastrian"
)
_PEOPLE = rf"(?:{DEMONYMS}|{_PEOPLES})"
_OF_A_PEOPLE = Hinted(
    rf"(?:\b(?:an?|is|am|are|was|were|half|part|fully|proud(?:ly)?|ethnic(?:ally)?|native|born|devout|practi[sc]ing|fellow|young|old|elderly|my|his|her|our|their|the|he's|she's|i'm|we're|of|by|two|three|several|many|as[ ]an?)[ ]|\b(?:ethnicity|nationality|religion|citizenship|faith|race|origin|heritage|denomination)[ ]?[:=-]?[ ]|(?:\A|(?<=[.!?\n][ ])))"
    rf"(?P<s>{_PEOPLE}(?:[ -](?:{_PEOPLE}))?)s?(?=[ ]?[,.;!?)(\n]|[ ]?\Z|[ ](?:man|woman|men|women|boy|girl|guy|lady|couple|family|families|parents?|mother|father|wife|husband|friends?|neighbou?rs?|citizens?|nationals?|passport|visa|community|communities|descent|origin|origins|heritage|ancestry|background|roots|"
    r"immigrants?|refugees?|migrants?|students?|workers?|nurse|doctor|teacher|chef|singer|actor|actress|artist|writer|author|poet|director|player|striker|midfielder|driver|engineer|businessman|businesswoman|politician|minister|president|ambassador|embassy|counterpart|colleagues?|tourists?|tribe|church|priest|wedding|accent|"
    r"born|speaking|and[ ](?!translation|version)|but|who|from|by|on|in[ ](?:the|her|his)|at|living|since|with)\b)",
    _I,
)
_SPEAKER = re.compile(
    r"\b(?:language|keyboard|translat\w+|locale|dictionary|subtitles?|caption|layout|spelling|version|font|text|page)s?\b|\b(?:in|into|to|from)[ ]\Z",
    _I,
)
_ACCOUNT = Hinted(
    r"\b(?:(?:log(?:ged)?|sign(?:ed)?)[ ]?(?:in|on|into[ ]\w+)[ ]as|su[ ]-?|user(?:name)?|user[ ]?id|login|handle|nick(?:name)?|gamer[ ]?tag|screen[ ]name|alias|insta(?:gram)?|ig|twitter|tiktok|snap(?:chat)?|telegram|steam|psn|xbox|github|gitlab|discord|skype|slack|reddit|twitch|youtube|mastodon|"
    r"(?:posted|created|edited|deleted|updated|pushed|committed|uploaded|merged|reviewed|opened|closed)[ ]by|assign(?:ed|ee)(?:[ ]to)?|account|profile|follow(?:ed|s|ing)?|dm|message|mention(?:ed)?|ask|ping(?:ed)?|cc|thanks|hey|hi)(?=[ :=@])"
    r"(?:[ ](?:me|us|him|her)[ ](?:at|on[ ]\w+(?:[ ]at)?))?(?:[ ](?:name|handle|id|user|account))?[ ]?(?:is[ ]|at[ ]|as[ ]|=|:)?[ ]?[\"'`@]?(?P<s>[a-z0-9][a-z0-9._-]{2,30}[a-z0-9_])(?![\w@]|\.\w|/)",
    _I,
)
_PLAIN_ACCOUNT = Hinted(
    r"\b(?:user[ ]?name|user[ ]?id|handle|nick(?:name)?|gamer[ ]?tag|screen[ ]name|alias|login(?:[ ]name)?|insta(?:gram)?|tiktok|snapchat|telegram|twitter|psn|discord|skype|reddit)(?:[ ](?:name|handle|id))?[ ](?:is|was)[ ][\"'`@]?(?P<s>[a-z][\w.-]{3,30}\w)(?![\w@])|(?<![\w/.])(?:u|r/u|user)/(?P<u>[\w-]{3,30})(?![\w/.])|\bssh[ ](?:-\w+[ ])*(?P<v>[a-z][\w.-]{1,30})@(?=[\w.-])|(?<![\w.#])(?P<w>[a-z][\w.]{2,31}#\d{4})(?!\w)",
    _I,
)
_BEHIND = Hinted(
    r"(?<![\w-])(?:author|committer|assignee|owner|reporter|reviewer|maintainer|submitter|uploader|requester|approver|translator|moderator|contributor|(?:creat|updat|submitt|approv|review|chang|clos|open)ed[ ]by)[ ]?[:=][ ]?[\"'@]?(?P<s>[a-z]{4,24})(?![\w@/.-])",
    _I,
)
"""Who did something, after the label for it, by a user name of letters alone: ``Author: btresidder``."""
_HANDLE = r"(?=[\w.-]{0,30}[_\d])[a-z][a-z\d]*(?:[._-][a-z\d]+)*_?"
_HANDLES = tuple(
    Hinted(rule, _I)
    for rule in (
        rf"(?<![\w@./-])(?P<s>{_HANDLE})[ ](?:kicked|banned|muted|blocked|unbanned|unmuted|unblocked|followed|unfollowed|raided|gifted|tipped|invited|whispered[ ]to|whispers[ ]to|reported|challenged|outbid|beat|defeated|killed|revived|healed|thanked|poked|mentioned|quoted|tagged|replied[ ]to)(?:[ ](?P<t>{_HANDLE}))?(?![\w@/-])",
        rf"\b(?:kick(?:ed)?|bann?(?:ed)?|mute[d]?|unban(?:ned)?|unmute[d]?|block(?:ed)?|follow(?:ed)?|whisper(?:ed)?[ ]to|aka|a\.k\.a\.|alias|known[ ]as|goes[ ]by|plays[ ]as|streams[ ]as|posts[ ]as|(?:accounts?|users|logins|handles|usernames|profiles|members|players)(?:[ ][a-z]+){{0,2}}(?::|[ ]are|[ ]were)?)[ ][\"'@]?(?P<s>{_HANDLE})(?:,?[ ](?:and|&|or)[ ][\"'@]?(?P<t>{_HANDLE}))?(?![\w@/-])",
    )
)
"""A user name that what is done to it, or what it is called, tells: it has an underscore or a digit, which no other word has."""
_NOTED = Hinted(r"\b(?:TODO|FIXME|XXX|HACK)\(@?(?P<s>[^\W\d_][\w.-]{1,30})\)", _I)
"""Whom a note in a program names: ``TODO(jblack)``."""
_HANDLE_GATE = re.compile(r"[a-z][_\d]", _I)
_SIMPLE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d[\d.-]*")
_FILE = re.compile(
    r".*\.(?:py|js|ts|css|html?|json|ya?ml|toml|md|txt|csv|png|jpe?g|svg|pdf|zip|exe|sh|com|org|net|io|dev|app|example|local)\Z|v?\d[\d.]*\Z|\d+(?:st|nd|rd|th|px|am|pm|x|k|m|s)\Z",
    _I,
)
_YEAR = Hinted(
    r"\b(?:in|since|until|from|of|during|before|after|by|to|and|back[ ]in|born|founded|graduated|died|retired|married|summer|winter|spring|autumn|fall|early|late|mid-?)[ ](?P<s>(?:1[89]|20)\d\d)(?![\w%]|[.,:/-]\d|[ ](?:results|items|rows|files|users|points|times|people|words|characters|pages|entries|bytes|errors))",
    _I,
)
_CLASS = Hinted(r"\b(?:class|summer|winter|spring|autumn|fall|back|season)[ ](?:of|in)[ ](?P<s>['’]\d\d)(?!\d)", _I)
_DUE = Hinted(
    r"\b(?:due|on|by|dated|since|until|before|after|arrives?|arriving|delivered|expires?|from)[ ](?P<s>(?:0?[1-9]|[12]\d|3[01])[/.](?:0?[1-9]|1[0-2])|(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01]))(?![\w/]|\.\d|[ ]?(?:of|cup|tsp|inch|mile))",
    _I,
)
_LOCAL = Hinted(r"(?:\A|(?<=[\t|;,:(\n])|(?<=[\t|;,:(\n] ))(?P<s>\d{3}[- ]\d{4})(?=[ ]*(?:\Z|[\t|;,)\n]))")
_BIC = Hinted(
    r"\b(?:bic|swift)(?:[ /-]?(?:bic|swift|code|no))?\.?[ :=]{1,3}(?P<s>[a-z]{6}[a-z0-9]{2}(?:[a-z0-9]{3})?)(?!\w)", _I
)
_CODES = tuple(
    (entity, Hinted(rule, _I))
    for entity, rule in (
        (
            "CVV",
            r"\b(?:sec(?:urity)?\.?[ ]?(?:code|no|number)|card[ ]code|verification[ ](?:value|code))[ ]?[:=#-]?[ ]?(?:is[ ])?(?P<s>\d{3,4})(?![\d-])",
        ),
        (
            "CREDIT_CARD",
            r"\b(?:card|acc(?:oun)?t|visa|mastercard|amex|iban|number|no\.?|#)[ ](?:is[ ])?(?:ends?|ending|ended|finishing|last[ ]digits)[ ]?(?:in|with|on|:)?[ ]?(?P<s>\d{3,4})(?![\d-])",
        ),
        (
            "BANK_ACCOUNT",
            r"\b(?:bsb|sort[ ]?code|routing(?:[ ](?:no|number))?|blz|branch[ ]code|transit(?:[ ]no)?|aba)[ ]?[:.#-]?[ ]?(?P<s>\d{3}[ -]?\d{3}|\d{2}[ -]\d{2}[ -]\d{2}|\d{8,9})(?![\d-])",
        ),
        (
            "BANK_ACCOUNT",
            r"\b(?:acc(?:oun)?t?|a/c|konto)(?:[ ]?(?:no|number|nr|num))?[ ]?[:.#-]?[ ]?(?P<s>\d{6,12})(?![\d-])",
        ),
        (
            "ID",
            r"\b(?:loyalty|membership|member|frequent[ ]fl[yi]er|rewards?|mileage|library|club|donor|supporter|patron|staff|badge|policy|claim|patient|hospital|pupil|student|employee|payroll|customer|client|visa|permit|licen[cs]e|registration|enrol?lment|subscriber|tenant|insurance|medicare|medicaid|nhs|health)"
            r"(?:[ ]card)?[ ](?:no|nr|num|number|id|#)\b\.?(?:[ ]is)?[ ]?[:#=]?[ ]?(?P<s>(?=(?:[a-z]{1,4}[ -]?)?\d(?:[ -]?\d){4})(?:[a-z]{1,4}[ -]?)?\d+(?:[ -]?\d{2,}|-[a-z\d]{1,6}){0,5})(?![\w-])",
        ),
        ("SECRET", r"\b(?:pw|pwd|passcode|passwort|pass|kennwort)[ ]?[:=][ ]?(?P<s>[^\s,;\"'<>]{4,64})"),
        (
            "SECRET",
            r"\b(?:lock(?:er)?|safe|alarm|gate|door|entry|garage|building|key[ ]?box|lock[ ]?box|intercom|vault|padlock|suitcase)(?:[ ](?:box|combo|combination|code|pin|keypad))+(?:[ ](?:is|was|no|number))?[ ]?[:#=]?[ ]?#?(?P<s>\d[\d-]{2,10}\d)[#*]?",
        ),
        (
            "SECRET",
            r"\b(?:voucher|coupon|gift[ ]?card|gift|promo(?:tion)?|discount|referral|redemption|invite|access|claim)(?:[ ]code)?(?:[ ]is)?[ ]?[:#]?[ ]?(?P<s>(?=[a-z-]*\d)[a-z0-9]{2,}(?:-[a-z0-9]{2,}){1,5})(?![\w-])",
        ),
        (
            "SECRET",
            r"(?<![\w+/=.-])(?P<s>(?=[a-z0-9+/]{40})(?=[a-z0-9+/]*(?-i:[a-z]))(?=[a-z0-9+/]*\d)(?=[a-z0-9+/]*(?-i:[A-Z]))[a-z0-9+]+(?:/[a-z0-9+]+)*)(?![\w+/=.-])",
        ),
    )
)
_NOUNS = re.compile(r"(?:[^\W\d_a-z][^\W\d_A-Z]+-)+[^\W\d_a-z][^\W\d_A-Z]+")
"""Words with capitals and hyphens between them, as German puts nouns together: ``Reddit Inhalts-Einstellungen``."""
_DIGIT = re.compile(r"\d")
_SMALL = function_words("company") | function_words("small")


def find_particulars(text: str) -> list[Finding]:
    """Return ages, peoples, user names, years and codes that words around them tell."""
    if len(text) > 4_000:
        return []
    found = list(_peoples(text))
    found += _accounts(text)
    found += [Finding(*m.span("s"), "USERNAME", 0.6) for m in _NOTED.finditer(text) if not _everybodys(m["s"])]
    if _AGE_GATE.search(text):
        found += _ages(text)
    if _DIGIT.search(text):
        found += [Finding(*m.span("s"), entity, 0.7) for entity, rule in _CODES for m in rule.finditer(text)]
        found += [Finding(*m.span("s"), "PHONE_NUMBER", 0.7) for m in _LOCAL.finditer(text)]
        if sentence_like(text):
            found += [
                Finding(*m.span("s"), "DATE_TIME", 0.5) for rule in (_YEAR, _CLASS, _DUE) for m in rule.finditer(text)
            ]
    found += [Finding(*m.span("s"), "BANK_ACCOUNT", 0.8) for m in _BIC.finditer(text) if not english(m["s"])]
    return found


def _everybodys(word: str) -> bool:
    return english(word) or word.lower() in UI_WORDS or word.lower() in TECHNOLOGY


def _ages(text: str) -> Iterable[Finding]:
    for rule in _AGES:
        for match in rule.finditer(text):
            groups = [g for g in ("s", "t", "u") if g in match.re.groupindex and match[g]]
            if not NO_AGE.match(text, match.end(groups[-1])) or rule is _AGES[2]:
                yield from (Finding(*match.span(g), "AGE", 0.6) for g in groups)


def _peoples(text: str) -> Iterable[Finding]:
    for match in _OF_A_PEOPLE.finditer(text):
        near = text[max(0, match.start("s") - 24) : match.end() + 24]
        if not text.isupper() and not text.islower() and match["s"][0].islower():
            continue
        if _SPEAKER.search(near) or text.strip() == match["s"]:
            continue
        if (
            match["s"].lower() in LANGUAGES
            and not sentence_like(text)
            and not re.search(r"(?i)nationality|ethnic|citizen|national|passport|born", text)
        ):
            continue
        yield Finding(*match.span("s"), "NRP", 0.6)


def _parts(name: str) -> list[str]:
    """Return the words of a user name, in lower case."""
    return [p for p in re.split(r"[\W_\d]+", name.lower()) if p]


def _handles(text: str) -> Iterable[Finding]:
    for rule in _HANDLES:
        for match in rule.finditer(text):
            for group in ("s", "t"):
                said = match[group] or ""
                parts = _parts(said)
                if parts and not _FILE.match(said) and not any(p in TECHNOLOGY or p in UI_WORDS for p in parts):
                    yield Finding(*match.span(group), "USERNAME", 0.6)


def _accounts(text: str) -> Iterable[Finding]:
    for match in _ACCOUNT.finditer(text):
        said = match["s"]
        if _SIMPLE.fullmatch(said) or _FILE.match(said) or len(said) < 4:
            continue
        parts = _parts(said)
        if parts and "-" in said and not any(c.isdigit() or c in "._" for c in said) and all(english(p) for p in parts):
            continue
        dotted = "." in said  # *harbour.admin* is who logs in
        if all(p in TECHNOLOGY or (not dotted and p in UI_WORDS) for p in parts) or not any(map(str.isalpha, said)):
            continue
        if _NOUNS.fullmatch(said) and all(known(p) and p not in given_names() for p in parts):
            continue
        yield Finding(*match.span("s"), "USERNAME", 0.6)
    yield from (Finding(*m.span("s"), "USERNAME", 0.6) for m in _BEHIND.finditer(text) if heard_by_nobody(m["s"]))
    if _HANDLE_GATE.search(text):
        yield from _handles(text)
    for match in _PLAIN_ACCOUNT.finditer(text):
        group = next(g for g in ("s", "u", "v", "w") if match[g])
        said = match[group].lower()
        if group == "s" and (said in UI_WORDS or said in _SMALL or said in common_words() or ordinary(said)):
            continue
        yield Finding(*match.span(group), "USERNAME", 0.6)
