"""In what sense a text names an option: chosen, only named, or denied."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

NOUN = r"(?:option|choice|candidate|answer|alternative|opción|opcion|opção|opzione|вариант)"
ARTICLE = r"(?:the|a|an)\s"


class Sense(IntEnum):
    """In what sense a text names an option."""

    DENIED = -1  # it says that it is not the answer
    BACKGROUND = 0  # it says something else about it
    NAMED = 1
    CHOSEN = 2  # it says that it is the answer


@dataclass(frozen=True, slots=True)
class Mention:
    """An option named in a text, from *begin* to *end*: its number, maybe out of range."""

    begin: int
    end: int
    option: int
    is_label: bool = False
    sense: Sense = Sense.NAMED


# What is read around a mention, in characters: enough for each pattern below.
_BEFORE, _AFTER = 120, 120
_GAP = re.compile(
    r"(?=.*(?:[,/&]|\band\b|\bor\b|\bnor\b|\bv(?:ersu)?s\b))[\s,()\[\]/&]{0,6}"
    rf"(?:(?:and|or|nor|versus|vs\.?)\s)?(?:(?:both|also)\s)?(?:{ARTICLE})?[(\[]?"
)
_SAME_GAP = re.compile(rf"[\s:.,()\[\]=–—-]{{0,6}}(?:{ARTICLE})?[(\[]?")
_ADVERB = r"(?:\w{2,20}ly\s)?"
_ENDED = r"(?:[)\]'\",\s:–—-]{0,4})"
_OF_IT = rf"(?:{_ENDED}|[.;]\s(?:this|that|it)\s)"
_NOT = r"(?:\snot|\snever|n't|\sno longer|\sneither)"
_IS = r"(?:is|was|are|were|would be|should be|must be|seems(?: to be)?|looks|appears(?: to be)?)"
_STOPS = (
    r"(?=[.,;:!?)\n]|$|\s(?:because|since|as|here|and|so|too|but|for|in this|in the|given|when|"
    r"if)\b)"
)
_THING = (
    r"(?:answer|option|choice|candidate|fit|match|referent|antecedent|solution|word|completion|"
    r"interpretation|reading|alternative|cause|effect|one)"
)
_MORE = (
    r"(?:likely|plausible|logical|suitable|appropriate|sensible|probable|reasonable|natural|"
    r"fitting)"
)
_BAD = (
    r"(?:incorrect|wrong|false|invalid|impossible|implausible|unlikely|illogical|inappropriate|"
    r"unsuitable|nonsensical|out|ruled out|eliminated|excluded|unreasonable|improbable)"
)
_HERE = (
    r"(?:\s(?:here|best|better|well|perfectly|logically|in (?:this|the) (?:context|sentence|"
    r"blank|gap)|"
    r"(?:the|this) (?:context|sentence|blank|gap|description|meaning)))"
)
CHOOSE = (
    r"(?:go\s(?:with|for)|choose|pick|select|opt\sfor|vote\sfor|prefer|lean\s(?:to|towards?)|"
    r"stay\swith|stick\s(?:with|to)|stand\sby|settle\s(?:on|for))"
)
CHOOSING = (
    r"(?:choosing|picking|selecting|going\s(?:with|for)|leaning\s(?:to|towards?)|opting\sfor|"
    r"voting\sfor|staying\swith|sticking\s(?:with|to)|standing\sby|settling\s(?:on|for))"
)
_I = r"(?:\b(?:i|we|you|i'd|i'll|we'd|would|should|must|will|to|therefore|thus|hence|going to)\s)"

_DENIED_BEFORE = re.compile(
    r"(?:\bnot|n't|\bcannot|\bnever|\bneither|\bnor|\binstead of|\brather than|\bother than|"
    r"\bunlike|\bas opposed to|\brul(?:e|es|ed|ing) out|\bexclud(?:e|es|ed|ing)|"
    rf"\beliminat(?:e|es|ed|ing)|(?: not|n't|never) (?:{CHOOSE}|{CHOOSING}|be)|"
    r"\bwrong:|\bincorrect:|\bthan|\bany(?:thing|one|body) but|(?:^|[.,;|\n(]\s?)✗(?!\n)|\S\s>|"
    rf"\b{_BAD}\s{_THING}(?:\s(?:is|was|would be)|:)|"
    r"\bmakes?\s(?:no|little|less)\ssense\s(?:for|with)|(?:n't|not)\smake\ssense\s(?:for|with)|"
    r"(?:\b(?:do|does|would|can|could)(?:n't|\snot)|can't|cannot)\s(?:think|believe|say|"
    r"see how)(?:\sthat)?"
    r"(?:\s(?:it|this|that)(?:\sis|'s|\swas))?|\bno way(?:\sthat)?(?:\sit(?:\sis|'s))?)\s"
    rf"(?:possibly\s)?{_ADVERB}(?:(?:be|been|(?:refer(?:ring)?|point(?:ing)?) to)\s)?(?:about\s)?"
    rf"(?:{ARTICLE})?(?:answer\s|word\s)?(?:{NOUN}\s)?[(\[]?$"
    rf"|{_I}(?:choose|pick|prefer|select)\s[^\n]{{0,40}}\bover\s(?:{ARTICLE})?[(\[]?$"
)
_DENIED_AFTER = re.compile(
    rf"{_ENDED}(?:(?:is|are|seems|would be|also|both|can be|could be|must be)\s){{0,2}}{_ADVERB}"
    rf"(?:(?:the\s|an?\s)?{_BAD}(?:{_STOPS}|\s{_THING}\b)|less\s{_MORE}\b)"
    rf"|{_ENDED}{_IS}{_NOT}\s{_ADVERB}(?:the\s|an?\s)?(?:\w{{2,20}}\s)?(?:correct|right|"
    rf"answers?|meant|intended|"
    rf"valid|{_MORE}|possible|true|it)(?:{_STOPS}|\s{_THING}\b)"
    rf"|{_ENDED}{_IS}{_NOT}\s{_ADVERB}(?:the\s|an?\s)(?:\w{{2,20}}\s)?(?:answer|{_THING}|thing|"
    rf"person)\b"
    rf"|{_ENDED}(?:cannot|can't|can not|could not|couldn't)\sbe(?:{_STOPS}|"
    rf"\s(?:the\s)?(?:correct|right|answer|"
    rf"referent|it|meant|true)\b)"
    rf"|{_ENDED}(?:won't|would not|wouldn't|does not|doesn't|do not|don't|did not|didn't|cannot|"
    rf"can't)"
    rf"\s{_ADVERB}(?:make\s(?:\w{{2,20}}\s){{0,2}}sense|(?:fit|work|match|apply|belong|go|sound|"
    rf"suit){_HERE})"
    rf"|{_OF_IT}(?:makes?|would make|has|have)\s(?:no|little|less)\s(?:\w{{2,20}} )?sense\b"
    r"|[.;]\s(?:this|that|it)\s(?:does not|doesn't|wouldn't|would not) make (?:\w{2,20}\s){0,2}"
    r"sense\b(?!\s(?:that|for|with|to|if)\b)"
    rf"| ?(?:[:–—-] |\()(?:no|false|(?:not|less)\s{_MORE}|{_BAD})(?=[.,;!)\n]|$)"
    r"| ?[:|–—-]? ?(?:not|no|wrong|incorrect|false)(?=[.!|\s]{0,3}(?:\n|$))"
    r"| ?[:|–—-] (?:wrong|incorrect)(?=[.,;!])| ?[:|–—-]? ?✗"
)
_LABEL_DENIED_AFTER = re.compile(
    rf"{_ENDED}(?:won't|would not|wouldn't|does not|doesn't|do not|don't|cannot|can't)\s{_ADVERB}"
    rf"(?:fit|work|match|apply|belong|make sense|sound|suit|be)\b"
    rf"|{_ENDED}{_IS}{_NOT}\b"
    r"|[)\]',\s]{0,3}contradicts\b"
)
_NEGATED_AFTER = re.compile(
    rf"{_ENDED}(?:\w{{1,20}}n't|(?:is|was|are|were|does|did|do|has|have|had|can|could|will|would|"
    r"should|may|might|must)\snot|cannot|never)\b"
)
_CHOSEN_AFTER = re.compile(
    rf"{_ENDED}(?:{_IS}|remains|sounds)\s(?:therefore\s|thus\s|also\s|indeed\s)?{_ADVERB}"
    rf"(?:(?:the\s)?(?:correct|right)(?:{_STOPS}|\s{_THING}\b)"
    rf"|(?:the\s|an?\s)?(?:\w{{2,20}}\s)?(?:more|most|likeliest|likelier)\s{_MORE}\b"
    rf"|(?:the\s|an?\s|my\s)(?:(?!wrong|incorrect|other|only|first|second|less)\w{{2,20}}\s){{0,2}}"
    r"(?:answer|solution|referent|antecedent)\b"
    rf"|(?:the\s|an?\s)(?:better|best|logical|likely|obvious|sensible|plausible|good|"
    rf"my)\s(?:\w{{2,20}}\s)?{_THING}\b"
    rf"|(?:the\s)?(?:better|best){_STOPS}|(?:meant|intended){_STOPS})"
    rf"|{_OF_IT}(?:would\s)?(?:makes?)\s(?:\w{{2,20}}\s){{0,3}}sense\b(?!\s(?:that|for|with|to|if)\b)"
    rf"|{_ENDED}(?:would\s)?(?:fits?|works?|suits?|matches|match|completes?){_HERE}\b"
    rf"|{_ENDED}(?:goes|belongs)\s(?:in|into)\s(?:the|this)\s(?:blank|gap)\b"
    rf"|{_ENDED}it\sis(?=[.,!\n]|$)"
    r"| ?[:|–—-]? ?(?:correct|right|yes)(?=[.!|\s]{0,3}(?:\n|$))"
    rf"| ?(?:[:|–—-] |\()(?:right|correct|yes|(?:more\s|most\s)?{_MORE})(?=[.,;!)\n]|$)"
    r"| ?[:|–—-]? ?✓"
)
_LABEL_CHOSEN_AFTER = re.compile(
    rf"{_ENDED}(?:would\s)?(?:fits?|works?)\b(?!\snot)|{_ENDED}it\sis\b"
)
_CHOSEN_BEFORE = re.compile(
    rf"(?:{_I}{_ADVERB}(?:{CHOOSE}|{CHOOSING})|\b{CHOOSING}|"
    r"\b(?:refers?|referring|points|pointing)\s(?:back\s)?to|\bstands?\sfor|"
    r"\bconclude\s(?:that\s)?(?:it\sis|it's)|"
    r"\b(?:i'd|i\swould|i'll|i)\s(?:say|guess|answer)(?:\sthat)?(?:\sit\sis|\sit's)?|"
    r"\b(?:it|this|that|he|she|they|who|which)\s(?:must|has\sto|can\sonly|could\sonly)\sbe|"
    r"(?:^|[.,;\n]\s?|\b(?:so|and)\s)(?:that|which)\sleaves(?:\sonly)?|"
    r"\bmakes\s(?:more|most|the\smost)\ssense\sthat|\bmakes\s(?:more\s|most\s|perfect\s)?sense\s(?:for|with)|"
    r"->|(?:^|[.,;|\n(]\s?)✓(?!\n)|"
    r"\bthe\s(?:one|person|thing|object|word|name|noun|party|subject)\b[^.;!?\n]{0,80}\s(?:is|"
    r"was|would\sbe|must\sbe)|\bi\s(?:think|believe)\s(?:it\sis|it's))"
    rf"\s?:?\s?{_ADVERB}(?:{ARTICLE})?[(\[]?$"
)
_IT_IS = re.compile(
    r"(?:(?:^|[\n.,;:!?]\s?|\b(?:so|thus|hence|therefore|think|believe|but)\s)(?:it\sis|it's|"
    r"it\swas)"
    rf"|\b(?:would|should)\sbe)\s(?:{ARTICLE})?$"
)
_WHO = re.compile(r"(?=\s(?:who|that|which)\b|[.!\n]|$|,?\s(?:because|since|as|not|rather)\b)")
_BACKGROUND_BEFORE = re.compile(
    r"\b(?:if|whether|unless|suppose|supposing|assume|assuming|although|though|while|whereas|"
    r"at\sfirst(?:\s(?:glance|sight))?,?|considering|regarding|would\smean\sthat|(?:let's|i'll|"
    r"we)\stry|"
    rf"(?:was|were|been)\s(?:{CHOOSING})|"
    r"(?:might|could|may|tempting\sto|tempted\sto|first|initially)\s(?:think|thought|choose|chose|"
    r"pick|say|consider|be|go\swith)(?:\sof)?(?:\s(?:it\sis|it\swas))?|"
    rf"if\sit\s(?:is|were|was))\s(?:{ARTICLE})?[(\[]?$"
)
_BACKGROUND_AFTER = re.compile(
    rf"{_ENDED}(?:\w{{2,20}}\s){{0,4}}(?:at\sfirst|initially)\b|\s?\?(?!\s?$)"
    rf"|{_ENDED}would\s(?:mean|imply)\b"
)

_ALONE_BEFORE = re.compile(
    r"(?:^|[.:;!?,\n]\s?|\b(?:and|but|while|whereas)\s)(?:(?:with|using|inserting|substituting|"
    rf"replac(?:e|ing)(?:\sit)?\swith)\s)?(?:{ARTICLE})?(?:{NOUN}\s)?[(\[]?$"
)
_ALONE_END = r"(?:\s(?:here|well|fine|better|best))?(?=[.,;!\n]|$)"
_ALONE_IT = rf"(?:{_ENDED}|,?\s(?:it|this|that|the\ssentence)\s)"
_ALONE_CLAUSE = r"(?:\s[^.;:!?\n]{1,80})?\s?[:?–—-]\s"
_ALONE_GOOD = re.compile(
    rf"{_ALONE_IT}(?:does(?:\smake\ssense)?|works|fits|makes\ssense){_ALONE_END}"
    rf"|{_ALONE_CLAUSE}(?:yes\b|yep\b|(?:{_MORE}|correct|right|makes\ssense){_ALONE_END})|[^\n]{{1,100}}✓(?=\s?(?:\n|$))"
)
_ALONE_BAD = re.compile(
    rf"{_ALONE_IT}(?:(?:does\snot|doesn't)(?:\s(?:work|fit|make\s(?:\w{{2,20}}\s)?sense))?|fails|"
    rf"(?:works|fits)\s(?:poorly|badly|less\swell)){_ALONE_END}"
    rf"|{_ALONE_CLAUSE}(?:no\b|nope\b|(?:{_BAD}|(?:not|less)\s{_MORE}|(?:does\snot|doesn't)\smake\ssense)"
    rf"{_ALONE_END})|[^\n]{{1,100}}✗(?=\s?(?:\n|$))"
)


def with_senses(said: str, found: Sequence[Mention]) -> list[Mention]:
    """Return the mentions of a text with their senses: one for those that are listed together."""
    groups: list[list[Mention]] = []
    for mention in found:
        if groups and _belong(said, groups[-1][-1], mention):
            groups[-1].append(mention)
        else:
            groups.append([mention])
    return _contrasted(
        said, [group_mention for group in groups for group_mention in _with_sense(said, group)]
    )


def _contrasted(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Return mentions in which “the cup works, the plate does not” chooses the cup.

    Alone, such a clause may tell of the thing: “the box does not fit”.
    """
    verdicts = [_verdict_alone(text, mention) for mention in mentions]
    of = {
        sense: {
            mention.option
            for mention, verdict in zip(mentions, verdicts, strict=True)
            if verdict is sense
        }
        for sense in (Sense.CHOSEN, Sense.DENIED)
    }
    chosen = of[Sense.CHOSEN]
    denied = of[Sense.DENIED] | {
        mention.option for mention in mentions if mention.sense == Sense.DENIED
    }
    if len(chosen) != 1 or not denied or chosen & denied:
        return list(mentions)
    return [
        mention if verdict is None else replace(mention, sense=verdict)
        for mention, verdict in zip(mentions, verdicts, strict=True)
    ]


