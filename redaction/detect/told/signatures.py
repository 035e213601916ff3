"""Who signs a letter or a mail: the line behind its closing words, and the lines below of what they are and whom they work for.

*Cordialement,⏎Fatoumata Diarrassouba⏎Responsable qualité⏎Ivoire Cacao Négoce⏎San-Pédro*: the models read such lines as one sentence, and what they make
of a name changes with the lines below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ...contracts.types import Finding
from ...words.late import Late
from ...words.words import UI_WORDS
from ..around.jobs import job_of_cell
from ..around.listed_names import PARTICLES, by_list, calls_alone
from ..judging.telling import heard_by_nobody

_WIDEST = 90
"""Letters of a line that closes a letter, and of one with a name."""
_CLOSING = Late(
    r"[ \t>]{0,4}(?:(?P<sure>"
    r"(?:(?:kind(?:est)?|best|warm(?:est)?|many|with|all|my)[ ]){0,3}(?:regards|wishes)|(?:k(?:ind)?[ ]?|b(?:est)?[ ]?)?rgds|yours(?:[ ](?:sincerely|faithfully|truly|ever|aye))|sincerely(?:[ ]yours)?|respectfully(?:[ ]yours)?|"
    r"(?:mit[ ])?(?:(?:freundlichen?|besten?|herzlichen?|vielen?|lieben?|liebe|viele|beste|sonnigen?|schönen?)[ ])+gr(?:ü|ue)(?:ß|ss)e?n?(?:[ ]aus[ ][^\W\d_]+)?|hochachtungsvoll|mfg|"
    r"(?:bien[ ])?(?:très[ ])?(?:cordialement|amicalement|sincèrement|respectueusement)|(?:meilleures|sincères|cordiales)[ ]salutations|bien[ ]à[ ](?:vous|toi)|salutations(?:[ ]distinguées)?|"
    r"(?:reciba[ ]un[ ])?(?:un[ ])?(?:cordial[ ]saludo|saludos?[ ]cordial(?:es)?)|un[ ](?:saludo|abrazo)|atentamente|cordialmente|"
    r"(?:cordiali|distinti|i[ ]migliori|tanti|un[ ]caro)[ ]salut[io]|(?:com[ ]os[ ])?(?:melhores|cordiais|atenciosos)[ ]cumprimentos|atenciosamente|"
    r"(?:met[ ])?(?:vriendelijke|hartelijke)[ ]groet(?:en|jes)?|mvg|(?:med[ ])?(?:vänlig(?:a)?|venlig|vennlig|bästa|bedste|beste|varma|kär)[ ](?:hälsning(?:ar)?|hilsen(?:er)?)|mvh|vänligen|(?:ystävällisin|parhain|lämpimin)[ ]terveisin|"
    r"(?:z[ ])(?:poważaniem|wyrazami[ ]szacunku)|(?:serdecznie[ ])?pozdrawiam(?:[ ]serdecznie)?|(?:serdeczne[ ])?pozdrowienia|s[ ](?:(?:přátelským|srdečným)[ ]?)?(?:pozdravem|pozdravom|úctou)|"
    r"tisztelettel|üdvözlettel|köszönettel|szívélyes[ ]üdvözlettel|cu[ ](?:stimă|respect|drag|deosebită[ ]stimă)|saygılarım(?:la|ızla)|(?:s[ ])?poštovanjem|lijep[ ]pozdrav|lep[ ]pozdrav|srdačan[ ]pozdrav|su[ ]pagarba|ar[ ]cieņu|lugupidamisega|parimate[ ]soovidega|trân[ ]trọng|hormat[ ]kami"
    r")|"
    r"cheers|(?:many[ ])?thanks(?:[ ](?:again|in[ ]advance|a[ ]lot|so[ ]much))?|thank[ ]you(?:[ ](?:again|in[ ]advance|so[ ]much))?|all[ ]the[ ]best|best|take[ ]care|(?:with[ ])?(?:much[ ])?love|lg|vg|gr(?:ü|ue)(?:ß|ss)e?|(?:vielen|besten|herzlichen)[ ]dank|"
    r"(?:avec[ ]mes[ ])?remerciements|merci(?:[ ](?:d['’]avance|beaucoup|bien))?|bises|à[ ]bientôt|saludos|abrazos?|(?:muchas[ ])?gracias(?:[ ]de[ ]antemano)?|grazie(?:[ ](?:mille|ancora))?|saluti|a[ ]presto|cumprimentos|att|abraços?|obrigad[oa]|"
    r"groet(?:en|jes)?|(?:alvast[ ])?bedankt|hälsning(?:ar)?|hilsen|(?:tusen[ ])?tack|tak|takk|terveisin|kiitos|(?:z[ ]góry[ ])?dziękuję|děkuji|díky|ďakujem|hezký[ ]den|přeji[ ]hezký[ ]den|üdv|köszönöm|mulțumesc|o[ ]zi[ ]bună|iyi[ ](?:çalışmalar|günler)|selamlar|sevgiler|teşekkürler|hvala|salam|terima[ ]kasih"
    r")(?P<mark>[ ]?[,.!;:–—-]{1,2})?(?:[ ](?P<s>\S[^\n]{1,60}))?[ \t]*",
    re.IGNORECASE,
)
"""Words that close a letter, and those that do and stand above lists and menus as well: *Best*, *Merci*."""
_WORD = re.compile(r"[^\W\d_]+(?:['’ʻ-][^\W\d_]+)*\.?")
_NAMED = re.compile(r"(?:(?:dr|prof|ing|mgr|dipl|mag|lic|arq|avv|dott(?:\.?ssa)?|mr|mrs|ms|mme|m|sra?|frau|herr|rev)\.?[ ]){0,2}(?P<s>[^\W\d_][^\d_@:/|<>()\[\]{}\"=!?;,]{1,50}?)(?=[ ]*(?:[,|·(/–—]|[ ]-[ ]|\Z))", re.IGNORECASE)  # fmt: skip
_CELL = re.compile(r"[^|·,;()]+")
_ENDS = re.compile(
    r"sent[ ]from|get[ ]outlook|envoyé[ ]d|enviado[ ]d|inviato[ ]da|gesendet[ ]von|verzonden[ ]vanaf|von[ ]meinem|skickat[ ]från|wysłan[eo]|p\.?\s?s\b|unsubscribe|confiden|this[ ](?:e-?mail|message)|\W*\Z|.*(?:[^\W\d_]{4,}[.!?]\s|https?:)|>|on[ ].*wrote|-{2,}|_{2,}",
    re.IGNORECASE,
)
"""What a line says that is none of a signature any more."""
_GROUP = frozenset(
    """
    abteilung administration administrator agence area assistenza ateam atención billing board bureau buchhaltung care central clientes clients committee communication customer customers department departamento desk direction dział
    division equipe equipo equipa équipe everyone family finance group helpdesk hr it kundenservice kundendienst klantenservice kundtjänst management marketing office operations organisation organization production recruiting reception redaktion
    sales secretariat secretaría service servicio servizio services serviço staff support team team's the tím tým uw ihr votre tu your our unser su zespół ekibi csapat csapata echipa
    """.split()  # noqa: SIM905
)
"""Words of who signs for a department, which is nobody's name."""
_BELOW = 5
"""Lines of a signature below the name."""
_LETTER = re.compile(r"(?:\S+[ ]+){3,}\S+[^\n]*\n")
"""A line of four words: there is a letter above the closing words, and no menu."""


