"""What should become of seats, small enough to be believed: no query, no lock, one list."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from validation.core.verdicts import Ballot, Policy

LONGEST = timedelta(minutes=30)
UNDO_FOR = timedelta(minutes=10)
Said = tuple[int, bool]
"""The option chosen, in the twin's own numbering, and whether both seemed plausible."""


@dataclass(frozen=True)
class Rules:
    """What the campaign of one run asks for."""

    minutes: int
    votes: int
    extra: int
    policy: Policy
    most: int | None = None


@dataclass
class Sit:
    """One seat; without a place it is one worker's gold question."""

    key: uuid.UUID
    twin: int
    question: int
    place: tuple[int, int] | None
    stand_in: "Sit | None" = None  # the ordinary seat in whose place a gold question came
    worker: int | None = None
    claimed_at: datetime | None = None
    until: datetime | None = None
    reward: Decimal | None = None
    local_at: datetime | None = None
    local: int | None = None
    answered_at: datetime | None = None
    said: Said | None = None
    excluded: bool = False

    def is_held(self, now: datetime) -> bool:
        return self.answered_at is None and self.until is not None and self.until > now

    def free(self) -> None:
        self.worker = self.claimed_at = self.until = self.reward = None
        self.local_at = self.local = None


@dataclass
class Next:
    """What a claim should give: a refusal, a seat, or one of some gold questions."""

    code: str = ""
    reason: str = ""
    again_at: datetime | None = None
    sit: Sit | None = None
    golds: tuple[int, ...] = ()
    stand_in: Sit | None = None
    leaving: tuple[Sit, ...] = ()


