# ruff: noqa: SIM905
"""List names for ``stand_ins = "names"``: given names of no particular gender, family names, places and companies, by script.

Written for pagereel. Family names, places and companies are composed of two halves, which gives many names, almost
none of a real person. :mod:`.pseudonyms` chooses among them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ScriptNames:
    """The lists of names in one script. Family names, places and companies are pairs of lists: first halves and second
    halves. A kind without halves uses the given names.
    """

    given: tuple[str, ...]
    family: tuple[tuple[str, ...], tuple[str, ...]]
    places: tuple[tuple[str, ...], tuple[str, ...]]
    companies: tuple[tuple[str, ...], tuple[str, ...]]


def _build_script_names(
    given: str, family: str, family_ends: str, place_ends: str, company_ends: str, places: str = ""
) -> ScriptNames:
    roots = tuple(family.split())
    return ScriptNames(
        tuple(given.split()),
        (roots, tuple(family_ends.split())),
        (tuple(places.split()) or roots, tuple(place_ends.split())),
        (tuple(places.split()) or roots, tuple(company_ends.split())),
    )


NAMES = {
    "latin": _build_script_names(
        "Alex Andy Ari Ash Aubrey Avery Bailey Blair Bobbie Brett Cameron Carey Casey Charlie Chris Dana Darcy Devon Drew Eden "
        "Ellis Emery Finley Francis Frankie Gale Harley Harper Hayden Hollis Indigo Jackie Jamie Jesse Jo Jody Jordan Jules Kai Kelly "
        "Kelsey Kendall Kerry Kim Kit Lane Lee Leigh Lennon Leslie Lindsay Logan Loren Lou Marley Max Merle Mickey Morgan Nat "
        "Nicky Nico Noel Pat Paris Peyton Quinn Rae Reese Remy Riley River Robin Rory Rowan Sage Sam Sandy Sasha Shannon Shea "
        "Shelby Sidney Skyler Stacy Stevie Storm Tatum Taylor Terry Toby Toni Tracy Val Vic Whitney Winter Wren",
        "Alder Ash Birch Black Bram Briar Brook Cedar Clay Cold Cress Dale East Elder Elm Fair Farn Fern Fox Glen Gold Green Hart "
        "Hazel Heather High Hol Holly Lake Larch Lark Lind Long Maple Mead Mill Moor Moss North Oak Ox Pine Red Reed Rock Rose "
        "Rush Sand Silver Stan Stone Summer Thorn Wal West Whit Wild Willow Win Wood",
        "berry bridge brook burn bury cliff combe croft den field gate grove ham hill holm hurst land ley low man mere more "
        "ridge shaw stead stock ston ton wall ward water way well wick worth",
        "haven port mouth minster chester stead burgh ville bay",
        "line mark point crest works path leaf",
    ),
    "cyrillic": _build_script_names(
        "Саша Женя Валя Слава Шура Мика Сима Стася Ника Адель Мишель Ариэль Никки Крис Алекс Робин",
        "Берез Вер Вишн Гай Горобч Дуб Журавл Зим Калин Клен Кремен Лип Лис Лозов Мороз Озер Орлич Осин Полын Роман Снег Сокол Сосн Степан "
        "Тихон Черем Явор Ясен",
        "енко ейко ук юк",
        "оград омир ополь оречье олесье",
        "опром освет оснаб оторг",
    ),
    "greek": _build_script_names(
        "Άλεξ Κρις Λου Νίκι Ρόμπιν Σαμ Τόνι Μαξ Ντάνι Τζο Μάρλεϊ Κέλι Τέρι Ρενέ Φράνσις Τζόρνταν",
        "Αλμ Αμπ Βαλ Βερ Γαλ Δαρ Ζαν Καλβ Κορ Λαμπ Λορ Μαρ Μορ Νορ Παβ Ρομ Σαλ Σερβ Ταρ Φερ",
        "έλι ίνι όνι έτι άζι",
        "όπολη όκαμπος όλιμνη όβουνο",
        "οτεχνική οεμπορική οδομή",
    ),
    "arabic": _build_script_names(
        "نور رضا جهاد إحسان وسام نضال شمس سلام عصمت نجاح كفاح رجاء ضياء صفاء صباح أمل وئام حكمت نعيم سهير",
        "النخيل الجبل الواد البحر النهر السهل الغاب الصخر الرمل القمر الشمس الزهر الغيم المطر الخريف البستان الينبوع الزيتون الياسمين السنديان",
        "ي اوي اني",
        "ية",
        "كو تك",
    ),
    "hebrew": _build_script_names(
        "טל שחר רותם נועם עדן גל עמית יובל שי אור ליאור חן שקד סתיו ניצן מעיין פז רוני עדי אריאל הלל ירדן",
        "אלונ כרמל ארז ברוש שקד גפנ זיתונ רימונ תמר ורד סלע נחל הרר גבעת עמק שדמ מדבר ענב לוטם צאל אור חרוב",
        "י אי ני",
        "יה ון",
        "טק קו",
    ),
    "han": _build_script_names(
        "安文 清晨 文清 可安 青云 一文 子安 言心 如木 安和 立文 元青 海文 以安 知恩 向文 同心 之青",
        "林 方 江 石 白 田 高 金 安 文 平 何 沈 余 杜 丁 向 左",
        "田 林 江 石 白 高 文 平 方 安 金",
        "安城 平市 河口 石湾 林州",
        "安行 文社 和局 清坊",
    ),
    "hiragana": _build_script_names("ひなた あおい かおる まこと ちひろ しのぶ みつき なお ゆう あきら つばさ いずみ なぎさ ゆづき", "やま かわ もり はら いし みず", "もと ぐち むら", "まち はま", "や どう"),
    "katakana": _build_script_names("ヒナタ アオイ カオル マコト チヒロ シノブ ミツキ ナオ ユウ アキラ ツバサ イズミ ナギサ ユヅキ", "ヤマ カワ モリ ハラ イシ ミズ", "モト グチ ムラ", "マチ ハマ", "ヤ ドウ"),
    "hangul": _build_script_names(
        "지우 하늘 지원 수민 지민 유진 하람 다온 가온 슬기 한결 보람 소담 나래 누리 새봄 은솔 이든",
        "강 한 정 오 안 임 윤 장 조 신 류 백 남 도 소 마 방 석",
        "지우 하늘 지원 수민 지민 유진 하람 다온 가온 슬기 한결 보람 소담 나래 누리 은솔 이든",
        "안시 산동 천시 포항",
        "상사 물산 기획",
    ),
}  # fmt: skip
"""Script → its names. Words in any other script get invented stand-ins."""

LEGAL_FORMS = frozenset("ab ag and as bv co corp gmbh inc kft kg llc llp ltd nv oy plc pty sa sas spa srl und".split())
"""Words of a company's name that stay."""
STREETS = frozenset(
    "avenue boulevard close court crescent drive gardens gate green grove hill lane mews parade park place quay road row square street "
    "terrace walk way apartment apt flat floor suite unit room box".split()
)
"""Words of an address that stay."""
