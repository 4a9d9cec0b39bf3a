"""Freezing: which questions, in which bytes."""

import hashlib
from functools import partial

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.utils import timezone

from collection.models import Campaign, Question, Twin
from corpora import services as corpora
from corpora.core.items import TwinItem
from corpora.models import Snapshot
from corpora.selectors import load_questions, question_groups
from filtering import selectors
from filtering.selectors import questions_in
from tests.factories import (
    CampaignFactory,
    EncodingFactory,
    SnapshotFactory,
    TwinFactory,
    UserFactory,
    VerdictFactory,
)
from tests.filtering.stages import Killed, assert_done, kill, lease_ends, published_twins, read
from tests.races.threads import at_once
from winoplatform.errors import DomainError
from winoplatform.runs.attempts import Attempt
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import RunStatus


def snapshot(campaign: Campaign) -> Snapshot:
    taken = corpora.take_snapshot(campaign=campaign, by=None)
    execute_here(taken)
    assert_done(taken)
    return taken


def validated(campaign: Campaign, *, valid: bool) -> Question:
    twin = TwinFactory(campaign=campaign)
    question = twin.questions.get(number=1)
    VerdictFactory(question=question, reasons=[] if valid else ["ambiguous"])
    return question


def test_a_snapshot_holds_the_valid_questions_only(campaign: Campaign) -> None:
    valid = validated(campaign, valid=True)
    validated(campaign, valid=False)
    TwinFactory(campaign=campaign)
    validated(CampaignFactory(), valid=True)
    taken = snapshot(campaign)
    (line,) = read(taken.questions).splitlines()
    question = TwinItem.from_line(line)
    assert (question.id, question.sentence) == (valid.public_id, valid.sentence)
    assert (taken.n_questions, taken.n_pairs) == (1, 0)


def test_questions_published_elsewhere_count_as_valid(campaign: Campaign) -> None:
    published_twins(2, campaign=campaign)
    taken = snapshot(campaign)
    assert (taken.n_questions, taken.n_pairs) == (4, 2)


def test_a_withdrawn_twin_never_enters_a_snapshot(campaign: Campaign) -> None:
    stays = validated(campaign, valid=True)
    gone = validated(campaign, valid=True)
    published_twins(2, campaign=campaign)
    out = [gone.twin, Twin.objects.filter(origin=Twin.Origin.PUBLISHED).first()]
    for twin in out:
        Twin.objects.filter(pk=twin.pk).update(withdrawn_at=timezone.now())
    taken = snapshot(campaign)
    twins = {question.group for question in load_questions(taken)}
    assert (len(twins), taken.n_questions) == (2, 3)
    assert str(stays.twin.public_id) in twins
    assert twins.isdisjoint(str(twin.public_id) for twin in out)
    funnel = selectors.funnel(campaign)
    assert (funnel.twins, funnel.written, funnel.validated, funnel.valid) == (2, 4, 3, 3)


def test_a_campaign_of_withdrawn_twins_cannot_be_frozen(campaign: Campaign) -> None:
    validated(campaign, valid=True)
    Twin.objects.update(withdrawn_at=timezone.now())
    with pytest.raises(DomainError) as caught:
        corpora.take_snapshot(campaign=campaign, by=None)
    assert caught.value.code == "no_valid_questions"


def test_lines_are_sorted_by_id_and_named_by_their_hash(campaign: Campaign) -> None:
    published_twins(4, campaign=campaign)
    taken = snapshot(campaign)
    text = read(taken.questions)
    ids = [question.id for question in load_questions(taken)]
    assert ids == sorted(ids)
    groups = [(question.id, question.group) for question in load_questions(taken)]
    assert list(question_groups(taken).items()) == groups
    assert taken.questions.sha256 == hashlib.sha256(text.encode()).hexdigest()


def test_the_same_questions_give_the_same_hash_and_one_more_gives_another() -> None:
    campaign = CampaignFactory()
    published_twins(2, campaign=campaign)
    first, again = snapshot(campaign), snapshot(campaign)
    published_twins(1, campaign=campaign)
    assert first.questions == again.questions != snapshot(campaign).questions


def test_a_snapshot_stays_as_it_was_when_new_questions_come(campaign: Campaign) -> None:
    published_twins(1, campaign=campaign)
    taken = snapshot(campaign)
    published_twins(1, campaign=campaign)
    assert len(load_questions(taken)) == 2


