"""The small world of one run: three twins, five validators, and a clock that only the run moves."""

import uuid
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from unittest import mock

from django.db import connection, transaction
from django.utils import timezone

from collection.models import Campaign, Question
from tests import database_clock
from tests.factories import CampaignFactory, TwinFactory, UserFactory
from tests.properties.seat_checks import Checks, seats_of
from tests.properties.seat_model import Model, Next, Rules, Said, Sit
from validation import services
from validation.core.votes import wants_another
from validation.models import GoldQuestion, Seat, Vote
from validation.services import golds
from validation.services.review import exclusions
from winoplatform.errors import DomainError
from workers.models import User

VALIDATORS, TWINS = 5, 3
BEGIN = datetime(2026, 1, 5, 9, tzinfo=UTC)
REACHED: Counter[str] = Counter()
"""How often all runs together came to what they are meant to try."""


def refusal(call: Callable[..., Any], **arguments: Any) -> tuple[Any, DomainError | None]:
    """Return what a call returns, and the error with which it refuses."""
    try:
        return call(**arguments), None
    except DomainError as error:
        return None, error


def _as_shown(key: uuid.UUID, option: int) -> int:
    """As its holder sees an option; of a seat that has gone, either number is refused alike."""
    seat = Seat.objects.filter(public_id=key).first()
    return services.as_shown(seat, option) if seat else option


def code_of(call: Callable[..., Any], **arguments: Any) -> str:
    error = refusal(call, **arguments)[1]
    return error.code if error else ""


