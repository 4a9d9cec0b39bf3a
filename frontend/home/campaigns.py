"""The campaigns of the home page, with the progress of each and its next step."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Subquery
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from collection.models import Article, Campaign
from collection.selectors.able_people import validators_missing
from corpora.models import Release, ReleasePreview, Snapshot
from validation.selectors.review_queue import n_waiting
from validation.selectors.states import STAGES, active_facts


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


def campaign_rows() -> list[CampaignRow]:
    """Return every campaign with the progress of its questions."""
    counts = active_facts().values_list("campaign").annotate(**STAGES)
    by_campaign = {pk: rest for pk, *rest in counts}
    same = Release.objects.live().filter(
        snapshot=OuterRef("snapshot"), created_at__gt=OuterRef("created_at")
    )
    previews = ReleasePreview.objects.filter(
        snapshot__campaign=OuterRef("pk"), status="done", archived_at=None
    )
    releases = Release.objects.live().filter(snapshot__campaign=OuterRef("pk"))
    campaigns = list(
        Campaign.objects.annotate(
            has_articles=Exists(Article.objects.filter(campaign=OuterRef("pk"))),
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
        _row(one, by_campaign.get(one.pk, nothing), waiting.get(one.pk, 0), missing)
        for one in campaigns
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
        said = ngettext("Invite %d validator", "Invite %d validators", missing)
        return said % missing, reverse("invitations")
    return None


def _writing_on(here: list[str]) -> tuple[str, str]:
    return _("See who writes"), reverse("progress", args=here)
