"""Campaigns on the first page."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q, Subquery
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from collection.models import Article, Assignment, Campaign
from collection.selectors.able_people import validators_missing
from collection.selectors.budget import cost_of_twin
from collection.selectors.consents import withdrawn_campaigns
from collection.selectors.joining import blockers_of, offered_to
from collection.services.campaigns.budget import refusal
from corpora.models import Release, ReleasePreview, Snapshot
from validation.models import Appeal, QualityNotice, Seat
from validation.selectors.free_seats import EmptyQueue, empty_queues
from validation.selectors.review_queue import STAGES, active_facts, n_waiting
from workers.models import Qualification, User


@dataclass(frozen=True, slots=True)
class Work:
    """One campaign on a worker's home page."""

    campaign: Campaign
    empty: EmptyQueue | None
    """Why no question is there to validate; None where one is."""
    is_writing: bool
    is_validating: bool
    to_validate: str
    """What is in the way of validating first, by name; empty where nothing is."""
    to_write: str
    """As ``to_validate``, of writing."""
    is_budget_left: bool
    """Whether the campaign can pay for one more twin."""


def open_work(user: User, now: datetime) -> list[Work]:
    """Return the campaigns offered, and those in which *user* has open work, with the next step.

    One of simulated people is offered only while no other is open.
    """
    held = Assignment.objects.filter(worker=user).held(now=now)
    writing = set(held.values_list("campaign", flat=True))
    seats = Seat.objects.filter(worker=user).held(now=now)
    validating = set(seats.values_list("campaign", flat=True))
    begun = Q(pk__in=writing | validating, status=Campaign.Status.PAUSED)
    going_on = Campaign.objects.filter(Q(status=Campaign.Status.OPEN) | begun)
    campaigns = offered_to(going_on, user, now=now)
    empty = empty_queues(worker=user, campaigns=campaigns, now=now)
    blockers = blockers_of(worker=user, campaigns=campaigns, skill=Qualification.Skill.VALIDATE)
    writers = blockers_of(worker=user, campaigns=campaigns, skill=Qualification.Skill.WRITE)
    return [
        Work(
            campaign=campaign,
            empty=empty.get(campaign.pk),
            is_writing=campaign.pk in writing,
            is_validating=campaign.pk in validating,
            to_validate=next(iter(blockers[campaign.pk]), ""),
            to_write=next(iter(writers[campaign.pk]), ""),
            # Queried only for campaigns with a cap.
            is_budget_left=refusal(campaign=campaign, amount=cost_of_twin(campaign)) is None,
        )
        for campaign in campaigns
    ]


NEWS = 5


@dataclass(frozen=True, slots=True)
class News:
    """Unread notices of curators' decisions about the worker's work."""

    notices: list[QualityNotice]
    n_more: int
    appeals: list[Appeal]


def news_of(user: User) -> News:
    """Return the newest notices on votes and twins, and answers to appeals, in three queries.

    Nothing of campaigns that the worker has withdrawn from.
    """
    left = withdrawn_campaigns(user)
    mine = QualityNotice.objects.filter(worker=user).exclude(campaign__in=left)
    notices = mine.filter(kind__in=QualityNotice.OF_CURATORS)
    unseen = notices.filter(seen_at=None).select_related("campaign").order_by("-pk")
    newest = list(unseen[: NEWS + 1])
    n_more = unseen.count() - NEWS if len(newest) > NEWS else 0
    return News(newest[:NEWS], n_more, list(Appeal.objects.filter(worker=user).unread()[:NEWS]))


@dataclass(frozen=True, slots=True)
class CampaignRow:
    campaign: Campaign
    written: int
    validated: int
    valid: int
    in_review: int
    next_step: str
    """What is to be done next; empty where nothing is."""
    next_page: str
    """The address of the page for it."""


def campaign_rows(user: User) -> list[CampaignRow]:
    """Return the campaigns that *user* is a member of, with the progress of their questions."""
    mine = Campaign.objects.visible_to(user)
    counts = active_facts().filter(campaign__in=mine).values_list("campaign").annotate(**STAGES)
    by_campaign = {pk: rest for pk, *rest in counts}
    same = Release.objects.live().filter(
        snapshot=OuterRef("snapshot"), created_at__gt=OuterRef("created_at")
    )
    previews = ReleasePreview.objects.filter(
        snapshot__campaign=OuterRef("pk"), status="done", archived_at=None
    )
    releases = Release.objects.live().filter(snapshot__campaign=OuterRef("pk"))
    campaigns = list(
        mine.annotate(
            has_articles=Exists(Article.objects.current().filter(campaign=OuterRef("pk"))),
            has_snapshot=Exists(Snapshot.objects.filter(campaign=OuterRef("pk"))),
            preview=Subquery(
                previews.filter(~Exists(same)).order_by("-pk").values("public_id")[:1]
            ),
            release=Subquery(releases.order_by("-pk").values("name")[:1]),
        )
    )
    waiting, missing = n_waiting(campaigns), validators_missing(campaigns)
    nothing = [0, 0, 0]
    return [
        _row(campaign, by_campaign.get(campaign.pk, nothing), waiting.get(campaign.pk, 0), missing)
        for campaign in campaigns
    ]


def _row(
    campaign: Any, counts: list[int], in_review: int, missing: Mapping[int, int]
) -> CampaignRow:
    step, page = next_step(campaign, counts, in_review, missing[campaign.pk])
    written, validated, valid = counts
    return CampaignRow(campaign, written, validated, valid, in_review, step, page)


def next_step(campaign: Any, counts: list[int], in_review: int, missing: int) -> tuple[str, str]:
    """Return what is to be done next in a campaign, and the address of the page for it."""
    written, validated, valid = counts
    here = [campaign.slug]
    to_collect = _collecting(campaign, written, written - validated, in_review, missing)
    if campaign.status != Campaign.Status.CLOSED and to_collect:
        return to_collect
    if campaign.preview:
        page = reverse("release-preview", args=[campaign.preview])
        return _("Read the preview of a release"), page
    if valid and not campaign.has_snapshot:
        return _("Start a release"), reverse("pipeline", args=here)
    if campaign.status == Campaign.Status.OPEN and written > validated:
        return _("Wait for votes"), reverse("progress", args=here)
    if campaign.release:
        return _("Evaluate models on the release"), reverse("release", args=[campaign.release])
    if campaign.has_snapshot:
        return _("Finish the release"), reverse("pipeline", args=here)
    return ("", "") if campaign.status == Campaign.Status.CLOSED else _writing_on(here)


def _collecting(
    campaign: Any, written: int, waiting: int, in_review: int, missing: int
) -> tuple[str, str] | None:
    """Return what keeps people from working, or waits for a curator; None if nothing does."""
    here = [campaign.slug]
    if not campaign.has_articles and not written:
        return _("Import articles"), reverse("campaign-articles", args=here)
    if campaign.status != Campaign.Status.OPEN:
        return _("Open it for writers"), reverse("campaign", args=here)
    if in_review:
        return _("Decide the review queue"), reverse("review-queue", args=here)
    if not written:
        return _("Invite people"), reverse("invitations")
    if waiting and missing:
        message = ngettext("Invite %d validator", "Invite %d validators", missing)
        return message % missing, reverse("invitations")
    return None


def _writing_on(here: list[str]) -> tuple[str, str]:
    return _("See who writes"), reverse("progress", args=here)