class World:
    """Rows and their model, moved together; nothing of it is left to the next run."""

    model: Model
    checks: Checks

    def __init__(self) -> None:
        self.now = BEGIN
        self.coin = 1.0
        self.clock = mock.patch.object(timezone, "now", side_effect=lambda: self.now)
        self.dice = mock.patch.object(golds._dice, "random", side_effect=lambda: self.coin)
        self.clock.start()
        self.dice.start()
        self.all = transaction.atomic()
        self.all.__enter__()
        database_clock.replace()
        database_clock.set_to(self.now)
        self.claims: list[tuple[User, uuid.UUID]] = []

    def begin(self, rules: Rules) -> None:
        self.curator = UserFactory(curator=True)
        self.validators = UserFactory.create_batch(VALIDATORS)
        self.campaign = CampaignFactory(
            vote_minutes=rules.minutes,
            votes_per_question=rules.votes,
            extra_votes_max=rules.extra,
            verdict_policy=rules.policy,
            votes_per_worker_max=rules.most,
            gold_share=Decimal("0.5"),
        )
        # Who writes validators, too; a gold question may be their own as well.
        writers = [self.validators[0], *UserFactory.create_batch(TWINS - 1)]
        self.twins = [TwinFactory(campaign=self.campaign, author=writer) for writer in writers]
        chosen = [TwinFactory(campaign=self.campaign, author=self.validators[1])]
        for twin in chosen:
            question = twin.questions.get(number=1)
            GoldQuestion.objects.create(campaign=self.campaign, question=question, origin="chosen")
        self.model = Model(rules, {twin.pk: twin.author_id for twin in [*self.twins, *chosen]})
        self.questions = list(Question.objects.filter(twin__in=self.twins).order_by("pk"))
        answers = dict(Question.objects.values_list("pk", "answer"))
        self.checks = Checks(self.model, answers)
        for twin in self.twins:
            services.open_seats(twin=twin)
        for question in self.questions:
            self.adopt(question.pk)

    def clock_says(self) -> datetime:
        return self.now

    def dice_say(self) -> float:
        return self.coin

    def close(self) -> None:
        transaction.set_rollback(True)
        self.all.__exit__(None, None, None)
        self.dice.stop()
        self.clock.stop()

    def tick(self, seconds: int = 1) -> None:
        """No two events happen at the same moment."""
        self.now += timedelta(seconds=seconds)
        database_clock.set_to(self.now)

    # -- seats that come and go by themselves ------------------------------------------------------
    def adopt(self, question: int, *, withdrawn: bool = True) -> None:
        """Follow what has become of a question's open seats: new ones are free and come first."""
        stored, known = seats_of(question), self.model.numbered(question)
        head = min((sit.place[0] for sit in known if sit.place), default=None)
        for sit in self.model.waiting(question):
            if sit.key not in stored:
                self.model.drop(sit, withdrawn=withdrawn)
                REACHED["seat taken away"] += 1
        for key in stored.keys() - self.model.sits.keys():
            seat = stored[key]
            assert seat.worker_id is None
            assert seat.number is not None
            assert head in (None, seat.place), "not at the head of the queue"
            place = (seat.place, seat.number)
            self.model.sits[key] = Sit(key, seat.twin_id, question, place)
            REACHED["extra seat"] += head is not None

    # -- the steps of a validator
    # ----------------------------------------------------------------------
    def claim(self, worker: User, *, ahead: bool, coin: bool) -> Sit | None:
        """Claim as the model does; return the seat."""
        self.tick()
        in_use = list(GoldQuestion.objects.in_use().values_list("question", "question__twin"))
        due = self.model.next_for(worker.pk, ahead=ahead, coin=coin, golds=in_use, now=self.now)
        self.coin = 0.0 if coin else 1.0
        with connection.cursor() as cursor:
            # Which gold question: another at each moment, and the same in each replay.
            cursor.execute("SELECT setseed(%s)", [self.now.timestamp() % 20 / 20])
        self.campaign.refresh_from_db()
        seat, error = refusal(
            services.claim_seat, worker=worker, campaign=self.campaign, ahead=ahead
        )
        assert (error.code if error else "") == due.code
        REACHED[due.reason or due.code or "claim"] += 1
        if error is not None:
            self._says_why(error, due.reason, due.again_at)
            return None
        return self._seated(worker, seat, due)

    @staticmethod
    def _says_why(error: DomainError, reason: str, again_at: datetime | None) -> None:
        if reason:
            again = again_at.isoformat() if again_at else None
            assert error.details == {"reason": reason, "again_at": again}

    def _seated(self, worker: User, seat: Seat, given: Next) -> Sit:
        due = given.sit
        if given.golds:
            assert seat.gold_id is not None
            assert seat.question_id in given.golds
            assert seat.public_id not in self.model.sits
            due = Sit(seat.public_id, seat.twin_id, seat.question_id, None, given.stand_in)
            REACHED["gold"] += 1
        assert due is not None
        assert seat.public_id == due.key
        if due.worker != worker.pk or not due.is_held(self.now):
            REACHED["reclaim"] += due.worker is not None
            REACHED["gold again"] += due.worker == worker.pk and not due.place
            reward = self.campaign.reward_vote
            self.model.take(due, worker.pk, leaving=given.leaving, reward=reward, now=self.now)
            self._shows_what_it_may(seat)
        REACHED["second seat"] += len(self.model.alive(worker.pk, self.now)) == 2
        self.claims = [claim for claim in self.claims if claim[1] != due.key]
        self.claims.append((worker, due.key))  # the newest comes last
        return due

    @staticmethod
    def _shows_what_it_may(seat: Seat) -> None:
        shown = services.view(seat)
        assert shown.sentence is None
        assert shown.options[services.as_shown(seat, 1) - 1] == seat.twin.option1
        assert shown.options[services.as_shown(seat, 2) - 1] == seat.twin.option2

    def answer(self, worker: User, key: uuid.UUID, local: int | None) -> None:
        self.tick()
        due = self.model.answer(worker.pk, key, local, self.now)
        shown = None if local is None else _as_shown(key, local)
        code = code_of(services.answer_local, worker=worker, seat_id=key, shown_option=shown)
        assert code == due

    def vote(self, worker: User, key: uuid.UUID, said: Said) -> None:
        self.tick()
        sit = self.model.held_by(worker.pk, key)
        due = self.model.vote(worker.pk, key, said, self.now)
        code = code_of(
            services.cast_vote, worker=worker, seat_id=key,
            shown_option=_as_shown(key, said[0]), ambiguous=said[1],
        )  # fmt: skip
        assert code == due
        REACHED[f"vote {due or 'given'}"] += 1
        if sit is not None and not due and sit.place:
            self._settled(sit.question)
        REACHED["gold vote"] += sit is not None and not due and not sit.place

    def amend(self, worker: User, key: uuid.UUID, said: Said) -> None:
        self.tick()
        sit = self.model.held_by(worker.pk, key)
        before = sit.said if sit else None
        due = self.model.amend(worker.pk, key, said, self.now)
        code = code_of(
            services.amend_vote, worker=worker, seat_id=key,
            shown_option=_as_shown(key, said[0]), ambiguous=said[1],
        )  # fmt: skip
        assert code == due
        REACHED["amended" if not due and before != said else f"amend {due}"] += 1
        if sit is not None and not due and sit.place:
            self._settled(sit.question)
            self._has_no_idle_seat(sit.question)

    def _has_no_idle_seat(self, question: int) -> None:
        """An extra seat goes with the dissent that has asked for it."""
        model, rules = self.model, self.model.rules
        ballots, waiting = model.ballots(question), model.waiting(question)
        by_others = model.allowed.get(question) or question in model.decided
        by_others = by_others or any(sit.excluded for sit in model.numbered(question))
        if by_others or not waiting or len(ballots) < rules.votes:
            return
        most = rules.votes + rules.extra
        answer = self.checks.answers[question]
        assert any(sit.is_held(self.now) for sit in waiting) or wants_another(
            ballots, answer=answer, policy=rules.policy, most=most
        )

    def give_back(self, worker: User, key: uuid.UUID) -> None:
        self.tick()
        sit = self.model.held_by(worker.pk, key)
        is_gold = sit is not None and not sit.place
        due = self.model.give_back(worker.pk, key)
        assert code_of(services.return_seat, worker=worker, seat_id=key) == due
        REACHED["given back"] += sit is not None and not due
        REACHED["gold left"] += is_gold and not due

    def use(self, sit: Sit, *, is_used: bool) -> None:
        """Let a vote count again, or exclude it; a curator's restoring lets one more count."""
        self.tick()
        vote = Vote.objects.get(seat__public_id=sit.key)
        call = exclusions.restore if is_used else exclusions.exclude
        call(vote_id=vote.public_id, reason="Answered before it was read.", by=self.curator)
        sit.excluded = not is_used
        if sit.place:
            allowed = self.model.allowed
            allowed[sit.question] = allowed.get(sit.question, 0) + is_used
            self.adopt(sit.question)
        REACHED["restored" if is_used else "excluded"] += 1

    def _settled(self, question: int) -> None:
        self.adopt(question)
        model = self.model
        complete = bool(model.ballots(question)) and not model.waiting(question)
        REACHED["verdict"] += complete and question not in model.decided
        most = model.rules.votes + model.rules.extra
        REACHED["split to the end"] += complete and wants_another(
            model.ballots(question),
            answer=self.checks.answers[question],
            policy=model.rules.policy,
            most=most + 1,
        )

    def current(self, question: int) -> Question:
        return Question.objects.select_related("twin").get(pk=question)

    def set_status(self, *, is_open: bool) -> None:
        self.model.is_open = is_open
        status = Campaign.Status.OPEN if is_open else Campaign.Status.PAUSED
        Campaign.objects.update(status=status)
