"""Findings of the rule checker, and their codes."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Literal

SentenceNumber = Literal[1, 2]


class Level(StrEnum):
    """Whether a finding refuses the text or only warns its writer."""

    ERROR = "error"
    WARNING = "warning"


RULES: Mapping[str, str] = MappingProxyType(
    {
        "sentence_empty": "Both sentences of a twin must be written.",
        "too_long": "A sentence may have at most 40 characters for every word allowed.",
        "control_character": "A sentence must not contain control characters.",
        "invisible_character": "A sentence must not contain invisible characters.",
        "too_few_words": "A sentence must have at least the campaign's minimum number of words.",
        "too_many_words": "A sentence must have at most the campaign's maximum number of words.",
        "blank_missing": "Each sentence must have a blank, written as one underscore.",
        "blank_repeated": "Each sentence must have only one blank.",
        "blank_glued": "No letter or digit may touch the blank.",
        "option_empty": "Both options must be written.",
        "option_has_blank": "An option must not contain an underscore.",
        "options_same": "The two options must differ.",
        "option_missing": "Each option must appear in each sentence.",
        "option_part_of_word": "An option should appear in each sentence as a separate word.",
        "answer_invalid": "The answer to each sentence must be option 1 or option 2.",
        "answers_same": "The two sentences of a twin must have opposite answers.",
        "twins_identical": "The two sentences must differ in more than case and punctuation.",
        "twins_reordered": "The two sentences should differ in a word, not only in word order.",
        "overlap_low": "The two sentences must have at least the campaign's minimum overlap.",
        "anchor_empty": "An assigned anchor must not be empty.",
        "anchor_function_word": "An anchor must contain a content word, not only function words.",
        "anchor_not_in_article": "The anchor must appear in the article as separate words.",
        "anchor_missing": "The anchor must appear in both sentences.",
        "anchor_part_of_word": "The anchor should start a word, not be inside another word.",
        "person_not_named": "In the social domain the options should be people's names.",
        "people_gender_differs": "In the social domain both names should be of the same gender.",
        "object_number_differs": "In the physical domain both objects should have the same number.",
        "object_proper_noun": "In the physical domain an option should not be a proper noun.",
        "object_animal": "In the physical domain an option should not be an animal.",
    }
)
"""Every code the checker can give, in the order of checking, with its rule in one sentence."""

ADVICE: Mapping[str, str] = MappingProxyType(
    {
        "near_duplicate": "A twin should not be nearly the same as another one of the campaign.",
        "trigger_overused": "A trigger should not be used by many other twins of the campaign.",
        "trigger_negation": "The twins should differ in more than a negation.",
        "local_association": "The words at the blank should not be associated with one option.",
        "pair_association": "The trigger words should not be associated with one position.",
        "polarity_association": "Positive and negative words should not reveal the answers.",
        "own_text": "A sentence should not repeat the guidelines or an example.",
        "published_text": "A sentence should not be that of a published question.",
        "chat_text": "A sentence should not have words of a chat program or a form.",
        "markup": "A sentence should not have HTML.",
        "long_word": "A word should not have more than 40 letters.",
        "gibberish": "A word should not look like keys pressed at random.",
        "other_script": "A sentence should have only letters of the campaign's script.",
        "offensive_word": "A sentence should not have obscene or hateful words.",
    }
)
"""Every code of advice, in order: possible problems of twins that break no rule."""

OF_TEXTS = frozenset(
    {
        *("own_text", "published_text", "chat_text", "markup", "long_word", "gibberish"),
        *("other_script", "offensive_word"),
    }
)
"""Advice on the text by itself, which never refuses: each has harmless cases."""

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
"""The rules that only warn, as all advice does; the other rules refuse."""


def level_of(code: str) -> Level:
    """Return the level of a rule or of advice.

    Raises
    ------
    ValueError
        If neither has this code.
    """
    if code not in RULES and code not in ADVICE:
        raise ValueError(f"code must be one of RULES or ADVICE, got {code!r}")
    return Level.WARNING if code in WARNINGS or code in ADVICE else Level.ERROR


@dataclass(frozen=True, slots=True)
class Finding:
    """One broken rule, or one piece of advice.

    `message` is a full sentence for the writer that says how to correct it. `sentence` is the
    number of the sentence (None: both, or the options), `start` and `end` are the characters of
    that sentence to mark (None: no single place). Advice adds the underlying number as `value` and
    an `example`: both are for curators only, since they reveal other people's twins.
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
        """Return all fields of the finding, for JSON: stored, and shown to curators."""
        return asdict(self) | {"level": self.level.value}

    def for_author(self) -> dict[str, str | int | float | None]:
        """Return the fields that the writer may read, for JSON."""
        kept = self.as_dict()
        return {name: kept[name] for name in kept if name not in ("value", "example")}


def make_finding(
    code: str,
    message: str,
    *,
    sentence: SentenceNumber | None = None,
    span: tuple[int, int] | None = None,
    value: float | None = None,
    example: str = "",
) -> Finding:
    """Return a finding at the level of its code."""
    start, end = span or (None, None)
    return Finding(code, level_of(code), message, sentence, start, end, value, example)


def promoted(findings: Iterable[Finding], blocking: frozenset[str]) -> tuple[Finding, ...]:
    """Return the findings; those whose code is in *blocking* become errors."""
    return tuple(
        replace(finding, level=Level.ERROR) if finding.code in blocking else finding
        for finding in findings
    )


def quote(text: str, *, longest: int = 40) -> str:
    """Return the text in quotation marks, shortened for readable messages."""
    plain = " ".join(text[: 4 * longest].split())
    if len(plain) > longest:
        plain = plain[: longest - 1].rstrip() + "…"
    return f"“{plain}”"
