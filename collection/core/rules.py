"""The rule checker: one function for page, API, import and statistics."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from unicodedata import category

from collection.core.domains import domain_findings
from collection.core.drafts import Domain, Thresholds, TwinDraft
from collection.core.findings import (
    RULES,
    WARNINGS,
    Finding,
    Level,
    level_of,
    make_finding,
    promoted,
)
from collection.core.matching import PreparedText
from collection.core.sentence_rules import (
    anchor_findings,
    is_usable,
    option_findings,
    prepare,
    sentence_findings,
)
from collection.core.triggers import TriggerDiff, trigger_diff
from collection.core.words import BLANK, shared, words

__all__ = [
    "RULES",
    "WARNINGS",
    "Domain",
    "Finding",
    "Level",
    "Report",
    "Thresholds",
    "TwinDraft",
    "check_question",
    "check_twin",
    "level_of",
]

DEFAULTS = Thresholds()


@dataclass(frozen=True, slots=True)
class Report:
    """All findings of the checker, and the figures shown to writers while typing.

    `overlap` is 0.0 and `trigger` is empty if a sentence is too long to be compared.
    """

    findings: tuple[Finding, ...]
    word_counts: tuple[int, int]
    overlap: float
    trigger: TriggerDiff

    @property
    def accepted(self) -> bool:
        """Whether the twins have no errors (warnings are allowed)."""
        return not self.errors

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings because of which the twins are refused."""
        return tuple(item for item in self.findings if item.level is Level.ERROR)

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """The findings that only warn."""
        return tuple(item for item in self.findings if item.level is Level.WARNING)

    @property
    def codes(self) -> frozenset[str]:
        """The codes of all findings."""
        return frozenset(item.code for item in self.findings)


def check_twin(
    draft: TwinDraft,
    *,
    thresholds: Thresholds = DEFAULTS,
    blocking: frozenset[str] = frozenset(),
) -> Report:
    """Check twins by every rule about text.

    Parameters
    ----------
    draft : TwinDraft
        Any text; this never raises, and time grows linearly with its length.
    thresholds : Thresholds
        The campaign's limits; reaching a limit exactly is allowed.
    blocking : frozenset of str
        Codes of warnings that are errors in this campaign.

    Returns
    -------
    Report
        The findings: first those of each sentence, then of the options and answers, the pair, the
        anchor and the domain. An empty or too long sentence gets no other finding.

    Notes
    -----
    Case is ignored when an option or anchor is looked up ("Water was …, because the _" has the
    option "water"): 1.1 % of the real crowd's twins need that. An option that occurs only inside
    another word ("cup" in "cups") is a warning, as 1.2 % of the crowd's twins do so. An anchor may
    start a word ("check" in "checks", 2.9 %); elsewhere inside a word it is a warning. White space
    of any kind and width counts as one space: see `one_line`.

    Source: AAAI 2020, section 2; the workers' guidelines of the crowd task (one blank, same
    number, no proper nouns, no animals). The paper sets no upper limit to the overlap: twins with
    the same words in another order are a warning (0.04 % of the crowd's, 0.4 % of WinoGrande's), as
    no word triggers the other answer; twins that differ in no word are refused.
    """
    first, second = draft.sentences
    texts = (
        prepare(first, number=1, name="sentence 1", thresholds=thresholds),
        prepare(second, number=2, name="sentence 2", thresholds=thresholds),
    )
    usable = [text for text in texts if is_usable(text, thresholds)]
    pair, trigger = _compare(usable)
    findings = [
        *sentence_findings(texts, thresholds),
        *option_findings(draft.options, usable),
        *_answer_findings(draft.answers),
        *_pair_findings(draft.sentences, pair, trigger, thresholds),
        *anchor_findings(draft.anchor, usable, article=draft.article),
        *domain_findings(draft.domain, draft.options, usable),
    ]
    counts = len(texts[0].words), len(texts[1].words)
    return Report(promoted(findings, blocking), counts, pair or 0.0, trigger)


def check_question(
    sentence: str,
    options: tuple[str, str],
    answer: int,
    *,
    thresholds: Thresholds = DEFAULTS,
) -> tuple[Finding, ...]:
    """Check an unpaired question, as `check_twin` does, by the rules that need no twin."""
    text = prepare(sentence, number=1, name="the sentence", thresholds=thresholds)
    usable = [text] if is_usable(text, thresholds) else []
    return (
        *sentence_findings([text], thresholds),
        *option_findings(options, usable),
        *_answer_findings((answer,)),
    )


def _compare(usable: list[PreparedText]) -> tuple[float | None, TriggerDiff]:
    """Return overlap and difference of the twins; None and empty unless both are usable."""
    if len(usable) < 2:
        return None, TriggerDiff()
    first, second = usable
    return shared(first.words, second.words), trigger_diff(first.sentence, second.sentence)


def _answer_findings(answers: tuple[int, ...]) -> Iterator[Finding]:
    invalid = [number for number, answer in enumerate(answers, start=1) if answer not in (1, 2)]
    for number in invalid:
        yield make_finding(
            "answer_invalid",
            f"Choose option 1 or option 2 as the answer to sentence {number}.",
            sentence=1 if number == 1 else 2,
        )
    if len(answers) == 2 and not invalid and answers[0] == answers[1]:
        yield make_finding(
            "answers_same",
            f"Both sentences have option {answers[0]} as their answer; "
            "change a word so that the other option is correct in one of them.",
        )


def _pair_findings(
    sentences: tuple[str, str],
    pair: float | None,
    trigger: TriggerDiff,
    thresholds: Thresholds,
) -> Iterator[Finding]:
    if pair is None:
        return
    if _same_words(sentences, trigger):
        yield make_finding(
            "twins_identical",
            "The sentences do not differ in any word; "
            "change a trigger word in one of them so that the other option is right.",
        )
    elif pair == 1.0:
        yield make_finding(
            "twins_reordered",
            "The sentences have the same words in a different order; "
            "change a trigger word instead of moving words, if you can.",
        )
    elif pair < thresholds.min_overlap:
        yield make_finding(
            "overlap_low",
            f"The sentences share {_percent_below(pair)} of their words, and at least "
            f"{100 * thresholds.min_overlap:.4g}% is required; make them more similar.",
        )


def _same_words(sentences: tuple[str, str], trigger: TriggerDiff) -> bool:
    """Return whether twins differ only in case, white space and punctuation."""
    if sorted(_plain(trigger.first_words)) != sorted(_plain(trigger.second_words)):
        return False  # the usual case, decided from a few words
    first, second = sentences
    return _plain(words(first)) == _plain(words(second))


def _plain(tokens: Iterable[str]) -> list[str]:
    """Return the words without case and punctuation; the blank is kept, empty words are not."""
    bare = ("".join(filter(_is_kept, token)).casefold() for token in tokens)
    return [token for token in bare if token]


def _is_kept(char: str) -> bool:
    return char == BLANK or category(char)[0] != "P"


def _percent_below(share: float) -> str:
    """Round down, so that a share below the limit is never shown as the limit."""
    return f"{int(share * 100)}%"