def _verdict_alone(text: str, mention: Mention) -> Sense | None:
    """Return what a whole clause such as “the cup works” says of an option."""
    if not _ALONE_BEFORE.search(text[max(0, mention.begin - _BEFORE) : mention.begin]):
        return None
    after = text[mention.end : mention.end + _AFTER]
    if _ALONE_BAD.match(after):
        return Sense.DENIED
    return Sense.CHOSEN if _ALONE_GOOD.match(after) else None


def _belong(text: str, first: Mention, second: Mention) -> bool:
    gap = text[first.end : second.begin]
    if len(gap) > 24:
        return False
    if first.option == second.option:  # “option 1 – the cup”, and not “the cup, the cup”
        return first.is_label and _SAME_GAP.fullmatch(gap) is not None
    return "\n" not in gap and _GAP.fullmatch(gap) is not None


def _with_sense(text: str, group: Sequence[Mention]) -> list[Mention]:
    begin, end = group[0].begin, group[-1].end
    is_label = any(mention.is_label for mention in group)
    sense = _sense(text[max(0, begin - _BEFORE) : begin], text[end : end + _AFTER], is_label)
    if sense == Sense.CHOSEN and len({mention.option for mention in group}) > 1:
        sense = Sense.NAMED
    return [replace(mention, sense=sense) for mention in group]


def _sense(before: str, after: str, is_label: bool) -> Sense:
    is_possessive = after.startswith("'s ")
    if _DENIED_BEFORE.search(before):
        return Sense.BACKGROUND if is_possessive else Sense.DENIED
    if _BACKGROUND_BEFORE.search(before) or _BACKGROUND_AFTER.match(after):
        return Sense.BACKGROUND
    if is_possessive:
        return Sense.NAMED
    if _DENIED_AFTER.match(after) or (is_label and _LABEL_DENIED_AFTER.match(after)):
        return Sense.DENIED
    if _NEGATED_AFTER.match(after):
        return Sense.BACKGROUND
    if _CHOSEN_AFTER.match(after) or (is_label and _LABEL_CHOSEN_AFTER.match(after)):
        return Sense.CHOSEN
    if _CHOSEN_BEFORE.search(before) or (_IT_IS.search(before) and _WHO.match(after)):
        return Sense.CHOSEN
    return Sense.NAMED
