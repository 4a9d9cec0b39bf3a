"""What the provenance of a release's questions adds up to."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from collection.core.costs import LONGEST_SECONDS, WorkTime, report
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


@dataclass(slots=True)
class _Work:
    """One person's pay and seconds on work with a known time."""

    pay: Decimal = Decimal(0)
    seconds: float = 0.0
    units: int = 0

    def add(self, pay: str, seconds: float) -> None:
        self.pay += Decimal(pay)
        self.seconds += seconds
        self.units += 1


def _counters() -> dict[str, Counter[str]]:
    return {WRITING: Counter(), VALIDATING: Counter()}


@dataclass(slots=True)
class ProvenanceTally:
    """Counts over the lines of ``provenance/``; memory grows with the number of people alone.

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
    work: dict[str, dict[str, _Work]] = field(default_factory=lambda: {WRITING: {}, VALIDATING: {}})
    patterns: dict[str, Counter[Pair]] = field(
        default_factory=lambda: {part: Counter() for part in PARTS}
    )
    _last: str = ""
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
        twin = question["qID"].rpartition("-")[0]
        if twin != self._last:
            # Once for a pair: it was written, and paid, as a whole.
            self._last = twin
            self._add_work(WRITING, question["writer"], question["pay"], question["seconds"])

    def _add_vote(self, vote: Line) -> None:
        self.votes += not vote["excluded"]
        self.votes_excluded += vote["excluded"]
        self.votes_additional += vote["additional"]
        self.guidelines[VALIDATING][_text(vote["guidelines"])] += 1
        self.pay[VALIDATING][_text(vote["pay"])] += 1
        times = vote["seconds_local"], vote["seconds"]
        seconds = None if None in times else min(LONGEST_SECONDS, sum(times))
        self._add_work(VALIDATING, vote["validator"], vote["pay"], seconds)

    def _add_work(self, kind: str, who: str, pay: str | None, seconds: float | None) -> None:
        work = self.work[kind].setdefault(who, _Work())
        if pay is not None and seconds:
            work.add(pay, seconds)

    def collection(self, *, currency: str) -> dict[str, Any]:
        """Return the facts that `bundle.facts.Collection` has."""
        months = sorted(self.months)
        return {
            "questions": self.questions,
            "written": self.written,
            "writers": len(self.work[WRITING]),
            "validators": len(self.work[VALIDATING]),
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
            "hourly_pay": {work: _hourly(people) for work, people in self.work.items()},
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


def _hourly(people: Mapping[str, _Work]) -> dict[str, Any]:
    times = (WorkTime(who, one.pay, one.seconds, one.units) for who, one in people.items())
    pay = report(times)
    return {"median": None if pay.median is None else str(pay.median), "n": pay.n_workers}


def _text(value: object) -> str:
    return "" if value is None else str(value)
