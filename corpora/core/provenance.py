"""What the provenance of a release's questions adds up to."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from collection.core.costs import LONGEST_SECONDS, hourly_rate, median_rate
from corpora.core.metrics import rounded_fields
from stats.agreement import agreement_of_groups

MEASURES = ("raw", "alpha", "kappa")
# Each part of a vote: its key, its values, and which value is which with the options swapped.
PARTS: Mapping[str, tuple[str, tuple[Any, ...], tuple[int, ...] | None]] = {
    "answer": ("option", (1, 2), (1, 0)),
    "ambiguity": ("ambiguous", (False, True), None),
    "local": ("local_option", (None, 1, 2), (0, 2, 1)),
}
WRITING, VALIDATING = "writing", "validating"
Line = Mapping[str, Any]
Pair = tuple[tuple[int, ...], ...]  # how often each value was given to each question of a pair


@dataclass(frozen=True, slots=True)
class Piece:
    """A vote, or a twin that was written; ``person`` is never published.

    Of a vote, ``seconds_local`` is the time to the answer from the local context.
    """

    work: str
    person: Hashable
    pay: str | None
    seconds: int | None
    seconds_local: int | None = None

    @property
    def line(self) -> dict[str, Any] | None:
        """The line of ``times.jsonl``; None without a time."""
        times = {"seconds_local": self.seconds_local} if self.work == VALIDATING else {}
        times["seconds"] = self.seconds
        return None if set(times.values()) == {None} else {"work": self.work, **times}

    @property
    def all_seconds(self) -> float | None:
        """Seconds of the whole work, as far as pay per hour counts them."""
        if self.work == WRITING or self.seconds is None:
            return self.seconds
        known = None if self.seconds_local is None else self.seconds_local + self.seconds
        return None if known is None else min(LONGEST_SECONDS, known)


@dataclass(slots=True)
class _Work:
    """One person's pay and seconds on work with a known time."""

    pay: Decimal = Decimal(0)
    seconds: float = 0.0

    def add(self, pay: str, seconds: float) -> None:
        self.pay += Decimal(pay)
        self.seconds += seconds

    @property
    def rate(self) -> Decimal | None:
        return hourly_rate(self.pay, self.seconds)


@dataclass(slots=True)
class PeopleTally:
    """How many people did each kind of work, and what an hour of it paid each of them."""

    work: dict[str, dict[Hashable, _Work]] = field(
        default_factory=lambda: {WRITING: {}, VALIDATING: {}}
    )

    def add(self, piece: Piece) -> None:
        work = self.work[piece.work].setdefault(piece.person, _Work())
        if piece.pay is not None and piece.all_seconds:
            work.add(piece.pay, piece.all_seconds)

    def counts(self) -> dict[str, int]:
        return {work: len(people) for work, people in self.work.items()}

    def persons(self) -> set[Hashable]:
        """Return all of them, each once."""
        return {person for people in self.work.values() for person in people}

    def rates(self) -> list[dict[str, str]]:
        """Return the lines of ``rates.jsonl``: each person's pay for an hour, lowest first."""
        return [
            {"work": work, "rate": str(rate)}
            for work, people in self.work.items()
            for rate in sorted(filter(None, (person.rate for person in people.values())))
        ]


def _counters() -> dict[str, Counter[str]]:
    return {WRITING: Counter(), VALIDATING: Counter()}


