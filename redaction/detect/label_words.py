"""What forms of other languages call a name, an address, a number: the words before a value, in some twenty languages. Data."""

from __future__ import annotations

import re

from .secret_rules import CODE_WORDS, PASSWORD_WORDS

NAME_LABELS = "|".join(
    (
        # Chinese, Japanese, Korean
        r"(?:客[户戶]|[顾顧]客|用[户戶]|收件人?|寄件人?|[联聯][系絡]人|收[货貨]人|[发發]件人|持卡人|申[请請]人|患者|病人|[学學]生|[员員]工|乘客|旅客|[会會][员員]|真[实實]|中文)?(?:姓名|名字)|"
        r"收件[人者]|寄件[人者]|[联聯]系人|[联聯][络絡]人|收[货貨]人|[发發]件人|持卡人|申[请請]人|患者|病人|作者|[负負][责責]人|[经經][办辦]人|[审審]核人|收款人|付款人|提交人|[创創]建人|已?(?:指派|分配)[给給]",
        r"氏名|お?名前|ご?注文者|宛先|宛名|受取人|送り主|差出人|フリガナ|ふりがな|担当者?|投稿者|作成者|著者|連絡先|責任者|患者名|顧客名|お客様名|申込者|契約者|依頼者|会員名|予約者|利用者名",
        r"이름|성명|성함|받는\s?(?:사람|분)|보내는\s?(?:사람|분)|수취인|수령인|고객명|담당자|작성자|연락처|예약자|환자명?|신청자|주문자|책임자|저자|글쓴이|입금자|회원명|카드\s?소유자",
        # Cyrillic, Greek
        r"имя|фамилия|отчество|ф\.?\s?и\.?\s?о\.?|получатель|отправитель|контактное\s+лицо|автор|назначено|исполнитель|ответственный|клиент|пациент|заказчик|(?:владелец|держатель)(?:\s+карты)?|"
        r"сотрудник|пассажир|покупатель|плательщик|кому|от\s+кого|ім['’]я|прізвище|одержувач|клієнт",
        r"όνομα|επώνυμο|ονοματεπώνυμο|παραλήπτης|αποστολέας|υπεύθυνος|συντάκτης|πελάτης|ασθενής|ανατέθηκε\s+σε|κάτοχος(?:\s+κάρτας)?|δημιουργός",
        # Arabic, Hebrew, Hindi, Thai
        r"الاسم(?:\s+(?:الكامل|الأول|الأخير))?|اسم\s+(?:العميل|المستلم|المريض|الأب|العائلة|حامل\s+البطاقة)|المستلم|المرسل|جهة\s+الاتصال|العميل|المريض|الكاتب|المؤلف|المسؤول|تم\s+التعيين\s+إلى|الزبون",
        r"שם(?:\s+(?:מלא|פרטי|משפחה|הלקוח))?|נמען|שולח|איש\s+קשר|לקוח|מטופל|מחבר|כותב|הוקצה\s+אל|אחראי|בעל\s+הכרטיס",
        r"(?:(?:पूरा|पहला|अंतिम|ग्राहक\s+का)\s+)?नाम|उपनाम|कुलनाम|प्राप्तकर्ता|प्रेषक|संपर्क\s+व्यक्ति|ग्राहक|मरीज़|मरीज|रोगी|लेखक|सौंपा\s+गया|खाताधारक|कार्डधारक",
        r"ชื่อ(?:-นามสกุล|-สกุล|\s+นามสกุล|ลูกค้า|ผู้รับ|จริง|เต็ม)?|นามสกุล|ผู้รับ|ผู้ส่ง|ผู้ติดต่อ|ลูกค้า|ผู้ป่วย|ผู้เขียน|ผู้แต่ง|มอบหมายให้|ผู้รับผิดชอบ|เจ้าของบัตร|ผู้สั่งซื้อ",
        # Latin
        r"nombre(?:\s+completo)?|apellidos?|destinatari[oa]|remitente|persona\s+de\s+contacto|asignad[oa]\s+a|autora?|paciente|titular(?:\s+de\s+la\s+tarjeta)?",
        r"nom(?:\s+(?:complet|de\s+famille))?|prénom|destinataire|expéditeur|auteure?|attribué\s+à|titulaire",
        r"vorname|nachname|familienname|empfänger(?:in)?|absender(?:in)?|ansprechpartner(?:in)?|kund(?:e|in)|bearbeiter(?:in)?|zugewiesen\s+an|(?:karten)?inhaber(?:in)?",
        r"cognome|destinatario|mittente|assegnato\s+a|paziente|intestatario|sobrenome|nome(?:\s+completo)?|remetente|atribuído\s+a",
        r"naam|achternaam|voornaam|ontvanger|imię(?:\s+i\s+nazwisko)?|nazwisko|odbiorca|nadawca|ad\s+soyad|alıcı",
    )
)
"""Labels whose value is a person, as regular expressions."""

