"""Freezing: which questions, in which bytes."""

import hashlib

import pytest

from collection.models import Campaign, Question
from filtering import runner, selectors, services
from filtering.core.questions import FrozenQuestion
from filtering.models import Snapshot
from tests.factories import CampaignFactory, TwinFactory, VerdictFactory
from tests.filtering.stages import assert_done, published_twins, read
from winoplatform.errors import DomainError

pytestmark = pytest.mark.django_db


def snapshot(campaign: Campaign) -> Snapshot:
    taken = services.take_snapshot(campaign=campaign, by=None)
    runner.carry_snapshot(taken.pk)
    assert_done(taken)
    return taken


def judged(campaign: Campaign, *, valid: bool) -> Question:
    twin = TwinFactory(campaign=campaign)
    question = twin.questions.get(number=1)
    VerdictFactory(question=question, reasons=[] if valid else ["ambiguous"])
    return question


def test_a_snapshot_holds_the_valid_questions_only() -> None:
    campaign = CampaignFactory()
    valid = judged(campaign, valid=True)
    judged(campaign, valid=False)
    TwinFactory(campaign=campaign)
    judged(CampaignFactory(), valid=True)
    taken = snapshot(campaign)
    (line,) = read(taken.questions).splitlines()
    question = FrozenQuestion.from_line(line)
    assert (question.id, question.sentence) == (valid.public_id, valid.sentence)
    assert (taken.n_questions, taken.n_pairs) == (1, 0)


def test_questions_published_elsewhere_count_as_valid() -> None:
    campaign = CampaignFactory()
    published_twins(2, campaign=campaign)
    taken = snapshot(campaign)
    assert (taken.n_questions, taken.n_pairs) == (4, 2)


def test_lines_are_sorted_by_id_and_named_by_their_hash() -> None:
    campaign = CampaignFactory()
    published_twins(4, campaign=campaign)
    taken = snapshot(campaign)
    text = read(taken.questions)
    ids = [question.id for question in selectors.load_questions(taken)]
    assert ids == sorted(ids)
    assert taken.questions.sha256 == hashlib.sha256(text.encode()).hexdigest()


def test_the_same_questions_give_the_same_hash_and_one_more_gives_another() -> None:
    campaign = CampaignFactory()
    published_twins(2, campaign=campaign)
    first, again = snapshot(campaign), snapshot(campaign)
    published_twins(1, campaign=campaign)
    assert first.questions == again.questions != snapshot(campaign).questions


def test_a_snapshot_stays_as_it_was_when_new_questions_come() -> None:
    campaign = CampaignFactory()
    published_twins(1, campaign=campaign)
    taken = snapshot(campaign)
    published_twins(1, campaign=campaign)
    assert len(selectors.load_questions(taken)) == 2


def test_a_campaign_without_valid_questions_cannot_be_frozen() -> None:
    with pytest.raises(DomainError) as caught:
        services.take_snapshot(campaign=TwinFactory().campaign, by=None)
    assert (caught.value.code, caught.value.status) == ("no_valid_questions", 409)


def test_the_funnel_counts_what_came_how_far() -> None:
    campaign = CampaignFactory()
    judged(campaign, valid=True)
    judged(campaign, valid=False)
    assert selectors.funnel(campaign).as_dict() == {
        "twins": 2,
        "written": 4,
        "judged": 2,
        "valid": 1,
        "filtered": None,
        "kept": None,
    }
