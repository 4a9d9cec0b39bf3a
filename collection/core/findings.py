"""What the rule checker says: the codes, and one finding about one place."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Literal

SentenceNumber = Literal[1, 2]


class Level(StrEnum):
    """Whether a finding refuses the text or only asks its writer to look again."""

    ERROR = "error"
    WARNING = "warning"


RULES: Mapping[str, str] = MappingProxyType(
    {
        "sentence_empty": "Both sentences of a twin must be written.",
        "too_long": "A sentence may have at most 40 characters for every word allowed.",
        "control_character": "A sentence must not hold control characters.",
        "invisible_character": "A sentence must not hold characters that nobody can see.",
        "too_few_words": "A sentence must have at least the campaign's least number of words.",
        "too_many_words": "A sentence must have at most the campaign's greatest number of words.",
        "blank_missing": "Each sentence must have a blank, written as one underscore.",
        "blank_repeated": "Each sentence must have only one blank.",
        "blank_glued": "No letter or digit may touch the blank.",
        "option_empty": "Both options must be written.",
        "option_has_blank": "An option must not hold an underscore.",
        "options_same": "The two options must differ.",
        "option_missing": "Each option must stand in each sentence.",
        "option_part_of_word": "An option should stand in each sentence as a word of its own.",
        "answer_invalid": "The answer to each sentence must be option 1 or option 2.",
        "answers_same": "The two sentences of a twin must have opposite answers.",
        "twins_identical": "The two sentences must differ in more than case and punctuation.",
        "twins_reordered": "The two sentences should differ in a word, not only in word order.",
        "overlap_low": "The two sentences must share at least the campaign's share of words.",
        "anchor_empty": "An assigned anchor must not be empty.",
        "anchor_function_word": "An anchor must hold a content word, not only function words.",
        "anchor_not_in_article": "The anchor must stand in the article as words of their own.",
        "anchor_missing": "The anchor must stand in both sentences.",
        "anchor_part_of_word": "The anchor should start a word, not hide inside another one.",
        "person_not_named": "In the social domain the options should be people's names.",
        "people_gender_differs": "In the social domain both names should be of the same gender.",
        "object_number_differs": "In the physical domain both objects should be of one number.",
        "object_proper_noun": "In the physical domain an option should not be a proper noun.",
        "object_animal": "In the physical domain an option should not be an animal.",
    }
)
"""Every code the checker can give, in the order of checking, with its rule in one sentence."""

ADVICE: Mapping[str, str] = MappingProxyType(
    {
        "near_duplicate": "A twin should not be nearly the same as another one of the campaign.",
        "trigger_overused": "A trigger should not be that of many other twins of the campaign.",
        "trigger_negation": "The twins should differ in more than a negation.",
        "local_association": "The words at the blank should not go with one option by habit.",
        "pair_association": "The trigger words should not go with one place in the sentence.",
        "polarity_association": "Good and bad words alone should not give the answers away.",
    }
)
"""Every code of advice, in its order: what may be wrong with twins that break no rule."""

WARNINGS = frozenset(
    {
        "option_part_of_word",
        "twins_reordered",
        "anchor_part_of_word",
        "person_not_named",
        "people_gender_differs",
        "object_number_differs",
        "object_proper_noun",
        "object_animal",
    }
)
"""The rules that warn, as all advice does; the other rules refuse."""


def level_of(code: str) -> Level:
    """Return the level of a rule or of advice.

    Raises
    ------
    ValueError
        When neither has this code.
    """
    if code not in RULES and code not in ADVICE:
        raise ValueError(f"code must be one of RULES or ADVICE, got {code!r}")
    return Level.WARNING if code in WARNINGS or code in ADVICE else Level.ERROR


@dataclass(frozen=True, slots=True)
class Finding:
    """One broken rule.

    `message` is a full sentence for the writer that names the way out. `sentence` is the sentence
    it is about (None: both, or the options), `start` and `end` the characters of that sentence to
    mark (None: no one place). Advice adds the number it rests on as `value` and an `example`:
    both are for curators, since they tell of other people's twins.
    """

    code: str
    level: Level
    message: str
    sentence: SentenceNumber | None = None
    start: int | None = None
    end: int | None = None
    value: float | None = None
    example: str = ""

    def as_dict(self) -> dict[str, str | int | float | None]:
        """Return the finding as plain values, ready for JSON: what is stored, for curators."""
        return asdict(self) | {"level": self.level.value}

    def for_author(self) -> dict[str, str | int | float | None]:
        """Return what its writer may read of it, ready for JSON."""
        kept = self.as_dict()
        return {name: kept[name] for name in kept if name not in ("value", "example")}


def found(
    code: str,
    message: str,
    *,
    sentence: SentenceNumber | None = None,
    span: tuple[int, int] | None = None,
    value: float | None = None,
    example: str = "",
) -> Finding:
    """Return a finding at the level that its code has."""
    start, end = span or (None, None)
    return Finding(code, level_of(code), message, sentence, start, end, value, example)


def promoted(findings: Iterable[Finding], blocking: frozenset[str]) -> tuple[Finding, ...]:
    """Return the findings with those whose code is in *blocking* as errors."""
    return tuple(
        replace(finding, level=Level.ERROR) if finding.code in blocking else finding
        for finding in findings
    )


def quote(text: str, *, longest: int = 40) -> str:
    """Return the text in quotation marks, shortened so that a message stays readable."""
    plain = " ".join(text[: 4 * longest].split())
    if len(plain) > longest:
        plain = plain[: longest - 1].rstrip() + "…"
    return f"“{plain}”"