_PHONE = r"电话|手机|電話|携帯|手機|전화|휴대폰|телефон|τηλέφωνο|κινητό|الهاتف|رقم\s+الهاتف|الجوال|טלפון|נייד|फ़ोन|मोबाइल|โทร|teléfono|téléphone|telefon|telefono|telefone"
_ADDRESS = r"地址|住址|住所|お?届け先|주소|배송지|адрес|διεύθυνση|العنوان|عنوان|כתובת|पता|ที่อยู่|dirección|direccion|adresse|anschrift|indirizzo|endereço|adres"
_BIRTH = r"生日|出生日期|生年月日|생년월일|생일|дата\s+рождения|ημερομηνία\s+γέννησης|تاريخ\s+الميلاد|תאריך\s+לידה|जन्म\s?तिथि|วันเกิด|fecha\s+de\s+nacimiento|geburtsdatum|date\s+de\s+naissance|data\s+di\s+nascita|data\s+de\s+nascimento"
_GOVERNMENT = r"身份证(?:号码?)?|身分證|護照|护照(?:号码?)?|マイナンバー|주민등록번호|여권|снилс|инн|паспорт|αφμ|αμκα|رقم\s+الهوية|جواز\s+السفر|תעודת\s+זהות|आधार|पासपोर्ट|เลข(?:ประจำตัว|บัตร)ประชาชน|dni|nie|nif|curp|cpf|steuer-?id|codice\s+fiscale|bsn|pesel"
_MAIL = r"邮箱|電子郵件|メール(?:アドレス)?|이메일|эл(?:ектронная|\.)\s?почта|ηλεκτρονικό\s+ταχυδρομείο|البريد\s+الإلكتروني|דוא[\"״]ל|ईमेल|อีเมล|correo(?:\s+electrónico)?|courriel"
_COMPANY = r"公司(?:名称)?|(?:工作)?单位|企业|雇主|会社名?|勤務先|직장|회사명?|компания|организация|εταιρεία|الشركة|חברה|कंपनी|บริษัท|empresa|entreprise|société|firma|azienda|bedrijf|şirket|företag|arbeitgeber|employeur|empleador|datore\s+di\s+lavoro"

_PLACE = (
    r"(?:所在)?(?:城市|省份|市|区|县)|籍贯|都道府県|市区町村|도시|시/도|город|населённый\s+пункт|область|місто|πόλη|المدينة|مدينة|המדינה|עיר|יישוב|शहर|เมือง|จังหวัด|"
    r"ciudad|localidad|provincia|ville|commune|stadt|ort|wohnort|città|comune|cidade|município|plaats|woonplaats|stad|miasto|miejscowość|şehir|il"
)

LABELS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (entity, re.compile(rf"\W*(?:{pattern})\W*", re.IGNORECASE))
    for entity, pattern in (
        ("SECRET", rf"[^\n]{{0,12}}(?:{PASSWORD_WORDS}|{CODE_WORDS})[^\n]{{0,8}}"),
        ("PERSON", NAME_LABELS),
        ("PHONE_NUMBER", _PHONE),
        ("EMAIL_ADDRESS", _MAIL),
        ("ADDRESS", rf"(?:{_ADDRESS})[^\n]{{0,20}}"),
        ("DATE_TIME", _BIRTH),
        ("GOVERNMENT_ID", _GOVERNMENT),
        ("ORGANIZATION", _COMPANY),
        ("LOCATION", _PLACE),
    )
)
"""Entity of a value whose whole label is one of these words."""

USER_LABELS = (
    r"用[户戶]名|ユーザー名|사용자\s?(?:이름|명)|아이디|логин|имя\s+пользователя|όνομα\s+χρήστη|اسم\s+المستخدم|שם\s+משתמש|उपयोगकर्ता\s+नाम|ชื่อผู้ใช้|(?:nombre\s+de\s+)?usuario|nom\s+d['’]utilisateur|"
    r"benutzername|nome\s+utente|nome\s+de\s+usuário|gebruikersnaam|nazwa\s+użytkownika"
)
"""Labels of a user name."""


def entity_of_words(label: str) -> str | None:
    """Return the entity that a label in another language announces, or None."""
    if re.fullmatch(rf"\W*(?:{USER_LABELS})\W*", label, re.IGNORECASE):
        return "USERNAME"
    for entity, pattern in LABELS:
        if pattern.fullmatch(label):
            return entity
    return None
