"""Where a text states its answer in words."""

import re
from collections.abc import Iterator

from evaluation.core.predictions.marks import last_match

SENTENCE = 400
"""Characters of a sentence that are read after “the answer is”."""
MOST_CUES = 20
"""Statements of an answer that are read: the last ones."""

_GOOD = (
    r"(?:correct|right|best|proper|appropriate|missing|intended|chosen|final|selected|better|"
    r"likely|plausible|logical|suitable|sensible|my)"
)
_ANSWER = (
    r"(?:answers?|referent|antecedent|verdict|solution|respuesta|antwort|réponse|reponse|resposta|"
    r"risposta|ответ|odpowiedź|antwoord|svar|svaret|cevap|відповідь|"
    r"résultat|resultado|risultato|ergebnis|результат|auswahl|wahl|lösung|scelta|soluzione|opción|elección|solución|choix|escolha|solução|выбор|"
    r"wybór|keuze|seçim|câu trả lời|الإجابة|उत्तर)"
)
_NAMED = (
    r"(?:option|choice|candidate|alternative|word|name|noun|label|prediction|conclusion|selection|"
    r"pick|guess|cause|effect|one|person|completion|response)"
)
_IS = (
    r"(?:\s(?:is|are|should be|would be|must be|has to be|seems to be|remains|becomes|es|ist|est|"
    r"é|è|lautet|är|er|is(?=n't)|can(?=n't\sbe|not\sbe|\snot\sbe))(?:\b|(?=n))(?:\s(?:that|la|le|el|die|der|das|a(?=\s(?:op|letra|"
    r"alternativa)))(?=\s\S))?"
    r"(?:\s(?:clearly|definitely|probably|likely|most likely|therefore|thus|then|indeed|simply|"
    r"actually|obviously|certainly|surely|still))?\s?:?"
    r"|\s?(?:=>|->|[:=–—-]))"
)
_ABOUT = r"(?:\s(?:to|for|of|in|here|that|correcta|correcte|corretta|correta)\b[^.:;?!\n]{0,60}?)?"
_CUE = re.compile(
    rf"\b{_ANSWER}{_ABOUT}{_IS}"
    rf"|\b{_GOOD}\s(?:\w{{2,20}}\s)?{_NAMED}{_ABOUT}{_IS}"
    r"|\b(?:option|choice|label|prediction|conclusion|correct|selection|blank|gap|pronoun|selected|"
    r"chosen|predicted)\s?:|(?:^|(?<=[.!?] ))final\s?:"
    r"|^(?:assistant|output|response|result|final|model)\s?:"
    r"|\b(?:blank|gap)\s(?:should|must|would|can|"
    r"has to)\s(?:be\s)?(?:filled\s)?(?:in\s)?(?:with|by|be|say|read)\b"
    r"|\b(?:option|choice|blank|gap|pick|guess)\s(?:is|should be|would be)(?=\s)"
    r"|\b(?:choose|choosing|pick|select|decide|guess|which|who|whom|what)\b[^:.;\n]{0,60}:"
    r"|(?:答案|选择|選擇|選択|선택|正解|答え|回答|答|정답|답)\s?(?:应该是|應該是|是|は|为|為|은|는|[:=])"
    rf"|^[#\s]{{0,4}}(?:(?:the|my|your)\s)?(?:{_GOOD}\s)?(?:answer|conclusion|verdict|"
    rf"choice)\s?[:.]?$",
    re.MULTILINE,
)
_CLAIM = re.compile(
    r"\b(?:statement|claim|sentence|assertion|proposition|hypothesis|reading|interpretation|it|"
    r"this|"
    r"that|which)\s(?:is|seems|must be)\s|\b(?:so|thus|therefore|hence|i'd say|would say)[,:]?\s"
)
_UNREAL = re.compile(
    r"\b(?:if|whether|unless|suppose|supposing|assume|assuming|thought|think that perhaps|not|once|"
    r"when|wonder)\s(?:that\s)?(?:the\s|my\s)?(?:\w{2,20}\s)?$|\b(?:incorrect|wrong|bad|worse|"
    r"other)\s$"
)
_CONDITION = re.compile(
    r"\b(?:if|unless|suppose|supposing|imagine)\b(?!\s(?:i|we|you|one)\b)"
    r"|\b(?:had|were)\s(?:it|he|she|they|the|this|that)\b"
)
_COUNTERFACTUAL = re.compile(r"\bif\b(?!\si\b)")
_CORRECTION = re.compile(
    r"(?:^|[.!?;,…\n–—-]\s?)(?:(?:oh|no|hmm+|but|ah|ok|okay|well|so),?\s)?(?:wait\b|actually\b|"
    r"hold on\b|"
    r"scratch that|correction\b|on (?:second thoughts?|reflection|further thought)\b|let me re\w+|"
    r"i was wrong\b|my mistake\b|i take (?:it|that) back\b|strike that)"
)
_NO = re.compile(r"(?<=[.!?;\n])\s?no,")
_REFUSAL = re.compile(
    r"\b(?:can't|can ?not|couldn't|could not|unable to|impossible to|not possible to|no way to)\s"
    r"(?:\w{2,20}ly\s)?(?:be\s)?(?:determined?|tell|told|say|said|answer(?:ed)?|choose|decided?|"
    r"identif(?:y|ied)|know|known|resolved?|help|assist|provide|comply)"
    r"|\bi (?:do not|don't) know\b|\b(?:not|isn't|aren't|without) (?:enough|sufficient|more) "
    r"(?:information|context)|\binsufficient (?:information|context)"
    r"|\b(?:more|additional|further) (?:context|information) (?:is|would be|are) (?:needed|"
    r"required|"
    r"necessary|helpful)|\bneed more (?:context|information)"
    r"|\bas an ai\b|\bi(?:'m| am) (?:sorry|not (?:\w{2,20}ly )?(?:sure|certain|able)|unable|"
    r"unsure)\b"
    r"|\b(?:it|this|question|sentence|answer|pronoun|reference) is (?:\w{2,20}ly )?"
    r"(?:unclear|ambiguous|unknown|undetermined|indeterminate)\b"
    r"|^(?:n/a|none|null|nan|unknown|unclear|unsure|undecided|idk|no answer|not applicable)\b.?$"
    r"|\b(?:could|can|may|might) (?:be|refer to) (?:either|both)\b|\beither (?:one |option )?"
    r"(?:could|can|may|might) be\b|\bdepends on\b|\bplease provide\b"
    r"|\b(?:answer|it) (?:could|might|may) be\b"
)
_NEXT_QUESTION = re.compile(
    r"\n(?:#{1,6}\s)?(?:question|q|sentence|human|user|input|instruction|problem|example|text|"
    r"passage)"
    r"(?:\s?\d{1,5})?\s?:"
)
_BEGINS = re.compile(
    r"(?:let me|let's|let us|first,|firstly|step \d|to (?:determine|answer|solve|find|decide|"
    r"figure)|"
    r"we (?:need|have|know|must|are)|i need|okay, so|ok, so|the (?:question|task|sentence) "
    r"(?:is|asks|says|states|describes)|in (?:the|this) sentence|given that|reasoning|analysis|"
    r"explanation)(?!\w)"
)
_CUT = re.compile(
    r"(?:\b(?:so|because|since|as|and|or|but|the|a|an|of|to|is|was|that|which|who|if|then|with|"
    r"for|in|"
    r"on|by|her|his|their|its|this|be|not|would|could|might)|[,:(–—-])\s?$"
)
_TURN = re.compile(
    r"\b(?:so|but|thus|therefore|hence|then|however|although|though|yet|or|and|if)\b|\?"
)
_CONCLUSION = re.compile(
    r"(?:so|thus|therefore|hence|then|in conclusion|consequently|accordingly|overall|to conclude|"
    r"this means|which means|as a result|in summary|in short)\b[,:]?\s?(?:that\s)?"
)
_DENIAL = re.compile(r"(?:n't|\s?not)(?:\sbe)?\s")
_SENTENCE_END = re.compile(r"[.!?;](?=\s|$)|\n")


