"""Companies and institutions in Russian, Ukrainian, Greek, Arabic, Hebrew, Hindi, Chinese, Japanese, Korean, Vietnamese, Polish, Turkish and the Nordic languages, by their legal
form (*株式会社…*, *…有限公司*, *Công ty …*) or by the noun that stands with a name of its own (*компания «…»*, *חברת …*, *Zakład …*).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import Finding
from ...words.late import Late

_LONGEST = 2_000
_HAN = "\u3005\u3400-\u9fff"
_HANGUL = "\uac00-\ud7af"
_CYRILLIC = r"[А-ЯЁІЇЄҐ][\w'’-]*"
_GREEK = r"[Α-ΩΆ-Ώ][\w'’.-]*"
_LATIN = r"(?-i:[^\W\d_a-zà-öø-ÿ])[\w'’.&-]+"
_QUOTED = r"[«„“\"][^«»„“”\"\n]{2,50}[»“”\"]"
_AR_STOP = r"(?:باسم|في|من|على|إلى|الى|عن|مع|قبل|بعد|هو|هي|التي|الذي|تم|لم|لا|و|أو|ثم|بتاريخ|رقم|جديدة?|أخرى|واحدة|الشحن|التوصيل|التأمين|المستخدم|العميل)(?!\w)"
_AR_OF_DATA = (
    r"(?:مجموعة|مكتبة)\s+(?:ال)?(?:بيانات|فرعية|مستخدمين|أدوات|ملفات|عناصر|صور|صلاحيات|حقول|رموز|خيارات|إعدادات|عمل|عميل|عملاء|برمجية|برمجيات|صفحات|مستندات|خرائط|"
    r"كلمات|قيم|ألوان|خطوط|تطبيقات|طبقات|نتائج|أحرف|قواعد|مهام|وسائط)(?!\w)"
)
"""Sets and libraries that programs have: no groups and no bookshops."""
_HE_STOP = r"(?:של|את|על|אל|עם|או|כי|לא|זו|זה|היא|הוא|יש|אין|גם|רק|חדשה?|אחרת|לפני|אחרי)(?!\w)"
_GENERIC_ZH = "请|選|选|输入|查看|添加|新建|新增|编辑|删除|全部|所有|搜索|绑定|切换|本|我|该|贵|母|子|分|总|上市|控股|物流|快递|保险|跨国|外贸|各|某|这家|那家|一家|两家|开户|发卡|中国|商业|所属|选择|当地|其他"

_BY_SCRIPT: tuple[tuple[str, Late], ...] = (
    (
        r"[\u0400-\u04ff]",
        Late(
            rf"(?<!\w)(?P<s>(?:ООО|ОАО|ЗАО|ПАО|НАО|АО|ИП|ТОО|ТОВ|ФОП|ГК|ФГУП|ГУП|МУП|ГБУЗ|ГБУ|МБОУ|АНО|НКО|КФХ)\s+(?:{_QUOTED}|{_CYRILLIC}(?:[ -]{_CYRILLIC}){{0,3}}))|"
            rf"(?<!\w)(?:компани[ияюей]{{1,2}}|фирм[аыуео]й?|организаци[ияюей]{{1,2}}|магазин[аеу]?|завод[аеу]?|фабрик[аиеу]|банк[аеу]?|клиник[аиеу]|школ[аыеу]|издательств[аоеу]|ресторан[аеу]?|кафе|студи[ияюей]{{1,2}}|салон[аеу]?|агентств[аоеу]|"
            rf"холдинг[аеу]?|корпораци[ияю]|фонд[аеу]?|отел[ьяею]|гостиниц[аыеу]|аптек[аиеу]|больниц[аыеу]|компані[яїюєй]{{1,2}})\s+(?P<b>{_QUOTED}|{_CYRILLIC}(?:[ -]{_CYRILLIC}){{0,2}})"
        ),
    ),
    (
        r"[\u0370-\u03ff]",
        Late(
            rf"(?<!\w)(?P<s>(?:Αφοί|ΑΦΟΙ|Αδελφοί)\s+{_GREEK}(?:\s+{_GREEK})?|{_GREEK}(?:\s+(?:&\s+)?{_GREEK}){{0,3}}\s+(?:Α\.?Ε\.?|Ε\.?Π\.?Ε\.?|Ο\.?Ε\.?|Ι\.?Κ\.?Ε\.?|Α\.?Ε\.?Β\.?Ε\.?)(?!\w))|"
            rf"(?<!\w)(?:[Εε]ταιρ[εί]{{1,2}}α[ςν]?|[Όό]μιλος|[Οο]μίλου|[Κκ]λινική|[Ξξ]ενοδοχείο|[Εε]στιατόριο|[Εε]κδόσεις)\s+(?P<b>{_GREEK}(?:\s+{_GREEK}){{0,2}})"
        ),
    ),
    (
        r"[\u0600-\u06ff]",
        Late(
            rf"(?<!\w)[وبلف]?(?!{_AR_OF_DATA})(?P<s>(?:شركة|مؤسسة|مجموعة|بنك|مصرف|مستشفى|جامعة|مطعم|مصنع|عيادة|صيدلية|فندق|معهد|جمعية|مكتبة)\s+(?!{_AR_STOP})[^\W\d_]{{3,}}(?:\s+(?!{_AR_STOP})ال[^\W\d_]{{3,}})?)"
        ),
    ),
    (
        r"[\u0590-\u05ff]",
        Late(
            rf"(?<!\w)[ובלמהש]{{0,2}}(?P<s>(?:חברת|קבוצת|עמותת|מסעדת|מאפיית|רשת|סוכנות|הוצאת|בנק|מלון|מרפאת|אוניברסיטת|בית\s+חולים)\s+(?!{_HE_STOP})(?!ה)[^\W\d_][\w\"״'׳-]+)"
        ),
    ),
    (
        r"[\u0900-\u097f]",
        Late(
            r"(?<![\w\u0900-\u097f])(?P<s>(?:[\u0900-\u097f]{2,}\s+){1,3}?(?:प्राइवेट\s+लिमिटेड|लिमिटेड|ट्रेडर्स|एंटरप्राइजेज|एंटरप्राइज़ेज़|इंडस्ट्रीज|उद्योग|ज्वेलर्स|स्टोर्स|टेक्सटाइल्स|टेक्नोलॉजीज))(?![\u0900-\u097f])"
        ),
    ),
    (
        rf"[{_HAN}\u3041-\u30fa（(㈱]",
        Late(
            rf"(?P<s>(?:株式会社|有限会社|合同会社|合資会社|合名会社|一般社団法人|医療法人|学校法人|㈱|[（(]株[）)]|[（(]有[）)])\s?[^\s、。,，（）()|｜\t\n:：]{{2,18}}?)(?=[のはがをにとでへもや、。,，\s（）()|｜:：]|様|御中|より|から|です|まで|\Z)|"
            rf"(?<![{_HAN}ァ-ヶー])(?P<b>[{_HAN}ァ-ヶーA-Za-z]{{2,14}}?(?:株式会社|有限会社|合同会社|㈱|[（(]株[）)]))|"
            rf"(?:(?<![{_HAN}])|(?<=[在于与和由给向为是至从被]))(?!{_GENERIC_ZH})(?P<c>[{_HAN}]{{2,14}}?(?:（[{_HAN}]{{2,4}}）|\([{_HAN}]{{2,4}}\))?[{_HAN}]{{0,8}}?"
            rf"(?:股份有限公司|有限责任公司|有限公司|公司(?<!.本公司)|集团|律师事务所|会计师事务所|事务所|工作室|研究院|合作社|商行|大学|学院|医院|银行))(?![{_HAN}])"
        ),
    ),
    (
        rf"[{_HANGUL}]",
        Late(
            rf"(?P<s>(?:주식회사|유한회사|㈜|\(주\)|（주）)\s?[{_HANGUL}A-Za-z]{{2,12}}?|(?<![{_HANGUL}])[{_HANGUL}A-Za-z]{{2,12}}\s?(?:주식회사|㈜|\(주\))|"
            rf"(?<![{_HANGUL}])[{_HANGUL}]{{2,6}}(?:물산|전자|건설|산업|제약|은행|상사|증권|중공업|그룹|무역|대학교|병원|식품|해운|출판사|상선|전기|화학|제강|제과|법률사무소|회계법인))"
            rf"(?=에서|에게|에|의|은|는|이|가|을|를|과|와|로|으로|님|[^{_HANGUL}]|\Z)"
        ),
    ),
)
_LATIN_FORMED = Late(
    rf"(?<!\w)(?P<s>(?:Công[ ]ty(?:[ ](?:TNHH|Cổ[ ]phần|CP))?|Tập[ ]đoàn|Ngân[ ]hàng|Bệnh[ ]viện)[ ]{_LATIN}(?:[ ]{_LATIN}){{0,4}}|"
    rf"(?:Zakład|Przedsiębiorstwo|Hurtownia|Spółdzielnia|Kancelaria|Piekarnia|Cukiernia|Drukarnia|Fundacja|Stowarzyszenie|Apteka|Szpital|Uniwersytet|Restauracja|Warsztat|Gabinet)[ ]{_LATIN}(?:[ ](?:i[ ])?{_LATIN}){{0,3}}|"
    rf"{_LATIN}(?:[ ](?:ve[ ])?{_LATIN}){{0,2}}[ ](?:Mobilya|İnşaat|Gıda|Tekstil|Lojistik|Holding|Otomotiv|Turizm|Sigorta|Bankası|Üniversitesi|Hastanesi|Eczanesi|Kargo|Ticaret|Sanayi|A\.?Ş\.?|Ltd\.?[ ]Şti\.?)(?!\w)|"
    rf"{_LATIN}(?:[ ]{_LATIN})?[ ](?-i:skola|skole|sjukhus|sykehus|sygehus|kommun|kommune|bageri|bakeri|förlag|forlag|åkeri|tandvård|vårdcentral|gymnasium|Oy|koulu|sairaala)(?!\w)|"
    rf"{_LATIN}(?:[ ]{_LATIN}){{0,3}},?[ ](?-i:a\.[ ]?s\.|v\.[ ]?o\.[ ]?s\.|spol\.[ ]s[ ]r\.[ ]?o\.|j\.[ ]?d\.[ ]?o\.[ ]?o\.|d\.[ ]?d\.|Bt\.|Nyrt\.|Tbk\.?))"
)
_LATIN_GATE = re.compile(
    r"Công|Tập|Ngân|Bệnh|Zakład|Przeds|Hurtow|Spółdz|Kancel|Piekar|Cukier|Drukar|Fundac|Stowarz|Aptek|Szpital|Uniwers|Restaur|Warszt|Gabinet|Mobilya|İnşaat|Gıda|Tekstil|Lojistik|Holding|Otomotiv|Turizm|Sigorta|ası\b|esi\b|Kargo|"
    r"Ticaret|Sanayi|A\.?Ş|Şti|[ ]sk|[ ]s[jy]|[ ]komm|[ ]bag|[ ]bak|[ ]f[öo]r|[ ]åk|[ ]tand|[ ]vård|[ ]gymn|[ ]koulu|[ ]sair|a\.[ ]?s\.|s\.|d\.[ ]?d|Bt\.|Nyrt|Tbk"
)
_SCRIPTS = tuple((re.compile(letters), pattern) for letters, pattern in _BY_SCRIPT)


def find_firms_by_script(text: str) -> Iterable[Finding]:
    """Yield companies of these languages."""
    if len(text) > _LONGEST or text.isascii():
        return
    for letters, pattern in _SCRIPTS:
        if letters.search(text):
            for match in pattern.now.finditer(text):
                if group := next((g for g, v in match.groupdict().items() if v is not None), None):
                    yield Finding(*match.span(group), "ORGANIZATION", 0.6)
    if _LATIN_GATE.search(text):
        for match in _LATIN_FORMED.now.finditer(text):
            yield Finding(*match.span("s"), "ORGANIZATION", 0.6)
