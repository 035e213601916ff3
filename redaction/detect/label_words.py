"""What forms of other languages call a name, an address, a number: the words before a value, in some twenty languages. Data."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from ..words.late import Late
from .secret_rules import CODE_WORDS, PASSWORD_WORDS

_LONGEST = 200

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
_TOLD_OF = (
    # Who somebody is to a contract, a court, a school, a journey: one line a family of languages
    r"租客|房客|房[东東]|租[户戶]|承租人|出租人|[业業]主|司[机機]|被保[险險]人|投保人|受益人|[证證]人|原告|被告|参[与與]者|候[选選]人|[访訪]客|[担擔]保人|[买買]方|[卖賣]方|[买買]家|[卖賣]家|主治[医醫][生师師]|[医醫]生|律[师師]|法官|家[长長]|[监監][护護]人|[紧緊]急[联聯][系絡]人|法定代表人|代表人|配偶|批准人|[审審]批人|签字人",
    r"借主|貸主|大家|入居者|賃借人|賃貸人|所有者|生徒名?|運転手|申請者|被保険者|受益者|証人|会員|参加者|候補者|来訪者|(?:連帯)?保証人|買主|売主|購入者|販売者|医師|主治医|弁護士|裁判官|保護者|乗客|従業員|社員|代表者|配偶者|緊急連絡先|承認者|確認者|作業者|講師|患者",
    r"임차인|임대인|세입자|집주인|소유자|학생|운전자|신청인|피보험자|수익자|증인|회원|참가자|지원자|방문자|보증인|매수인|매도인|구매자|판매자|의사|변호사|판사|보호자|승객|직원|대표자|원고|피고|투숙객|검토자|승인자|배우자",
    r"арендатор|арендодатель|собственник|владел(?:ец|ица)|жилец|учени(?:к|ца)|студент(?:ка)?|водитель|заявитель(?:ница)?|застрахованн(?:ый|ая)|страхователь|выгодоприобретатель|свидетель|ист(?:ец|ица)|ответчи(?:к|ца)|участни(?:к|ца)|кандидат|гость|посетитель|поручитель|продавец|"
    r"(?:лечащий\s+)?врач|адвокат|нотариус|судья|супруга?|опекун|представитель|подготовила?|утвердила?|проверила?|создала?|куратор|учитель|орендар(?:ка)?|орендодавець|власни(?:к|ця)|пацієнт(?:ка)?|уч(?:ень|ениця)|водій|заявник|свідок|учасни(?:к|ця)|гість|продавець|лікар(?:ка)?|нотаріус|суддя|отримувач|відправник|відповідальн(?:ий|а)|покупець|наемател|собственик|получател",
    r"ενοικιαστής|ενοικιάστρια|ιδιοκτήτη[ςσ]|ιδιοκτήτρια|μαθητής|μαθήτρια|φοιτητής|οδηγός|αιτών|αιτούσα|ασφαλισμέν(?:ος|η)|δικαιούχος|μάρτυρας|μέλος|συμμετέχων|επισκέπτης|αγοραστής|πωλητής|γιατρός|ιατρός|δικηγόρος|συμβολαιογράφος|δικαστής|επιβάτης|υπάλληλος|κηδεμόνας",
    r"المستأجرة?|المؤجرة?|المالكة?|الطالبة?|السائقة?|مقدمة?\s+الطلب|المؤمن\s+له|المستفيدة?|الشاهدة?|العضوة?|المشاركة?|المرشحة?|الضيفة?|الزائرة?|الكفيل|المشتري|البائع|الطبيبة?|المحامية?|القاضية?|ولي\s+الأمر|المسافرة?|الراكبة?|الموظفة?|المديرة?|المريضة",
    r"שוכרת?|משכירה?|בעלת?\s+הדירה|תלמידה?|סטודנטי?ת?|נהגת?|מבקשת?|מבוטחת?|מוטב|משתתפת?|מועמדת?|אורחת?|מבקרת?|ערבה?|קונה|מוכרת?|רופאה?|עורכת?\s+דין|שופטת?|הורה|נוסעת?|עובדת?|מטופלת",
    r"किरायेदार|मकान\s+मालिक|मालिक|छात्रा?|विद्यार्थी|चालक|ड्राइवर|आवेदक|बीमित|लाभार्थी|गवाह|सदस्य|प्रतिभागी|उम्मीदवार|अतिथि|खरीदार|विक्रेता|डॉक्टर|वकील|न्यायाधीश|अभिभावक|यात्री|कर्मचारी|पिता|माता|पति|पत्नी",
    r"ผู้เช่า|ผู้ให้เช่า|เจ้าของ|นักเรียน|นักศึกษา|คนขับ|ผู้สมัคร|ผู้เอาประกัน|ผู้รับผลประโยชน์|พยาน|สมาชิก|ผู้เข้าร่วม|แขก|ผู้ซื้อ|ผู้ขาย|แพทย์|ทนายความ|ผู้พิพากษา|ผู้ปกครอง|ผู้โดยสาร|พนักงาน",
    r"(?:ver)?mieter(?:in)?|patient(?:in)?|schüler(?:in)?|lehrer(?:in)?|fahrer(?:in)?|antragsteller(?:in)?|versicherungsnehmer(?:in)?|versicherte[r]?|begünstigte[r]?|zeug(?:e|in)|kläger(?:in)?|beklagte[r]?|bewohner(?:in)?|teilnehmer(?:in)?|bewerber(?:in)?|besucher(?:in)?|bürg(?:e|in)|"
    r"eigentümer(?:in)?|(?:ver)?käufer(?:in)?|ansprechperson|kontaktperson|notfallkontakt|unterzeichner(?:in)?|erziehungsberechtigte[r]?|gutachter(?:in)?|betreuer(?:in)?|(?:genehmigt|erstellt|geprüft)\s+von|richter(?:in)?|(?:behandelnde[r]?\s+)?(?:arzt|ärztin)|hausarzt|erb(?:e|in)|ehe(?:mann|frau|partner(?:in)?)",
    r"locataire|propriétaire|bailleur|patiente?|élève|étudiante?|chauffeur|conduct(?:eur|rice)|demand(?:eur|euse)|assurée?|bénéficiaire|témoin|participante?|candidate?|visiteu(?:r|se)|garante?|acheteu(?:r|se)|vendeu(?:r|se)|interlocut(?:eur|rice)|signataire|responsable\s+légale?|contact\s+d['’]urgence|personne\s+à\s+contacter|"
    r"médecin(?:\s+traitant)?|avocate?|notaire|juge|conjointe?|épou(?:x|se)|(?:rédigé|approuvé|créé|demandé)\s+par|emprunteu(?:r|se)|passag(?:er|ère)|salariée?|employée?",
    r"inquilin[oa]|arrendatari[oa]|arrendadora?|propietari[oa]|alumn[oa]|estudiante|conductora?|solicitante|asegurad[oa]|beneficiari[oa]|testigo|miembro|participante|candidat[oa]|visitante|avalista|fiadora?|compradora?|vendedora?|firmante|tutora?|contacto(?:\s+de\s+emergencia)?|médic[oa]|abogad[oa]|notari[oa]|jueza?|cónyuge|"
    r"(?:creado|aprobado|solicitado)\s+por|encargad[oa]|pasajer[oa]|huésped|emplead[oa]|locatári[oa]|senhori[oa]|proprietári[oa]|alun[oa]|estudante|motorista|requerente|segurad[oa]|beneficiári[oa]|testemunha|membro|signatári[oa]|contato|advogad[oa]|juíza?|juiz|cônjuge|(?:criado|aprovado|solicitado)\s+por|passageir[oa]|hóspede|funcionári[oa]|encarregad[oa]",
    r"conduttore|conduttrice|locatore|proprietari[oa]|alunn[oa]|student(?:e|essa)|autista|richiedente|assicurat[oa]|testimone|soci[oa]|partecipante|visitat(?:ore|rice)|acquirente|vendit(?:ore|rice)|firmatari[oa]|referente|contatto(?:\s+di\s+emergenza)?|medico(?:\s+curante)?|avvocat[oa]|notaio|giudice|coniuge|(?:creato|approvato|richiesto)\s+da|passegger[oa]|ospite|dipendente",
    r"(?:ver)?huurder|eigenaar|patiënt|leerling|bestuurder|aanvrager|verzekerde|begunstigde|getuige|deelnemer|kandidaat|bezoeker|(?:ver)?koper|ondertekenaar|contactpersoon|huisarts|advocaat|notaris|rechter|(?:aangemaakt|goedgekeurd)\s+door|passagier|medewerker|verantwoordelijke|afzender|behandelaar|bewoner",
    r"najemc(?:a|zyni)|wynajmując[ya]|właściciel(?:ka)?|pacjent(?:ka)?|ucz(?:eń|ennica)|kierowca|wnioskodaw(?:ca|czyni)|ubezpieczon[ya]|świadek|członek|uczestni(?:k|czka)|kandydat(?:ka)?|kupujący|sprzedając[ya]|osoba\s+kontaktowa|opiekun(?:ka)?|lekar(?:z|ka)|adwokat|notariusz|sędzia|(?:utworzył|zatwierdził)a?|zgłaszając[ya]|pasażer(?:ka)?|pracowni(?:k|ca)",
    r"nájem(?:ník|nice|ce)|pronajímatel(?:ka)?|majitel(?:ka)?|pacient(?:ka)?|žák(?:yně)?|řidič(?:ka)?|žadatel(?:ka)?|pojištěn[ýá]|svědek|účastn(?:ík|ice)|kupující|prodávající|kontaktní\s+osoba|jméno(?:\s+a\s+příjmení)?|příjmení|lékař(?:ka)?|příjemce|odesílatel|zákazn(?:ík|ice)|meno(?:\s+a\s+priezvisko)?|priezvisko|nájomca|príjemca|odosielateľ",
    r"bérlő|bérbeadó|tulajdonos|páciens|beteg|tanuló|kérelmező|biztosított|kedvezményezett|tanú|résztvevő|vendég|vevő|eladó|kapcsolattartó|orvos|címzett|feladó|szerző|ügyfél|ügyintéző|nume(?:\s+și\s+prenume)?|prenume|chiriaș[ăa]?|proprietar[ăa]?|pacient[ăa]|elev[ăa]?|șofer|asigurat[ăa]?|beneficiar[ăa]?|martor|cumpărător|vânzător|persoan[ăa]\s+de\s+contact|destinatar|expeditor",
    r"hyresgäst|hyresvärd|leietaker|utleier|lejer|udlejer|ägare|eier|ejer|pasient|förare|sjåfør|sökande|søker|ansøger|försäkrad|vittne|vitne|vidne|deltag(?:are|er)|deltaker|köpare|kjøper|køber|säljare|selger|sælger|kontaktperson|ombud|läkare|mottagare|mottaker|modtager|avsändare|avsender|afsender|författare|forfatter|handläggare|saksbehandler|sagsbehandler|ansvarig|ansvarlig|(?:för|efter)?namn|(?:for|etter|efter)?navn",
    r"nimi|etunimi|sukunimi|vuokralainen|vuokranantaja|omistaja|potilas|oppilas|kuljettaja|hakija|vakuutettu|todistaja|osallistuja|ostaja|myyjä|yhteyshenkilö|lääkäri|vastaanottaja|lähettäjä|asiakas|käsittelijä|vastuuhenkilö|adı?\s+soyadı|adı|soyadı|kiracı|(?:ev|mal)\s+sahibi|hasta|öğrenci|sürücü|şoför|başvuru\s+sahibi|sigortalı|tanık|katılımcı|misafir|yetkili|ilgili\s+kişi|avukat|noter|gönderen|hazırlayan|onaylayan|veli|yolcu|"
    r"najmoprimac|podstanar|vlasnik|pacijent(?:ica)?|učenik|vozač|kupac|prodavač|ime\s+i\s+prezime|primatelj|pošiljatelj|kontakt\s+osoba|zaposlenik",
    # Who belongs to somebody, and who is at a wedding or a christening
    r"新娘|新郎|伴娘|伴郎|丈夫|妻子|父亲|母亲|儿子|女儿|兄弟|姐妹|新婦|花嫁|花婿|媒酌人|[夫妻父母]親?|長[男女]|次[男女]|신부|신랑|남편|아내|아버지|어머니|아들|딸|형제|자매|주례|невеста|жених|муж|жена|мать|отец|сын|дочь|брат|сестра|бабушка|дедушка|крёстн(?:ый|ая)|"
    r"наречен(?:ий|а)|чоловік|дружина|мати|батько|син|донька|νύφη|γαμπρός|σύζυγος|μητέρα|πατέρας|γιος|κόρη|αδελφ(?:ός|ή)|κουμπάρ(?:ος|α)|العروس|العريس|الزوجة?|الأب|الأم|الابنة?|الأخت?|الشاهدان|הכלה|החתן|כלה|חתן|הבעל|האישה|אבא|אמא|אח|אחות|"
    r"दुल्हन|दूल्हा|पति|पत्नी|पिता|माता|पुत्री?|भाई|बहन|เจ้าสาว|เจ้าบ่าว|สามี|ภรรยา|บิดา|มารดา|braut|bräutigam|trauzeug(?:e|in)|mutter|vater|tochter|sohn|schwester|bruder|tante|onkel|pat(?:e|in)|la\s+mariée|le\s+marié|mariée?|père|mère|fille|fils|sœur|frère|parrain|marraine|"
    r"novi[oa]|padrin[oa]|madrina|madre|padre|hij[oa]|herman[oa]|espos[oa]|marido|noiv[oa]|mãe|pai|filh[oa]|irmã[o]?|spos[oa]|figli[oa]|sorella|fratello|moglie|marito|bruid(?:egom)?|moeder|vader|dochter|zoon|zus|broer|getuigen|panna\s+młoda|pan\s+młody|matka|ojciec|syn|córka|mąż|żona|"
    r"nevěsta|ženich|otec|dcera|manžel(?:ka)?|menyasszony|vőlegény|anya|apa|férj|feleség|mireas[ăa]|mire|mam[ăa]|tat[ăa]|soți[ae]|soț(?:ul)?|brud(?:gum|gom)?|brudepar|mor|far|datter|dotter|søn|sønn|søster|syster|morsian|sulhanen|äiti|isä|poika|tytär|vaimo|aviomies|gelin|damat|anne|baba|eşi?|oğlu|kızı|"
    r"mladenka|mladoženja|nevesta|nevjesta|majka|otac|kum[a]?|булка|младоженец|съпруга?|майка|баща|jaunikis|nuotaka|vyras|žmona|motina|tėvas|līgava|līgavainis|vīrs|sieva|pruut|peigmees|abikaasa|ema|isa",
)
_FORMS = (
    r"client[ea]?|klant|klient(?:ka)?|kunde|müşteri|soyadı?|név|vezetéknév|keresztnév|ime|prezime|eesnimi|perekonnanimi|emri|mbiemri|nominativo|apelido|pavardė|vardas|uzvārds|vārds|fornavn|etternavn|efternavn|förnamn|"
    r"(?:cognome|nome)\s+e\s+(?:nome|cognome)|nominativi|nombres?\s+y\s+apellidos?|apellidos?\s+y\s+nombres?|(?:nom|prénom)s?\s+et\s+(?:prénom|nom)s?|(?:vor|nach)?name\s+(?:und|u\.)\s+(?:vor|nach)name|nome\s+e\s+(?:sobrenome|apelido)|(?:voor|achter)naam\s+en\s+(?:achter|voor)naam|"
    r"nazwisko\s+i\s+imię|pracownik|mitarbeiter(?:in)?|angestellte[r]?|beschäftigte[r]?|anställd|medarbetare|ansat|ansatt|työntekijä|zaměstnanec|zamestnanec|munkavállaló|dolgozó|angajat|çalışan|personel|employé|collaborat(?:eur|rice|ore)|colaborador[a]?|werknemer|funcionário|"
    r"pupil|guardian|landlord|next\s+of\s+kin|emergency\s+contact|spouse|maiden\s+name|mädchenname|geburtsname|nom\s+de\s+jeune\s+fille|apellido\s+de\s+soltera|panieńskie"
)
"""Heads of columns and labels of forms for a customer and for the parts of a name."""
NAME_LABELS += "|" + "|".join((*_TOLD_OF, _FORMS))

_PHONE = r"电话|手机|電話|携帯|手機|전화|휴대폰|телефон|τηλέφωνο|κινητό|الهاتف|رقم\s+الهاتف|الجوال|טלפון|נייד|फ़ोन|मोबाइल|โทร|teléfono|téléphone|telefon|telefono|telefone"
ADDRESS_WORDS = r"地址|住址|住所|お?届け先|주소|배송지|адрес|διεύθυνση|العنوان|عنوان|כתובת|पता|ที่อยู่|dirección|direccion|adresse|anschrift|indirizzo|endereço|adres"
_BIRTH = r"生日|出生日期|生年月日|생년월일|생일|дата\s+рождения|ημερομηνία\s+γέννησης|تاريخ\s+الميلاد|תאריך\s+לידה|जन्म\s?तिथि|วันเกิด|fecha\s+de\s+nacimiento|geburtsdatum|date\s+de\s+naissance|data\s+di\s+nascita|data\s+de\s+nascimento"
_GOVERNMENT = r"身份证(?:号码?)?|身分證|護照|护照(?:号码?)?|マイナンバー|주민등록번호|여권|снилс|инн|паспорт|αφμ|αμκα|رقم\s+الهوية|جواز\s+السفر|תעודת\s+זהות|आधार|पासपोर्ट|เลข(?:ประจำตัว|บัตร)ประชาชน|dni|nie|nif|curp|cpf|steuer-?id|codice\s+fiscale|bsn|pesel"
_MAIL = r"邮箱|電子郵件|メール(?:アドレス)?|이메일|эл(?:ектронная|\.)\s?почта|ηλεκτρονικό\s+ταχυδρομείο|البريد\s+الإلكتروني|דוא[\"״]ל|ईमेल|อีเมล|correo(?:\s+electrónico)?|courriel"
_COMPANY = (
    r"公司(?:名称)?|(?:工作)?单位|企业|雇主|会社名?|勤務先|직장|회사명?|компания|организация|εταιρεία|الشركة|חברה|कंपनी|บริษัท|empresa|entreprise|société|firma|azienda|bedrijf|şirket|företag|arbeitgeber|employeur|empleador|datore\s+di\s+lavoro|"
    r"unternehmen|lieferant|auftraggeber|fournisseur|proveedor|ditta|società|fornitore|empregador|fornecedor|werkgever|leverancier|pracodawca|dostawca|arbetsgivare|leverantör|arbejdsgiver|arbeidsgiver|leverandør|bedrift|virksomhed|"
    r"işveren|tedarikçi|yritys|työnantaja|toimittaja|společnost|zaměstnavatel|dodavatel|zamestnávateľ|cég|munkáltató|szállító|companie|angajator|furnizor|tvrtka|poslodavac|dobavljač|ettevõte|tööandja|įmonė|uzņēmums|"
    r"schule|école|escuela|scuola|escola|szkoła|skola|skole|okul|koulu|škola|iskola|școal[ăa]|universit(?:ät|é|à)|universidade?|uczelnia|работодатель|поставщик|роботодавець|постачальник|школа|εργοδότης|προμηθευτής|σχολείο|"
    r"جهة\s+العمل|المورد|المدرسة|מעסיק|ספק|בית\s+ספר|नियोक्ता|विद्यालय|नियोजक|นายจ้าง|โรงเรียน|고용주|거래처|공급업체|학교|取引先|仕入先|学校名?|供应商|供應商|雇主|学校|學校"
)

_PLACE = (
    r"(?:所在)?(?:城市|省份|市|区|县)|籍贯|都道府県|市区町村|도시|시/도|город|населённый\s+пункт|область|місто|πόλη|المدينة|مدينة|המדינה|עיר|יישוב|शहर|เมือง|จังหวัด|"
    r"ciudad|localidad|provincia|ville|commune|stadt|ort|wohnort|città|comune|cidade|município|plaats|woonplaats|stad|miasto|miejscowość|şehir|ilçe|il|"
    r"località|localidade|naturalidade|kaupunki|paikkakunta|kotikunta|město|obec|mesto|település|város|oraș|localitate|grad|mjesto|linn|hjemby|hemort|bostadsort|"
    r"(?:geburts|wohn|heimat)ort|lieu\s+de\s+naissance|lugar\s+de\s+nacimiento|luogo\s+di\s+nascita|local\s+de\s+nascimento|geboorteplaats|miejsce\s+urodzenia|födelseort|fødested|doğum\s+yeri|syntymäpaikka|místo\s+narození|"
    r"miesto\s+narodenia|születési\s+hely|locul\s+nașterii|mjesto\s+rođenja|место\s+рождения|місце\s+народження|τόπος\s+γέννησης|مكان\s+(?:الولادة|الميلاد)|מקום\s+לידה|जन्म\s?स्थान|สถานที่เกิด|출생지|出生地|出身地|本籍"
)

JOB_LABELS = (
    r"(?:current\s+|previous\s+|your\s+)?(?:job\s*title|occupation|profession|job\s*role)|employed\s+as|beruf(?:sbezeichnung)?|stellenbezeichnung|dienst(?:grad|stellung)|berufliche\s+(?:tätigkeit|stellung)|"
    r"métier|intitulé\s+du\s+poste|poste\s+(?:occupé|actuel)|puesto(?:\s+de\s+trabajo)?|ocupación|profesión|oficio|mansione|professione|qualifica|profissão|ocupação|cargo\s+atual|"
    r"beroep|functietitel|stanowisko(?:\s+pracy)?|zawód|befattning|yrke(?:stitel)?|tjänstetitel|meslek|mesleği|unvan[ıi]?|görevi|stilling(?:sbetegnelse)?|erhverv|ammatti|tehtävänimike|"
    r"povolání|povolanie|pracovní\s+pozice|foglalkozás|munkakör|beosztás|ocupați[ea]|meseri[ea]|zanimanje|radno\s+mjesto|amet(?:ikoht|inimetus)?|profesija|pareigos|amats|"
    r"должность|профессия|специальность|посада|професія|длъжност|професия|θέση\s+εργασίας|επάγγελμα|ειδικότητα|المهنة|الوظيفة|المسمى\s+الوظيفي|المنصب|شغل|سمت|מקצוע|תפקיד|משרה|"
    r"पेशा|व्यवसाय|पदनाम|पद|อาชีพ|ตำแหน่ง(?:งาน)?|직책|직위|직업|직급|職業|役職|肩書き?|職種|職位|職務|職[稱称]|职位|职务|职业|职称|工种|岗位"
)
"""Labels of what somebody works as, that stand for nothing else: not *Position*, *Role*, *Titel*."""

NATION_LABELS = (
    r"citizenship|citizen\s+of|nationalität|staats(?:angehörigkeit|bürgerschaft)|nationalité|citoyenneté|nacionalidad|ciudadanía|nazionalità|cittadinanza|nacionalidade|cidadania|nationaliteit|staatsburgerschap|"
    r"narodowość|obywatelstwo|nationalitet|medborgarskap|statsborgerskab|statsborgerskap|uyru(?:k|ğu)|vatandaşlık|tabiiyeti|kansalaisuus|státní\s+(?:občanství|příslušnost)|národnost|štátna\s+príslušnosť|állampolgárság|nemzetiség|"
    r"cetățeni[ea]|naționalitate|državljanstvo|nacionalnost|kodakondsus|rahvus|pilietybė|tautybė|pilsonība|tautība|национальность|гражданство|громадянство|національність|националност|υπηκοότητα|ιθαγένεια|εθνικότητα|"
    r"الجنسية|ملیت|تابعیت|אזרחות|לאום|राष्ट्रीयता|नागरिकता|สัญชาติ|เชื้อชาติ|국적|国籍|國籍|民族"
)
"""Labels of the nation that somebody belongs to."""

AGE_LABELS = r"alter|âge|edad|età|idade|leeftijd|wiek|ålder|alder|yaşı?|ikä|věk|vek|életkor|vârst[ăa]|starost|vanus|vecums|amžius|возраст|вік|възраст|ηλικία|العمر|السن|سن|גיל|आयु|उम्र|वय|อายุ|나이|연령|年齢|年龄|年齡|[满滿]?周[岁歲]"
"""Labels of how old somebody is."""

USER_LABELS = (
    r"用[户戶]名|ユーザー名|사용자\s?(?:이름|명)|아이디|логин|имя\s+пользователя|όνομα\s+χρήστη|اسم\s+المستخدم|שם\s+משתמש|उपयोगकर्ता\s+नाम|ชื่อผู้ใช้|(?:nombre\s+de\s+)?usuario|nom\s+d['’]utilisateur|"
    r"benutzer(?:name|kennung)?|anmeldename|(?:nome\s+)?utente|nome\s+de\s+(?:usuário|utilizador)|utilizador|usuário|gebruiker(?:snaam)?|inlognaam|(?:nazwa\s+)?użytkownik(?:a)?|pseudo(?:nyme)?|identifiant|"
    r"användar(?:namn|e)|inloggningsnamn|kullanıcı(?:\s+adı)?|bru(?:ker|ger)navn|bru(?:ker|ger)|käyttäjä(?:tunnus|nimi)?|uživatel(?:ské\s+jméno)?|používateľ(?:ské\s+meno)?|felhasználó(?:név)?|(?:nume\s+)?utilizator|"
    r"korisni(?:čko\s+ime|k)|kasutaja(?:nimi|tunnus)?|потребителско\s+име|логін|(?:ім['’]я\s+)?користувач(?:а)?|пользователь|χρήστης|[帳账]號|アカウント名|계정명?|نام\s+کاربری"
)
"""Labels of a user name."""

_PATTERNS = (
    ("USERNAME", USER_LABELS),
    ("SECRET", rf"[^\n]{{0,12}}(?:{PASSWORD_WORDS}|{CODE_WORDS})[^\n]{{0,8}}"),
    ("PERSON", NAME_LABELS),
    ("PHONE_NUMBER", _PHONE),
    ("EMAIL_ADDRESS", _MAIL),
    ("ADDRESS", rf"(?:{ADDRESS_WORDS})[^\n]{{0,20}}"),
    ("DATE_TIME", _BIRTH),
    ("GOVERNMENT_ID", _GOVERNMENT),
    ("ORGANIZATION", _COMPANY),
    ("LOCATION", _PLACE),
    ("TITLE", JOB_LABELS),
    ("AGE", rf"(?:{AGE_LABELS})(?:\s*[(（][^()（）]{{1,12}}[)）])?"),
    ("VALUE", NATION_LABELS),
)
"""Entity of a value whose whole label is one of these words."""


_APART = {"ł": "l", "ø": "o", "ß": "ss", "ı": "i", "đ": "d", "æ": "ae", "œ": "oe"}
"""Latin letters that are not another one with a mark."""


def _bare(pattern: str) -> str:
    """Return a pattern with Latin letters without their marks, as keys of JSON and of databases have them: *uzytkownik*, *ciudadania*."""
    return re.sub("[À-ɏḀ-ỿ]", lambda m: _APART.get(m[0]) or unicodedata.normalize("NFD", m[0])[0], pattern)


LABELS, _BARE_LABELS = (
    tuple((entity, Late(rf"\W*(?:{written(pattern)})\W*", re.IGNORECASE)) for entity, pattern in _PATTERNS)
    for written in (str, _bare)
)


@lru_cache(maxsize=8_192)
def entity_of_words(label: str) -> str | None:
    """Return the entity that a label in another language announces, or None."""
    if len(label) > _LONGEST:
        return None
    for labels in (LABELS, _BARE_LABELS) if label.isascii() else (LABELS,):
        for entity, pattern in labels:
            if pattern.now.fullmatch(label):
                return entity
    return None
