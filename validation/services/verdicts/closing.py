"""Deciding questions that wait for one more vote when their campaign is closed."""

from django.db import transaction
from django.db.models import F

from collection.models import Campaign, Question
from validation.models import Seat
from validation.services.verdicts.verdicts import settle
from winoplatform import clock


def settle_all_closed() -> None:
    """Finish ``settle_closed`` for campaigns where a process died; called by beat."""
    for campaign in Campaign.objects.filter(status=Campaign.Status.CLOSED).order_by("pk"):
        settle_closed(campaign=campaign)


def settle_closed(*, campaign: Campaign) -> None:
    """Decide questions that wait for an additional vote from the votes they have.

    Questions that lack one of their usual votes stay without a verdict. Each question is a separate
    transaction; repeating the call changes nothing.
    """
    # The same condition as the index of open seats, so that the index is used.
    free = Seat.objects.in_campaign(campaign).numbered().filter(answered_at=None)
    further = free.filter(number__gt=F("twin__votes_per_question"))
    waiting = further.values_list("question", flat=True)
    for key in sorted(set(waiting)):
        with transaction.atomic():
            rows = Question.objects.filter(pk=key).select_related("twin")
            question = rows.select_for_update(of=("self",), no_key=True).get()
            settle(question=question, campaign=campaign, now=clock.now())
