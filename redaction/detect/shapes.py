"""Personal data that has a shape of its own and that Presidio's patterns miss, as data: street addresses, postal codes, dates,
titles, numbers with a label, coordinates, paths of a home folder. The span is the value alone. :mod:`.structured` applies them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..words import months
from ..words.hinted import Hinted

STREET_WORDS = (
    "street|st|avenue|ave|av|road|rd|boulevard|blvd|lane|ln|drive|dr|court|ct|place|pl|square|sq|terrace|ter|way|wy|parkway|pkwy|"
    "highway|hwy|circle|cir|trail|trl|alley|aly|crescent|cres|close|mews|row|walk|plaza|esplanade|quay|wharf|path|"
    "grove|gardens|gdns|heights|hts|hill|park|point|pt|ridge|run|view|vista|loop|pike|turnpike|tpke|bypass|crossing|xing|"
    "causeway|expressway|expy|freeway|fwy|junction|jct|landing|mill|meadow|meadows|mount|mountain|overpass|pass|passage|"
    "port|prairie|shore|shores|spring|springs|spur|station|summit|throughway|track|underpass|union|valley|viaduct|village|"
    "creek|crest|corner|corners|cove|coves|center|centre|bluff|bluffs|branch|bridge|brook|brooks|burg|camp|canyon|cape|club|common|commons|course|dale|dam|divide|"
    "estate|estates|extension|fall|falls|ferry|field|fields|flat|flats|ford|forest|forge|fork|forks|fort|garden|gateway|glen|"
    "green|greens|harbor|harbour|haven|hills|hollow|inlet|island|islands|isle|key|keys|knoll|knolls|lake|lakes|lodge|manor|"
    "mission|motorway|neck|orchard|oval|parade|parks|pine|pines|plain|plains|radial|ramp|ranch|rapid|rapids|rest|river|roads|rue|"
    "skyway|squares|stream|streets|traffic|trafficway|tunnel|vly|ville|vistas|walks|wall|well|wells"
)
_FOREIGN = (
    r"[^\W\d_]{2,}(?:straße|strasse|str\.|gasse|weg|platz|allee|ring|damm|ufer|straat|laan|gracht|plein|kade|dijk|singel|"
    r"gata|gatan|gate|vägen|vej|veien|vegur|gade|väg|tie|katu|kuja|polku|utca|stræti|braut)"
)
_FOREIGN_FIRST = (
    r"(?:rue|avenue|av\.?|boulevard|bd\.?|place|chemin|allée|impasse|quai|cours|route|calle|c/|avenida|avda\.?|paseo|plaza|camino|carretera|ronda|"
    r"via|viale|corso|piazza|largo|vicolo|strada|rua|travessa|praça|estrada|ul\.|ulica|aleja|al\.|os\.|plac|ulice|náměstí|nám\.|postbox|p\.?\s?o\.?\s?box)"
)
_UNIT = r"(?:apt|apartment|suite|ste|unit|floor|fl|room|rm|flat|bldg|building|box|lot|hse|house|#)"
_STATES = (
    "AL|AK|AZ|AR|CA|CO|CT|DE|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|OK|OR|PA|RI|"
    "SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|DC|PR|AA|AE|AP|ON|QC|BC|AB|MB|SK|NS|NB|NL|PE|YT|NT|NU|NSW|VIC|QLD|TAS"
)
_MONTH = "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
_MONTH_ABROAD = "|".join(sorted(months.ABROAD))
_TIME = r"(?:[T ,]+(?:at\s+)?\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?\s?(?:[ap]\.?m\.?|z|utc|[+-]\d\d:?\d\d)?)?"
DEMONYMS = (
    "Afghan|African|Albanian|Algerian|American|Angolan|Arab|Argentin(?:e|ian)|Armenian|Asian|Australian|Austrian|Azerbaijani|Bangladeshi|Basque|Belarusian|"
    "Belgian|Bolivian|Bosnian|Brazilian|British|Buddhist|Bulgarian|Cambodian|Cameroonian|Canadian|Catalan|Catholic|Chilean|Chinese|Christian|Colombian|"
    "Congolese|Croatian|Cuban|Cypriot|Czech|Danish|Dutch|Ecuadorian|Egyptian|English|Estonian|Ethiopian|European|Fijian|Filipino|Finnish|Flemish|French|"
    "Georgian|German|Ghanaian|Greek|Greenlandic|Guatemalan|Haitian|Hindu|Hispanic|Honduran|Hungarian|Icelandic|Indian|Indonesian|Iranian|Iraqi|Irish|Israeli|Italian|"
    "Jamaican|Japanese|Jewish|Jordanian|Kazakh|Kenyan|Korean|Kurdish|Kuwaiti|Lao|Latino|Latina|Latvian|Lebanese|Liberian|Libyan|Lithuanian|Macedonian|Malaysian|"
    "Maltese|Mexican|Moldovan|Mongolian|Moroccan|Mormon|Muslim|Namibian|Nepalese|Nicaraguan|Nigerian|Norwegian|Orthodox|Pakistani|Palestinian|Panamanian|"
    "Paraguayan|Persian|Peruvian|Polish|Portuguese|Protestant|Qatari|Roma|Romanian|Russian|Rwandan|Saudi|Scottish|Senegalese|Serbian|Sikh|Singaporean|"
    "Slovak|Slovak?enian|Slovenian|Somali|South African|Spanish|Sudanese|Swedish|Swiss|Syrian|Taiwanese|Tanzanian|Thai|Tibetan|Tunisian|Turkish|Ugandan|"
    "Ukrainian|Uruguayan|Uzbek|Venezuelan|Vietnamese|Welsh|Yemeni|Zambian|Zimbabwean"
)
_COUNTRY_CODES = (
    "AE|AT|AU|BE|BG|BH|BR|CA|CH|CL|CN|CO|CR|CY|CZ|DE|DK|EE|EG|ES|FI|FR|GB|GR|HK|HR|HU|ID|IE|IL|IN|IS|IT|JO|JP|KE|KR|KW|KZ|LB|LI|LT|LU|LV|MA|MC|MD|MT|MX|"
    "MY|NG|NL|NO|NZ|PA|PE|PH|PK|PL|PT|QA|RO|RS|RU|SA|SE|SG|SI|SK|TH|TN|TR|TW|UA|US|UY|VN|XK|ZA"
)
"""Countries as a bank's BIC names them."""
_I = re.IGNORECASE
_NAMEWORD = r"(?:(?-i:[^\W\d_a-z][\w'’.-]*)|of|the|de|la|da|do|del|von|van|d')"


