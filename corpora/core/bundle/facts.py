"""The parts of a manifest that describe files, splits and their collection."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Literal, get_args

from collection.core.people import People
from corpora.core.bundle import checks, codec

Kind = Literal["split", "labels", "document", "provenance", "report", "code"]
By = Literal["votes", "curator", "import"]


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
class RepeatFacts:
    """How many questions repeat another one: the same sentence and options, however typed.

    Parameters
    ----------
    questions : int
        Of the full training set, dev and test together.
    repeated : int
        Questions that repeat another one.
    across_splits : int
        Of these, those that repeat one of another split.
    same_answer, other_answer : int
        Of those in train and dev, how many repeat one there with the same answer, and with the
        other. The labels of test are secret.
    """

    questions: int
    repeated: int
    across_splits: int
    same_answer: int
    other_answer: int

    def __post_init__(self) -> None:
        checks.at_least_zero(**{name: getattr(self, name) for name in self.__slots__})


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
class Rules:
    """Settings under which twins were submitted, and how many questions are of these twins.

    Parameters
    ----------
    min_words, max_words : int
        Of a sentence.
    min_overlap : float in [0, 1]
        Share of the words that the sentences of a twin have in common.
    votes_per_question : int
        Votes that were due on each question.
    verdict_policy : str
    questions : int
    """

    min_words: int
    max_words: int
    min_overlap: float
    votes_per_question: int
    verdict_policy: str
    questions: int

    def __post_init__(self) -> None:
        checks.at_least_zero(questions=self.questions, votes_per_question=self.votes_per_question)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """How many questions were decided in one way, and with how many votes.

    Parameters
    ----------
    by : {'votes', 'curator', 'import'}
        'import' for questions of a published set, which were validated there.
    policy : str, or None
    version : int, or None
        Of the policy; both are known for votes alone.
    votes : int
        Votes on each of the questions that are not excluded.
    questions : int
    """

    by: str
    policy: str | None
    version: int | None
    votes: int
    questions: int

    def __post_init__(self) -> None:
        checks.one_of("by", self.by, get_args(By))
        checks.at_least_zero(votes=self.votes, questions=self.questions)


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """Who wrote and validated the questions of training and dev, when, for what pay, by what rules.

    All but the number of people can be computed again from ``provenance/``, see
    `corpora.core.provenance`. Of blind questions the release has nothing but commitments.

    Parameters
    ----------
    questions, written : int
        All of them, and those that were written for the campaign; the others were imported.
    writers, validators : int
        People, which no file tells.
    names : mapping of str to int, or None
        By kind of work: the different names in the files, of which a person has one for each
        `publish.NAME_HOLDS` pieces of work. None before format 4: each person had one.
    erased : int, or None
        Of these people, each once, those whose accounts had been erased when the release was
        requested; None where they were not counted.
    votes, votes_excluded, votes_additional : int
        Votes that count; votes that do not; those that count, and were asked for beyond the number
        that was due.
    first_written, last_written : str, or None
        Months; None if nothing was written.
    rules : tuple of Rules
    decided : tuple of Decided
    guidelines : mapping of str to mapping of str to int
        By kind of work ('writing', 'validating'): questions, or votes, by the version of the
        guidelines that their writer or validator had accepted; '' if it is not known.
    pay : mapping of str to mapping of str to int
        By kind of work: questions, or votes, by the pay for a pair or a vote; '' without pay.
    currency : str
        ISO 4217.
    hourly_pay : mapping of str to HourlyPay
        By kind of work; of the work on these questions.
    """

    questions: int
    written: int
    writers: int
    validators: int
    votes: int
    votes_excluded: int
    votes_additional: int
    first_written: str | None
    last_written: str | None
    rules: tuple[Rules, ...]
    decided: tuple[Decided, ...]
    guidelines: Mapping[str, Mapping[str, int]]
    pay: Mapping[str, Mapping[str, int]]
    currency: str
    hourly_pay: Mapping[str, HourlyPay]
    names: Mapping[str, int] | None = codec.later_field()
    erased: int | None = codec.later_field()

    def __post_init__(self) -> None:
        names = ("questions", "written", "writers", "validators")
        more = ("votes", "votes_excluded", "votes_additional")
        checks.at_least_zero(**{name: getattr(self, name) for name in (*names, *more)})
        if self.names is not None:
            checks.counts("names", self.names)
        checks.at_least_zero(erased=self.erased)
        people = self.writers + self.validators
        if self.erased is not None and self.erased > people:
            raise ValueError(f"erased must be at most {people}, got {self.erased}")
        for work in self.pay:
            checks.counts(f"pay.{work}", self.pay[work])
            for amount in self.pay[work]:
                checks.money(f"pay.{work}", amount or None)
        for work in self.guidelines:
            checks.counts(f"guidelines.{work}", self.guidelines[work])
        for name in ("first_written", "last_written"):
            checks.month(name, getattr(self, name))


@dataclass(frozen=True, slots=True, kw_only=True)
class Statements:
    """What the makers of a release state, and no row tells; each is empty if it is not stated.

    Parameters
    ----------
    contact : str
        Whom readers of the data set can ask.
    population : str
        Age, gender, country and first language of the people.
    consent : str
        What people were told, and how they consented.
    ethics_review, funding : str
    social_impact : str, or None
        Whom the data set, or models that learn from it, can help or harm. None in releases that
        were built before it was asked for.
    """

    contact: str = ""
    population: str = ""
    consent: str = ""
    ethics_review: str = ""
    funding: str = ""
    social_impact: str | None = codec.later_field()


@dataclass(frozen=True, slots=True, kw_only=True)
class BackgroundCounts:
    """Counts of answers to optional questions, as published when the release was requested.

    Parameters
    ----------
    text : str
        The question; it was optional.
    many : bool
        Whether people could choose several options.
    people : int
        All who are counted.
    least : int
        Counts are rounded down to multiples of it, in groups of people.
    lines : mapping of str to int
        How many at least chose an option; options without a count are left out.
    rest : int, or None
        All others, also those who did not answer; None where people could choose several options.
    """

    text: str
    many: bool
    people: int
    least: int
    lines: Mapping[str, int]
    rest: int | None

    def __post_init__(self) -> None:
        checks.at_least_zero(people=self.people, least=self.least, rest=self.rest)
        checks.counts("lines", self.lines)


STATEMENTS = tuple(statement.name for statement in fields(Statements))


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanPerformance:
    """People's performance on a split, from fresh votes: not those that made questions valid.

    Parameters
    ----------
    split : str
        'all' for the snapshot.
    release : str
        The release of the campaign that the split is of, or its version if it is for members alone;
        empty for the snapshot, and in manifests that were made before it was recorded.
    questions, people, votes : int
    individual, majority, group : PeopleFigure
        Share of right votes, of right majorities, and of pairs with both majorities right.
    who : People
        Who cast the votes.
    """

    split: str
    questions: int
    people: int
    votes: int
    individual: PeopleFigure
    majority: PeopleFigure
    group: PeopleFigure | None
    release: str = ""
    who: People = field(default_factory=People)


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
