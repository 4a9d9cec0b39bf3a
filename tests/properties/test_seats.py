"""Seats under any order of events, beside a model that is small enough to be believed."""

from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule
from hypothesis.stateful import run_state_machine_as_test as run

from collection.models import Campaign, Twin
from tests.properties.seat_events import ENOUGH, NTH, WHO, event, often
from tests.properties.seat_validating import Validating
from tests.properties.seat_world import REACHED, TWINS, VALIDATORS, code_of
from validation import services
from validation.services.review import adjudication
from validation.services.verdicts.questions import revision_of
from workers.services import pause_worker, resume_worker

QUICK, LONG, FEW = range(100, 101), range(11), 3
"""Started again with each of these seeds, with so many runs of 30 steps each: later runs vary the
earlier ones."""


class Seats(Validating):
    """Adds what others do to what validators do, and looks at everything after each event."""

    @often(2, number=st.sampled_from([0, 1, 2, 2, 3, 3]), who=WHO, opened=st.booleans())
    def withdraw(self, number: int, who: int, opened: bool) -> None:
        """Take a twin back: one of the three, or the one that was just assigned."""
        world, twin = self.world, self.world.twins[number % TWINS]
        if number == TWINS:
            sit = world.claim(world.validators[who], ahead=True, coin=False)
            if sit is not None and opened:
                world.answer(world.validators[who], sit.key, sit.local)
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
        world, worker = self.world, self.world.validators[who]
        if worker.pk not in world.model.paused:
            pause_worker(worker=worker, reason="Too quick.", by=world.curator)
            world.model.paused.add(worker.pk)
            self.claim(who=who, ahead=True, coin=True)
        if not stay:
            resume_worker(worker=worker)
            world.model.paused.discard(worker.pk)

    @often(1, who=WHO, cents=st.sampled_from([2, 3, 5]))
    def change_the_pay(self, who: int, cents: int) -> None:
        """What was promised at the claim stands."""
        world, worker = self.world, self.world.validators[who]
        sit = world.claim(worker, ahead=False, coin=False)
        Campaign.objects.update(reward_vote=Decimal(cents) / 100)
        if sit is not None:
            world.answer(worker, sit.key, sit.local)
            world.vote(worker, sit.key, self.said(sit.key, True, False))

    @often(3, nth=NTH, restore=st.booleans())
    def exclude_or_restore(self, nth: int, restore: bool) -> None:
        """A vote counts no more; another takes its place, until it counts again."""
        sits = self.world.model.sits.values()
        voted = [sit for sit in sits if sit.said and (sit.excluded or not restore)]
        if voted:
            sit = sorted(voted, key=lambda sit: str(sit.answered_at))[-1 - nth % len(voted)]
            self.world.use(sit, is_used=restore and sit.excluded)

    @often(3, nth=NTH, who=WHO)
    def decide_a_gold_question_again(self, nth: int, who: int) -> None:
        """Its verdict goes and comes back: what it was answered as gold never counts."""
        self.validate_in_turns(first=who, good=[True] * 3, unsure=False, coin=False)
        for turn in range(3, 5):
            self.validate(
                who=(who + turn) % VALIDATORS, good=False, unsure=False, local=None, coin=True
            )
        model = self.world.model
        asked = {sit.question for sit in model.sits.values() if sit.said and not sit.place}
        voted = [s for s in model.sits.values() if s.place and s.said and not s.excluded]
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
        then=st.sampled_from(["", "more", "undo"]),
    )
    def adjudicate(self, nth: int, act: str, then: str) -> None:
        """Decide, take it back, or ask one vote more; a decision is perhaps answered at once."""
        model = self.world.model
        validated = [q.pk for q in self.world.questions if model.ballots(q.pk)]
        fit = [pk for pk in validated if (act == "open") == (pk in model.decided)]
        if not fit:
            return
        pk = fit[nth % len(fit)]
        self._curate(pk, act)
        if pk in model.decided and then:
            self.everything_is_as_the_model_says()
            self._curate(pk, "more") if then == "more" else self._undo(pk)
            REACHED[f"decided, then {then}"] += 1

    def _undo(self, pk: int) -> None:
        """The last of the question's validators wants to say otherwise."""
        given = [sit for sit in self.world.model.numbered(pk) if sit.said]
        last = max(given, key=lambda sit: str(sit.answered_at))
        worker = next(
            validator for validator in self.world.validators if validator.pk == last.worker
        )
        self.world.amend(worker, last.key, self.said(last.key, False, True))

    def _curate(self, pk: int, act: str) -> None:
        world, model = self.world, self.world.model
        question = world.current(pk)
        world.tick()
        seen = {"question_id": question.public_id, "note": "Looked at.", "by": world.curator,
                "revision": revision_of(question)}  # fmt: skip
        if act == "open":
            adjudication.reopen(**seen)
            del model.decided[pk]
        elif act == "more":
            due = model.more(pk)
            adjudication.ask_one_more(**seen)
        else:
            reasons = [] if act == "valid" else ["ambiguous"]
            adjudication.decide_question(valid=act == "valid", reasons=reasons, **seen)
            model.decided[pk] = act == "valid"
        world.adopt(pk, withdrawn=act in ("more", "open"))
        assert act != "more" or len(model.waiting(pk)) == due
        REACHED[f"curator {act}"] += 1

    @rule(event=st.deferred(event))
    def something_happens(self, event: tuple[str, dict[str, Any]]) -> None:
        name, arguments = event
        getattr(self, name)(**arguments)

    # -- what holds after every event --------------------------------------------------------------
    @invariant()
    def everything_is_as_the_model_says(self) -> None:
        self.world.checks.everything(self.world.questions, self.world.now)


def play(seeds: range) -> None:
    each = settings(
        max_examples=FEW,
        stateful_step_count=30,
        derandomize=True,
        phases=[Phase.generate],  # making a failure smaller takes minutes
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    for number in seeds:
        run(seed(number)(Seats), settings=each)


@pytest.mark.long
@pytest.mark.django_db
def test_some_orders_of_events_keep_the_rules() -> None:
    play(QUICK)


@pytest.mark.long
@pytest.mark.timeout(900)  # half a minute, where nothing else runs
@pytest.mark.django_db
def test_any_order_of_events_keeps_the_rules() -> None:
    REACHED.clear()
    play(LONG)
    assert {what: REACHED[what] for what, n in ENOUGH.items() if REACHED[what] < n} == {}