def find_signatures(text: str) -> Iterable[Finding]:
    """Yield who signs, and what is written below."""
    if "\n" not in text:
        return
    at = 0
    for line in text.splitlines(keepends=True):
        said = line.rstrip("\r\n")
        if len(said) <= _WIDEST and (match := _CLOSING.now.fullmatch(said)):
            # Below *Best* and *Merci* there are menus and lists, too.
            sure = bool(match["sure"]) or _LETTER.search(text, 0, at) is not None
            if match["s"] is None:
                yield from _signature(_lines(text, at + len(line)), sure)
            elif match["mark"] and (signed := _name(at + match.start("s"), match["s"], sure)):
                yield signed
        at += len(line)


def _signature(lines: Iterator[tuple[int, str]], sure: bool) -> Iterator[Finding]:
    begin, line = next(lines, (0, ""))
    name = _name(begin, line, sure)
    if name is None:
        return
    yield name
    in_full = len(line[: name.end - begin].split()) > 1
    if not (sure or in_full):
        return
    yield from _below(name.end, line[name.end - begin :])
    for start, said in lines:
        yield from _below(start, said, in_full)


def _lines(text: str, at: int) -> Iterator[tuple[int, str]]:
    """Yield where the lines of a signature begin, and what they say; a blank line may stand before the name."""
    while text[at : at + 1] in ("\n", "\r", " ", ">"):
        at += 1
    for line in text[at:].split("\n")[: _BELOW + 1]:
        said = line.strip(" \t\r*_>-")
        if _ENDS.match(said):
            return
        yield at + line.index(said), said
        at += len(line) + 1


