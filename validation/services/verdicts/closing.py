"""What becomes of questions that wait for one more vote when their campaign is closed."""

from django.db import transaction

from collection.models import Campaign, Question
from validation.models import Seat
from validation.services.verdicts.verdicts import settle
from winoplatform import clock


def settle_all_closed() -> None:
    """Do what is left of ``settle_closed`` where a process died in between; beat asks for it."""
    for campaign in Campaign.objects.filter(status=Campaign.Status.CLOSED).order_by("pk"):
        settle_closed(campaign=campaign)


def settle_closed(*, campaign: Campaign) -> None:
    """Let the votes that are there decide what was still waiting for a further one.

    Questions that lack one of the votes which every question gets stay without a verdict. Each is a
    transaction of its own; doing it again changes nothing.
    """
    # Named as the index of open seats names them, or it would read every seat of the campaign.
    free = Seat.objects.in_campaign(campaign).numbered().filter(answered_at=None)
    further = free.filter(number__gt=campaign.votes_per_question)
    waiting = further.values_list("question", flat=True)
    for key in sorted(set(waiting)):
        with transaction.atomic():
            rows = Question.objects.filter(pk=key).select_related("twin")
            question = rows.select_for_update(of=("self",), no_key=True).get()
            settle(question=question, campaign=campaign, now=clock.now())