@dataclass
class Model:
    """Who holds what, who has said what, who is blocked where."""

    rules: Rules
    authors: dict[int, int | None]
    sits: dict[uuid.UUID, Sit] = field(default_factory=dict)
    passed: dict[tuple[int, uuid.UUID], bool] = field(default_factory=dict)
    met: set[tuple[int, int]] = field(default_factory=set)
    blocked: set[tuple[int, int]] = field(default_factory=set)
    gone: set[int] = field(default_factory=set)
    paused: set[int] = field(default_factory=set)
    decided: dict[int, bool] = field(default_factory=dict)
    allowed: dict[int, int] = field(default_factory=dict)
    is_open: bool = True

    def of(self, worker: int) -> list[Sit]:
        """What a worker has in hand or let lapse, the oldest first."""
        mine = [sit for sit in self.sits.values() if sit.worker == worker and not sit.answered_at]
        return sorted(mine, key=lambda sit: str(sit.claimed_at))

    def alive(self, worker: int, now: datetime) -> list[Sit]:
        return [sit for sit in self.of(worker) if sit.is_held(now)]

    def numbered(self, question: int) -> list[Sit]:
        return [sit for sit in self.sits.values() if sit.question == question and sit.place]

    def ballots(self, question: int) -> list[Ballot]:
        """The votes that a verdict counts."""
        counted = [sit for sit in self.numbered(question) if sit.said and not sit.excluded]
        return [Ballot(*sit.said, sit.local) for sit in counted if sit.said]

    def waiting(self, question: int) -> list[Sit]:
        return [sit for sit in self.numbered(question) if not sit.answered_at]

    # -- claims ------------------------------------------------------------------------------------
    def open_to(self, worker: int, lapsed: Sequence[Sit] = ()) -> list[Sit]:
        """The seats without a vote in which a worker may sit, once they have left *lapsed*."""
        left = {sit.key for sit in lapsed}
        shut = {s.twin for s in self.sits.values() if s.worker == worker and s.key not in left}
        shut |= {sit.twin for sit in lapsed if sit.local_at or not sit.place}
        shut |= {twin for validator, twin in self.blocked if validator == worker}
        shut |= {twin for twin, author in self.authors.items() if author == worker}
        sits = [
            s for s in self.sits.values() if s.place and not s.answered_at and s.twin not in shut
        ]
        return sorted(sits, key=lambda sit: sit.place or (0, 0))

    def next_for(
        self, worker: int, *, ahead: bool, coin: bool, golds: Sequence[tuple[int, int]],
        now: datetime,
    ) -> Next:  # fmt: skip
        """Say what a claim gives; *golds* are pairs of a gold question and its twin."""
        alive = self.alive(worker, now)
        if len(alive) > int(ahead):
            return Next(sit=alive[int(ahead)])
        if not self.is_open:
            return Next("campaign_not_open")
        if worker in self.paused:
            return Next("worker_paused")
        if self.rules.most is not None and self._voted(worker) + len(alive) >= self.rules.most:
            return Next("vote_limit")
        lapsed = [sit for sit in self.of(worker) if not sit.is_held(now)]
        in_use = {question for question, _ in golds}
        # An unopened gold question comes back in its turn, unless others have claimed since.
        unopened = [sit for sit in lapsed if not sit.local_at]
        golden = [sit for sit in unopened if not sit.place and sit.question in in_use]
        kept = [sit for sit in golden if not self._was_passed_over(sit)]
        if kept and unopened[0] is kept[0]:
            lapsed = [sit for sit in lapsed if sit not in kept]
            return Next(sit=kept[0], leaving=tuple(lapsed))
        return self._new_for(worker, [sit for sit in lapsed if sit not in kept],
                             self._golds_for(worker, golds) if coin else (), now)  # fmt: skip

    def _was_passed_over(self, lapsed: Sit) -> bool:
        """Whether another validator has claimed since the lease of *lapsed* ended."""
        others = [sit for sit in self.sits.values() if sit.worker not in (None, lapsed.worker)]
        assert lapsed.until is not None
        return any(sit.claimed_at and sit.claimed_at > lapsed.until for sit in others)

    def _new_for(
        self, worker: int, leaving: Sequence[Sit], golds: tuple[int, ...], now: datetime
    ) -> Next:
        # Where a curator has decided, who sits there may end; a seat that is left is gone.
        gone = {sit.key for sit in leaving if sit.question in self.decided}
        others = [sit for sit in self.open_to(worker, leaving) if sit.key not in gone]
        held = [sit for sit in others if sit.is_held(now)]
        free = [
            sit for sit in others
            if sit not in held and (sit.worker is None or sit.question not in self.decided)
        ]  # fmt: skip
        if free and golds:
            return Next(golds=golds, stand_in=free[0], leaving=tuple(leaving))
        if free:
            return Next(sit=free[0], leaving=tuple(leaving))
        if held:
            return Next("queue_empty", "all_leased", min(sit.until for sit in held if sit.until))
        left = [
            s for s in self.sits.values() if s.place and not s.answered_at and s.key not in gone
        ]
        return Next("queue_empty", "yours_or_validated" if left else "all_validated")

    def _voted(self, worker: int) -> int:
        """Gold votes count: else the count would tell them apart."""
        return sum(sit.worker == worker and sit.said is not None for sit in self.sits.values())

    def _golds_for(self, worker: int, golds: Sequence[tuple[int, int]]) -> tuple[int, ...]:
        known = {sit.twin for sit in self.sits.values() if sit.worker == worker}
        known |= {twin for validator, twin in self.met if validator == worker}
        known |= {twin for twin, author in self.authors.items() if author == worker}
        return tuple(gold for gold, twin in golds if twin not in known | self.gone)

    def take(
        self, sit: Sit, worker: int, *, leaving: Sequence[Sit], reward: Decimal, now: datetime
    ) -> None:
        """Seat a worker, who leaves what lapsed in their hands; so does who sat here."""
        for lapsed in leaving:
            self.leave(lapsed, blocked=lapsed.local_at is not None)
        if sit.worker not in (None, worker):
            self.leave(sit, blocked=sit.local_at is not None)
        sit.worker, sit.claimed_at, sit.reward = worker, now, reward
        sit.until = now + timedelta(minutes=self.rules.minutes)
        self.sits[sit.key] = sit

    def leave(self, sit: Sit, *, blocked: bool, withdrawn: bool = False) -> None:
        """Let a worker go without a vote; a seat that nobody else gets goes with them."""
        assert sit.worker is not None
        self.passed[sit.worker, sit.key] = withdrawn
        self.met.add((sit.worker, sit.twin))
        if blocked or not (sit.place or withdrawn):
            self.blocked.add((sit.worker, sit.twin))
        sit.free()
        if not sit.place or sit.question in self.decided:
            del self.sits[sit.key]

    def drop(self, sit: Sit, *, withdrawn: bool) -> None:
        """Take a seat away from its holder."""
        if sit.worker is not None:
            self.leave(sit, blocked=sit.local_at is not None, withdrawn=withdrawn)
        self.sits.pop(sit.key, None)

    # -- what a worker hears of a seat -------------------------------------------------------------
    def held_by(self, worker: int, key: uuid.UUID) -> Sit | None:
        sit = self.sits.get(key)
        return sit if sit is not None and sit.worker == worker else None

    def not_theirs(self, worker: int, key: uuid.UUID) -> str:
        """The code for a seat that is not the worker's, or not any more."""
        if (worker, key) not in self.passed:
            return "not_found"
        return "question_withdrawn" if self.passed[worker, key] else "lease_expired"

    def beat(self, worker: int, key: uuid.UUID, now: datetime) -> str:
        sit = self.held_by(worker, key)
        if sit is None:
            return self.not_theirs(worker, key)
        if not sit.answered_at and not sit.is_held(now):
            return "lease_expired"
        for held in self.alive(worker, now):
            assert held.until is not None
            assert held.claimed_at is not None
            longer = min(now + timedelta(minutes=self.rules.minutes), held.claimed_at + LONGEST)
            held.until = max(held.until, longer)
        return ""

    def is_too_late(self, sit: Sit, now: datetime) -> bool:
        """Whether a seat that still names its holder is not theirs any more."""
        if sit.answered_at or sit.is_held(now):
            return False
        if sit.place:
            return not self.is_open or sit.question in self.decided
        return not self.is_open or self._would_be_taken(sit)

    def _would_be_taken(self, gold: Sit) -> bool:
        """Whether another validator would have taken an ordinary question in its place."""
        until, stand_in = gold.until, gold.stand_in
        assert until is not None
        assert stand_in is not None
        assert stand_in.place is not None
        since = {
            sit.worker
            for sit in self.sits.values()
            if sit.worker not in (None, gold.worker)
            and sit.place and sit.place[0] >= stand_in.place[0]
            and sit.claimed_at and sit.claimed_at > until
        }  # fmt: skip
        before = {
            sit.worker
            for sit in self.sits.values()
            if sit.twin == stand_in.twin and sit.claimed_at and sit.claimed_at <= until
        }
        barred = {worker for worker, twin in self.blocked if twin == stand_in.twin}
        return bool(since - before - barred - {self.authors[stand_in.twin]})

    def hold_again(self, sit: Sit, now: datetime) -> None:
        if not sit.answered_at and not sit.is_held(now):
            sit.claimed_at, sit.until = now, now + timedelta(minutes=self.rules.minutes)

    def answer(self, worker: int, key: uuid.UUID, local: int | None, now: datetime) -> str:
        sit = self.held_by(worker, key)
        if sit is None:
            return self.not_theirs(worker, key)
        if self.is_too_late(sit, now):
            return "lease_expired"
        if sit.local_at and sit.local != local:
            return "already_answered"
        self.hold_again(sit, now)
        if sit.local_at:
            return ""
        sit.local_at, sit.local = now, local
        return ""

    def vote(self, worker: int, key: uuid.UUID, said: Said, now: datetime) -> str:
        sit = self.held_by(worker, key)
        if sit is None:
            return self.not_theirs(worker, key)
        if sit.answered_at:
            return "" if sit.said == said else "already_answered"
        if self.is_too_late(sit, now):
            return "lease_expired"
        if not sit.local_at:
            return "local_context_first"
        self.hold_again(sit, now)
        sit.answered_at, sit.said = now, said
        return ""

    def give_back(self, worker: int, key: uuid.UUID) -> str:
        sit = self.held_by(worker, key)
        if sit is None:
            return "" if (worker, key) in self.passed else "not_found"
        if sit.answered_at:
            return "already_voted"
        self.leave(sit, blocked=True)
        return ""

    def amend(self, worker: int, key: uuid.UUID, said: Said, now: datetime) -> str:
        sit = self.held_by(worker, key)
        if sit is None:
            return self.not_theirs(worker, key)
        if sit.answered_at is None:
            return "undo_over"
        if sit.said == said:
            return ""
        # A question that they began counts while it is theirs. One that they gave back, or lost
        # to another, was never answered: the vote before it is their last answer again.
        mine = [other for other in self.sits.values() if other.worker == worker]
        since = any(
            (s.answered_at or s.local_at or sit.answered_at) > sit.answered_at for s in mine
        )
        is_used = bool(sit.place) and sit.question in self.decided
        if since or sit.excluded or is_used or now - sit.answered_at > UNDO_FOR:
            return "undo_over"
        sit.said = said
        return ""

    def more(self, question: int) -> int:
        """Let the votes decide again, with one more; return how many seats wait for theirs then.

        Where a decision came before the last vote, and took seats away, all that lack come back.
        """
        self.decided.pop(question, None)
        waiting = len(self.waiting(question))
        missing = self.rules.votes - len(self.ballots(question)) - waiting
        if missing <= 0:
            self.allowed[question] = self.allowed.get(question, 0) + 1
        return waiting + max(missing, 1)

    def withdraw(self, twin: int) -> str:
        sits = [sit for sit in self.sits.values() if sit.twin == twin]
        if any(sit.answered_at for sit in sits):
            return "already_validated"
        for sit in sits:
            self.drop(sit, withdrawn=True)
        self.gone.add(twin)
        return ""