@dataclass(slots=True)
class ProvenanceTally:
    """Counts over the lines of ``provenance/``; memory grows with the number of names alone.

    Questions of one twin must be added one after the other, as the files have them.
    """

    questions: int = 0
    written: int = 0
    votes: int = 0
    votes_excluded: int = 0
    votes_additional: int = 0
    months: set[str] = field(default_factory=set)
    rules: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    decided: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    guidelines: dict[str, Counter[str]] = field(default_factory=_counters)
    pay: dict[str, Counter[str]] = field(default_factory=_counters)
    names: dict[str, set[str]] = field(default_factory=lambda: {WRITING: set(), VALIDATING: set()})
    patterns: dict[str, Counter[Pair]] = field(
        default_factory=lambda: {part: Counter() for part in PARTS}
    )
    _voted: str = ""
    _pair: dict[str, list[tuple[int, ...]]] = field(
        default_factory=lambda: {part: [] for part in PARTS}
    )

    def add(self, question: Line, votes: Sequence[Line]) -> None:
        """Count a line of ``questions.jsonl``, and those of ``votes.jsonl`` about it."""
        self.questions += 1
        if question["settings"] is not None:
            self._add_written(question)
        counted = [vote for vote in votes if not vote["excluded"]]
        for vote in votes:
            self._add_vote(vote)
        self.decided[(*_way(question["verdict"]), len(counted))] += 1
        pair = question["qID"].rpartition("-")[0]
        if pair != self._voted:
            self._end_pair()
            self._voted = pair
        first = [vote for vote in counted if not vote["additional"]]
        for part, (key, values, _) in PARTS.items() if first else ():
            answers = [vote[key] for vote in first]
            self._pair[part].append(tuple(answers.count(value) for value in values))

    def _add_written(self, question: Line) -> None:
        self.written += 1
        self.months.add(question["written"])
        self.rules[tuple(question["settings"][name] for name in RULES)] += 1
        self.guidelines[WRITING][_text(question["guidelines"])] += 1
        self.pay[WRITING][_text(question["pay"])] += 1
        self.names[WRITING].add(question["writer"])

    def _add_vote(self, vote: Line) -> None:
        self.votes += not vote["excluded"]
        self.votes_excluded += vote["excluded"]
        self.votes_additional += vote["additional"]
        self.guidelines[VALIDATING][_text(vote["guidelines"])] += 1
        self.pay[VALIDATING][_text(vote["pay"])] += 1
        self.names[VALIDATING].add(vote["validator"])

    def collection(
        self, *, currency: str, people: Mapping[str, int], rates: Iterable[Line]
    ) -> dict[str, Any]:
        """Return the facts that `bundle.facts.Collection` has.

        Parameters
        ----------
        currency : str
        people : mapping of str to int
            By kind of work: those behind the names.
        rates : iterable of mapping
            The lines of ``rates.jsonl``.
        """
        months = sorted(self.months)
        return {
            "questions": self.questions,
            "written": self.written,
            "writers": people[WRITING],
            "validators": people[VALIDATING],
            "names": {work: len(names) for work, names in self.names.items()},
            "votes": self.votes,
            "votes_excluded": self.votes_excluded,
            "votes_additional": self.votes_additional,
            "first_written": months[0] if months else None,
            "last_written": months[-1] if months else None,
            "rules": [
                dict(zip((*RULES, "questions"), (*key, n), strict=True))
                for key, n in sorted(self.rules.items())
            ],
            "decided": [*self._decided()],
            "guidelines": {work: dict(sorted(n.items())) for work, n in self.guidelines.items()},
            "pay": {work: dict(sorted(n.items())) for work, n in self.pay.items()},
            "currency": currency,
            "hourly_pay": _hourly(rates),
        }

    def _decided(self) -> Iterator[dict[str, Any]]:
        for (by, policy, version, votes), n in sorted(self.decided.items(), key=_in_order):
            yield {"by": by, "policy": policy, "version": version, "votes": votes, "questions": n}

    def agreement(self) -> dict[str, dict[str, Any]]:
        """Return the agreement of the first votes on each question, by part and measure.

        Intervals are over pairs, for these validators.

        Those that were due: additional votes are asked for because the first ones differ.
        """
        self._end_pair()
        by_kind = {}
        for part, patterns in self.patterns.items():
            if patterns:
                groups = dict(sorted(patterns.items()))
                measured = agreement_of_groups(groups, mirror=PARTS[part][2])
                for measure in MEASURES:
                    by_kind[f"{part}_{measure}"] = rounded_fields(getattr(measured, measure), 4)
        return by_kind

    def _end_pair(self) -> None:
        """Count the votes on the questions of a pair together: intervals are over pairs."""
        for part, counts in self._pair.items():
            if counts:
                self.patterns[part][tuple(sorted(counts))] += 1
        self._pair = {part: [] for part in PARTS}


RULES = ("min_words", "max_words", "min_overlap", "votes_per_question", "verdict_policy")


def _way(verdict: Line | None) -> tuple[str, str | None, int | None]:
    """Return how a question was decided; the policy and its version where votes decided."""
    if verdict is None:
        return "import", None, None
    if verdict["by_curator"]:
        return "curator", None, None
    return "votes", verdict["policy"], verdict["version"]


def _in_order(item: tuple[tuple[Any, ...], int]) -> tuple[Any, ...]:
    (by, policy, version, votes), _ = item
    return ("votes", "curator", "import").index(by), policy or "", version or 0, votes


def _hourly(rates: Iterable[Line]) -> dict[str, Any]:
    by_work: dict[str, list[Decimal]] = {WRITING: [], VALIDATING: []}
    for line in rates:
        by_work[line["work"]].append(Decimal(line["rate"]))
    medians = {work: median_rate(sorted(of)) for work, of in by_work.items()}
    return {
        work: {"median": None if median is None else str(median), "n": len(by_work[work])}
        for work, median in medians.items()
    }


def _text(value: object) -> str:
    return "" if value is None else str(value)
