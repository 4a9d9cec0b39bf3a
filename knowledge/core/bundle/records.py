"""The records of a knowledge release, and its problems."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from corpora.core.bundle import checks
from corpora.core.bundle.manifest import Named
from corpora.core.items import Item
from knowledge.core.problems import problem_of
from knowledge.core.released import VARIANTS, ReleasedProblem
from knowledge.core.slots import Form, Mention, read

FORMAT = 1
FALSE_KINDS = ("negation", "swapped", "replaced", "changed", "other")
_PAIR = re.compile(r"[A-Z2-7]{30}")
# With a letter where a spreadsheet would read a number; see ``Publisher.pseudonym``.
_PSEUDONYM = re.compile(r"[0-9a-fp][0-9a-f]{15}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The release or reference set that the questions are of."""

    kind: str
    name: str
    licence: str = ""

    def __post_init__(self) -> None:
        checks.one_of("kind", self.kind, ("release", "reference_set"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """How many people answered about each problem, and how many of them make it valid."""

    annotators: int
    needed: int

    def __post_init__(self) -> None:
        if not self.annotators < 2 * self.needed <= 2 * self.annotators:
            raise ValueError("needed must be more than half of annotators, and at most all")


@dataclass(frozen=True, slots=True, kw_only=True)
class About(Named):
    """What a release is called, and what it was made from.

    Parameters
    ----------
    built_at : str
        The time of the request.
    people : People
        Who worked on the set, and on the questions that it is about.
    left_out : mapping of str to int
        By reason: the pairs that are not published.
    set : str
        Name of the knowledge set.
    validation : Validation, or None
        None if nobody validated the set: then no problem is valid or invalid.
    """

    set: str
    set_title: str
    source: Source
    validation: Validation | None
    format: int = FORMAT

    def __post_init__(self) -> None:
        Named.__post_init__(self)  # the class with slots is another one than ``super()`` knows
        checks.plain_name("set", self.set)


@dataclass(frozen=True, slots=True, kw_only=True)
class FormulaRecord:
    """A formula of knowledge."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsRecord:
    """The words of a predicate, or of an action, whose ``negative`` is empty."""

    name: str
    positive: str
    negative: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofRecord:
    """What a prover found for a formalisation: whether it is verified, and by which ways."""

    prover: str
    verified: bool
    ways: tuple[str, ...]
    undecided: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FormalisationRecord:
    """A version of a question as formulas; *formulas* are names."""

    question: str
    version: int
    content: Mapping[str, Any]
    formulas: tuple[str, ...]
    fingerprint: str
    proof: ProofRecord | None

    def __post_init__(self) -> None:
        checks.sha256("fingerprint", self.fingerprint)
        checks.at_least_zero(version=self.version)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRecord:
    """A claim of a proof as an SMT-LIB 2 script with the answer that it must give."""

    question: str
    version: int
    claim: str
    expected: str
    script: str

    def __post_init__(self) -> None:
        checks.one_of("expected", self.expected, ("unsat", "sat"))


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceRecord:
    """A sentence with slots, the noun phrases of its names, and whether it is valid."""

    id: str
    text: str
    mentions: Mapping[str, Mention]
    valid: bool | None

    def __post_init__(self) -> None:
        if sorted(self.mentions.keys() - read(self.text).kinds):
            raise ValueError("mentions must be of names that the text introduces")


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRecord:
    """A true sentence and its false version, about one question.

    Parameters
    ----------
    pair : str
        30 random letters and digits; the ids of both sentences begin with it.
    version : int
        Of the formalisation that the sentences were written for.
    formula : str, or None
        Name of the formula that the true sentence puts into words.
    kind : str
        How the false version was made.
    false_formula, pick : str
        Of a false version with a formula, and what it picks: "other" or "neither".
    """

    pair: str
    question: str
    version: int
    formula: str | None
    kind: str
    false_formula: str
    pick: str
    true: SentenceRecord
    false: SentenceRecord

    def __post_init__(self) -> None:
        if not _PAIR.fullmatch(self.pair):
            raise ValueError(f"pair must be 30 letters and digits, got {self.pair!r:.40}")
        if {self.true.id, self.false.id} != {f"{self.pair}-1", f"{self.pair}-2"}:
            raise ValueError(f"the ids of a pair must be {self.pair}-1 and {self.pair}-2")
        checks.one_of("kind", self.kind, FALSE_KINDS)
        checks.one_of("pick", self.pick, ("other", "neither") if self.false_formula else ("",))


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteRecord:
    """An annotator's answer about a problem, under a name of this release alone.

    ``seconds`` are in releases of earlier versions; new ones have none.
    """

    id: str
    annotator: str
    yes: bool
    fails: str
    seconds: int | None

    def __post_init__(self) -> None:
        if not _PSEUDONYM.fullmatch(self.annotator):
            raise ValueError("annotator must be 16 hexadecimal digits, or p and 15")
        checks.one_of("fails", self.fails, ("",) if self.yes else ("", "sense", "support", "both"))
        checks.at_least_zero(seconds=self.seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """All records of a release but the claims of its proofs.

    Parameters
    ----------
    questions : tuple of Item
        Those with formulas or sentences, in the order of their ids.
    pairs : tuple of PairRecord
        In the order of ``pair``, which is random.
    votes : tuple of VoteRecord
        In the order of problem and annotator.
    """

    about: About
    questions: tuple[Item, ...]
    words: tuple[WordsRecord, ...]
    formulas: tuple[FormulaRecord, ...]
    formalisations: tuple[FormalisationRecord, ...]
    pairs: tuple[PairRecord, ...]
    votes: tuple[VoteRecord, ...]


TRUE = "true"


def problems_of(bundle: Bundle) -> Iterator[ReleasedProblem]:
    """Yield every problem, variant by variant, in the order of ids.

    Raises
    ------
    ValueError
        When a pair's question is not among the questions, or is no question for a problem.
    """
    for variant in VARIANTS:
        yield from problems_in(bundle, variant)


def problems_in(bundle: Bundle, variant: Form) -> Iterator[ReleasedProblem]:
    """Yield the problems of one variant, in the order of ids."""
    items = {item.id: item for item in bundle.questions}
    for pair in bundle.pairs:
        if pair.question not in items:
            raise ValueError(f"pair {pair.pair}: {pair.question!r:.80} is not among the questions")
        item = items[pair.question]
        for sentence, label in labelled(pair):
            said = read(sentence.text).render(variant, sentence.mentions, inside=True)
            yield ReleasedProblem(
                id=sentence.id,
                pair=pair.pair,
                question=item.id,
                group=item.group,
                variant=variant,
                kind=TRUE if label else pair.kind,
                label=label,
                problem=problem_of(item, said),
                valid=sentence.valid,
            )


def labelled(pair: PairRecord) -> list[tuple[SentenceRecord, bool]]:
    """Return the two sentences with their labels, in the order of ids."""
    return sorted([(pair.true, True), (pair.false, False)], key=lambda both: both[0].id)


def is_valid(pair: PairRecord) -> bool:
    """Return whether both sentences are valid: pairs never part."""
    return pair.true.valid is True and pair.false.valid is True