def test_what_becomes_valid_after_the_request_stays_out(campaign: Campaign) -> None:
    valid, unvalidated = validated(campaign, valid=True), TwinFactory(campaign=campaign)
    taken = corpora.take_snapshot(campaign=campaign, by=None)
    VerdictFactory(question=unvalidated.questions.get(number=1))
    published_twins(1, campaign=campaign)
    execute_here(taken)
    assert_done(taken)
    assert [question.id for question in load_questions(taken)] == [valid.public_id]
    assert (taken.n_questions, taken.total) == (1, 1)


def test_a_question_published_elsewhere_is_valid_from_its_import_whatever_validators_here_say(
    campaign: Campaign,
) -> None:
    published_twins(1, campaign=campaign)
    taken = corpora.take_snapshot(campaign=campaign, by=None)
    for question in Question.objects.in_campaign(campaign):
        VerdictFactory(question=question)
    execute_here(taken)
    assert_done(taken)
    assert taken.n_questions == 2


def test_killed_it_ends_with_what_was_valid_at_the_request(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = CampaignFactory()
    published_twins(2, campaign=campaign)
    unbroken = snapshot(campaign)
    taken = corpora.take_snapshot(campaign=campaign, by=None)
    with monkeypatch.context() as patch:
        patch.setattr(Attempt, "finish", kill)
        with pytest.raises(Killed):
            execute_here(taken)
    published_twins(1, campaign=campaign)
    lease_ends(taken)
    execute_here(taken)
    assert_done(taken)
    assert taken.questions == unbroken.questions


def test_a_campaign_is_frozen_once_at_a_time(campaign: Campaign) -> None:
    published_twins(1, campaign=campaign)
    first = corpora.take_snapshot(campaign=campaign, by=None)
    with pytest.raises(ValidationError, match="under way already"):
        corpora.take_snapshot(campaign=campaign, by=None)
    execute_here(first)
    assert corpora.take_snapshot(campaign=campaign, by=None).pk != first.pk


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_of_equal_requests_at_once_one_is_queued_and_the_others_hear_why_not() -> None:
    campaign = CampaignFactory()
    published_twins(1, campaign=campaign)
    asked = at_once(*[partial(corpora.take_snapshot, campaign=campaign, by=None)] * 6)
    refused = [str(answer) for answer in asked if isinstance(answer, ValidationError)]
    assert Snapshot.objects.count() == 1
    assert len(refused) == 5
    assert all("under way already" in sentence for sentence in refused)


def test_the_database_holds_one_open_snapshot_per_campaign() -> None:
    taken = SnapshotFactory(status=RunStatus.RUNNING)
    with pytest.raises(IntegrityError, match="corpora_snapshot_is_open_once_per_campaign"):
        SnapshotFactory(campaign=taken.campaign)


def test_a_campaign_without_valid_questions_cannot_be_frozen() -> None:
    with pytest.raises(DomainError) as caught:
        corpora.take_snapshot(campaign=TwinFactory().campaign, by=None)
    assert (caught.value.code, caught.value.status) == ("no_valid_questions", 409)


def test_the_funnel_counts_what_came_how_far(campaign: Campaign) -> None:
    validated(campaign, valid=True)
    validated(campaign, valid=False)
    assert selectors.funnel(campaign).as_dict() == {
        "twins": 2,
        "written": 4,
        "validated": 2,
        "valid": 1,
        "filtered": None,
        "kept": None,
        "run": None,
    }


def test_the_twins_of_writers_can_be_left_out() -> None:
    campaign, habit = CampaignFactory(), UserFactory()
    published_twins(2, campaign=campaign)
    published_twins(1, campaign=campaign, author=habit)
    taken = corpora.take_snapshot(campaign=campaign, by=None, without_writers=[habit])
    # Comparing a set with and without some writers takes two snapshots at once.
    whole = corpora.take_snapshot(campaign=campaign, by=None)
    with pytest.raises(ValidationError, match="under way already"):
        corpora.take_snapshot(campaign=campaign, by=None, without_writers=[habit])
    assert questions_in(EncodingFactory(snapshot=taken)) == 4
    for one, pairs in ((taken, 2), (whole, 3)):
        execute_here(one)
        assert_done(one)
        assert (one.n_questions, one.n_pairs) == (2 * pairs, pairs)


def test_somebody_who_wrote_nothing_cannot_be_left_out(campaign: Campaign) -> None:
    published_twins(1, campaign=campaign)
    eva = UserFactory()
    with pytest.raises(DomainError, match=f"No twin in this campaign is by {eva.public_id}"):
        corpora.take_snapshot(campaign=campaign, by=None, without_writers=[eva])
    assert not Snapshot.objects.exists()
