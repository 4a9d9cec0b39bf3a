"""The parts of a manifest that describe files, splits and their collection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from corpora.core.bundle import checks

Kind = Literal["split", "labels", "document", "provenance", "report", "code"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFacts:
    """A file of the release whose bytes do not depend on the manifest.

    Parameters
    ----------
    name : str
        As in `layout`.
    sha256 : str of 64 lower-case hexadecimal digits
    size : int
        Bytes.
    rows : int, or None
        Lines or rows; None for a file without rows.
    kind : str
    """

    name: str
    sha256: str
    size: int
    rows: int | None
    kind: str

    def __post_init__(self) -> None:
        checks.sha256("sha256", self.sha256)
        checks.at_least_zero(size=self.size, rows=self.rows)
        checks.path("name", self.name)
        if self.kind not in get_args(Kind):
            raise ValueError(f"kind must be one of {', '.join(get_args(Kind))}, got {self.kind!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitFacts:
    """What is in one split file.

    Parameters
    ----------
    questions, pairs, unpaired : int
        ``questions == 2 * pairs + unpaired``.
    label_1 : int, or None
        Questions whose right option is the first; None for the blind split.
    domains : mapping of str to int
        Questions by domain.
    mean_words, mean_tokens : float, or None
    vocabulary : int
        Of `text.TextFigures`; the means are None without questions.
    """

    questions: int
    pairs: int
    unpaired: int
    label_1: int | None
    domains: Mapping[str, int]
    mean_words: float | None
    vocabulary: int
    mean_tokens: float | None = None

    def __post_init__(self) -> None:
        checks.at_least_zero(
            questions=self.questions,
            pairs=self.pairs,
            unpaired=self.unpaired,
            label_1=self.label_1,
            vocabulary=self.vocabulary,
        )
        checks.counts("domains", self.domains)
        if self.questions != 2 * self.pairs + self.unpaired:
            raise ValueError(
                f"questions must be 2 * pairs + unpaired = {2 * self.pairs + self.unpaired}, "
                f"got {self.questions}"
            )
        if self.label_1 is not None and self.label_1 > self.questions:
            raise ValueError(f"label_1 must be at most {self.questions}, got {self.label_1}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """An estimate with its 95 % interval; *n* counts what it is over.

    ``value`` is None where nothing could be measured.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int

    def __post_init__(self) -> None:
        checks.at_least_zero(n=self.n)


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleFigure(Figure):
    """A figure of people: ``low`` and ``high`` are for these people.

    ``people_low`` and ``people_high`` are for people like them; None if there were too few.
    """

    people_low: float | None = None
    people_high: float | None = None
    n_people: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class HourlyPay:
    """The median pay per hour of work, as a decimal text, over *n* people; None if unknown."""

    median: str | None
    n: int

    def __post_init__(self) -> None:
        checks.money("median", self.median)
        checks.at_least_zero(n=self.n)


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """Who wrote and validated the questions of the campaign, when, for what pay and by which rules.

    Parameters
    ----------
    writers, validators : int
        People.
    twins_written, questions_validated, questions_valid, votes : int
        ``questions_validated`` have a verdict.
    votes_per_question : int
    first_written, last_written : str, or None
        ISO 8601 dates; None without written twins.
    guideline_versions : tuple of str
    pay_per_twin, pay_per_vote : str, or None
        Decimal text in ``currency``.
    currency : str
        ISO 4217.
    hourly_pay : mapping of str to HourlyPay
        By kind of work: 'writing', 'validating'.
    verdict_policy : str
    verdict_version : str
    rules : mapping of str to number
        ``min_words``, ``max_words``, ``min_overlap``, ``near_duplicate``.
    excluded : mapping of str to int
        What was collected and is not used: withdrawn twins, excluded votes, and verdicts by the
        reason for which they are negative.
    """

    writers: int
    validators: int
    twins_written: int
    questions_validated: int
    questions_valid: int
    votes: int
    votes_per_question: int
    first_written: str | None
    last_written: str | None
    guideline_versions: tuple[str, ...]
    pay_per_twin: str | None
    pay_per_vote: str | None
    currency: str
    hourly_pay: Mapping[str, HourlyPay]
    verdict_policy: str
    verdict_version: str
    rules: Mapping[str, float]
    excluded: Mapping[str, int]

    def __post_init__(self) -> None:
        names = ("writers", "validators", "twins_written", "questions_validated")
        more = ("questions_valid", "votes", "votes_per_question")
        checks.at_least_zero(**{name: getattr(self, name) for name in (*names, *more)})
        checks.counts("excluded", self.excluded)
        for name in ("first_written", "last_written"):
            checks.date(name, getattr(self, name))
        for name in ("pay_per_twin", "pay_per_vote"):
            checks.money(name, getattr(self, name))


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanPerformance:
    """People's performance on a split, from fresh votes: not those that made questions valid.

    Parameters
    ----------
    split : str
        Of the release; 'all' for a snapshot.
    questions, people, votes : int
    individual, majority, group : PeopleFigure
        Share of right votes, of right majorities, and of pairs with both majorities right.
    """

    split: str
    questions: int
    people: int
    votes: int
    individual: PeopleFigure
    majority: PeopleFigure
    group: PeopleFigure | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """How texts were entered: questions by origin flag, and the threshold of 'pasted'."""

    questions: Mapping[str, int]
    pasted_from_share: float

    def __post_init__(self) -> None:
        checks.counts("questions", self.questions)


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotFacts:
    """The snapshot the release was made from; *questions_sha256* is the hash of its file."""

    questions_sha256: str
    questions: int
    pairs: int

    def __post_init__(self) -> None:
        checks.sha256("questions_sha256", self.questions_sha256)
        checks.at_least_zero(questions=self.questions, pairs=self.pairs)
