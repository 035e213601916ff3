"""Who is greeted in other scripts than Latin: *Добро пожаловать, Ждан.*, *أهلا، معزّ.*, behind a word of welcome and a comma or a line's end.

A program greets who has signed in, often by a given name alone that no list has, in an element of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import SAID, Finding
from ...words.alphabets import DENSE
from ...words.script_lists import WORD

_LONGEST = 4_000
_GREETINGS = (
    r"добро\s+пожаловать|здравствуй(?:те)?|привет(?:ствуем)?|с\s+возвращением|рады\s+(?:вас\s+)?видеть|доброе\s+утро|добрый\s+(?:день|вечер)|вітаємо|вітаю|ласкаво\s+просимо|привіт|"
    r"доброго\s+(?:дня|ранку|вечора)|добрий\s+(?:день|вечір)|з\s+поверненням|добре\s+дош(?:ъл|ла|ли)|здравей(?:те)?|здраво|добро\s*дошли|"
    r"καλώς\s+(?:ήρθατε|ήρθες|ορίσατε|όρισες|ήλθατε)|καλωσ(?:ορίσατε|ήρθατε|ήρθες)|γεια(?:\s+σ(?:ας|ου))?|καλησπέρα|καλημέρα|χαίρετε|"
    r"أهلا(?:ً|\s+وسهلا)?|أهلًا|مرحبا(?:ً|\s+بك)?|مرحبًا(?:\s+بك)?|السلام\s+عليكم|خوش\s*آمدید|سلام|درود|ברוכ(?:ים|ה)\s+הבא(?:ים|ה)|ברוך\s+הבא|שלום|"
    r"(?:आपका\s+)?स्वागत\s+है|नमस्ते|नमस्कार|ยินดีต้อนรับ|สวัสดี|환영합니다|안녕하세요|반갑습니다|어서\s*오세요|(?:欢迎|歡迎)(?:回来|回來|您|你)?|您好|你好|ようこそ|こんにちは|おかえりなさい|お帰りなさい"
)
_GREETED = re.compile(
    rf"(?:\A|(?<=[\n.!?:>|·。！؟])|(?<=[.!?:>|·。！؟][ ]))[ \t]*(?i:{_GREETINGS})(?P<between>[ \t]*[،,，、!！]?\s*)(?P<s>{WORD}(?:[ ·・]{WORD}){{0,2}}?)(?:[ ]?(?:님|씨|さん|様|ครับ|ค่ะ))?(?=[ \t]*(?:[.!！。,，،👋🎉]|\n|\Z))"
)
"""A greeting, and up to three words before a sign or the end of a line: behind more of them it is a sentence, *مرحبا بك في …*."""
_TO_ALL = re.compile(
    r"(?:гост|пользовател|користувач|потребител|посетител|відвідувач|друзья|друзі|приятел|администратор|адміністратор|мир\Z|світ|свят\Z|все[мх]?\Z|всі|коллег|колег|"
    r"χρήστ|επισκέπτ|κόσμε|φίλ|όλ|"
    r"بك|بعودت|ضيف|زائر|مستخدم|صديق|جميع|بال|عزيز|کاربر|مهمان|دوست|دنیا|جهان|אורח|משתמש|עולם|לכולם|חבר|כולם|दुनिया|अतिथि|उपयोगकर्ता|दोस्त|सभी|"
    r"ผู้|แขก|ลูกค้า|สมาชิก|ทุก|ท่าน|ชาว|เพื่อน|คุณ\Z|ครับ|ค่ะ|여러분|고객|회원|손님|방문|사용자|관리자|세계|세상|친구|선생|"
    r"大家|亲(?:爱|\Z)|朋友|同学|各位|世界|管理|访客|訪客|游客|用户|用戶|来宾|來賓|匿名|贵宾|ゲスト|皆|みな|ユーザ|お客)|.*(?:[иеяй]те(?:сь)?)\Z",
    re.IGNORECASE,
)
"""Who is nobody, and what one is told to do (*Войдите*)."""
_NO_NAME = re.compile(
    "[请請的是在了有我你您他她们們这這那很欢歡么嗎吗吧呢啊为為登录錄注册冊使访訪客]|光临|回来|先生|女士|小姐|[はがをにへでも]\\Z"
)
"""Signs of a sentence in scripts that put no spaces between words."""
_DENSE_NAME = re.compile(f"[{DENSE}]{{1,6}}")
_INLINE = re.compile("[\uac00-\ud7a3]{2,4}|[\u3400-\u9fff]{1,4}")
"""What is called behind a comma, without a line's end between."""


def find_welcomed(text: str) -> Iterable[Finding]:
    """Yield who is greeted by name: in an element of its own, or behind a comma."""
    if len(text) > _LONGEST or text.isascii():
        return
    for match in _GREETED.finditer(text):
        said, between = match["s"], match["between"]
        if not _TO_ALL.match(said) and _is_called(said, "\n" in between, between.strip() != ""):
            yield Finding(*match.span("s"), "PERSON", SAID)


def _is_called(said: str, apart: bool, sign: bool) -> bool:
    """Return whether words behind a greeting can be a name. ``apart``: a line's end stands between. ``sign``: a comma does."""
    words = said.split()
    if said[0].lower() != said[0].upper():
        return all(w[0].isupper() for w in words)
    if _DENSE_NAME.match(said):
        return not _NO_NAME.search(said) and (apart or (sign and _INLINE.fullmatch(said) is not None))
    return apart
