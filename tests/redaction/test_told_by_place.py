"""People, companies, positions and addresses that their place tells: who speaks in a chat, a cell below its head, what a call fills in, what stands between somebody
and a company, the floor behind the house.
"""

from __future__ import annotations

import pytest

from pagereel.redaction import find_pii
from tests.redaction.found import assert_masked_whole

WHOLE = {
    "id,first_name,last_name,dob\n7,Molly,Jenkins,1991-04-17": ["Molly", "Jenkins", "1991-04-17"],
    "Name\tCompany\tCity\nAisha Khan\tBlue Door\tBradford": ["Aisha Khan", "Blue Door"],
    "TODO(jblack): remove once the shop has moved": ["jblack"],
    'action: fill("#employer", "redwood credit union")': ["redwood credit union"],
    "Kovács Péter, ügyvezető, Tisza Bútor Kft.": ["Kovács Péter", "ügyvezető", "Tisza Bútor Kft"],
    "Piotr pracuje od maja w firmie Zielony Brzeg": ["Zielony Brzeg"],
    "כתובת: הרצל 24, חיפה": ["הרצל 24, חיפה"],
    "Alıcı: Ayşe Demir, Atatürk Cad. No: 15, İzmir": ["Ayşe Demir", "Atatürk Cad. No: 15"],
    "Remitente: Lucía Gil, Calle Mayor 41, 2º B, 50001 Zaragoza": ["Calle Mayor 41, 2º B, 50001 Zaragoza"],
}
SECRETS = {
    "the staff network password is nutmeg": ["nutmeg"],
    "pw is robin42 lol": ["robin42"],
    "lösenordet är Kantarell7": ["Kantarell7"],
    "la password del wifi è lampone31": ["lampone31"],
    "şifre Nohut88": ["Nohut88"],
    "contraseña temporal Tejas.02": ["Tejas.02"],
    "wifi is harbour-finch-19": ["harbour-finch-19"],
    "wifi: GreyHeron / reed.bank.31": ["reed.bank.31"],
    "her login is ops_lena / Winter!73": ["Winter!73"],
    "credentials: svc_batch / Gr4nite9": ["Gr4nite9"],
    "code du portail 7C204": ["7C204"],
    "kod do bramy 3108#": ["3108#"],
    "door 5520# after dark": ["5520#"],
    "use KW3-81B-TRO at checkout": ["KW3-81B-TRO"],
    "the key in the log: zz_live_41mcx8q": ["zz_live_41mcx8q"],
    "security answer: Biscuits": ["Biscuits"],
    "the passphrase is amber tractor moss": ["amber tractor moss"],
    "curl -u svc:tramline22 https://a.example": ["tramline22"],
    "typed Basalt-14 into the password field": ["Basalt-14"],
    "ssh pi@10.0.0.4 password raspjam": ["raspjam"],
}
NOBODYS = (
    "请选择民族",
    "民族是必填项",
    "国籍は必須です",
    "アメリカ人気ランキング",
    "국적을 선택하세요",
    "اختر الجنسية",
    "Выберите гражданство",
    "корейка копчёная",
    "昵称不能为空",
    "@所有人 请注意",
    "รหัสสินค้า 4471",
    "Benutzer existiert nicht",
    "Utilisateur inconnu est bloqué",
    "una garantía de 5 años",
    "un contrat de 3 ans",
    "5-jarige garantie",
    "Exposure F/16, 1/60",
    "mutuo di 30 anni",
    "The password is required",
    "Das Passwort ist abgelaufen",
    "la contraseña es obligatoria",
    "hasło jest nieprawidłowe",
    "contraseña olvidada",
    "Passwort wiederholen",
    "The passphrase is stored on disk",
    "wifi is down again",
    "login page / register",
    "Enter text into the password field",
    "security answer: required",
    "use SHA-256 to sign requests",
    "[09:12] Error: the disk is full\n[09:13] Warning: 2 GB left",
    "Shirts, blue; Socks, black; Hats, green",
    "id,file_name,size\n7,report,1991",
    "TODO(security): rotate this",
    'fill("#search", "late invoices")',
    "Password must have 8+chars and a sign",
    "Senha: use reset-2024 no menu",
    "login=true session=none",
    "La garantía, de 2 años, incluye piezas",
    "via email 3 times, then place order 5",
    "El plan largo de 5 años",
)


@pytest.mark.parametrize("text", WHOLE)
def test_what_its_place_tells_is_masked_whole(text: str) -> None:
    for value in WHOLE[text]:
        assert_masked_whole(text, value)


@pytest.mark.parametrize("text", SECRETS)
def test_a_password_that_somebody_says_is_masked_whole(text: str) -> None:
    for value in SECRETS[text]:
        assert_masked_whole(text, value)


@pytest.mark.parametrize("text", NOBODYS)
def test_what_has_such_a_place_and_is_nobodys_stays(text: str) -> None:
    assert not find_pii([text])[0]


def test_a_label_on_the_next_line_is_no_part_of_a_name() -> None:
    text = "From: Abby Turner\nTo: Sam\nSubject: flour prices"
    assert [text[f.start : f.end] for f in find_pii([text])[0]] == ["Abby Turner", "Sam"]


