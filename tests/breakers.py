"""Ways to break good twins, each so that one named rule must refuse them."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from collection.core.rules import Thresholds, TwinDraft
from collection.core.words import BLANK, overlap

LIMITS = Thresholds()
FILLER = "zzz"


class Breaker(NamedTuple):
    """How to break a draft, and the code that must be found then."""

    break_: Callable[[TwinDraft], TwinDraft]
    code: str

    def __call__(self, draft: TwinDraft) -> TwinDraft:
        """Return the broken draft."""
        return self.break_(draft)


def remove_blank(draft: TwinDraft) -> TwinDraft:
    """Write a pronoun where the second sentence has its blank."""
    return _with_second(draft, draft.sentences[1].replace(BLANK, "it"))


def copy_twin(draft: TwinDraft) -> TwinDraft:
    """Hand in the first sentence twice."""
    return _with_second(draft, draft.sentences[0])


def remove_anchor(draft: TwinDraft) -> TwinDraft:
    """Write something else wherever the second sentence has the anchor."""
    assert draft.anchor is not None
    return _with_second(draft, _without(draft.sentences[1], draft.anchor))


def pad_to_31_words(draft: TwinDraft) -> TwinDraft:
    """Lengthen the first sentence to 30 words, which is allowed, and the second to 31."""
    first, second = draft.sentences
    most = LIMITS.max_words
    return replace(draft, sentences=(_padded(first, most), _padded(second, most + 1)))


def lower_overlap(draft: TwinDraft) -> TwinDraft:
    """Change words of the second sentence, but not blank, options and anchor, until it fails."""
    first, second = draft.sentences
    kept = {
        word.casefold() for word in (*draft.options, draft.anchor or "") for word in word.split()
    }
    tokens = second.split()
    free = [i for i, token in enumerate(tokens) if token != BLANK and not _holds(token, kept)]
    for i in free:
        if overlap(first, " ".join(tokens)) < LIMITS.min_overlap:
            break
        tokens[i] = FILLER
    return _with_second(draft, " ".join(tokens))


def remove_option(draft: TwinDraft) -> TwinDraft:
    """Write something else wherever the second sentence has the second option."""
    return _with_second(draft, _without(draft.sentences[1], draft.options[1]))


def equal_answers(draft: TwinDraft) -> TwinDraft:
    """Give the second sentence the answer of the first."""
    return replace(draft, answers=(draft.answers[0], draft.answers[0]))


def mirrored(draft: TwinDraft) -> TwinDraft:
    """Return the same twins with the second sentence first."""
    return replace(draft, sentences=draft.sentences[::-1], answers=draft.answers[::-1])


BREAKERS: Mapping[str, Breaker] = {
    "blank removed": Breaker(remove_blank, "blank_missing"),
    "twin copied unchanged": Breaker(copy_twin, "twins_identical"),
    "anchor removed": Breaker(remove_anchor, "anchor_missing"),
    "31 words": Breaker(pad_to_31_words, "too_many_words"),
    "overlap below 70%": Breaker(lower_overlap, "overlap_low"),
    "option missing": Breaker(remove_option, "option_missing"),
    "answers equal": Breaker(equal_answers, "answers_same"),
}


def _with_second(draft: TwinDraft, sentence: str) -> TwinDraft:
    return replace(draft, sentences=(draft.sentences[0], sentence))


def _without(sentence: str, phrase: str) -> str:
    pattern = r"\s+".join(map(re.escape, phrase.split()))
    filler = " ".join([FILLER] * len(phrase.split()))
    return re.sub(pattern, filler, sentence, flags=re.IGNORECASE)


def _padded(sentence: str, count: int) -> str:
    return " ".join([sentence, *["again"] * (count - len(sentence.split()))])


def _holds(token: str, words: set[str]) -> bool:
    return any(word in token.casefold() for word in words)
