"""Growing the pool of gold questions from verdicts, and retiring those in doubt."""

from collections.abc import Sequence
from datetime import datetime

from collection.models import Campaign, Question
from validation.core.golds import can_be_gold
from validation.core.verdicts import Ballot
from validation.models import GoldQuestion, Vote, is_public

POOL = 200
"""Maximum gold questions grown in one campaign: at a share of 0.1 they last a validator for 2,000
questions, and more only slow down the query that draws."""


def after_verdict(
    *, question: Question, campaign: Campaign, votes: Sequence[Vote], now: datetime
) -> None:
    """Make the question gold if all its validators agree; otherwise retire it as gold."""
    if not campaign.gold_share:
        return
    ballots = [Ballot(vote.option, vote.ambiguous, vote.local_option) for vote in votes]
    if not can_be_gold(ballots, answer=question.answer):
        retire_if_gold(question=question, now=now)
        return
    if any(vote.report for vote in votes):
        return
    if Question.objects.filter(is_public("twin"), pk=question.pk).exists():
        return
    # Not in_use(): a release retires what it publishes, and looking up each sentence is slow.
    if GoldQuestion.objects.filter(campaign=campaign, retired_at=None).count() >= POOL:
        return
    # It exists already: a curator chose it, or retired it for good.
    GoldQuestion.objects.get_or_create(
        question=question,
        defaults={"campaign": campaign, "origin": GoldQuestion.Origin.GROWN, "created_at": now},
    )


def retire_if_gold(*, question: Question, now: datetime) -> None:
    """Retire a question as gold, as its answer is in doubt."""
    golds = GoldQuestion.objects.filter(question=question, retired_at=None)
    golds.update(retired_at=now, retired_for=GoldQuestion.Retirement.DOUBT)
