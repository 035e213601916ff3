"""People in scripts that put no space between words or write them in syllables: Chinese, Japanese, Korean, Thai.

An honorific after (先生, 様, 님) or before (คุณ) a name says where it stands; a list of surnames says where it begins. Without one, a surname
and letters that given names are made of count only at the edge of a sentence or beside a word that has a person as its object.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ..contracts.types import Finding
from ..words.script_lists import name_lists
from .label_words import NAME_LABELS

_HAN = "\u3005\u3400-\u9fff\uf900-\ufaff"
_KANA = re.compile(r"[\u3041-\u30fa]")
_HAN_LETTER = re.compile(f"[{_HAN}]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")
_THAI = re.compile(r"[\u0e00-\u0e7f]")


def people(text: str) -> list[Finding]:
    """Return the people in a text of these scripts."""
    found: list[Finding] = []
    if _HAN_LETTER.search(text) or _KANA.search(text):
        found += _japanese(text)
        if not _KANA.search(text):
            found += _chinese(text)
    if _HANGUL.search(text):
        found += _korean(text)
    if _THAI.search(text):
        found += _thai(text)
    return found


def _person(start: int, end: int, score: float = 0.7) -> Finding:
    return Finding(start, end, "PERSON", score)


# Chinese

_ZH_AFTER = "先生|女士|小姐|太太|夫人|老师|老師|同学|同學|经理|經理|医生|醫生|大夫|教授|博士|主任|律师|律師|师傅|師傅|阿姨|叔叔|总监|總監|总裁|院长|院長|校长|校長|局长|部长|部長|队长|隊長|处长|科长|护士|護士|同志|董事长|董事長|会计|工程师|警官|记者"
_ZH_BEFORE = (
    "由|和|与|與|跟|及|给|給|请|請|找|问|問|叫|是|为|為|被|让|讓|对|對|向|同|替|联系|聯繫|联络|通知|感谢|感謝|谢谢|转告|告诉|邀请|欢迎|歡迎|妻子|丈夫|儿子|女儿|父亲|母亲|爸爸|妈妈|哥哥|姐姐|弟弟|妹妹|邻居|鄰居|同事|朋友|经理|老板|老闆|主管|客户|客戶|患者|"
    "作者|医生|医师|律师|老师|负责人|负责人是|名叫|我是|我叫|你好|您好|亲爱的|親愛的|尊敬的|致|分配给|指派给|交给|寄给|发给|来自|收件人|联系人"
)
_ZH_FOLLOW = "昨天|今天|明天|刚刚|刚才|正在|已经|已|在|的|和|与|及|说|表示|提交|评论|審核|审核|取消|批准|创建|修改|删除|上传|回复|获取|确认|签收|完成|加入|离开|邀请|分享|关注|将|来|去|是|也|都|要|会|想|可以|先|了|您好|你好|发|发送|发布|添加|编辑|更新|关闭|打开|预约|购买|付款|退款|申请|负责|处理|查看|请求|昨晚|上周|下周|于|被|把|给"
_ZH_HAN_RUN = re.compile(f"[{_HAN}]+")
_ZH_VERBS = frozenset("谢和向于从同由对让给与被及请跟任成应时经")
"""Surnames that are words before a name as well: of 感谢高伟 the name is 高伟."""


@lru_cache(maxsize=1)
def _zh() -> tuple[frozenset[str], frozenset[str], frozenset[str], frozenset[str]]:
    lists = name_lists()
    return lists["zh surnames"], lists["zh compounds"], lists["zh given"], lists["zh not-names"]


_ZH_AFTER_RE = re.compile(_ZH_AFTER)
_ZH_BEFORE_RE = re.compile(rf"(?:{_ZH_BEFORE})\Z")
_ZH_FOLLOW_RE = re.compile(_ZH_FOLLOW)


def _chinese(text: str) -> Iterable[Finding]:
    surnames, compounds, given, never = _zh()
    found: list[Finding] = []
    for match in _ZH_AFTER_RE.finditer(text):
        start = _zh_start(text, match.start(), surnames, compounds)
        if start is not None and text[start : start + 2] not in never:
            found.append(_person(start, match.start()))
    for run in _ZH_HAN_RUN.finditer(text):
        at = run.start()
        while at < run.end():
            size = _zh_name(text, at, run, surnames, compounds, given, never)
            if size:
                found.append(_person(at, at + size, 0.6))
            at += max(size, 1)
    return found


def _zh_start(text: str, end: int, surnames: frozenset[str], compounds: frozenset[str]) -> int | None:
    """Return where the name before an honorific begins: the longest that begins with a surname."""
    if text[max(end - 4, 0) : end - 2] in compounds and end >= 4:
        return end - 4
    if text[max(end - 3, 0) : end - 1] in compounds and end >= 3:
        return end - 3
    if end >= 2 and text[end - 2 : end] in compounds:
        return end - 2
    for size in (3, 2, 1):
        start = end - size
        if start < 0 or text[start] not in surnames:
            continue
        shorter = size > 1 and text[start + 1] in surnames
        if shorter and size == 3 and text[start] in _ZH_VERBS:
            continue
        if all(_HAN_LETTER.match(c) for c in text[start:end]):
            if size == 1 and start and _HAN_LETTER.match(text[start - 1]) and not _ZH_BEFORE_RE.search(text[:start]):
                continue
            return start
    return None


def _zh_name(
    text: str,
    at: int,
    run: re.Match[str],
    surnames: frozenset[str],
    compounds: frozenset[str],
    given: frozenset[str],
    never: frozenset[str],
) -> int:
    """Letters of the name that begins here, or 0."""
    family = 2 if text[at : at + 2] in compounds else 1 if text[at] in surnames else 0
    if not family or text[at : at + 2] in never:
        return 0
    left = at == run.start() or bool(_ZH_BEFORE_RE.search(text, max(at - 4, run.start()), at))
    for size in (2, 1):
        end = at + family + size
        if end > run.end() or not all(c in given for c in text[at + family : end]):
            continue
        if text[at + 1 : at + 3] in never or text[end - 2 : end] in never:
            continue
        right = end == run.end() or bool(_ZH_FOLLOW_RE.match(text, end, run.end()))
        whole = at == run.start() and end == run.end()
        if size == 1 and family == 1 and not (left and right and (not whole or len(run[0]) < len(text.strip()))):
            continue
        if left and (right or family == 2 or at > run.start()):
            return end - at
    return 0


# Japanese

_JA_AFTER = "様|さま|さん|くん|君|ちゃん|氏|殿|先生|部長|課長|係長|社長|主任|店長|教授|医師|弁護士|先輩|選手|監督"
_JA_NEVER = frozenset(
    """
    お客 客 皆 奥 神 王 お子 子 お嬢 多 仕 同 模 異 一 何 有 各 両 左 母 父 兄 姉 叔母 叔父 祖母 祖父 患者 会員 担当者 利用者 関係者 保護者 業者 企業 法人 店舗 株主 読者 皆々 お得意 得意先 お医者 本屋 花屋 店員 隣
    赤 坊 担当 学校 取引先 御社 貴社 購入者 お母 お父 お兄 お姉 管理者 登録者 視聴者 投稿者 主催者 参加者 応募者 宛名 連盟 連合 華 摂 両 某 被 彼 諸
    """.split()  # noqa: SIM905
)
_JA_HONORED = re.compile(
    rf"(?<![\u3005\u3400-\u9fff])(?P<s>[\u3005\u3400-\u9fff]{{1,6}}(?:[ \u3000][\u3005\u3400-\u9fffぁ-んァ-ヶー]{{1,5}})?|[ァ-ヶー]{{2,8}}(?:[ \u3000・][ァ-ヶー]{{2,8}})?)\s?(?:{_JA_AFTER})(?![\u3005\u3400-\u9fff々])"
)
_JA_MIXED = re.compile(r"(?P<s>[\u3005\u3400-\u9fff]{1,4}[ぁ-んァ-ヶー]{2,4})(?:様|さま|さん|くん|ちゃん|氏|先生)")
_JA_BETWEEN = re.compile(r"(?<![\u3005\u3400-\u9fff])[\u3005\u3400-\u9fff]{2,3}(?![\u3005\u3400-\u9fff])")
_JA_KIN = re.compile(r"(?:妻|夫|娘|息子|母|父|姉|妹|兄|弟|友人|同僚|隣)の\Z")
_JA_PLACE = re.compile(r"[県市区町村都道府駅港線川山湖島空国大]")
_JA_SELF = re.compile(
    r"(?:私は|わたしは|名前は)(?P<s>[\u3005\u3400-\u9fff]{1,4}[ \u3000]?[\u3005\u3400-\u9fffぁ-んァ-ヶー]{0,5}?)(?:と申し|といい|です)"
)
_JA_PARTICLE = re.compile(r"[がはをにのとへもでや、。,.)\]!?]|から|より|まで|様|さん|\s|$")


@lru_cache(maxsize=1)
def _ja() -> tuple[re.Pattern[str], frozenset[str]]:
    lists = name_lists()
    surnames = sorted(lists["ja surnames"], key=len, reverse=True)
    return re.compile("|".join(map(re.escape, surnames))), lists["ja given"]


def _japanese(text: str) -> Iterable[Finding]:
    surname, given = _ja()
    kana = bool(_KANA.search(text))
    found: list[Finding] = []
    if kana:
        found += [_person(*m.span("s")) for m in _JA_SELF.finditer(text)]
        for match in (*_JA_HONORED.finditer(text), *_JA_MIXED.finditer(text)):
            value = match["s"]
            bare = re.sub(r"^(?:お|ご)", "", value)
            if value in _JA_NEVER or bare in _JA_NEVER or any(value.endswith(n) for n in _JA_NEVER if len(n) > 1):
                continue
            first = surname.search(value)
            if first is None and len(bare) < 2:
                continue
            start = match.start("s") + (first.start() if first and first.start() and len(first[0]) > 1 else 0)
            found.append(_person(start, match.end("s")))
    elif (
        (before := re.search(rf"([\u3005\u3400-\u9fff]{{2,6}})(?:{_JA_AFTER[:1]})\Z", text.strip()))
        and before[1] not in _JA_NEVER
        and surname.match(before[1])
    ):
        at = text.index(before[1])
        found.append(_person(at, at + len(before[1])))
    for match in surname.finditer(text):
        start, end = match.span()
        left = start == 0 or not _HAN_LETTER.match(text[start - 1])
        if not left:
            continue
        rest = re.match(
            r"[ \u3000](?P<s>[\u3005\u3400-\u9fff]{1,3}|[ぁ-ん]{2,4}|[ァ-ヶー]{2,5})(?=[がはをにのとへもでや、。,.)\]!?：:（(]|から|さん|様|氏|\s|$)",
            text[end:],
        )
        if rest and len(match[0]) > 1 and not _JA_PLACE.match(rest["s"]):
            found.append(_person(start, end + rest.end("s")))
            continue
        for size in (3, 2, 1, 4):
            word = text[end : end + size]
            if (
                len(word) == size
                and word in given
                and _JA_PARTICLE.match(text, end + size)
                and (len(match[0]) > 1 or size > 1)
            ):
                found.append(_person(start, end + size))
                break
    if kana:  # given names of two letters and more, between what is no kanji
        found += [
            _person(*m.span())
            for m in _JA_BETWEEN.finditer(text)
            if m[0] in given and _JA_KIN.search(text, 0, m.start())
        ]
    return found


# Korean

_KO_TITLES = "님|씨|군|양|고객님|고객|과장님?|부장님?|대리님?|차장님?|팀장님?|사장님?|이사님?|대표님?|선생님|교수님?|박사님?|원장님?|회장님?|실장님?|본부장님?|의사|변호사님?|기자|간호사님?|매니저님?|사원|환자|회원님?|담당자님?|선배님?|코치님?"
_KO_PARTICLE = r"(?:이가|이는|이를|이와|이의|이|가|은|는|을|를|과|와|의|에게서|에게|께서|께|한테|도|만|이나|나|랑|이랑|입니다|이에요|예요|이고|이며|으로|로|부터|까지|보다|처럼|아|야)?"
_KO_HONORED = re.compile(
    rf"(?<![\uac00-\ud7af])(?P<s>[\uac00-\ud7af]{{2,4}})(?:\s(?:{_KO_TITLES})|님|씨)(?![\uac00-\ud7af]{{3}})"
)


@lru_cache(maxsize=1)
def _ko() -> tuple[frozenset[str], frozenset[str], frozenset[str], frozenset[str], frozenset[str]]:
    lists = name_lists()
    return lists["ko surnames"], lists["ko compounds"], lists["ko first"], lists["ko second"], lists["ko not-names"]


def _korean(text: str) -> Iterable[Finding]:
    never = _ko()[4]
    for match in _KO_HONORED.finditer(text):
        if match["s"] not in never and _korean_name(match["s"], strict=False):
            yield _person(*match.span("s"))
    for match in re.finditer(r"[\uac00-\ud7af]+", text):
        word = match[0]
        if len(word) > 8 or word[:3] in never or word in never:
            continue
        for size in (3, 4, 2):
            if size > len(word) or (size == 2 and len(word) != 2) or not _korean_name(word[:size], strict=True):
                continue
            if size == 2 and not _ko_beside(text, match):
                continue
            if re.fullmatch(rf"(?:{_KO_TITLES})?{_KO_PARTICLE}", word[size:]):
                yield _person(match.start(), match.start() + size, 0.6)
                break


def _ko_beside(text: str, match: re.Match[str]) -> bool:
    """Return whether a name of two syllables counts here. It is a word of the language as often, and counts at the beginning before a comma."""
    return match.start() == 0 and text[match.end() : match.end() + 1] == ","


_KO_ENDS = frozenset("은는이가을를의에로도만과와고게나라다")
"""Syllables that end a name and are particles as well."""


def _korean_name(word: str, strict: bool) -> bool:
    surnames, compounds, first, second, never = _ko()
    if word in never:
        return False
    family = 2 if word[:2] in compounds and len(word) > 2 else 1 if word[0] in surnames else 0
    given = word[family:]
    if not family or not 1 <= len(given) <= 2:
        return False
    if len(given) == 1:
        return family == 2 and given in second if strict else given in second
    if not strict:
        return given[0] in first or given[1] in second
    return given[0] in first and given[1] in second and given[1] not in _KO_ENDS and not _ko_noun(given)


def _ko_noun(given: str) -> bool:
    """Return whether two syllables end a word of the language: a verb as a noun (``채우기``; names have a closed syllable there, ``민기``), or a place (``여기서``)."""
    opened = (ord(given[0]) - 0xAC00) % 28 == 0
    return given == "기서" or (given[1] == "기" and opened)


# Thai

_TH_RUN = re.compile(r"[\u0e00-\u0e4e]+")
_TH_STRICT = re.compile(
    r"(?:นางสาว|เด็กชาย|เด็กหญิง|ด\.ช\.|ด\.ญ\.|น\.ส\.|ดร\.|ผศ\.|รศ\.|นพ\.|พญ\.|(?<![\u0e00-\u0e4e])นาย|(?<![\u0e00-\u0e4e])นาง(?!สาว)|(?<=ให้)นาย|(?<=กับ)นาย|(?<=ของ)นาย|(?<=เมื่อวาน)นาง)\s?(?!แบบ|ฟ้า|พยาบาล|เอก|หน้า|กรัฐ|จ้าง|ทุน|อำเภอ|ทะเบียน|ช่าง|กสมาคม|ก)(?P<s>[\u0e00-\u0e4e]{2,16})"
)
_TH_POLITE = re.compile(r"(?:คุณหมอ|คุณครู|คุณ|อาจารย์|ครู|หมอ|พี่|น้อง|นาย|นาง|ลุง|ป้า|ชื่อ|เรียน)\s?(?P<s>[\u0e00-\u0e4e]{2,24})")
_TH_SURNAME = re.compile(r" (?P<s>[\u0e00-\u0e4e]{2,18})(?![\u0e00-\u0e4e])")
_TH_NOT_SURNAME = re.compile(
    r"(?:คำสั่ง|ขอบคุณ|ขอ|ถูก|ช่วย|กำลัง|ได้|ไม่|เป็น|และ|ตรวจ|ต้อง|แสดง|โทร|จอง|เริ่ม|เข้า|ส่ง|การ|ของ|ที่|ใน|จะ|แล้ว|กรุณา|เรียน|สวัสดี|วัน|หรือ|กับ|จาก|โดย|ให้|คือ|อยู่|มา|ไป|ทำ|บอก|แจ้ง|ซื้อ|เห็น|พูด|เมื่อ|สำหรับ|ยัง|ครับ|ค่ะ|คะ|นะ|ลูกค้า|ผู้|เปลี่ยน|ทุก|สั่ง)"
)


_TH_SELF = re.compile(
    r"(?:ฉัน|ผม|ดิฉัน|เพื่อนบ้าน|เพื่อน|ลูกค้า|คน|เขา|เธอ|ลูกชาย|ลูกสาว|ลูก|สามี|ภรรยา|พนักงาน)ชื่อ\s?(?P<s>[\u0e00-\u0e4e]{2,14})(?![\u0e00-\u0e4e])"
)
_TH_BY = re.compile(
    r"โดย(?:ผู้จัดการ|คุณ|นาย|นาง|นางสาว|ผู้อำนวยการ|เจ้าหน้าที่)?\s(?P<s>[\u0e00-\u0e4e]{2,16})(?= [\u0e00-\u0e4e]{2,18}(?![\u0e00-\u0e4e]))"
)
_TH_YOU = re.compile(
    r"(?:(?<![\u0e00-\u0e4e])|(?<=สวัสดี)|(?<=เรียน)|(?<=ถึง)|(?<=ได้ที่)|(?<=กับ))คุณ(?:หมอ|ครู)?\s?(?P<s>[\u0e00-\u0e4e]{2,14})(?![\u0e00-\u0e4e])"
)
_TH_AFTER_YOU = re.compile(
    r"(?:ต้อง|จะ|ได้|ไม่|มี|สามารถ|อาจ|ควร|เป็น|ถูก|ยัง|แล้ว|กำลัง|เคย|คิด|รู้|ชอบ|อยาก|เลือก|ป้อน|ใส่|กรอก|ใช้|ดู|ทำ|ส่ง|ซื้อ|เห็น|ไป|มา|เข้า|ออก|ลบ|เพิ่ม|แก้|บันทึก|คลิก|เปลี่ยน|ลืม|สั่ง|รับ|ชำระ|จ่าย|พบ|และ|หรือ|ที่|ใน|กับ|จาก|โดย|ให้|คือ|ของ|เอง|สมบัติ|ภาพ|"
    r"ค่า|ธรรม|ลักษณะ|ประโยชน์|วุฒิ|ลูกค้า|ผู้|เพิ่ง|พร้อม|แน่ใจ|ร้อง|ตั้ง|เปิด|ปิด|ล็อก|หมอ|ครู|แม่|พ่อ|ติด|อยู่|เพื่อ|สำหรับ|เมื่อ|ถ้า|หาก|อ่าน|เขียน|โพสต์|แชร์|ดาวน์|อัป|ขอ|กด|ลอง|ช่วย|ทุก|คน|ยอม|ตก|เริ่ม|สมัคร|ยืน|ปรับ|จัด|แสดง|กลับ|นำ|พิมพ์|ค้น|โหลด|หยุด|ลง)"
)
_TH_LABEL = re.compile(rf"(?:{NAME_LABELS}) (?P<s>[\u0e00-\u0e4e]{{2,16}} [\u0e00-\u0e4e]{{2,18}})\s*\Z")


@lru_cache(maxsize=1)
def _th() -> tuple[re.Pattern[str], frozenset[str]]:
    lists = name_lists()
    names = sorted(lists["th given"], key=len, reverse=True)
    return re.compile("|".join(map(re.escape, names))), lists["th given-words"]


def _thai(text: str) -> Iterable[Finding]:
    given, words = _th()
    for match in _TH_STRICT.finditer(text):
        start, end = match.span("s")
        if known := given.match(text, start):
            end = known.end() if known.end() < end and not _TH_SURNAME.match(text, end) else end
        yield _person(start, _th_surname(text, end))
    for match in _TH_POLITE.finditer(text):
        if known := given.match(text, match.start("s")):
            if known[0] not in words or not _THAI.match(text, known.end()):
                yield _person(known.start(), _th_surname(text, known.end()))
        elif (
            match[0].startswith("คุณ")
            and (after := _TH_SURNAME.match(text, match.end()))
            and len(match["s"]) < 10
            and not _TH_NOT_SURNAME.match(after["s"])
            and not re.match(r"(?:สมบัติ|ภาพ|ค่า|ธรรม|ต้อง|จะ|ได้|ไม่|มี|สามารถ|อาจ|ควร|เป็น|ถูก|ยัง|แล้ว|ลักษณะ)", match["s"])
        ):
            yield _person(match.start("s"), after.end("s"))
    for match in (*_TH_SELF.finditer(text), *_TH_BY.finditer(text)):
        if not _TH_NOT_SURNAME.match(match["s"]):
            yield _person(match.start("s"), _th_surname(text, match.end("s")))
    for match in _TH_YOU.finditer(text):
        if not _TH_AFTER_YOU.match(match["s"]):
            yield _person(match.start("s"), _th_surname(text, match.end("s")), 0.6)
    if alone := _TH_LABEL.match(text):
        yield _person(*alone.span("s"))
    for run in _TH_RUN.finditer(text):
        known = given.fullmatch(text, run.start(), run.end())
        if known:
            end = _th_surname(text, run.end())
            if end > run.end() or known[0] not in words:
                yield _person(run.start(), end)


def _th_surname(text: str, end: int) -> int:
    """Return the end of the surname after a given name, or of the given name."""
    after = _TH_SURNAME.match(text, end)
    return after.end("s") if after and not _TH_NOT_SURNAME.match(after["s"]) else end
