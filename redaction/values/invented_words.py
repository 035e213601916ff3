"""Invent words in the script of the word that they replace.

A reader sees at once that such a word is invented, and can pronounce it. A line of invented words is as long as the
original, and runs in the same direction.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..words.writing_systems import JOINED, find_script

CLASSES = ((3, 3), (5, 5), (7, 7), (10, 9), (14, 12), (20, 17), (32, 24))
"""Length classes of a word: greatest length of the class, length of the stand-in. Longer words fall into 24."""
DENSE_CLASSES = ((1, 1), (3, 3), (5, 5), (8, 7), (12, 10), (20, 16), (32, 24))
"""Length classes for scripts in which a letter is a syllable or a word, and as wide as two letters."""


@dataclass(frozen=True, slots=True)
class Alphabet:
    """The syllables of invented words in one script. ``first`` holds beginnings that no word in the languages of the
    script has.
    """

    first: tuple[str, ...]
    onsets: tuple[str, ...]
    vowels: tuple[str, ...]
    codas: tuple[str, ...] = ()
    """Empty: each of ``onsets`` is a syllable of its own."""
    finals: tuple[str, str] = ("", "")
    """Letters that have another shape at the end of a word, and these shapes."""


def _build_alphabet(
    first: str, onsets: str, vowels: str = "", codas: str = "", finals: tuple[str, str] = ("", "")
) -> Alphabet:
    return Alphabet(tuple(first.split()), tuple(onsets.split()), tuple(vowels), tuple(codas), finals)


ALPHABETS = {
    "latin": _build_alphabet(
        "zw vr kv zl vl gw dw zm kw zv", "b d f g h j k l m n p r s t v w z br dr fl gr kl pl st tr", "aeiou", "nrlsmx"
    ),
    "cyrillic": _build_alphabet(
        "вз кв жв зм гв дв хв шм жм зг", "б в г д ж з к л м н п р с т ф х бр гр др кл пл ст тр", "аеиоу", "нрлсмк"
    ),
    "greek": _build_alphabet("ζβ βζ ζμ γζ κβ σβ ξμ ψμ", "β γ δ ζ θ κ λ μ ν ξ π ρ σ τ φ χ κλ πλ στ τρ", "αεηιο", "νρλσ", ("σ", "ς")),
    "arabic": _build_alphabet("ظ ذ ض غ ث", "ب د ز ك ل م ن ر س ش ط ف ق ج خ", "اوي", "نرلمق"),
    "hebrew": _build_alphabet("זג צט גז טז צג", "ב ג ד ז ח ט כ ל מ נ ס פ צ ק ר ש ת", "ויא", "נרלמק", ("כמנפצ", "ךםןףץ")),
    "devanagari": _build_alphabet("झ घ ढ ठ छ", "ब द ग ज क ल म न प र स त व ह भ", "ािीुेो", "नरलसम"),
    "thai": _build_alphabet("ฟ ฉ ผ ฮ", "บ ด ก ล ม น ป ร ส ต ว ห ช พ", "าีูุะ", "นมกง"),
    "hiragana": _build_alphabet("ぷ ぽ ぺ ぜ ぞ ぬ べ ぴ", "か き く け こ さ す せ そ た て と な に ね の は ひ ふ ほ ま み む め も ら り る れ ろ"),
    "katakana": _build_alphabet("プ ポ ペ ゼ ゾ ヌ ベ ピ", "カ キ ク ケ コ サ ス セ ソ タ テ ト ナ ニ ネ ノ ハ ヒ フ ホ マ ミ ム メ モ ラ リ ル レ ロ"),
    "hangul": _build_alphabet("뷰 쥬 퓨 튜 췌 뤼 궤 뮤 쿼 퀘", "가 나 다 라 마 바 사 고 노 도 로 모 보 소 구 누 두 루 무 리 미 비 시 지 란 림 론 벨 젠 단"),
    "han": _build_alphabet("兀 扎 厄 吉 佐 沃 彭 帕", "巴 比 波 布 多 尼 古 加 卡 可 克 拉 里 立 洛 米 末 那 奈 尼 皮 普 奇 沙 什 斯 塔 提 托 瓦 西 希 夫 伊"),
}  # fmt: skip
"""Script → the syllables of its invented words. The Chinese characters are those that spell foreign names, equal in
China, Taiwan and Japan.
"""


def choose_stand_in_length(length: int, script: str = "latin") -> int:
    """Return the length of the stand-in for a word of `length` letters."""
    classes = DENSE_CLASSES if script in JOINED else CLASSES
    return next((size for greatest, size in classes if length <= greatest), classes[-1][1])


def invent_word(random_bytes: bytes, size: int, script: str) -> str:
    """Return an invented word of `size` letters that is computed from `random_bytes`, at least 24 bytes. It ends with a whole
    syllable.
    """
    alphabet = ALPHABETS[script]
    at = 0

    def pick_syllable_part(row: tuple[str, ...]) -> str:
        nonlocal at
        at += 1
        return row[random_bytes[(at - 1) % len(random_bytes)] % len(row)]

    if not alphabet.vowels:
        return "".join(pick_syllable_part(alphabet.onsets if i or size == 1 else alphabet.first) for i in range(size))
    text = ""
    while (rest := size - len(text)) > 0:
        if rest == 1:
            text += pick_syllable_part(alphabet.codas)
            break
        onset = pick_syllable_part(alphabet.onsets if text or size < 4 else alphabet.first)
        text += onset[: rest - 1] + pick_syllable_part(alphabet.vowels)
        rest = size - len(text)
        if rest > 2 and random_bytes[at % len(random_bytes)] % 3 == 0:
            text += pick_syllable_part(alphabet.codas)
    shape = alphabet.finals[0].find(text[-1]) if alphabet.finals[0] else -1
    return text if shape < 0 else text[:-1] + alphabet.finals[1][shape]


def choose_other_letter(letter: str) -> str:
    """Return another letter of the same script, or another digit."""
    if letter.isdecimal():
        zero = ord(letter) - int(letter)
        return chr(zero + (int(letter) + 1) % 10)
    alphabet = ALPHABETS[find_script(letter)]
    row = sorted({c for part in alphabet.onsets for c in part})
    small = letter.lower()
    found = next((c for c in row if c > small), row[0])
    return found.upper() if letter != small else found
