"""What somebody works as in languages that :mod:`.foreign_jobs` has not: the Slavic and the Nordic ones, Finnish, Hungarian, Romanian, Turkish, Greek, Bulgarian, the Baltic ones, Estonian, Slovene, Arabic, Hebrew and Hindi by the
words of `occupations_abroad.txt`, Chinese, Japanese and Korean by the last letters of a position, Vietnamese by its first words.

None counts alone: interfaces have a *менеджер*, too. A person or a company stands beside it, a label asks for it (*Должность: …*), or somebody says whose it is (*наш бухгалтер*, *работает
электриком*).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from ...contracts.types import Finding
from ...words.english import english
from ...words.late import Late
from ...words.words import LONGEST_WORD, lists_of
from ..judging.foreign import is_foreign

_LONGEST = 600
_TELLING = 6
"""Letters from which a listed word without a mark tells its language, where nothing else in the text does."""
_WHOSE = ("PERSON", "ORGANIZATION")
"""What stands beside a position."""
_MARKS = "\u0591-\u05c7\u064b-\u0652\u0900-\u0903\u093a-\u094f"
_WORD = re.compile(rf"[^\W\d_](?:[^\W\d_]|[{_MARKS}]|[-־״’'](?=[^\W\d_]))*")
_SEPARATOR = r"|·•—–\t\n/;:()\[\]→>،、，"
_EDGE_AFTER = re.compile(rf"[ \"»']*(?:\Z|[{_SEPARATOR}.,])")
_EDGE_BEFORE = re.compile(rf"(?:\A|[{_SEPARATOR},])[ ]*\Z")
_ENDINGS = {
    "ru": ("ами", "ою", "ею", "ом", "ем", "ой", "ей", "ов", "а", "у", "е", "ы", "и", "ю", "я"),
    "pl": ("owi", "iem", "em", "ą", "ę", "a", "u", "y", "i"),
    "cs": ("ovi", "em", "ou", "kou", "a", "u", "y"),
    "el": ("ς", "υ", "ν"),
    "hu": ("ként", "ről", "nek", "nak", "t"),
    "fi": ("na", "nä", "lle", "lta", "n"),
    "tr": ("yım", "ım", "im", "ya", "ye", "ı", "i", "ü", "u"),
    "nordic": ("en", "n", "a"),
    "ro": ("ul", "ului", "a"),
    "hr": ("om", "a", "u"),
    "sl": ("om", "em", "a", "u", "e"),
    "bg": ("ът", "ят", "та", "а", "я", "и"),
    "lt": ("iumi", "iui", "ui", "u", "o", "e", "ės"),
    "lv": ("am", "u", "a", "es", "i"),
    "et": ("ina", "na", "ile", "le", "t", "i"),
}
_NOMINATIVE = ("а", "ь", "й", "a", "s", "as", "us", "ius", "ė", "e", "is", "ς")
"""What stands in lists where another case has its ending."""
_ADJECTIVE = re.compile(
    r"(?:главн|старш|младш|ведущ|генеральн|исполнительн|коммерческ|техническ|финансов|заместител|помощник|шеф|первый|второй|головн|провідн)\w*|(?:główn|starsz|młodsz|naczeln|generaln|zastępc)\w*|"
    r"(?:hlavní|vedoucí|starší|generální|hlavný|vedúci)|(?:baş|kıdemli|genel|yardımcı)|(?:γενικ|αναπληρωτ|προϊστάμεν|κύρι)\w*|(?:biträdande|förste|tillförordnad|leg\.?)|(?:vezető|helyettes|fő)|(?:šef|glavn\w+|viši)",
    re.IGNORECASE,
)
_OF = Late(
    r"[ ]по[ ][^\W\d_]{4,}(?:[ ](?:и[ ])?[^\W\d_]{4,}(?:ов|ия|ий|ам|ям|ой|ых|ции|а|у))?|[ ][^\W\d_]{3,}(?:ов|ев|ия|ии|ей|ства|ела|ада|еха|ного|ой|ых|нта|рта|тра|кад|сти|а|ы)(?=[ ]*(?:[,.;:()|\t\n—–-]|\Z|[ ][А-ЯЁ]))(?:[ ][а-яё]{4,})?|"
    r"[ ]ds\.[ ][^\W\d_]+(?:[ ][^\W\d_]+)?",
    re.IGNORECASE,
)
_NEXT_SMALL = re.compile(r"[ ](?P<a>[^\W\d_]{3,})(?=[ ]*(?:[,.;:()|\t\n—–]|\Z|[ ](?-i:[^\W\d_a-zà-öø-ÿ])))")
_LABEL = Late(
    r"(?:должность|профессия|специальность|посада|професія|stanowisko|zawód|funkcja|pozice|povolání|profese|pozícia|povolanie|zamestnanie|unvan|ünvan|meslek|pozisyon|görev|θέση|επάγγελμα|ειδικότητα|ιδιότητα|"
    r"длъжност|професия|pareigos|profesija|amats|amets|elukutse|ametikoht|poklic|delovno[ ]mesto|stilling|yrke|befattning|titel|beroep|ammatti|tehtävänimike|foglalkozás|beosztás|munkakör|funcția|ocupația|profesia|zanimanje|radno[ ]mjesto|المسمى[ ]الوظيفي|الوظيفة|المهنة|المنصب|תפקיד|מקצוע|पद|पेशा|व्यवसाय|"
    r"职位|职务|岗位|职业|職位|職務|職業|役職|肩書き?|직책|직위|직함|직업|chức[ ]vụ|nghề[ ]nghiệp|chức[ ]danh)[ ]?[:：=\t\n][ ]*\Z",
    re.IGNORECASE,
)
_OURS = Late(
    r"(?<!\w)(?:(?:наш|ваш|мой|моя|его|её|их|нов(?:ый|ая)|бывш(?:ий|ая)|работа(?:ет|ю|л|ла)|назначен[а]?|принят[а]?|явля(?:ется|юсь)|стал[а]?)\w{0,3}|nasz[aey]?|wasz[aey]?|mój|moja|jego|jej|pracuje[ ]jako|jako|został[a]?|náš|naše|váš|vaše|náš|můj|moje|"
    r"bizim|yeni|vår[t]?|vores|din|min|er|som|ny[ea]?|meidän|a|mi|noul|noua|naš[a]?|нашият|нашата|работи[ ]като|като|mūsų|dirba|mūsu|strādā[ ]par|meie|naša|dela[ ]kot|kot|ο|η|τον|την|του|της|ένας|μια|ως|هو|هي|نا|कंपनी[ ]के|हमारे|हमारी|là)[ ]\Z",
    re.IGNORECASE,
)
_BETWEEN = Late(
    rf"[ ]?(?:[{_SEPARATOR},-]|[ ][–—-])?[ \n]{{0,2}}(?:(?:г-н|г-жа|pan[ia]?|bay|bayan|κ\.|нашият|нашата|работи[ ]като|като|mūsų|dirba|mūsu|strādā[ ]par|meie|naša|dela[ ]kot|kot|ο|η|τον|την|الأستاذ|السيد|ה|הוא|היא|هو|هي|जी|님|yeni|nowy|nowa|nasz[a]?|новый|наш[а]?|là|je|jest|на|är|er|este|eszti|egy|on[ ]uusi|on|oli|var|var[ ]ny|er[ ]ny|byla?|była?|je[ ]nová?|працює|працювала?|є|работает|работала?|تعمل|يعمل|कार्यरत)[ ]?)?",
    re.IGNORECASE,
)
_DENSE = Late(
    r"(?:副|总|代理|高级|资深|首席|前台|人事|财务|销售|采购|项目|产品|运营|客户|市场|行政|技术|区域|大区|部门|仓库|物流|店面|软件|硬件|前端|后端|测试|质量|生产|法务|[\u3400-\u9fff]{2}){0,3}"
    r"(?:总经理|经理|經理|主管|总监|總監|工程师|工程師|会计师|会计|會計|出纳|律师|律師|医生|医师|醫師|护士长|护士|護士|教师|教授|讲师|设计师|設計師|程序员|分析师|顾问|顧問|专员|專員|助理|秘书|司机|厨师长|厨师|店长|店長|主任|处长|科长|局长|"
    r"院长|校长|园长|董事长|总裁|架构师|翻译|记者|客服|技师|技术员|服务员|收银员|采购员|销售员|业务员|快递员|保安|保洁员|电工|焊工|木工|研究员|药剂师|麻醉师|验光师|法官|警官|经纪人|销售代表|班长|组长|队长|部长|副部长|"
    r"営業部長|本部長|次長|課長|係長|社長|副社長|専務|常務|取締役|代表取締役|工場長|院長|校長|園長|駅長|看護師|医師|薬剤師|教員|教諭|弁護士|税理士|会計士|司法書士|建築家|建築士|整備士|調理師|美容師|保育士|介護士|運転手|事務員|店員|警備員|編集者|記者|エンジニア|デザイナー|プログラマー|マネージャー|ディレクター|プロデューサー|コンサルタント)|"
    r"[\uac00-\ud7af]{0,8}(?:대표이사|대표|부사장|사장|전무|상무|이사|본부장|부장|차장|과장|대리|주임|팀장|실장|원장|소장|점장|지점장|매니저|기사|교수|교사|변호사|의사|간호사|약사|회계사|세무사|디자이너|개발자|연구원|상담원|비서|요리사|미용사|경비원|기술자|설계사|영양사|사서)"
)
_DENSE_GATE = re.compile(r"[\u3041-\u30fa\u3400-\u9fff\uac00-\ud7af]")
_DENSE_LETTER = re.compile(r"[\u30a1-\u30fa\u30fc\u3400-\u9fff\uac00-\ud7af]")
_DENSE_RUN = re.compile(r"[\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u9fff\uac00-\ud7af]{2,12}")
_DENSE_BETWEEN = re.compile(
    r"[ \u3000]?[，、,（(：:|·\t\n—–/-]?[ \u3000]?(?:的|の|は|是|为)?(?:님|씨|様|さん|先生|女士)?[ ]?"
)
_VIETNAMESE = Late(
    r"(?<!\w)(?:kế[ ]toán(?:[ ]trưởng)?|kỹ[ ]sư|bác[ ]sĩ|y[ ]tá|dược[ ]sĩ|luật[ ]sư|giáo[ ]viên|giảng[ ]viên|giám[ ]đốc|phó[ ]giám[ ]đốc|trưởng[ ]phòng|phó[ ]phòng|nhân[ ]viên|chuyên[ ]viên|thư[ ]ký|quản[ ]lý|kiến[ ]trúc[ ]sư|lập[ ]trình[ ]viên|điều[ ]dưỡng|"
    r"tài[ ]xế|thợ[ ][^\W\d_]+|công[ ]nhân)(?:[ ](?!của|tại|ở|và|cho|với|đã|là)[a-zà-ỹđ]+){0,3}",
    re.IGNORECASE,
)


def _jobs() -> dict[str, frozenset[str]]:
    return lists_of("occupations_abroad.txt")


@lru_cache(maxsize=1)
def _languages() -> dict[str, tuple[str, ...]]:
    """Return the languages of each word, in the order of the file."""
    found: dict[str, list[str]] = {}
    for language, words in _jobs().items():
        for word in words if language not in ("dense", "weak") else ():
            found.setdefault(word, []).append(language)
    return {word: tuple(languages) for word, languages in found.items()}


@lru_cache(maxsize=1)
def _by_ending() -> dict[str, frozenset[str]]:
    """Return the languages that have each ending."""
    every = {end for ends in _ENDINGS.values() for end in ends}
    return {end: frozenset(language for language, ends in _ENDINGS.items() if end in ends) for end in every}


@lru_cache(maxsize=20_000)
def _language(small: str) -> str:
    """Return the language of which a word, in any of its cases, is a job, or nothing."""
    words = _languages()
    if small in words:
        return words[small][0]
    for length in range(min(4, len(small) - 4), 0, -1):
        stem = small[:-length]
        having = _by_ending().get(small[-length:], frozenset())
        for end in ("", *_NOMINATIVE) if having else ():
            for language in words.get(stem + end, ()):
                if language in having:
                    return language
    if 8 < len(small) <= LONGEST_WORD and any(small[cut:] in _jobs()["nordic"] for cut in range(3, len(small) - 4)):
        return "nordic"
    return ""


def find_jobs_abroad(text: str, people_at: Sequence[Finding] = ()) -> Iterable[Finding]:
    """Yield positions in these languages. ``people_at``: people and companies that are found already."""
    if len(text) > _LONGEST or (text.isascii() and (" " not in text or not people_at)):
        return
    if _DENSE_GATE.search(text):
        yield from _dense(text, people_at)
    if "i" in text or "á" in text:
        for match in _VIETNAMESE.now.finditer(text) if not text.isascii() else ():
            if _licensed(text, *match.span(), people_at):
                yield Finding(*match.span(), "TITLE", 0.5)
    words = list(_WORD.finditer(text))
    taken = -1
    no_ascii = text.isascii() and not is_foreign(text)
    for at, word in enumerate(words):
        small = word[0].lower()
        if word.start() < taken or len(small) < 3 or (word[0].isascii() and english(small)):
            continue
        if word[0].isascii() and no_ascii and (len(small) < _TELLING or small not in _languages()):
            continue
        if not (language := _language(_plain(small))):
            continue
        end = word.end()
        start = _begin(text, words, at, language, people_at)
        end = _end(text, end, language)
        if _licensed(text, start, end, people_at):
            taken = end
            yield Finding(start, end, "TITLE", 0.5)
    yield from _behind_names(text, people_at)


_BEHIND = re.compile(
    r"[ ]?(?:,|[–—|·(-])[ ]?(?P<s>[^\W\d_][^,.;:()|·\n\t–—\d]{2,60}?)(?=[ ]*(?:\Z|[,;:()|·\n\t–—]|\.(?:\s|\Z)))"
)
_MOST_WORDS = 5


def _behind_names(text: str, people_at: Sequence[Finding]) -> Iterable[Finding]:
    """Yield what stands behind a name up to the next mark, where its first or last word is a position: *Jonas Petrauskas, medienos derintojas*."""
    for person in people_at:
        if person.entity != "PERSON" or not (behind := _BEHIND.match(text, person.end)):
            continue
        words = [w[0].lower() for w in _WORD.finditer(behind["s"])]
        if 0 < len(words) <= _MOST_WORDS and any(_is_a_job(w) for w in {words[0], words[-1]}):
            yield Finding(*behind.span("s"), "TITLE", 0.5)


def _is_a_job(small: str) -> bool:
    if small.isascii() and (english(small) or len(small) < _TELLING):
        return False
    return _language(_plain(small)) != "" or small in _jobs()["weak"]


def _plain(small: str) -> str:
    """Return an Arabic or Hebrew word without the article that is written onto it."""
    return small[2:] if small.startswith("ال") and len(small) > 4 else small


def _begin(text: str, words: Sequence[re.Match[str]], at: int, language: str, people_at: Sequence[Finding]) -> int:
    """Return where a position begins: a rank, and in Turkish what it is of, stand before the word."""
    start = words[at].start()
    for before in reversed(words[max(0, at - 2) : at]):
        if text[before.end() : start] not in (" ", "-") or any(f.start < before.end() <= f.end for f in people_at):
            break
        small = before[0].lower()
        begins = language == "hi" and _EDGE_BEFORE.search(text, max(0, before.start() - 3), before.start()) is not None
        own = (
            (language == "tr" or begins)
            and small not in _NOT_OF
            and before[0][0].islower() == words[at][0][0].islower()
        )
        if not (own or _ADJECTIVE.fullmatch(before[0]) or _language(small)):
            break
        start = before.start()
    return start


_NOT_OF = frozenset(["yeni", "bir", "bizim", "ve", "ile", "bu", "eski", "için", "olarak", "onun"])


def _end(text: str, end: int, language: str) -> int:
    """Return where a position ends: what it is of belongs to it."""
    if language == "ru" and (of := _OF.now.match(text, end)):
        return of.end()
    if language in ("pl", "ar", "he", "cs", "el", "hr", "ro", "hi") and (more := _NEXT_SMALL.match(text, end)):
        small = more["a"].lower()
        if (small == more["a"] or not text[end - 1].islower()) and small not in ("jest", "είναι", "θα", "हैं", "है", "je"):
            return more.end("a")
    return end


def _licensed(text: str, start: int, end: int, people_at: Sequence[Finding]) -> bool:
    """Return whether what stands around it says that somebody does it."""
    if _LABEL.now.search(text, max(0, start - 40), start) or _OURS.now.search(text, max(0, start - 30), start):
        return True
    return _beside(text, start, end, people_at, _BETWEEN.now)


def _beside(text: str, start: int, end: int, people_at: Sequence[Finding], between: re.Pattern[str]) -> bool:
    """Return whether a person or a company stands right before or after a position."""
    return any(
        (f.end <= start and between.fullmatch(text, f.end, start))
        or (end <= f.start and between.fullmatch(text, end, f.start))
        for f in people_at
        if f.entity in _WHOSE
    )


def _dense(text: str, people_at: Sequence[Finding]) -> Iterable[Finding]:
    for match in _DENSE.now.finditer(text):
        start, end = match.span()
        inside = [f for f in people_at if f.entity in _WHOSE and f.start < end and start < f.end]
        if inside:  # letters of the name before are none of the position's
            start = max((f.end for f in inside if f.start <= start), default=start)
            end = min((f.start for f in inside if f.start >= start), default=end)
        if end - start < 2 or (_glued(text, start, end) and not inside):
            continue
        if _told(text, start, end, people_at):
            yield Finding(start, end, "TITLE", 0.5)
    for match in _DENSE_RUN.finditer(text):
        if match[0] in _jobs()["dense"] and _told(text, *match.span(), people_at):
            yield Finding(*match.span(), "TITLE", 0.5)


def _told(text: str, start: int, end: int, people_at: Sequence[Finding]) -> bool:
    """Return whether somebody, a company or a label stands beside what may be a position."""
    beside = _beside(text, start, end, people_at, _DENSE_BETWEEN)
    return beside or _LABEL.now.search(text, max(0, start - 20), start) is not None


def _glued(text: str, start: int, end: int) -> bool:
    """Return whether a position is a part of a longer word."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return bool((before and _DENSE_LETTER.match(before)) or (after and _DENSE_LETTER.match(after)))
