"""The starter campaign, loaded by a worker: once, to its end, whichever process dies."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.utils import timezone

from collection.models import Campaign, Twin
from corpora.models import Release, Snapshot
from evaluation import starter as asking
from evaluation.models import StarterLoad
from tests.factories import CampaignFactory, StarterLoadFactory, TwinFactory, UserFactory
from tests.filtering.stages import Killed, carried, kill, lease_ends
from validation import starter
from validation.models import Seat, Vote
from validation.services import answer_local, cast_vote, claim_seat
from winoplatform.runs.attempts import Attempt, request_cancel
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import RunStatus
from workers.models import LedgerEntry, Qualification, User

TWINS, LEFT = 12, 2  # with fewer than nine valid pairs no release is built
VOTES = 2 * 3 * (TWINS - LEFT)


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """The starter's first twins and as few validators as they need: all take half a minute."""
    read, validators = starter.read_lines, starter.read_validators()[:6]
    monkeypatch.setattr(
        starter, "read_lines", lambda name: read(name)[: TWINS if name == "twins.jsonl" else None]
    )
    monkeypatch.setattr(starter, "read_validators", lambda: validators)
    monkeypatch.setattr(starter, "LEFT_FOR_PEOPLE", LEFT)


def asked() -> StarterLoad:
    load = asking.ask()
    assert load is not None
    return load


def counts() -> tuple[int, int, int]:
    return Campaign.objects.count(), Twin.objects.count(), Vote.objects.count()


def dies_at(monkeypatch: pytest.MonkeyPatch, stored: int) -> None:
    """Let the worker die once so many twins and votes are stored."""
    monkeypatch.setattr("evaluation.runner.starter_loads.REPORT_SECONDS", 0)
    report = Attempt.report

    def reporting(self: Attempt[Any], so_far: int, **more: Any) -> None:
        report(self, so_far, **more)
        if so_far == (7 * stored if stored <= TWINS else stored + 6 * TWINS):
            raise Killed

    monkeypatch.setattr(Attempt, "report", reporting)


@pytest.mark.long
def test_a_worker_loads_it_and_begins_its_pipeline() -> None:
    load = carried(asked())
    assert counts() == (1, TWINS, VOTES)
    assert load.campaign == Campaign.objects.get(slug="starter")
    assert (load.done, load.total, load.share) == (7 * TWINS + VOTES, 7 * TWINS + VOTES, 1)
    assert Release.objects.get().name == "starter-1"


@pytest.mark.long
@pytest.mark.parametrize(
    "done",
    [TWINS + 7, *(pytest.param(when, marks=pytest.mark.long) for when in (1, TWINS + VOTES))],
)
def test_killed_anywhere_it_continues_and_stores_nothing_twice(
    done: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    load = asked()
    with monkeypatch.context() as patch:
        dies_at(patch, done)
        with pytest.raises(Killed):
            execute_here(load)
    assert Twin.objects.count() + Vote.objects.count() == done
    lease_ends(load)
    assert carried(load).attempt == 2
    assert counts() == (1, TWINS, VOTES)
    paid = LedgerEntry.objects.values_list("kind", flat=True)
    assert (list(paid).count("twin"), list(paid).count("vote")) == (TWINS, VOTES)
    assert Snapshot.objects.count() == 1


@pytest.mark.long
def test_killed_after_its_pipeline_began_it_begins_no_second_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    load = asked()
    with monkeypatch.context() as patch:
        patch.setattr(Attempt, "finish", kill)
        with pytest.raises(Killed):
            execute_here(load)
    lease_ends(load)
    carried(load)
    assert (Snapshot.objects.count(), Release.objects.count()) == (1, 1)


@pytest.mark.long
def test_what_people_write_meanwhile_is_left_to_people(monkeypatch: pytest.MonkeyPatch) -> None:
    load = asked()
    with monkeypatch.context() as patch:
        dies_at(patch, TWINS)
        with pytest.raises(Killed):
            execute_here(load)
    # In the queue before all others: a validator who gets it must still validate the rest.
    theirs = TwinFactory(campaign=Campaign.objects.get(), seats=3)
    Seat.objects.filter(twin=theirs).update(place=0)
    lease_ends(load)
    carried(load)
    assert counts() == (1, TWINS + 1, VOTES)
    assert not Seat.objects.filter(twin=theirs, answered_at__isnull=False).exists()


@pytest.mark.long
def test_a_question_that_a_person_holds_at_the_end_waits_for_people() -> None:
    with pytest.raises(Killed):
        starter.load(progress=dies_when_written)
    campaign = Campaign.objects.get()
    first, second, third = (validator(campaign) for _ in range(3))
    seats = [claim_seat(worker=worker, campaign=campaign) for worker in (first, second)]
    starter.load()
    assert Vote.objects.count() == VOTES - 2
    Campaign.objects.update(gold_share=0)  # which would be drawn
    campaign.refresh_from_db()
    give(seats[0], first)
    Seat.objects.filter(pk=seats[1].pk).update(leased_until=timezone.now())
    taken = claim_seat(worker=third, campaign=campaign)
    assert taken == seats[1]
    give(taken, third)
    for seat in seats:
        assert (seat.question.votes.count(), seat.question.verdict.counts["votes"]) == (3, 3)


def dies_when_written(done: int, total: int, said: str) -> None:
    if done == 7 * TWINS:
        raise Killed


def validator(campaign: Campaign) -> User:
    """A person who has joined the campaign in the middle of its load."""
    worker: User = UserFactory()
    starter._join(worker, campaign, skill=Qualification.Skill.VALIDATE)
    return worker


def give(seat: Seat, worker: User) -> None:
    answer_local(worker=worker, seat_id=seat.public_id, shown_option=None)
    cast_vote(worker=worker, seat_id=seat.public_id, shown_option=1, ambiguous=False)


def test_it_is_asked_for_once() -> None:
    assert asked() == asked()
    with pytest.raises(IntegrityError, match="is_asked_for_once"), transaction.atomic():
        StarterLoadFactory()
    with pytest.raises(ValidationError, match="is being loaded already"):
        StarterLoad().full_clean()


def test_where_there_is_another_campaign_it_is_not_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    CampaignFactory()
    call_command("queue_starter")
    assert (asking.ask(), StarterLoad.objects.count()) == (None, 0)
    assert capsys.readouterr().out == ""


def test_a_campaign_that_was_quicker_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("queue_starter")
    assert "the home page shows its progress" in capsys.readouterr().out
    CampaignFactory()
    load = asked()
    execute_here(load)
    load.refresh_from_db()
    assert load.failure == "There is a campaign already, so the starter campaign is not loaded."


def fail(load: StarterLoad) -> None:
    StarterLoad.objects.update(status=RunStatus.FAILED, failure="The disk is full.")


@pytest.mark.parametrize(
    ("end", "then"), [(fail, RunStatus.QUEUED), (request_cancel, RunStatus.CANCELLED)]
)
def test_at_the_next_start_a_failed_load_continues_and_a_cancelled_one_does_not(
    end: Callable[[StarterLoad], None], then: RunStatus
) -> None:
    end(asked())
    assert asked().status == then
