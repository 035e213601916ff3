"""The nation of somebody in languages of Latin letters, where it stands beside a name or an age, or is said of a person: *Agostinho Cassoma, angolano,*, *(Ghanaer, 41)*, *cittadina rumena*."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import Finding
from ...words.english import english
from ...words.late import Late
from ...words.words import UI_WORDS, common_words, given_names, lists_of
from ..judging.foreign import known

_SPANISH = (
    r"afgan[oa]|alban[eé]sa?|alemana?|alemán|andorran[oa]|angoleñ[oa]|argelin[oa]|argentin[oa]|armeni[oa]|australian[oa]|austríac[oa]|bangladesí|belga|bielorrus[oa]|bolivian[oa]|bosni[oa]|brasileñ[oa]|británic[oa]|búlgar[oa]|camerun[eé]sa?|"
    r"canadiense|caboverdian[oa]|chilen[oa]|chin[oa]|chipriota|colombian[oa]|congoleñ[oa]|corean[oa]|costarricense|croata|cuban[oa]|checa?|dan[eé]sa?|dominican[oa]|ecuatorian[oa]|egipci[oa]|eritre[oa]|escoc[eé]sa?|eslovac[oa]|eslov[eé]n[oa]|española?|"
    r"estadounidense|estoni[oa]|etíope|filipin[oa]|finland[eé]sa?|franc[eé]sa?|gal[eé]sa?|gambian[oa]|georgian[oa]|ghan[eé]sa?|grieg[oa]|guatemaltec[oa]|guinean[oa]|ecuatoguinean[oa]|haitian[oa]|holand[eé]sa?|hondureñ[oa]|húngar[oa]|indonesi[oa]|ingl[eé]sa?|iraní|iraquí|"
    r"irland[eé]sa?|island[eé]sa?|israelí|italian[oa]|jamaican[oa]|japon[eé]sa?|jordan[oa]|kazaj[oa]|keniata|keniana|let[oó]na?|liban[eé]sa?|libi[oa]|lituan[oa]|maliense|marroquí|mauritan[oa]|mexican[oa]|moldav[oa]|mozambiqueñ[oa]|neerland[eé]sa?|nepal[ií]|nicaragüense|"
    r"nigerian[oa]|norueg[oa]|pakistaní|palestin[oa]|panameñ[oa]|paraguay[oa]|peruan[oa]|polac[oa]|portugu[eé]sa?|puertorriqueñ[oa]|ruman[oa]|rus[oa]|salvadoreñ[oa]|saharaui|senegal[eé]sa?|serbi[oa]|siri[oa]|somalí|sudafrican[oa]|suec[oa]|suiz[oa]|tailand[eé]sa?|tunecin[oa]|"
    r"turc[oa]|ucranian[oa]|ugand[eé]sa?|uruguay[oa]|venezolan[oa]|vietnamita"
)
_PORTUGUESE = (
    r"afeg[ãa]o?|alban[eê]sa?|alem[ãa]o?|angolan[oa]|argelin[oa]|armêni[oa]|arméni[oa]|austríac[oa]|bengali|bielorruss[oa]|bolivian[oa]|brasileir[oa]|britânic[oa]|cabo-verdian[oa]|camaron[eê]sa?|canadense|canadian[oa]|chilen[oa]|chin[eê]sa?|colombian[oa]|congol[eê]sa?|corean[oa]|"
    r"cuban[oa]|dinamarqu[eê]sa?|equatorian[oa]|egípci[oa]|escoc[eê]sa?|espanhola?|estadunidense|american[oa]|etíope|filipin[oa]|finland[eê]sa?|franc[eê]sa?|greg[oa]|guineense|haitian[oa]|holand[eê]sa?|húngar[oa]|indian[oa]|ingl[eê]sa?|iranian[oa]|iraquian[oa]|irland[eê]sa?|israelita|israelense|"
    r"japon[eê]sa?|libanes?a?|lituan[oa]|marroquin[oa]|mexican[oa]|moçambican[oa]|moldav[oa]|nepal[eê]sa?|nigerian[oa]|norueguesa?|paquistan[eê]sa?|palestin[oa]|paraguai[oa]|peruan[oa]|polac[oa]|polon[eê]sa?|portugu[eê]sa?|quenian[oa]|romen[oa]|russ[oa]|santomense|são-tomense|senegal[eê]sa?|"
    r"síri[oa]|sul-african[oa]|suec[oa]|suíç[oa]|timorense|tailand[eê]sa?|tunisin[oa]|turc[oa]|ucranian[oa]|uruguai[oa]|venezuelan[oa]|vietnamita"
)
_ITALIAN = (
    r"afghan[oa]|albanese|algerin[oa]|american[oa]|angolan[oa]|argentin[oa]|armen[oa]|australian[oa]|austriac[oa]|bangladese|belga|bieloruss[oa]|bolivian[oa]|bosniac[oa]|brasilian[oa]|britannic[oa]|bulgar[oa]|camerunese|canadese|capoverdian[oa]|ceca|ceco|cilen[oa]|cinese|colombian[oa]|congolese|"
    r"corean[oa]|croat[oa]|cuban[oa]|danese|dominican[oa]|ecuadorian[oa]|egizian[oa]|eritre[oa]|estone|etiope|filippin[oa]|finlandese|francese|gambian[oa]|georgian[oa]|ghanese|giapponese|greca|greco|guineano|indian[oa]|inglese|irachen[oa]|iranian[oa]|irlandese|israelian[oa]|ivorian[oa]|kosovar[oa]|"
    r"lettone|libanese|lituan[oa]|macedone|maltese|marocchin[oa]|messican[oa]|moldav[oa]|nepalese|nigerian[oa]|norvegese|olandese|pakistan[oa]|palestinese|peruvian[oa]|polacc[oa]|portoghese|rumen[oa]|russ[oa]|salvadoregn[oa]|senegalese|serb[oa]|sirian[oa]|slovacc[oa]|sloven[oa]|somal[oa]|spagnol[oa]|"
    r"srilankese|sudafrican[oa]|svedese|svizzer[oa]|tedesc[oa]|thailandese|tunisin[oa]|turc[oa]|ucrain[oa]|ungherese|venezuelan[oa]|vietnamita"
)
_FRENCH = (
    r"afghane?|albanaise?|algérienne?|allemande?|américaine?|andorrane?|angolaise?|argentine?|arménienne?|australienne?|autrichienne?|bangladaise?|belge|béninoise?|biélorusse|bolivienne?|bosnienne?|brésilienne?|britannique|bulgare|burkinabée?|cambodgienne?|camerounaise?|canadienne?|cap-verdienne?|"
    r"chilienne?|chinoise?|chypriote|colombienne?|comorienne?|congolaise?|coréenne?|croate|cubaine?|danoise?|égyptienne?|équatorienne?|érythréenne?|espagnole?|estonienne?|éthiopienne?|finlandaise?|française?|gabonaise?|gambienne?|géorgienne?|ghanéenne?|grecque|guinéenne?|haïtienne?|hongroise?|"
    r"indienne?|irakienne?|iranienne?|irlandaise?|islandaise?|israélienne?|italienne?|ivoirienne?|japonaise?|kényane?|kosovare|laotienne?|lettone?|libanaise?|lituanienne?|luxembourgeoise?|macédonienne?|malgache|malienne?|maltaise?|marocaine?|mauricienne?|mauritanienne?|mexicaine?|moldave|néerlandaise?|"
    r"népalaise?|nigériane?|nigérienne?|norvégienne?|pakistanaise?|palestinienne?|péruvienne?|philippine?|polonaise?|portugaise?|québécoise?|roumaine?|russe|rwandaise?|sénégalaise?|serbe|slovaque|slovène|somalienne?|sri-lankaise?|sud-africaine?|suédoise?|suissesse|suisse|syrienne?|tchadienne?|tchèque|"
    r"thaïlandaise?|togolaise?|tunisienne?|turque|turc|ukrainienne?|uruguayenne?|vénézuélienne?|vietnamienne?"
)
_GERMANIC = (
    r"afghan(?:isch|e|in)|alban(?:isch|er|erin)|algeri(?:sch|er|erin)|ägypt(?:isch|er|erin)|argentin(?:isch|ier|ierin)|armeni(?:sch|er|erin)|äthiop(?:isch|ier|ierin)|belgi(?:sch|er|erin)|bosni(?:sch|er|erin)|brasiliani(?:sch|er|erin)|britisch|brite|britin|bulgar(?:isch|e|in)|chinesisch|chinese|chinesin|dän(?:isch|e|in)|"
    r"deutsch|deutsche[r]?|englisch|engländer(?:in)?|eritreisch|eritreer(?:in)?|finn(?:isch|e|in)|französisch|franzose|französin|georgi(?:sch|er|erin)|ghana(?:isch|er|erin)|griech(?:isch|e|in)|inder(?:in)?|indisch|irak(?:isch|er|erin)|iran(?:isch|er|erin)|irisch|irin|ire|israeli(?:sch|n)?|italieni(?:sch|er|erin)|japan(?:isch|er|erin)|"
    r"kameruner(?:in)?|kamerunisch|kenian(?:isch|er|erin)|kolumbian(?:isch|er|erin)|kosovar(?:isch|e|in)|kroat(?:isch|e|in)|lett(?:isch|e|in)|libanes(?:isch|e|in)|litau(?:isch|er|erin)|marokkan(?:isch|er|erin)|mazedoni(?:sch|er|erin)|mexikan(?:isch|er|erin)|moldau(?:isch|er|erin)|nepalesisch|nepalese|nigerian(?:isch|er|erin)|norweg(?:isch|er|erin)|"
    r"österreich(?:isch|er|erin)|pakistan(?:isch|er|erin)|polnisch|pole|polin|portugies(?:isch|e|in)|rumän(?:isch|e|in)|russ(?:isch|e|in)|schwed(?:isch|e|in)|schweizer(?:in|isch)?|senegales(?:isch|e|in)|serb(?:isch|e|in)|slowak(?:isch|e|in)|slowen(?:isch|e|in)|somali(?:sch|er|erin)|spani(?:sch|er|erin)|syr(?:isch|er|erin)|thailänd(?:isch|er|erin)|"
    r"togoer(?:in)?|tschech(?:isch|e|in)|tunes(?:isch|ier|ierin)|türk(?:isch|e|in)|ukrain(?:isch|er|erin)|ungar(?:isch|in)?|venezolan(?:isch|er|erin)|vietnames(?:isch|e|in)|nederlandse?|nederlander|belg|belgische|duitse?r?|franse|fransman|française|engelse|engelsman|schotse?|schot|ierse|spaanse?|spanjaard|italiaanse?|portugese|poolse?|pool|roemeense?|"
    r"roemeen|bulgaarse?|bulgaar|griekse?|griek|turkse?|turk|marokkaanse?|marokkaan|surinaamse?|surinamer|antilliaanse?|antilliaan|syrische?|syriër|eritrese|eritreeër|somalische|somaliër|oekraïense?|oekraïner|russische?|chinese|indiase|indonesische|ghanese|nigeriaanse|"
    r"svensk(?:a|t)?|norska?|norskt|norsk|dansk(?:a|t|er)?|finsk(?:a|t)?|finländsk|isländsk|tysk(?:a|t|er)?|polsk(?:a|t)?|rysk(?:a|t)?|fransk(?:a|t)?|spansk(?:a|t)?|italiensk(?:a|t)?|grekisk|turkisk|syrisk|irakisk|iransk|somalisk|eritreansk|afghansk|bosnisk|kroatisk|serbisk|chilensk|thailändsk|indisk|kinesisk|ukrainsk|rumänsk|bulgarisk"
)
_SLAVIC = (
    r"polka|polak|polskie|ukrainka|ukrainiec|ukraińskie|białorusin(?:ka)?|białoruskie|rosjanin|rosjanka|rosyjskie|niemiec|niemka|niemieckie|czech|czeszka|słowak|słowaczka|litwin(?:ka)?|łotysz(?:ka)?|gruzin(?:ka)?|ormianin|ormianka|wietnamczyk|wietnamka|chińczyk|chinka|hindus(?:ka)?|nigeryjczyk|nigeryjka|anglik|angielka|francuz(?:ka)?|hiszpan(?:ka)?|"
    r"włoch|włoszka|turek|turczynka|syryjczyk|syryjka|afgańczyk|afganka|kazach|kazaszka|mołdawianin|mołdawianka|rumun(?:ka)?|bułgar(?:ka)?|węgier(?:ka)?|serb(?:ka)?|chorwat(?:ka)?|češka?|slovák|slovenka|ukrajinec|ukrajinka|vietnamec|vietnamka|magyar|román|szerb|ukrán|"
    r"alman|fransız|ingiliz|italyan|ispanyol|yunan|bulgar|rus|suriyeli|iraklı|iranlı|afgan|azerbaycanlı|azeri|gürcü|özbek|türkmen|kazak|kırgız|pakistanlı|hintli|çinli|japon|somalili|nijeryalı|faslı|tunuslu|cezayirli|mısırlı|ukraynalı|hollandalı|belçikalı|avusturyalı|isviçreli"
)
_NATIONS = rf"(?:{_SPANISH}|{_PORTUGUESE}|{_ITALIAN}|{_FRENCH}|{_GERMANIC}|{_SLAVIC})"
_OF = r"(?:ans|años|anos|anni|jahre|jaar|lat|år|yaşında|years(?:[ ]old)?|yrs?)"
_NATION = Late(_NATIONS, re.IGNORECASE)
_CAPITAL = r"(?<![^\W\d_])(?-i:[A-ZÀ-ÖØ-ÞĀ-Ž])[^\W\d_]{1,40}(?:['’-][^\W\d_]{1,40}){0,3}"
_BESIDE = Late(
    rf"(?:{_CAPITAL}(?:,[ ]|[ ][(])(?:\d{{1,3}}(?:[ ]{_OF})?,[ ])?|(?:\(|,[ ])\d{{1,3}}(?:[ ]{_OF})?,[ ])(?P<s>{_NATIONS})(?=,|\)|[.;](?:[ ]|\Z)|[ ]?\n|\Z)",
    re.IGNORECASE,
)
"""Between two commas or in brackets, behind a name or an age."""
_AGED = re.compile(rf"(?:\(\d{{1,3}}|\d{{1,3}}[ ]{_OF}),[ ]\Z", re.IGNORECASE)
_NAME = re.compile(
    r"(?P<s>(?:[^\W\d_][^\W\d_'’.-]*['’.-]?[ ]?){1,6})(?:,[ ]|[ ]?[(])(?:\d{1,3},[ ])?\Z",
)
_FARTHEST = 60
_CITIZEN = (
    r"ciudadan[oa]|cidad[ãa]o?|cittadin[oa]|citoyen(?:ne)?|ressortissante?|de[ ]nacionalidad|de[ ]nacionalidade|di[ ]nazionalità|de[ ]nationalité|"
    r"staatsangehörigkeit|nationalität|nationalité|nacionalidade?|nazionalità|obywatel(?:ka|stwa)?|narodowości|medborgare|nationalitet|uyruğu|uyruklu|(?:immigré|réfugié|étudiant)e?|(?:migrante|refugiad[oa]|solicitante[ ]de[ ]asilo)"
)
_ORIGIN = r"d['’]origine|de[ ]origen|de[ ]origem|di[ ]origine|natural[ ]de"
"""Of goods as well."""
_SAID = Late(
    rf"(?<![^\W\d_])(?:{_CITIZEN}|{_ORIGIN})[ ]?:?[ ](?P<s>{_NATIONS})(?![^\W\d_])",
    re.IGNORECASE,
)
_CITIZEN_BEFORE = re.compile(rf"(?<![^\W\d_])(?:{_CITIZEN})[ ]?:?[ ]\Z", re.IGNORECASE)
_OF_A_STATE = r"(?:uyruklu|vatandaşı|asıllı|kökenli|staatsangehörig\w*|staatsbürger(?:in)?|medborgare|állampolgár\w*)"
_STATE = re.compile(rf"[ ]{_OF_A_STATE}", re.IGNORECASE)
_SAID_AFTER = Late(rf"(?<![^\W\d_])(?P<s>{_NATIONS})(?=[ ]{_OF_A_STATE})", re.IGNORECASE)


def find_nations(text: str) -> Iterable[Finding]:
    """Yield such nations."""
    if len(text) > 4_000:
        return
    for match in _BESIDE.now.finditer(text) if "," in text or "(" in text else ():
        if of_somebody(text, found := Finding(*match.span("s"), "NRP", 0.7)):
            yield found
    for rule in (_SAID, _SAID_AFTER) if _STATE.search(text) else (_SAID,):
        yield from (Finding(*match.span("s"), "NRP", 0.7) for match in rule.now.finditer(text))


def of_somebody(text: str, f: Finding) -> bool:
    """Return whether a finding is the nation of somebody by what stands beside it, a name, years, a word for a citizen: *Fatou Diop, sénégalaise*. A keyboard is *German* too, and a pizza *italiana*."""
    before = text[max(0, f.start - _FARTHEST) : f.start]
    if not _NATION.now.fullmatch(text, f.start, f.end):
        return False
    if _STATE.match(text, f.end) or _CITIZEN_BEFORE.search(before):
        return True
    if not before.endswith((", ", "(")):
        return False
    if _AGED.search(before):
        return True
    if not (name := _NAME.search(before)):
        return False
    words = [w for w in re.findall(r"[^\W\d_]+", name["s"]) if w[0].isupper()]
    return any(map(_calls, map(str.lower, words)))


def _calls(small: str) -> bool:
    """Return whether a word in lower case is somebody's name and no word besides."""
    if small in given_names():
        return small not in UI_WORDS and small not in common_words()
    lists = lists_of("names_latin.txt")
    return any(small in lists[kind] for kind in ("given", "family", "both")) and not (
        small in UI_WORDS or english(small) or known(small)
    )
