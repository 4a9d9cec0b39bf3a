"""On which questions all validators agreed: by published votes, and by those of a snapshot."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from collection.models import Question
from corpora import services
from corpora.models import Release, Snapshot
from corpora.selectors import full_agreement, labelled, released
from tests.corpora.test_release_provenance import a_question, release_of
from tests.factories import CampaignFactory
from tests.filtering.stages import carried
from tests.validation.deciding import give
from validation.models import Vote
from validation.services.review.exclusions import exclude
from workers.models import User


def validated(n: int = 2, **shares: str) -> tuple[Any, list[Question]]:
    """Questions on which all agreed, and others on which two of three did, by turns."""
    campaign = CampaignFactory(**shares)
    questions = [a_question(campaign, number) for number in range(n)]
    for number, question in enumerate(questions):
        give(question, True, True, number % 2 == 0)
    return campaign, questions


def of_release(release: Release, split: str) -> dict[str, bool]:
    """Return the agreement by the id of the source."""
    run = SimpleNamespace(release=release, reference_set=None, snapshot=None, split=split)
    found = full_agreement(run, labelled(run).items)
    sources = {row.item.id: row.question for row in released(release)}
    return {sources[id]: agreed for id, agreed in found.items()}


def of_snapshot(snapshot: Snapshot) -> dict[str, bool]:
    run = SimpleNamespace(release=None, reference_set=None, snapshot=snapshot, split="all")
    return full_agreement(run, labelled(run).items)


@pytest.mark.long
def test_published_votes_tell_it_with_options_in_published_order() -> None:
    campaign, questions = validated(12, dev_share="0.4", test_share="0.4")
    release = release_of(campaign)
    train, dev, blind = (of_release(release, split) for split in ("train", "dev", "test"))
    assert min(len(train), len(dev), len(blind)) > 0
    ids = [question.public_id for question in questions]
    assert train | dev | blind == dict(zip(ids, [True, False] * 6, strict=True))


def test_votes_of_a_snapshot_are_those_that_counted_when_it_was_requested(dana: User) -> None:
    campaign, (agreed, other) = validated()
    wrong = Vote.objects.get(question=other, option=2)
    before = carried(services.take_snapshot(campaign=campaign, by=None))
    exclude(vote_id=wrong.public_id, reason="Hasty.", by=dana)
    assert of_snapshot(before)[other.public_id] is False
    assert of_snapshot(before)[agreed.public_id] is True
    later = SimpleNamespace(
        created_at=timezone.now(), questions=before.questions, pk=before.pk, campaign=campaign
    )
    assert of_snapshot(later)[other.public_id] is True  # type: ignore[arg-type]


def test_one_vote_is_no_agreement(dana: User) -> None:
    campaign, (agreed, _) = validated()
    for vote in Vote.objects.filter(question=agreed)[:2]:
        Vote.objects.filter(pk=vote.pk).update(
            excluded_at=vote.created_at, exclusion_reason="Hasty."
        )
    snapshot = carried(services.take_snapshot(campaign=campaign, by=None))
    assert agreed.public_id not in of_snapshot(snapshot)