def _name(begin: int, line: str, sure: bool) -> Finding | None:
    """Return the name that a line begins with. ``sure``: one word that no list has is enough where no other can stand."""
    if len(line) > _WIDEST or not (match := _NAMED.match(line)):
        return None
    words = [w for w in _WORD.findall(match["s"]) if w.lower() not in PARTICLES]
    small = [w.rstrip(".").lower() for w in words]
    if not 1 <= len(words) <= 5 or not _GROUP.isdisjoint(small):
        return None
    if not (line.isupper() or line.islower() or all(w[0].isupper() for w in words)):
        return None
    telling = [w for w in small if len(w) > 1]
    if not (any(map(by_list, telling)) or (sure and len(telling) > 1 and any(map(calls_alone, telling)))):
        return None
    return Finding(begin + match.start("s"), begin + match.end("s"), "PERSON", 0.85)


def _below(start: int, line: str, in_full: bool = False) -> Iterator[Finding]:
    """Yield positions and companies of a line below the name. ``in_full``: of somebody who signs with both names."""
    for cell in _CELL.finditer(line):
        said = cell[0].strip(" \t*_-–—")
        if not said or any(c.isdigit() or c in "@:/" for c in said):
            continue
        begin = start + cell.start() + cell[0].index(said)
        words = [w for w in _WORD.findall(said) if w.lower() not in PARTICLES]
        if not 1 <= len(words) <= 6:
            continue
        if job_of_cell(said) or (in_full and _is_position(words)):
            yield Finding(begin, begin + len(said), "TITLE", 0.6)
        elif (len(words) > 1 or heard_by_nobody(words[0])) and words[0][0].isupper() and _is_name(words):
            yield Finding(begin, begin + len(said), "ORGANIZATION", 0.6)


def _is_position(words: list[str]) -> bool:
    """Return whether the first of several words alone has a capital, and they are no interface's."""
    small = [w.rstrip(".").lower() for w in words]
    if len(words) < 2 or not _GROUP.isdisjoint(small) or any(w in UI_WORDS for w in small):
        return False
    return words[0][0].isupper() and all(w.islower() for w in words[1:] if len(w) > 3)


def _is_name(words: list[str]) -> bool:
    """Return whether words are no department's or interface's: each long one has a capital."""
    small = [w.rstrip(".").lower() for w in words]
    if not _GROUP.isdisjoint(small) or all(w in UI_WORDS for w in small):
        return False
    return all(w[0].isupper() for w in words if len(w) > 3)
