"""Names of months in the languages that a day is written in, from January to December: in full, as they stand in a date, and shortened."""

from __future__ import annotations

from typing import Final

_FULL: Final = """
january february march april may june july august september october november december
januar februar märz april mai juni juli august september oktober november dezember
janvier février mars avril mai juin juillet août septembre octobre novembre décembre
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
januari februari maart april mei juni juli augustus september oktober november december
stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
januari februari mars april maj juni juli augusti september oktober november december
januar februar mars april mai juni juli august september oktober november desember
styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień
января февраля марта апреля мая июня июля августа сентября октября ноября декабря
январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь
січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня
січень лютий березень квітень травень червень липень серпень вересень жовтень листопад грудень
ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου
يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر
ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר
जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर
มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม
"""
_SHORT: Final = """
jan feb mar apr may jun jul aug sep oct nov dec
jan feb mär apr mai jun jul aug sep okt nov dez
janv févr mars avr mai juin juil août sept oct nov déc
ene feb mar abr may jun jul ago sep oct nov dic
gen feb mar apr mag giu lug ago set ott nov dic
jan fev mar abr mai jun jul ago set out nov dez
jan feb mrt apr mei jun jul aug sep okt nov dec
янв фев мар апр май июн июл авг сен окт ноя дек
"""

FULL: Final = tuple(tuple(line.split()) for line in _FULL.strip().splitlines())
"""A row for each language and case, English first; a name is that of the first row that has it."""
SHORT: Final = tuple(tuple(line.split()) for line in _SHORT.strip().splitlines())
"""Likewise, English first."""
ALSO: Final = {"sept": "sep", "jänner": "januar", "setiembre": "septiembre"}
"""Other ways to write some of them."""
ABROAD: Final = frozenset(
    [*(name for row in FULL[1:] for name in row), *(name for name, usual in ALSO.items() if len(usual) > 3)]
)
"""What other languages than English have in full."""