ACCOUNTS = {
    "國籍：柬埔寨 性別：女": ["柬埔寨"],
    "フィリピン人の介護士": ["フィリピン人"],
    "몽골인 직원": ["몽골인"],
    "คนพม่า 2 คน": ["พม่า"],
    "أردني الجنسية": ["أردني"],
    "राष्ट्रीयता: नेपाली": ["नेपाली"],
    "она казашка, живёт в Омске": ["казашка"],
    "彝族，1961年3月4日生": ["彝族", "1961年3月4日"],
    "昭和三十八年五月九日、盛岡": ["昭和三十八年五月九日"],
    "пропустили по паролю «Белый стриж»": ["Белый стриж"],
    "后台口令还是默认的root@404，快改": ["root@404"],
    "קוד האימות שלך הוא 330815": ["330815"],
    "رمز لمرة واحدة: 218846": ["218846"],
    "รหัสปลดล็อก 9071": ["9071"],
    "@云上小舟77 楼主在吗": ["云上小舟77"],
    "お届け先は七尾、926-0806。": ["926-0806"],
    "享年八十七": ["八十七"],
    "มีนาคม ชายวัย 61 ล้ม": ["61"],
    "M/58, hypertensive": ["58"],
    "Patientin, 47 J., gestürzt": ["47"],
    "une femme de 38 ans": ["38"],
    "un hombre de 64 años": ["64"],
    "uma mulher de 22 anos": ["22"],
    "un bambino di 7 anni": ["7"],
    "un pensionato 81enne": ["81"],
    "heeft een zoon van 9 jaar": ["9"],
    "kobieta, 44 lat": ["44"],
    "hon är 52 år": ["52"],
    "Benutzer ilsekramer77 gesperrt": ["ilsekramer77"],
    "utilisateur gdelmotte introuvable": ["gdelmotte"],
    "el usuario rpizarnik no existe": ["rpizarnik"],
    "uid=mbaranyi gid=100": ["mbaranyi"],
    'He read "Ferry!dock-88x" out over the phone, so I changed his password.': ["Ferry!dock-88x"],
    "wifi pw: guests only, the real pw Copper7*lane": ["Copper7*lane"],
    "la contraseña sigue siendo tejado9#azul": ["tejado9#azul"],
    "hasło Brzoza.41las już nie działa": ["Brzoza.41las"],
    "WARN inicio fallido usuario=mquintero.ext ip=-": ["mquintero.ext"],
    "kullanıcı adım selvi_08, giremiyorum": ["selvi_08"],
    "DOB 11/09/1951, 74. Seen in clinic": ["74"],
    "geb. 03.04.1960 (65), wohnhaft in Celle": ["65"],
    "Don Eladio Urrutia, de 61 años, gerente": ["61"],
    "yaş 58, evli": ["58"],
    "patient torvald nyquist, 47 år, kallad": ["47"],
    "im 27 and my flat is cold": ["27"],
    "quedamos en plaza de los olmos 6 a las nueve": ["plaza de los olmos 6"],
    "rdv place des tanneurs 14": ["place des tanneurs 14"],
    "Hallo, mein Kennwort Regenbogen!71 geht nicht, Benutzername ulrike.pahl": ["Regenbogen!71", "ulrike.pahl"],
    "hallo, mein kennwort regenbogen!71 geht nicht": ["regenbogen!71"],
    "my pass code 12ab!x is old": ["12ab!x"],
    "Username quietheron Password Marsh!Light88 [Sign in]": ["quietheron", "Marsh!Light88"],
    "el_tejon_azul comenzó a seguirte": ["el_tejon_azul"],
    "Melder belt terug, tst. 4471, na twee uur": ["4471"],
    "Reach me on ext. 2217 until five": ["2217"],
    "добавочный 4418": ["4418"],
}
NO_ACCOUNTS = ("Username is taken", "Nom d'utilisateur requis", "Everyone liked your post", "Extension 300 installed", "typescript is online", "Password must contain one of !#$")  # fmt: skip


@pytest.mark.parametrize("text", ACCOUNTS)
def test_user_names_passwords_and_extensions_behind_their_word(text: str) -> None:
    for value in ACCOUNTS[text]:
        assert_masked_whole(text, value)


@pytest.mark.parametrize("text", NO_ACCOUNTS)
def test_such_words_of_an_interface_stay(text: str) -> None:
    assert not find_pii([text])[0]


def test_a_room_behind_a_word_is_no_address_and_one_in_an_address_is() -> None:
    (found,) = find_pii(["Noor Haddad · yesterday\n      Chairs for room 4"])
    assert [f.entity for f in found] == ["PERSON"]
    assert_masked_whole("Noor Haddad\nRoom 4\n12 High Street\nLeeds LS1 4AB", "Room 4\n12 High Street\nLeeds LS1 4AB")


EVERYBODYS = {
    "the singer hit #14 and then #3": "#14",
    "sshd[4127]: connection reset": "4127",
    '{"id":4471,"buyer":{"firstName":"Corentin","lastName":"Delmas","city":"Rodez","floor":3}}': "lastName",
}


@pytest.mark.parametrize("text", EVERYBODYS)
def test_words_that_only_stand_like_a_name_stay(text: str) -> None:
    at = text.index(EVERYBODYS[text])
    assert not [f for f in find_pii([text])[0] if f.start < at + len(EVERYBODYS[text]) and at < f.end]
