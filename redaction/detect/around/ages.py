"""How old somebody is: *Karl is 17*, *my father (82)*, *a boy, 9, from Leeds*, *turned forty*, *71 y/o M*. The span is the number alone."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import Finding
from ...words.english import english
from ...words.hinted import Hinted
from ...words.words import TECHNOLOGY, given_names

_ONES = "one|two|three|four|five|six|seven|eight|nine"
_WRITTEN = rf"(?:{_ONES}|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[ -](?:{_ONES}))?)"
_NUMBER = rf"(?P<s>(?:1[01]\d|[1-9]?\d)(?![\d.,:/%°]\d|[%°€$£])|{_WRITTEN})(?![\w-])"
_RELATIVE = (
    r"(?:father|mother|dad|mum|mom|brother|sister|son|daughter|husband|wife|partner|baby|kid|child|boy|girl|toddler|infant|twins?|uncle|aunt|cousin|niece|nephew|"
    r"grand(?:father|mother|son|daughter|child|pa|ma|dad|mum)|grandparent|neighbou?r|friend|widow|widower|orphan|teenager|pensioner|eldest|oldest|youngest|elder|younger)"
)
_SOMEBODY = (
    rf"(?:{_RELATIVE}|man|woman|male|female|gentleman|lady|patient|pt|suspect|victim|defendant|claimant|plaintiff|witness|driver|pedestrian|passenger|cyclist|resident|student|pupil|"
    r"teacher|nurse|actor|actress|singer|player|striker|goalkeeper|applicant|candidate|caller|tenant|employee|winner|champion|author|survivor|mother of \w+|father of \w+)s?"
)
_BE = r"(?:is|was|'s|’s|were|are|am|'m|’m|turned|turns|became|(?:will|would)[ ]be|'ll[ ]be|must[ ]be|(?:has|have)[ ]turned|just[ ]turned|is[ ]turning)"
_ADVERB = r"(?:(?:only|now|just|already|almost|nearly|about|around|barely|still|not[ ]yet|over)[ ])?"
_THEN = (
    r"(?=[ ]*(?:[.,;!?)\n]|$)|[ ](?:and|but|so|or|already|now|today|when|then|next|last|this|at[ ]the[ ]time|who|with|years?|yrs?|soon|tomorrow|yesterday|"
    r"in[ ](?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|a[ ]|two|three|19|20)|on[ ](?:mon|tue|wed|thu|fri|sat|sun|\w+[ ]\d|\d|his|her|my)))"
)
_OLD = (
    r"(?:[\s-]*(?:years?|yrs?|y|months?|weeks?)[\s./-]*(?:old|olds|o\b|of[ ]age|young)|\s?(?:y/o|yo|y\.o\.|yrs|m/o))\b"
)
_RULES: tuple[Hinted, ...] = tuple(
    Hinted(rule, re.IGNORECASE)
    for rule in (
        rf"(?<![\w.,:/])(?P<s>\d{{1,3}}|{_WRITTEN}){_OLD}",
        rf"\b(?:i|he|she|who|they)(?:[ ]{_BE}|'m|'s|’m|’s|'ll[ ]be)[ ]{_ADVERB}{_NUMBER}{_THEN}",
        r"\b(?:im|hes|shes|ive[ ]just[ ]turned)[ ](?P<s>1\d|[2-9]\d)(?=[ ](?:and|but|so|now|years?|yrs?|yo|male|female|m|f|from|living|looking)\b|,[ ](?:male|female|[mf]\b|and|but|from|living|looking))",
        rf"\b(?:my|his|her|their|our|your|the|whose|and)[ ](?:\w+[ ]){{0,2}}{_RELATIVE}s?(?:[ ]{_BE}|'s|’s)[ ]{_ADVERB}{_NUMBER}{_THEN}",
        rf"\b{_SOMEBODY}(?:[ ][^\W\d_][\w'’.-]+){{0,2}}(?:,[ ]|[ ]?[(\[]){_ADVERB}(?:aged?[ ])?{_NUMBER}(?=[ ]?[,)\].;]|$|\n)",
        rf"\b(?:aged|(?:i|he|she|who|they|we)[ ]turn(?:ed|s)?|age[ ](?:of|is|was)|(?<!average )(?<!max )(?<!page )age:|a\.k\.a\.[ ]age)\s+(?:just[ ]|only[ ]|about[ ])?(?!\d+\s*(?:minutes|hours|days|items|results|rows)\b){_NUMBER}",
        rf"\bage[ ](?:is[ ]given[ ])?(?:as|at|to[ ]be)[ ]{_NUMBER}",
        r"\bage[ ](?P<s>\d{1,3})(?![\w%.:-])(?!\s*(?:minutes|hours|days|items|results|rows)\b)",
        rf"\bturn(?:ed|ing|s)[ ](?:just[ ])?{_NUMBER}{_THEN}",
        rf"\b(?:at|from|over|under|until|by|since|before|after)\s+(?:the\s+)?age\s+(?:of\s+)?{_NUMBER}",
        rf"\b(?:my|his|her|your|their|patient(?:'s)?|current)\s+age\s*(?:is|was|:)?\s*{_NUMBER}",
        r"\bin[ ](?:my|his|her|their)[ ](?:early[ ]|mid[\s-]+|late[ ])?(?P<s>\d0s|(?:twen|thir|for|fif|six|seven|eigh|nine)ties)\b",
        rf"\b(?:died|married|retired|widowed|orphaned|emigrated|pregnant|diagnosed|debuted|graduated)[ ]at[ ](?:just[ ]|only[ ])?{_NUMBER}{_THEN}",
        rf"(?:\A|(?<=[.!?\n]\s)|(?<=\n))at[ ](?:just[ ]|only[ ])?{_NUMBER},?[ ](?=(?:he|she|i|they)\b|(?-i:[^\W\d_a-z][^\W\d_]+[ ]))",
        r"\b(?:this|an?)[ ](?P<s>\d{1,3})[ ](?:year|y\.?o)",
        r"\b(?:patient|pt|male|female)[ ](?P<s>\d{1,3})(?=[ ]?[mf]\b|[ ]?(?:year|y/?o))",
        r"(?<![\w.,:/-])(?P<s>\d{1,2})[ ]?[mf](?=,?[ ](?:with|presents?|presented|admitted|allergic|seen|c/o|hx|complain\w+|pt|patient)\b)",
        r"(?:,[ ]|[(|·/][ ]?)(?:m|f|male|female|man|woman)[,/][ ]?(?P<s>\d{1,3})(?=[ ]?[,;.)|·]|[ ]?$)",
        r"(?:,[ ]|[(|·/][ ]?)(?P<s>\d{1,3})[,/][ ]?(?:m|f|male|female)(?=[ ]?[,;.)|·]|[ ]?$)",
        r"\b(?:my|his|her|their|your|our|'s|’s|s'|a|the)[ ](?P<s>\d{1,3}(?:st|nd|rd|th))[ ]birthday\b",
        rf"\b(?:how[ ]old[ ](?:are[ ]you|is[ ](?:he|she)|were[ ]you)\?)[\s\W]*(?:\w+:[ ])?(?:i'?m[ ])?{_NUMBER}",
    )
)
_NAMED = Hinted(
    rf"(?<![\w@])(?P<who>[^\W\d_][^\W\d_'’-]*)(?:[ ]{_BE}|'s|’s)[ ]{_ADVERB}{_NUMBER}{_THEN}", re.IGNORECASE
)
_BESIDE = Hinted(
    r"(?<![\w@])(?P<who>[^\W\d_][^\W\d_'’-]+)(?:,[ ]|[ ][(])(?:aged?[ ])?(?P<s>[1-9]\d?)(?=,[ ](?![a-z]+[ ]\d)[^\W\d_]|\)[ ](?:is|was|has|had|from|said|who|of)\b|[ ]?\n|[ ]?$)",
    re.IGNORECASE,
)
_GATE = Hinted(
    rf"(?<![\w.:/])(?:1[01]\d|[1-9]?\d)(?![\w:/]|[.,]\d)[^\w]*(?:\Z|[^\W\d_])|\d(?:{_OLD}|[ ]?[mf]\b|[snrt][tdh])|{_WRITTEN}|ties\b|\d0s\b",
    re.IGNORECASE,
)
"""A number that may be an age, by itself."""
NO_AGE = re.compile(
    r"(?!\s*\w+[ -]?(?:old|of[ ]age))\s*(?:%|out\s+of|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|items?|results?|rows?|points?|per\b|times|x\b|px|km|kg|cm|mm|miles|degrees|of\s+\d|am\b|pm\b|o'clock|euros?|dollars?|pounds?)",
    re.IGNORECASE,
)


def find_ages(text: str) -> list[Finding]:
    """Return the ages that words around a number tell."""
    if not _GATE.search(text):
        return []
    return [Finding(*m.span("s"), "AGE", 0.7) for m in _matches(text) if not NO_AGE.match(text, m.end("s"))]


def _matches(text: str) -> Iterable[re.Match[str]]:
    for rule in _RULES:
        yield from rule.finditer(text)
    cased = not (text.islower() or text.isupper())
    for rule in (_NAMED, _BESIDE):
        for match in rule.finditer(text):
            if _somebody(match["who"], cased):
                yield match


def _somebody(word: str, cased: bool) -> bool:
    """Return whether a word is a name: a given one, or one with a capital that no list of English has."""
    if cased and not word[0].isupper():
        return False
    small = word.lower()
    return small in given_names() or (len(word) > 2 and small not in TECHNOLOGY and not english(small))