_COUNTRIES = "ad|ae|al|at|az|ba|be|bg|bh|br|by|ch|cr|cy|cz|de|dk|do|ee|es|fi|fo|fr|gb|ge|gi|gr|gt|hr|hu|ie|il|iq|is|it|jo|kw|kz|lb|li|lt|lu|lv|mc|md|me|mk|mr|mt|mu|nl|no|pk|pl|ps|pt|qa|ro|rs|sa|se|si|sk|sm|tn|tr|ua|vg|xk"
"""Countries that have an IBAN."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A pattern for one entity; the value is the group ``s`` or the whole match; ``gate`` is what the text must hold."""

    entity: str
    pattern: Hinted
    digits: int = 0
    score: float = 0.7


SHAPES: tuple[Shape, ...] = (
    Shape(
        "EMAIL_ADDRESS",
        Hinted(
            r"(?<![\w.%+'-])[\w.!#$%&'*+=^`{|}~-]{1,320}(?:@|%40|&#64;|&#x40;|&commat;|\s?\[at\]\s?|\s?\(at\)\s?)(?:[\w-]+(?:\.|\s?\[dot\]\s?|\s?\(dot\)\s?))+[^\W\d_]{2,}",
            _I,
        ),
        0,
        1.0,
    ),
    Shape(
        "IP_ADDRESS",
        Hinted(
            r"(?<![\w.])(?<!ersion )(?<!ersion: )(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\w.]*\d)"
        ),
        4,
        0.9,
    ),
    Shape(
        "ORGANIZATION",
        Hinted(
            r"\b(?:[^\W\d_a-z][\w'’&-]{0,60},?[^\S\n\t]+(?:and\s+|&\s+|of\s+)?){1,4}(?:Ltd|LLC|L\.L\.C|Inc|PLC|GmbH|AG|Corp|Corporation|LLP|Pty|S\.?A|B\.?V|Group|and Sons|& Sons|& Co)\b\.?"
        ),
        0,
        0.6,
    ),
    Shape(
        "ORGANIZATION",
        Hinted(
            r"\b[^\W\d_a-z][\w'’]{1,60},\s+[^\W\d_a-z][\w'’]{1,60},?\s+(?:and|&)\s+[^\W\d_a-z][\w'’]+\b(?=\s|[.,;!?]|$)"
        ),
        0,
        0.4,
    ),
    Shape(
        "ORGANIZATION",
        Hinted(
            r"\b[Tt]he\s+(?P<s>(?:[^\W\d_a-z][\w'’&.-]*\s+){1,4})(?:Orchestra|Foundation|University|College|Institute|Museum|Bank|Hospital|Clinic|Company|Corporation|Association|Society|Agency|Church|School|Academy|Council|office)\b"
        ),
        0,
        0.6,
    ),
    Shape(
        "NRP",
        Hinted(
            rf"(?<!\bin )(?<!\binto )(?<!\bto )(?<!\bfrom )(?<!\bspeak )(?<![\w-])(?:{DEMONYMS})s?(?=\s+[a-z])(?!\s+(?:language|version|translation|text|keyboard|voice|dictionary|subtitles|and|or|to)\b)"
        ),
        0,
        0.6,
    ),
    Shape(
        "NRP",
        Hinted(
            rf"\b(?:I am|I'm|(?:s?he|who) is|(?:he|she)'s|they are|was|were|an?|the|we are|born|new|nice)\s+(?:an?\s+)?(?:(?:19|20)\d\d\s+|(?:nice|new|young|old|famous|local|small|great)\s+){{0,2}}(?P<s>{DEMONYMS})\b(?!\s+(?:language|version|translation|text|keyboard|voice|dictionary|subtitles))",
            _I,
        ),
        0,
        0.6,
    ),
    Shape(
        "TITLE",
        Hinted(
            r"\b(?:(?:works?|worked|working)\s+as\s+(?:an?\s+|the\s+)|(?:hired|employed|job|career|position)\s+as\s+(?:an?\s+|the\s+)?)(?P<s>[a-z][\w-]*(?:[ -][a-z][\w-]*){0,4}?)(?=\s+(?:at|for|in|with|since|and|who)\b|[.,;!?\n]|$)",
            _I,
        ),
        0,
        0.6,
    ),
    Shape(
        "TITLE",
        Hinted(
            r"\b(?:job\s+title|occupation|profession|position)\s*(?:is|:)\s*(?P<s>(?!\s|\d|(?:top|bottom|left|right|cent(?:er|re)|middle|absolute|relative|fixed|sticky|static|above|below|before|after|inside|outside|start|end|first|last|none|auto|default|unknown|not|the|in|on|at)\b)[^\n.,;]{3,50})",
            _I,
        ),
        0,
        0.6,
    ),
    Shape(
        "ADDRESS",
        Hinted(
            rf"(?<![\w.])\d{{1,6}}[A-Za-z]?(?:[/-]\d{{1,5}})?\s+(?:{_NAMEWORD}\s+|\d{{1,4}}(?:st|nd|rd|th)\s+){{1,5}}(?:{STREET_WORDS})\b\.?(?:\s+(?:NE|NW|SE|SW|N|S|E|W|North|South|East|West))?",
            _I,
        ),
        1,
    ),
    Shape(
        "ADDRESS",
        Hinted(
            r"(?<![\w.])\d{1,6}\s+(?:[a-z]+\s+){1,3}(?:street|avenue|ave|road|rd|boulevard|blvd|lane|terrace|parkway|crescent)\b",
            _I,
        ),
        1,
    ),
    Shape(
        "ADDRESS",
        Hinted(
            r"\b(?:[^\W\d_a-z][\w'’-]{0,60}\s+){1,3}(?:Street|Avenue|Boulevard|Crescent|Lane|Road|Terrace)\b(?:\s+\d{1,5}[A-Za-z]?\b)?"
        ),
    ),
    Shape("ADDRESS", Hinted(rf"\b{_FOREIGN}\s+\d{{1,4}}\s?[a-z]?\b(?:\s*[/-]\s*\d{{1,4}})?", _I), 1),
    Shape(
        "ADDRESS",
        Hinted(
            rf"(?<![\w.])\d{{1,6}}\s+(?:{_NAMEWORD}\s+){{0,2}}(?!(?-i:[a-z])[^\W\d_]*(?:tie|ring|gate|weg|ufer)\b){_FOREIGN}(?:\s+\d{{1,4}}\b)?",
            _I,
        ),
        1,
    ),
    Shape("ADDRESS", Hinted(rf"(?<!\w)\d{{1,5}}[,]?\s+(?:bis\s+)?{_FOREIGN_FIRST}\s+(?:{_NAMEWORD}\s*){{1,5}}", _I), 1),
    Shape("ADDRESS", Hinted(rf"(?<!\w){_FOREIGN_FIRST}\s+(?:{_NAMEWORD}\s*){{0,4}},?\s*\d{{1,5}}\b[a-z]?", _I), 1),
    # With nothing of an address before it ``#3`` is the third of something that a program numbers.
    Shape(
        "ADDRESS",
        Hinted(rf"(?<!\w)(?!(?<![\w.,][ ])#){_UNIT}\.?\s*#?\d{{1,5}}[a-z]?\b(?:,?\s+box\s+\d+)?", _I),
        1,
        0.5,
    ),
    Shape(
        "ADDRESS",
        Hinted(
            r"\bthe\s+corner\s+of\s+(?:(?:(?-i:[^\W\d_a-z]|\d|(?:ul|os|al|c/))[\w.'’-]*|de|la|du|des|der|van|of|the)\s+){1,6}and\s+(?:(?:(?-i:[^\W\d_a-z]|\d)[\w.'’-]*|de|la|du|des|der|van|of|the)[^\S\n]?){1,5}",
            _I,
        ),
    ),
    Shape(
        "ADDRESS",
        Hinted(
            r"\bthe\s+corner\s+of\s+(?:[\w.'’/-]+[ ]){1,6}and[ ](?:(?!in[ ]|on[ ]|at[ ]|is[ ])[\w.'’-]+[ ]?){1,3}(?=$|[.,;!?\n])",
            _I,
        ),
    ),
    Shape(  # what a label says is one, as long as it holds a number
        "ADDRESS",
        Hinted(
            r"(?<![\w-])(?<!e-mail )(?<!email )(?<!mail )(?<!ip )(?<!mac )(?<!web )(?<!wallet )(?<!memory )(?<!bind )(?<!server )(?<!site )"
            r"(?:address|(?:ship|deliver|post|send|return)(?:ed|ping|ing)?(?:[ ]address|[ ]it)?[ ]to)[ ]?:\s*(?P<s>(?=[^\n]*\d)(?=[^\n]*[^\W\d_]{3})(?![^\n]*(?:://|@|0x))[^\n|;]{6,120})",
            _I,
        ),
        1,
        0.6,
    ),
    Shape(
        "ADDRESS",
        Hinted(
            rf"(?<![\w.])\d{{2,6}}[ ](?:[^\W\d_][\w.'’-]*[ ]){{1,4}}\d{{1,5}}[ ,]+(?:{_UNIT})\.?[ ]?\d{{1,5}}\b",
            _I,
        ),
        4,
    ),
    Shape(
        "ADDRESS",
        Hinted(r"\b(?:PSC|Unit|US[A-Z]{1,4})\s+[\w ]{1,24}(?:,?\s+Box\s+\d+)?\s+(?:DPO|FPO|APO)\s+A[AEP]\s+\d{5}", _I),
        1,
    ),
    Shape("ZIP_CODE", Hinted(rf"\b(?:{_STATES})\s+(?P<s>\d{{5}}(?:-\d{{4}})?)\b"), 5),
    Shape(
        "ZIP_CODE",
        Hinted(
            r"\b(?:zip|postal|post|postcode|plz|cap|pin)(?:[- ]?code)?\b[^\n\w]{0,4}(?:is\s+)?(?P<s>\d{4,6}(?:-\d{3,4})?|[A-Z]{1,2}\d[A-Z\d]?\s*\d[A-Z]{2}|[A-Z]\d[A-Z]\s?\d[A-Z]\d)\b",
            _I,
        ),
        1,
    ),
    Shape(
        "ZIP_CODE",
        Hinted(r"\b(?:[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}|[A-Z]\d[A-Z]\s\d[A-Z]\d|[1-9]\d{3}\s[A-Z]{2})\b(?!\s*[A-Z]{3})"),
        2,
        0.5,
    ),
    Shape("ZIP_CODE", Hinted(r"(?<![\w.-])\d{5}-\d{4}(?![\w-])"), 9),
    Shape("ZIP_CODE", Hinted(r"(?:(?<=, )|(?<=\n)|(?<=; )|\A)[1-9]\d{3}-\d{3}(?=[ ]+[^\W\d_a-z][^\W\d_]{2,})"), 7),
    Shape(
        "ZIP_CODE",
        Hinted(
            r"\bpost(?:al)?[ -]?code\b[^\n\w]{0,4}(?P<s>\d{4}\s?(?!is|at|in|on|or|to|en|by|be|am|an|no|so|as|we|if|of|mm|kg|ml|km|mb|kb)[a-z]{2})(?=[ ]*(?:[\n,;|]|\Z))",
            _I,
        ),
        4,
    ),
    Shape("DATE_TIME", Hinted(rf"(?<![\d/.-])\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}(?!\d){_TIME}", _I), 6),
    Shape("DATE_TIME", Hinted(rf"(?<![\d/.-])\d{{1,2}}[-/.]\d{{1,2}}[-/.](?:\d{{4}}|\d{{2}})(?![\d/-]){_TIME}", _I), 4),
    Shape("DATE_TIME", Hinted(rf"\b(?:{_MONTH})\.?\s+\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+\d{{4}})?\b{_TIME}", _I), 1),
    Shape(
        "DATE_TIME",
        Hinted(rf"\b\d{{1,2}}(?:st|nd|rd|th)?[\s-]+(?:of\s+)?(?:{_MONTH})\b\.?(?:[\s,-]+\d{{4}}\b)?{_TIME}", _I),
        1,
    ),
    Shape(
        "DATE_TIME",
        Hinted(rf"\b\d{{1,2}}(?:\.|er|º)?\s+(?:de\s+)?(?:{_MONTH_ABROAD})\s+(?:de\s+|del\s+)?(?:19|20)\d{{2}}\b", _I),
        5,
    ),
    Shape(
        "DATE_TIME",
        Hinted(rf"(?<![\w.,:/-])(?:3[01]|[12]\d|[1-9])(?:\.|er|º)?\s+(?:de\s+)?(?:{_MONTH_ABROAD})(?!\w)", _I),
        1,
    ),
    Shape("DATE_TIME", Hinted(rf"\b(?:{_MONTH})\.?,?\s+(?:of\s+)?(?:19|20)\d{{2}}\b", _I), 4),
    Shape(
        "TITLE",
        Hinted(
            r"\b(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Sir|Madam|Rev|Hon|Fr|Deacon|Pastor|Rabbi|Imam|Sheikh|Cllr|Councillor|Sgt|Capt|Herr|Frau|Mme|Mlle|Madame|Monsieur|Maître|Sra?)\b\.?(?=\s+[^\W\d_a-z])"
        ),
        0,
        0.6,
    ),
    # What begins with two zeros is a telephone's, dialled abroad: one in ten has a card's check digit.
    Shape("CREDIT_CARD", Hinted(r"(?<![\w.+])(?!00)(?:\d[ -]?){12,18}\d(?=n\b|[^\w-]|$)"), 13, 0.8),
    Shape(
        "CREDIT_CARD",
        Hinted(r"(?<![\w.+])(?:\d{4}(\s)\d{4}\1\d{4}\1\d{4}|3[47]\d\d(\s)\d{6}\2\d{5})(?![\w-])"),
        15,
        0.8,
    ),
    Shape(
        "IBAN_CODE",
        Hinted(rf"(?<!\w)(?:{_COUNTRIES})\d{{2}}(?:[ ](?:\d{{4}}|[a-z]{{4}}(?=[ ]\d))){{3,7}}(?:[ ]\d{{1,3}})?(?!\w)"),
        12,
        0.8,
    ),
    Shape("IBAN_CODE", Hinted(r"(?<!\w)[A-Z]{2}\d{2}(?:\s[A-Z0-9]{4}){2,7}(?:\s[A-Z0-9]{1,3})?(?!\w)"), 12, 0.8),
    Shape(
        "EMAIL_ADDRESS",
        Hinted(
            r"\b[\w+-]{1,40}(?:(?:\.| ?[\[({]dot[\])}] ?| dot )[\w+-]{1,40}){0,4}(?: ?[\[({](?:at|@)[\])}] ?[\w-]{2,40}(?:(?:\.| ?[\[({]dot[\])}] ?| dot )[\w-]{2,40}){1,4}"
            r"| at [\w-]{2,40}(?: dot [\w-]{2,40}){1,4})\b",
            _I,
        ),
        0,
        0.9,
    ),
    Shape("GOVERNMENT_ID", Hinted(r"(?<![\w-])\d{3}[- ]\d{2}[- ]\d{4}(?![\w-])"), 9, 0.9),
    Shape(  # UK National Insurance number
        "GOVERNMENT_ID",
        Hinted(r"(?<![\w-])(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z](?:\s?\d\d){3}\s?[A-D](?![\w-])"),
        6,
        0.8,
    ),
    Shape(
        "GOVERNMENT_ID",
        Hinted(
            r"\b(?:n\.?i\.?(?:\s?(?:no|number|nr)\.?)?|nino|national\s+insurance(?:\s+(?:no|number)\.?)?)\s*(?:is|:|#)?\s*(?P<s>[a-z]{2}(?:\s?\d\d){3}\s?[a-d])\b",
            _I,
        ),
        6,
        0.9,
    ),
    Shape("GOVERNMENT_ID", Hinted(r"(?<![\w-])[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z](?![\w-])"), 4, 0.8),  # Indian PAN
    Shape(
        "GOVERNMENT_ID",
        Hinted(r"\bpan\b[^\n\w]{0,4}(?:(?:card|no|number|is)\b[^\n\w]{0,4}){0,3}(?P<s>[a-z]{5}\d{4}[a-z])\b", _I),
        4,
        0.9,
    ),
    Shape("GOVERNMENT_ID", Hinted(r"(?<![\w+-])[2-9]\d{3}([ -])\d{4}\1\d{4}(?![ -]?\w)"), 12, 0.7),  # Aadhaar
    Shape(
        "BANK_ACCOUNT",
        Hinted(
            rf"\b(?:bic|swift)\b(?:\s?[/-]?\s?(?:swift|bic))?(?:[ -]?(?:code|no|number))?\b\s*(?:(?::|=|#|\bis\b)\s*|\s(?-i:(?=[A-Z]{{6}})))(?P<s>[a-z]{{4}}(?:{_COUNTRY_CODES})[a-z\d]{{2}}(?:[a-z\d]{{3}})?)(?!\w)",
            _I,
        ),
        0,
        0.9,
    ),
    Shape(
        "BANK_ACCOUNT",
        Hinted(rf"(?<![\w-])[A-Z]{{4}}(?:{_COUNTRY_CODES})[A-Z2-9][A-NP-Z\d](?:XXX|\d{{3}})(?![\w-])"),
        0,
        0.8,
    ),
    Shape("ID", Hinted(r"(?<![\w.,$€£-])\d{9,}(?![\w]|[.,]\d)"), 9, 0.5),
    Shape("PHONE_NUMBER", Hinted(r"(?<![\w.,-])(?:\+|00)\d{1,3}[\s().-]*(?:\d[\s().-]{0,2}){6,12}\d(?!\w)"), 7, 0.8),
    Shape(
        "PHONE_NUMBER",
        Hinted(
            r"(?<![\w.,-])(?:\(\d{2,5}\)|0\d{1,4}|\d{3})[\s./-]{1,2}\d{2,4}(?:[\s.-]\d{2,4}){1,4}(?:\s*(?:x|ext\.?)\s*\d+)?(?![\w-])",
            _I,
        ),
        7,
        0.7,
    ),
    Shape("PHONE_NUMBER", Hinted(r"(?<![\w.,/-])\d{2}(?:[ .-]\d{2}){3,4}(?![\w-])"), 8, 0.7),
    Shape(
        "PHONE_NUMBER",
        Hinted(
            r"\b(?:phone|tel|mobile|cell|call|fax|text|sms|number)\b[^\n\d+]{0,20}(?P<s>\+?[\d(][\d\s().-]{5,18}\d)(?!\w)",
            _I,
        ),
        7,
        0.7,
    ),
    Shape(
        "LICENSE_PLATE",
        Hinted(
            r"\b(?:licen[cs]e plate|number plate|plate|registration|reg(?=\.?:?\s+[A-Z]{2}\d\d\s?[A-Z]{3}\b))\b[^\n\w]{0,4}(?:number|no\.?|is)?\s*:?\s*(?P<s>(?=[A-Z -]*\d)[A-Z\d][A-Z\d -]{3,9}[A-Z\d])\b",
            _I,
        ),
        1,
    ),
    Shape("COORDINATES", Hinted(r"(?<![\d.])-?\d{1,3}\.\d{4,}\s*[,;/ ]\s*-?\d{1,3}\.\d{4,}(?![\d.])"), 8),
    Shape("HOST_PATH", Hinted(r"(?:/home/|/Users/|[A-Z]:\\{1,2}Users\\{1,2}|\\Users\\)(?P<s>[^/\\\s:\"'<>]+)")),
    Shape("URL", Hinted(r"\b(?:https?|ftp|wss?)://[\w\[%][^\s<>\"'`]+", _I), 0, 0.8),
    Shape("URL", Hinted(r"(?<![\w/.:?&=%<>-])/[\w.~%/-]*\?(?=[^\s=&]*[^\W\d_]{3})[^\s<>\"'`()]+"), 0, 0.8),
    Shape("URL", Hinted(r"(?<![\w@.-])www\.[\w-]+(?:\.[\w-]+)+(?:/[^\s<>\"']*)?", _I), 0, 0.8),
    Shape(
        "ID",
        Hinted(
            r"\b(?:(?:driver'?s?\s+)?licen[cs]e|passport|ssn|social\s+security|national\s+id|tax\s+id|account|acct|iban|routing|mrn|medical\s+record|"
            r"patient\s+id|member(?:ship)?|customer|client|policy|insurance|employee|student|aadhaar|nino|vat|ein|order|invoice|booking|reservation|confirmation|"
            r"tracking|case|ticket|reference|ref|serial|imei|vin)(?:[\s_-]*(?:number|no\.?|id|code|ref(?:erence)?|nr\.?|#))*\s*(?:is|was|:|=|#)*\s*#?(?P<s>(?=[A-Z/-]*\d)[A-Z\d][A-Z\d/-]{4,24})\b(?!\s*%)",
            _I,
        ),
        4,
        0.7,
    ),
    Shape("USERNAME", Hinted(r"(?<![\w.@/])@(?P<s>[A-Za-z_][\w.-]{2,30})\b(?![@/])"), 0, 0.5),
    Shape(
        "USERNAME",
        Hinted(
            r"\b(?:user\s?name|user\s+id|login|handle|nick(?:name)?)\s*(?:is|:|=)\s*(?!(?:true|false|null|none|not|too|more|less|already|required|invalid|the|an?|taken|longer|shorter)\b)(?P<s>[\w.-]{3,32})",
            _I,
        ),
        0,
        0.7,
    ),
)