def cues(said: str, *, of_truth: bool = False) -> Iterator[int]:
    """Yield the last places after which a text states its answer, as after “the answer is”.

    *of_truth* adds “the statement is” and the like, after which true or false may stand.
    """
    matches = [*_CUE.finditer(said), *(_CLAIM.finditer(said) if of_truth else ())]
    for cue in sorted(matches, key=lambda match: match.end())[-MOST_CUES:]:
        begin = max(0, cue.start() - 200)
        before = _SENTENCE_END.split(said[begin : cue.start()])[-1]
        is_unreal = "would be" in cue[0] and _COUNTERFACTUAL.search(before)
        if not (is_unreal or _UNREAL.search(before) or _CONDITION.search(before)):
            yield cue.end()


def correction(said: str, *, of_truth: bool = False) -> int | None:
    """Return the end of the last place where a text takes something back; None if it does not."""
    matches = [last_match(_CORRECTION, said), None if of_truth else last_match(_NO, said)]
    return max(
        (match.end() for match in matches if match and said[: match.start()].strip()), default=None
    )


def refusal(said: str) -> int | None:
    """Return the end of the last place where a text says that it cannot tell."""
    match = last_match(_REFUSAL, said)
    return None if match is None else match.end()


def before_next_question(said: str) -> str | None:
    """Return what a text says before it goes on with a question of its own."""
    match = _NEXT_QUESTION.search(said)
    return None if match is None else said[: match.start()]


def denial(said: str, begin: int) -> int | None:
    """Return the end of a “not” right at a place; None if there is none."""
    match = _DENIAL.match(said, begin)
    return None if match is None else match.end()


def sentence_end(said: str, begin: int) -> int:
    """Return the end of the sentence or line that a place is in, at most `SENTENCE` further on."""
    match = _SENTENCE_END.search(said, begin, begin + SENTENCE)
    return min(len(said), begin + SENTENCE) if match is None else match.start()


def conclusion(said: str) -> str | None:
    """Return the last sentence of a text if it begins as a conclusion does."""
    last = last_sentence(said)[1]
    begin = _CONCLUSION.match(last)
    return last[begin.end() :] if begin else None


def last_sentence(said: str) -> tuple[int, str]:
    """Return the last sentence of a text that has words, and its place."""
    ends = [0, *(end.end() for end in _SENTENCE_END.finditer(said))]
    begin = next((end for end in reversed(ends) if said[end:].strip()), 0)
    return begin, said[begin:].strip()


def n_sentences(said: str) -> int:
    """Count the sentences and lines of a text."""
    return sum(len(part.strip(" ()[]")) > 1 for part in _SENTENCE_END.split(said))


def is_reasoning(said: str) -> bool:
    """Whether a text begins or breaks off as reasoning does, so that naming is not answering."""
    return bool(_BEGINS.match(said) or _CUT.search(said[-20:]))


def turns(said: str) -> bool:
    """Whether the rest of a sentence may end elsewhere than it began."""
    return _TURN.search(said) is not None
