"""What holds of the stored rows after every event, whatever happened before."""

import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from collection.models import Question
from tests.properties.seat_model import Model, Sit
from validation.core.golds import can_be_gold
from validation.core.verdicts import decide
from validation.core.votes import wants_another
from validation.models import GoldQuestion, PassedSeat, Seat, Verdict, Vote
from workers.models import LedgerEntry

SEAT = (
    "public_id", "twin", "question", "worker", "claimed_at", "leased_until", "reward", "local_at",
    "local_option", "answered_at", "gold",
)  # fmt: skip


@dataclass
class Checks:
    """Compares rows with a model; ``answers`` are the authors' by question."""

    model: Model
    answers: dict[int, int]

    def everything(self, questions: Sequence[Question], now: datetime) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
        self.seats_are_the_models()
        self.nobody_sits_where_they_may_not(now)
        self.who_is_barred_is_the_models()
        self.every_vote_is_paid_once_what_was_promised()
        verdicts = {v.question_id: v for v in Verdict.objects.select_related("decided_by")}
        for question in questions:
            if question.twin_id not in self.model.gone:
                self.no_question_has_too_many_votes(question.pk)
                self.verdict_is_that_of_the_votes(question.pk, verdicts.get(question.pk))
        self.what_grew_gold_is_beyond_doubt(verdicts)

    def seats_are_the_models(self) -> None:
        stored = {row[0]: row for row in Seat.objects.values_list(*SEAT)}
        assert {key: row[:-1] for key, row in stored.items()} == {
            key: (
                key, sit.twin, sit.question, sit.worker, sit.claimed_at, sit.until, sit.reward,
                sit.local_at, sit.local, sit.answered_at,
            )
            for key, sit in self.model.sits.items()
        }  # fmt: skip
        assert all((row[-1] is None) == bool(self.model.sits[key].place)
                   for key, row in stored.items())  # fmt: skip

    def nobody_sits_where_they_may_not(self, now: datetime) -> None:
        taken = [sit for sit in self.model.sits.values() if sit.worker is not None]
        assert max(Counter((sit.worker, sit.twin) for sit in taken).values(), default=0) <= 1
        assert all(self.model.authors[sit.twin] != sit.worker for sit in taken)
        assert not {(sit.worker, sit.twin) for sit in taken} & self.model.blocked
        held = Counter(sit.worker for sit in taken if sit.is_held(now))
        assert max(held.values(), default=0) <= 2

    def who_is_barred_is_the_models(self) -> None:
        passed = list(PassedSeat.objects.values_list("worker", "twin", "blocked"))
        assert {(worker, twin) for worker, twin, _ in passed} == self.model.met
        assert {(worker, twin) for worker, twin, is_ in passed if is_} == self.model.blocked

    def every_vote_is_paid_once_what_was_promised(self) -> None:
        votes = {vote.seat.public_id: vote for vote in Vote.objects.select_related("seat")}
        cast = {key: sit for key, sit in self.model.sits.items() if sit.answered_at}
        assert {
            key: (v.worker_id, (v.option, v.ambiguous), v.local_option, v.excluded_at is not None)
            for key, v in votes.items()
        } == {key: (s.worker, s.said, s.local, s.excluded) for key, s in cast.items()}
        paid = LedgerEntry.objects.values_list("unit", "worker", "amount", "kind")
        assert sorted(paid) == sorted(
            (str(votes[key].public_id), sit.worker, sit.reward, self._kind(sit))
            for key, sit in cast.items()
        )

    @staticmethod
    def _kind(sit: Sit) -> str:
        return str(LedgerEntry.Kind.VOTE if sit.place else LedgerEntry.Kind.GOLD)

    def no_question_has_too_many_votes(self, question: int) -> None:
        """As many as the campaign asks for, the extra ones, and those that a curator let in."""
        model, rules = self.model, self.model.rules
        due = len(model.ballots(question)) + len(model.waiting(question))
        assert due <= rules.votes + rules.extra + model.allowed.get(question, 0)
        assert question in model.decided or due >= rules.votes

    def verdict_is_that_of_the_votes(self, question: int, verdict: Any) -> None:
        model, answer = self.model, self.answers[question]
        ballots, waiting = model.ballots(question), model.waiting(question)
        is_complete = bool(ballots) and not waiting
        if question not in model.decided:
            assert (verdict is not None) == is_complete
        if verdict is None:
            return
        policy = model.rules.policy
        says = decide(ballots, answer=answer, policy=policy) if ballots else None
        if question in model.decided:
            assert verdict.decided_by is not None
            assert verdict.valid is model.decided[question]
            given = sum(sit.answered_at is not None for sit in model.numbered(question))
            if not waiting or given >= model.rules.votes:
                assert verdict.counts == (says.counts if says else {})
            return
        assert says is not None
        assert verdict.decided_by is None
        assert (verdict.valid, verdict.counts) == (says.valid, says.counts)
        assert verdict.reasons == [str(reason) for reason in says.reasons]
        most = model.rules.votes + model.rules.extra
        assert not wants_another(ballots, answer=answer, policy=policy, most=most)

    def what_grew_gold_is_beyond_doubt(self, verdicts: dict[int, Any]) -> None:
        grown = GoldQuestion.objects.in_use().filter(origin=GoldQuestion.Origin.GROWN)
        for question in grown.values_list("question", flat=True):
            assert verdicts[question].valid
            if question not in self.model.decided:  # a curator's word is beyond doubt, too
                assert can_be_gold(self.model.ballots(question), answer=self.answers[question])


def seats_of(question: int) -> dict[uuid.UUID, Seat]:
    """The numbered seats of a question without a vote."""
    seats = Seat.objects.filter(question=question, answered_at=None).numbered()
    return {seat.public_id: seat for seat in seats}
