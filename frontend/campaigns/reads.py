"""Campaigns: who can see them, and the progress of their questions."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef
from django.urls import reverse
from django.utils.translation import gettext as _

from collection.models import Article, Campaign
from corpora.models import Snapshot
from frontend.http import existing
from frontend.my_work.reads import reason_sentence
from validation.selectors import with_people
from validation.selectors.review_queue import n_waiting
from validation.selectors.states import STAGES, active_facts
from workers.models import User


def campaign_for(user: User, slug: str, **counts: Count) -> Campaign:
    """Return a campaign that *user* can see, annotated with *counts*, or raise a 404."""
    campaigns: Any = Campaign.objects.visible_to(user).annotate(**counts)
    if user.is_curator:  # whose pages say who its people are
        campaigns = with_people(campaigns)
    return existing(campaigns, _("There is no such campaign."), slug=slug)


@dataclass(frozen=True, slots=True)
class CampaignRow:
    campaign: Campaign
    written: int
    validated: int
    valid: int
    in_review: int
    next_step: str
    """What the curator can do next; empty where only workers can."""
    next_page: str
    """The address of the page for it."""


def campaign_rows() -> list[CampaignRow]:
    """Return every campaign with the progress of its questions."""
    counts = active_facts().values_list("campaign").annotate(**STAGES)
    by_campaign = {pk: rest for pk, *rest in counts}
    campaigns = list(
        Campaign.objects.annotate(
            has_articles=Exists(Article.objects.filter(campaign=OuterRef("pk"))),
            has_snapshot=Exists(Snapshot.objects.filter(campaign=OuterRef("pk"))),
        )
    )
    waiting = n_waiting(campaigns)
    return [
        _row(campaign, by_campaign.get(campaign.pk, [0, 0, 0]), waiting.get(campaign.pk, 0))
        for campaign in campaigns
    ]


def _row(campaign: Any, counts: list[int], in_review: int) -> CampaignRow:
    written, validated, valid = counts
    here = reverse("campaign", args=[campaign.slug])
    step, page = "", here
    if campaign.status == Campaign.Status.CLOSED:
        pass
    elif not campaign.has_articles:
        step = _("Import articles")
    elif campaign.status != Campaign.Status.OPEN:
        step = _("Open it for writers")
    elif in_review:
        step, page = _("Decide the review queue"), reverse("review-queue", args=[campaign.slug])
    elif not written:
        step, page = _("Invite people"), reverse("invitations")
    elif valid and not campaign.has_snapshot:
        step, page = _("Start a release"), reverse("pipeline", args=[campaign.slug])
    return CampaignRow(campaign, written, validated, valid, in_review, step, page)


def reason_counts(campaign: Campaign) -> list[tuple[str, int]]:
    """Count the failed questions by reason, the most frequent first."""
    failed = active_facts().filter(campaign=campaign).exclude(reasons=[])
    counts: Counter[str] = Counter()
    for reasons, number in failed.values_list("reasons").annotate(Count("pk")):
        counts.update(dict.fromkeys(reasons, number))
    return [(reason_sentence(code), number) for code, number in counts.most_common()]
