"""In what sense a text names an option: chosen, only named, or denied."""

from __future__ import annotations

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
_ENDED = r"(?:[)\]'\",\s]{0,3})"
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
_I = r"(?:\b(?:i|we|you|i'd|i'll|we'd|would|should|must|will|to|therefore|thus|hence|going to)\s)"

_DENIED_BEFORE = re.compile(
    r"(?:\bnot|n't|\bcannot|\bnever|\bneither|\bnor|\binstead of|\brather than|\bother than|"
    r"\bunlike|\bas opposed to|\brul(?:e|es|ed|ing) out|\bexclud(?:e|es|ed|ing)|"
    r"\beliminat(?:e|es|ed|ing)|(?:would|should|do|could)(?: not|n't) (?:choose|pick|select|be)|"
    r"\bwrong:|\bincorrect:|\bthan|\bany(?:thing|one|body) but|✗|\S\s>|"
    r"(?:\b(?:do|does|would|can|could)(?:n't|\snot)|can't|cannot)\s(?:think|believe|say|"
    r"see how)(?:\sthat)?"
    r"(?:\s(?:it|this|that)(?:\sis|'s|\swas))?|\bno way(?:\sthat)?(?:\sit(?:\sis|'s))?)\s"
    rf"(?:possibly\s)?{_ADVERB}(?:(?:be|been|refer(?:ring)? to)\s)?(?:about\s)?"
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
    r"|(?:\s|,\s)(?:makes?|would make|has|have)\s(?:no|little|less)\s(?:\w{2,20} )?sense"
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
    rf"|{_ENDED}(?:would\s)?(?:makes?)\s(?:\w{{2,20}}\s){{0,3}}sense\b"
    rf"|{_ENDED}(?:would\s)?(?:fits?|works?|suits?|matches|match|completes?){_HERE}\b"
    rf"|{_ENDED}(?:goes|belongs)\s(?:in|into)\s(?:the|this)\s(?:blank|gap)\b"
    rf"|{_ENDED}it\sis(?=[.,!\n]|$)"
    r"| ?[:|–—-]? ?(?:correct|right|yes)(?=[.!|\s]{0,3}(?:\n|$))"
    r"| ?[:|–—-] (?:right|correct)(?=[.,;!])| ?[:|–—-]? ?✓"
)
_LABEL_CHOSEN_AFTER = re.compile(
    rf"{_ENDED}(?:would\s)?(?:fits?|works?)\b(?!\snot)|{_ENDED}it\sis\b"
)
_CHOSEN_BEFORE = re.compile(
    rf"(?:{_I}{_ADVERB}(?:go(?:ing)?\s(?:with|for)|choose|pick|select|opt\sfor|vote\sfor|prefer|"
    r"lean\s(?:to|towards?)|(?:stay|stick)\swith|settle\s(?:on|for))|\b(?:choosing|picking|selecting|going\swith|leaning\stowards?)|"
    r"\b(?:refers?|referring)\s(?:back\s)?to|\bstands?\sfor|\bconclude\s(?:that\s)?(?:it\sis|it's)|"
    r"\b(?:i'd|i\swould|i'll|i)\s(?:say|guess|answer)(?:\sthat)?(?:\sit\sis|\sit's)?|"
    r"\b(?:it|this|that|he|she|they|who|which)\s(?:must|has\sto|can\sonly|could\sonly)\sbe|"
    r"(?:^|[.,;\n]\s?|\b(?:so|and)\s)(?:that|which)\sleaves(?:\sonly)?|"
    r"\bmakes\s(?:more|most|the\smost)\ssense\sthat|->|✓|"
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
    r"(?:might|could|may|tempting\sto|tempted\sto|first|initially)\s(?:think|thought|choose|chose|"
    r"pick|say|consider|be|go\swith)(?:\sof)?(?:\s(?:it\sis|it\swas))?|"
    rf"if\sit\s(?:is|were|was))\s(?:{ARTICLE})?[(\[]?$"
)
_BACKGROUND_AFTER = re.compile(
    rf"{_ENDED}(?:\w{{2,20}}\s){{0,4}}(?:at\sfirst|initially)\b|\s?\?(?!\s?$)"
    rf"|{_ENDED}would\s(?:mean|imply)\b"
)


def with_senses(said: str, found: Sequence[Mention]) -> list[Mention]:
    """Return the mentions of a text with their senses: one for those that are listed together."""
    groups: list[list[Mention]] = []
    for mention in found:
        if groups and _belong(said, groups[-1][-1], mention):
            groups[-1].append(mention)
        else:
            groups.append([mention])
    return [one for group in groups for one in _with_sense(said, group)]


def _belong(said: str, first: Mention, second: Mention) -> bool:
    gap = said[first.end : second.begin]
    if len(gap) > 24:
        return False
    if first.option == second.option:  # “option 1 – the cup”, and not “the cup, the cup”
        return first.is_label and _SAME_GAP.fullmatch(gap) is not None
    return "\n" not in gap and _GAP.fullmatch(gap) is not None


def _with_sense(said: str, group: Sequence[Mention]) -> list[Mention]:
    begin, end = group[0].begin, group[-1].end
    is_label = any(one.is_label for one in group)
    sense = _sense(said[max(0, begin - _BEFORE) : begin], said[end : end + _AFTER], is_label)
    if sense == Sense.CHOSEN and len({one.option for one in group}) > 1:
        sense = Sense.NAMED
    return [replace(one, sense=sense) for one in group]


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
