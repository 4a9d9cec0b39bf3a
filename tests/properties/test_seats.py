"""Seats under any order of events, beside a model that is small enough to be believed."""

import uuid
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from hypothesis.stateful import run_state_machine_as_test as run

from collection.models import Campaign, Twin
from tests.properties.seat_events import (
    COIN,
    ENOUGH,
    GOOD,
    LOCAL,
    NTH,
    RULES,
    TURNS,
    UNSURE,
    WHO,
    event,
    often,
)
from tests.properties.seat_model import Rules, Said
from tests.properties.seat_world import JUDGES, REACHED, TWINS, World, code_of
from validation import services
from validation.services import adjudication
from validation.services.questions import revision_of
from workers.models import User
from workers.services import pause_worker, resume_worker

MANY = 25
"""Runs of 30 steps: together they take half a minute."""


class Seats(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.world = World()

    def teardown(self) -> None:
        self.world.close()

    @initialize(rules=RULES, begun=st.integers(0, 3), good=st.lists(GOOD, min_size=3, max_size=3))
    def begin(self, rules: Rules, begun: int, good: list[bool]) -> None:
        """Some judges have been here before: the first question has some of its votes."""
        self.world.begin(rules)
        for who in range(begun):
            self.judge(who=who + 1, good=good[who], unsure=False, local=None, coin=False)

    def claim_of(self, nth: int, stranger: int | None = None) -> tuple[User, uuid.UUID]:
        """The n-th newest claim of anybody; now and then in the hands of somebody else."""
        world = self.world
        if nth >= len(world.claims):
            return world.judges[0], uuid.UUID(int=nth)
        worker, key = world.claims[-1 - nth]
        return (worker if stranger is None else world.judges[stranger]), key

    def said(self, key: uuid.UUID, good: bool, unsure: bool) -> Said:
        sit = self.world.model.sits.get(key)
        answer = self.world.checks.answers[sit.question] if sit else 1
        return (answer if good else 3 - answer, unsure)

    # -- judges ------------------------------------------------------------------------------------
    @often(4, who=WHO, good=GOOD, unsure=UNSURE, local=LOCAL, coin=COIN)
    def judge(self, who: int, good: bool, unsure: bool, local: int | None, coin: bool) -> None:
        """A whole question: left to chance, the three steps seldom meet."""
        world, worker = self.world, self.world.judges[who]
        if not world.model.is_open:
            world.set_status(is_open=True)
        sit = world.claim(worker, ahead=False, coin=coin)
        if sit is not None:
            world.answer(worker, sit.key, sit.local if sit.local_at else local)
            world.vote(worker, sit.key, self.said(sit.key, good, unsure))

    @often(3, first=WHO, good=TURNS, unsure=UNSURE, coin=COIN)
    def judge_in_turns(self, first: int, good: list[bool], unsure: bool, coin: bool) -> None:
        """Some judges, one after the other: as a rule a question gets its last vote."""
        for turn, is_good in enumerate(good):
            who = (first + turn) % JUDGES
            self.judge(who=who, good=is_good, unsure=unsure and not turn, local=None, coin=coin)

    @often(2, who=WHO, ahead=st.booleans(), coin=COIN)
    def claim(self, who: int, ahead: bool, coin: bool) -> None:
        self.world.claim(self.world.judges[who], ahead=ahead, coin=coin)

    @often(3, who=WHO, coin=COIN, vote_first=st.booleans(), thrice=st.booleans())
    def claim_ahead(self, who: int, coin: bool, vote_first: bool, thrice: bool) -> None:
        """Hold two seats, and ask for a third; perhaps vote with the older one."""
        world, worker = self.world, self.world.judges[who]
        older = world.claim(worker, ahead=False, coin=False)
        world.claim(worker, ahead=True, coin=coin)
        if thrice:
            world.claim(worker, ahead=True, coin=False)
        if older is not None and vote_first:
            world.answer(worker, older.key, older.local)
            world.vote(worker, older.key, self.said(older.key, True, False))

    @often(1, nth=NTH, local=LOCAL, stranger=st.sampled_from([None, None, None, 0, 4]))
    def answer(self, nth: int, local: int | None, stranger: int | None) -> None:
        worker, key = self.claim_of(nth, stranger)
        self.world.answer(worker, key, local)

    @often(1, nth=NTH, good=GOOD, unsure=UNSURE, stranger=st.sampled_from([None, None, None, 0, 4]))
    def vote(self, nth: int, good: bool, unsure: bool, stranger: int | None) -> None:
        worker, key = self.claim_of(nth, stranger)
        self.world.vote(worker, key, self.said(key, good, unsure))

    @often(
        4, who=WHO, good=GOOD, opened=st.booleans(), begin_next=st.booleans(), wait=st.booleans()
    )
    def judge_and_amend(
        self, who: int, good: bool, opened: bool, begin_next: bool, wait: bool
    ) -> None:
        """Take a vote back, at once, after the next answer, or a while later."""
        self.judge(who=who, good=good, unsure=False, local=None, coin=False)
        world = self.world
        worker, key = self.claim_of(0)
        if begin_next:
            sit = world.claim(worker, ahead=False, coin=False)
            if sit is not None and opened:
                world.answer(worker, sit.key, sit.local)
        if wait:
            world.tick(599 if opened else 601)
        world.amend(worker, key, self.said(key, not good, False))

    @often(1, nth=NTH, good=GOOD, unsure=UNSURE)
    def amend(self, nth: int, good: bool, unsure: bool) -> None:
        worker, key = self.claim_of(nth)
        self.world.amend(worker, key, self.said(key, good, unsure))

    @often(3, nth=NTH, stranger=st.sampled_from([None, None, None, 0, 4]))
    def give_back(self, nth: int, stranger: int | None) -> None:
        self.world.give_back(*self.claim_of(nth, stranger))

    @often(2, who=WHO, ahead=st.booleans(), opened=st.booleans(), lapse=st.booleans())
    def leave_gold(self, who: int, ahead: bool, opened: bool, lapse: bool) -> None:
        """Take a gold question, if there is one, and leave it in one way or the other."""
        world, worker = self.world, self.world.judges[who]
        sit = world.claim(worker, ahead=ahead, coin=True)
        if sit is None:
            return
        if opened:
            world.answer(worker, sit.key, sit.local)
        if lapse:
            world.tick(60 * world.model.rules.minutes + 1)
        else:
            world.give_back(worker, sit.key)
        world.claim(worker, ahead=False, coin=True)

    # -- time --------------------------------------------------------------------------------------
    @often(2, nth=NTH, seconds=st.sampled_from([0, 60, 170]), times=st.integers(1, 3))
    def beat(self, nth: int, seconds: int, times: int) -> None:
        worker, key = self.claim_of(nth)
        for _ in range(times):
            self.world.tick(1 + seconds)
            due = self.world.model.beat(worker.pk, key, self.world.now)
            assert code_of(services.beat, worker=worker, seat_id=key) == due

    @often(1, who=WHO, coin=COIN)
    def sit_too_long(self, who: int, coin: bool) -> None:
        """Beat until beating helps no more."""
        world, worker = self.world, self.world.judges[who]
        sit = world.claim(worker, ahead=False, coin=coin)
        due = ""
        while sit is not None and not due:
            world.tick(50 * world.model.rules.minutes)
            due = world.model.beat(worker.pk, sit.key, world.now)
            assert code_of(services.beat, worker=worker, seat_id=sit.key) == due
        REACHED["sat too long"] += due == "lease_expired"

    @often(1, seconds=st.sampled_from([20, 170, 181, 1201]))
    def wait(self, seconds: int) -> None:
        self.world.tick(seconds)

    @often(2, who=WHO, other=WHO, opened=st.booleans(), late=st.booleans(), coin=COIN)
    def lapse(self, who: int, other: int, opened: bool, late: bool, coin: bool) -> None:
        """A lease ends; somebody else may come first, or its holder votes too late."""
        world, worker = self.world, self.world.judges[who]
        sit = world.claim(worker, ahead=False, coin=coin)
        if sit is None:
            return
        if opened:
            world.answer(worker, sit.key, sit.local)
        world.tick(60 * world.model.rules.minutes + 1)
        REACHED["lapse"] += 1
        if late:
            world.vote(worker, sit.key, self.said(sit.key, True, False))
        world.claim(world.judges[other], ahead=False, coin=coin)

    # -- what others do ----------------------------------------------------------------------------
    @often(2, number=st.sampled_from([0, 1, 2, 2, 3, 3]), who=WHO, opened=st.booleans())
    def withdraw(self, number: int, who: int, opened: bool) -> None:
        """Take a twin back: one of the three, or the one that somebody has just been given."""
        world, twin = self.world, self.world.twins[number % TWINS]
        if number == TWINS:
            sit = world.claim(world.judges[who], ahead=True, coin=False)
            if sit is not None and opened:
                world.answer(world.judges[who], sit.key, sit.local)
            twin = next((t for t in world.twins if sit is not None and t.pk == sit.twin), twin)
        if twin.pk not in world.model.gone:
            world.tick()
            due = world.model.withdraw(twin.pk)
            assert code_of(services.withdraw_seats, twin=twin) == due
            if not due:
                Twin.objects.filter(pk=twin.pk).update(withdrawn_at=timezone.now())
                REACHED["withdrawn"] += 1

    @often(1, who=WHO, ahead=st.booleans(), stay=st.sampled_from([False, False, True]))
    def pause_campaign(self, who: int, ahead: bool, stay: bool) -> None:
        self.world.set_status(is_open=False)
        self.claim(who=who, ahead=ahead, coin=False)
        if not stay:
            self.world.set_status(is_open=True)

    @often(1, who=WHO, stay=st.sampled_from([False, False, True]))
    def pause_or_resume_worker(self, who: int, stay: bool) -> None:
        world, worker = self.world, self.world.judges[who]
        if worker.pk not in world.model.paused:
            pause_worker(worker=worker, reason="Too quick.", by=world.curator)
            world.model.paused.add(worker.pk)
            self.claim(who=who, ahead=True, coin=True)
        if not stay:
            resume_worker(worker=worker)
            world.model.paused.discard(worker.pk)

    @often(1, cents=st.sampled_from([2, 3, 5]))
    def change_the_pay(self, cents: int) -> None:
        """What was promised at the claim stands."""
        Campaign.objects.update(reward_vote=Decimal(cents) / 100)

    @often(3, nth=NTH, restore=st.booleans())
    def set_aside_or_restore(self, nth: int, restore: bool) -> None:
        """A vote counts no more; another takes its place, until it counts again."""
        sits = self.world.model.sits.values()
        voted = [sit for sit in sits if sit.said and (sit.aside or not restore)]
        if voted:
            sit = sorted(voted, key=lambda sit: str(sit.voted_at))[-1 - nth % len(voted)]
            self.world.use(sit, is_used=restore and sit.aside)

    @often(2, nth=NTH, who=WHO)
    def decide_a_gold_question_again(self, nth: int, who: int) -> None:
        """Its verdict goes and comes back: what it was answered as gold never counts."""
        self.judge_in_turns(first=who, good=[True] * 3, unsure=False, coin=False)
        for turn in range(3, 5):
            self.judge(who=(who + turn) % JUDGES, good=False, unsure=False, local=None, coin=True)
        model = self.world.model
        asked = {sit.question for sit in model.sits.values() if sit.said and not sit.place}
        voted = [s for s in model.sits.values() if s.place and s.said and not s.aside]
        fit = [sit for sit in voted if sit.question in asked] or voted
        if not fit:
            return
        sit = fit[nth % len(fit)]
        was_complete = sit.question not in model.decided and not model.waiting(sit.question)
        self.world.use(sit, is_used=False)
        self.everything_is_as_the_model_says()
        self.world.use(sit, is_used=True)
        assert not (was_complete and model.waiting(sit.question)), "its replacement is left"
        REACHED["gold decided again"] += sit.question in asked

    @often(
        3,
        nth=st.integers(0, 2 * TWINS - 1),
        act=st.sampled_from(["valid", "more", "open", "open", "bad"]),
    )
    def adjudicate(self, nth: int, act: str) -> None:
        world, model = self.world, self.world.model
        judged = [q.pk for q in world.questions if model.ballots(q.pk)]
        fit = [pk for pk in judged if (act == "open") == (pk in model.decided)]
        if not fit:
            return
        pk = fit[nth % len(fit)]
        question = world.current(pk)
        world.tick()
        seen = {"question_id": question.public_id, "note": "Looked at.", "by": world.curator,
                "revision": revision_of(question)}  # fmt: skip
        if act == "open":
            adjudication.reopen(**seen)
            del model.decided[pk]
        elif act == "more":
            adjudication.ask_one_more(**seen)
            model.allowed[pk] = model.allowed.get(pk, 0) + 1
        else:
            reasons = [] if act == "valid" else ["ambiguous"]
            adjudication.decide_question(valid=act == "valid", reasons=reasons, **seen)
            model.decided[pk] = act == "valid"
        world.adopt(pk, withdrawn=act in ("more", "open"))
        REACHED[f"curator {act}"] += 1

    @rule(event=st.deferred(event))
    def something_happens(self, event: tuple[str, dict[str, Any]]) -> None:
        name, arguments = event
        getattr(self, name)(**arguments)

    # -- what holds after every event --------------------------------------------------------------
    @invariant()
    def everything_is_as_the_model_says(self) -> None:
        self.world.checks.everything(self.world.questions, self.world.now)


@pytest.mark.django_db
def test_any_order_of_events_keeps_the_rules() -> None:
    REACHED.clear()
    run(
        Seats,
        settings=settings(
            max_examples=MANY,
            stateful_step_count=30,
            deadline=None,
            derandomize=True,
            phases=[Phase.generate],  # making a failure smaller takes minutes
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
        ),
    )
    assert {what: REACHED[what] for what, n in ENOUGH.items() if REACHED[what] < n} == {}
