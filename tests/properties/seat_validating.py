"""What validators do with seats, by themselves and as time goes by."""

import uuid

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize

from tests.properties.seat_events import (
    COIN,
    GOOD,
    LOCAL,
    NTH,
    RULES,
    TURNS,
    UNSURE,
    WHO,
    often,
)
from tests.properties.seat_model import Rules, Said
from tests.properties.seat_world import REACHED, VALIDATORS, World, code_of
from validation import services
from workers.models import User


class Validating(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.world = World()

    def teardown(self) -> None:
        self.world.close()

    @initialize(rules=RULES, begun=st.integers(0, 3), good=st.lists(GOOD, min_size=3, max_size=3))
    def begin(self, rules: Rules, begun: int, good: list[bool]) -> None:
        """Some validators have been here before: the first question has some of its votes."""
        self.world.begin(rules)
        for who in range(begun):
            self.validate(who=who + 1, good=good[who], unsure=False, local=None, coin=False)

    def claim_of(self, nth: int, stranger: int | None = None) -> tuple[User, uuid.UUID]:
        """The n-th newest claim of any validator; sometimes held by another one."""
        world = self.world
        if nth >= len(world.claims):
            return world.validators[0], uuid.UUID(int=nth)
        worker, key = world.claims[-1 - nth]
        return (worker if stranger is None else world.validators[stranger]), key

    def said(self, key: uuid.UUID, good: bool, unsure: bool) -> Said:
        sit = self.world.model.sits.get(key)
        answer = self.world.checks.answers[sit.question] if sit else 1
        return (answer if good else 3 - answer, unsure)

    # -- validators
    # ------------------------------------------------------------------------------------
    @often(4, who=WHO, good=GOOD, unsure=UNSURE, local=LOCAL, coin=COIN)
    def validate(self, who: int, good: bool, unsure: bool, local: int | None, coin: bool) -> None:
        """A whole question: left to chance, the three steps seldom meet."""
        world, worker = self.world, self.world.validators[who]
        if not world.model.is_open:
            world.set_status(is_open=True)
        sit = world.claim(worker, ahead=False, coin=coin)
        if sit is not None:
            world.answer(worker, sit.key, sit.local if sit.local_at else local)
            world.vote(worker, sit.key, self.said(sit.key, good, unsure))

    @often(3, first=WHO, good=TURNS, unsure=UNSURE, coin=COIN)
    def validate_in_turns(self, first: int, good: list[bool], unsure: bool, coin: bool) -> None:
        """Some validators, one after the other: as a rule a question gets its last vote."""
        for turn, is_good in enumerate(good):
            who = (first + turn) % VALIDATORS
            self.validate(who=who, good=is_good, unsure=unsure and not turn, local=None, coin=coin)

    @often(2, who=WHO, ahead=st.booleans(), coin=COIN)
    def claim(self, who: int, ahead: bool, coin: bool) -> None:
        self.world.claim(self.world.validators[who], ahead=ahead, coin=coin)

    @often(4, who=WHO, coin=COIN, vote_first=st.booleans(), thrice=st.booleans())
    def claim_ahead(self, who: int, coin: bool, vote_first: bool, thrice: bool) -> None:
        """Hold two seats, and ask for a third; perhaps vote with the older one."""
        world, worker = self.world, self.world.validators[who]
        older = world.claim(worker, ahead=False, coin=False)
        world.claim(worker, ahead=True, coin=coin)
        if thrice:
            world.claim(worker, ahead=True, coin=False)
        if older is not None and vote_first:
            world.answer(worker, older.key, older.local)
            world.vote(worker, older.key, self.said(older.key, True, False))

    @often(3, first=WHO)
    def take_all_there_is(self, first: int) -> None:
        """Validators come one after the other until all that is left is held."""
        for ahead in (False, True):
            for turn in range(VALIDATORS):
                worker = self.world.validators[(first + turn) % VALIDATORS]
                self.world.claim(worker, ahead=ahead, coin=False)

    @often(1, nth=NTH, local=LOCAL, stranger=st.sampled_from([None, None, None, 0, 4]))
    def answer(self, nth: int, local: int | None, stranger: int | None) -> None:
        worker, key = self.claim_of(nth, stranger)
        self.world.answer(worker, key, local)

    @often(1, nth=NTH, good=GOOD, unsure=UNSURE, stranger=st.sampled_from([None, None, None, 0, 4]))
    def vote(self, nth: int, good: bool, unsure: bool, stranger: int | None) -> None:
        worker, key = self.claim_of(nth, stranger)
        self.world.vote(worker, key, self.said(key, good, unsure))

    @often(
        4,
        who=WHO,
        good=GOOD,
        opened=st.booleans(),
        next_one=st.sampled_from(["", "begun", "given back"]),
        wait=st.booleans(),
    )
    def validate_and_amend(
        self, who: int, good: bool, opened: bool, next_one: str, wait: bool
    ) -> None:
        """Take a vote back, at once, after the next question was begun, or a while later."""
        self.validate(who=who, good=good, unsure=False, local=None, coin=False)
        world = self.world
        worker, key = self.claim_of(0)
        sit = world.claim(worker, ahead=False, coin=False) if next_one else None
        if sit is not None and (opened or next_one == "given back"):
            world.answer(worker, sit.key, sit.local)
        if sit is not None and next_one == "given back":
            world.give_back(worker, sit.key)
        if wait:
            world.tick(590 if opened else 601)
        amended = REACHED["amended"]
        world.amend(worker, key, self.said(key, not good, False))
        REACHED["amended after a return"] += (
            next_one == "given back" and REACHED["amended"] > amended
        )

    @often(1, nth=NTH, good=GOOD, unsure=UNSURE)
    def amend(self, nth: int, good: bool, unsure: bool) -> None:
        worker, key = self.claim_of(nth)
        self.world.amend(worker, key, self.said(key, good, unsure))

    @often(4, nth=NTH, stranger=st.sampled_from([None, None, None, 0, 4]))
    def give_back(self, nth: int, stranger: int | None) -> None:
        self.world.give_back(*self.claim_of(nth, stranger))

    @often(3, who=WHO, ahead=st.booleans(), opened=st.booleans(), lapse=st.booleans())
    def leave_gold(self, who: int, ahead: bool, opened: bool, lapse: bool) -> None:
        """Take a gold question, if there is one, and leave it in one way or the other."""
        world, worker = self.world, self.world.validators[who]
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

    @often(2, who=WHO, coin=COIN)
    def sit_too_long(self, who: int, coin: bool) -> None:
        """Beat until beating helps no more."""
        world, worker = self.world, self.world.validators[who]
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
        """A lease ends; another validator may come first, or its holder votes too late."""
        world, worker = self.world, self.world.validators[who]
        sit = world.claim(worker, ahead=False, coin=coin)
        if sit is None:
            return
        if opened:
            world.answer(worker, sit.key, sit.local)
        world.tick(60 * world.model.rules.minutes + 1)
        REACHED["lapse"] += 1
        if late:
            world.vote(worker, sit.key, self.said(sit.key, True, False))
        world.claim(world.validators[other], ahead=False, coin=coin)
