"""A campaign as its workers will see it; nothing is stored and nothing can be sent."""

from datetime import timedelta
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from collection.models import Article, Assignment, Campaign, ExerciseItem
from collection.selectors.terms import terms_of
from frontend.http import MANAGE, PageRequest, curators_only
from frontend.lookups import campaign_for
from frontend.marks import article_pieces
from frontend.writing.desk import CHIPS_SHOWN, Desk, anchor_chips, checks_context
from frontend.writing.forms import twin_form
from winoplatform import clock
from workers.models import Qualification

WRITE, VALIDATE = Qualification.Skill.WRITE.value, Qualification.Skill.VALIDATE.value


@curators_only(needs=MANAGE)
def preview(request: PageRequest, slug: str) -> HttpResponse:
    """Show what a writer sees, or with ``?as=validate`` a validator."""
    campaign = campaign_for(request.user, slug)
    skill = VALIDATE if request.GET.get("as") == VALIDATE else WRITE
    items = ExerciseItem.objects.filter(campaign=campaign, skill=skill, retired_at=None)
    context: dict[str, Any] = {
        "campaign": campaign,
        "skill": skill,
        "of_validators": skill == VALIDATE,
        "guideline": campaign.guideline,
        "terms": terms_of(campaign),
        "items": items.order_by("-part", "number"),
    }
    article = campaign.articles.current().order_by("pk").first()
    if skill == WRITE and article is not None:
        context |= _desk(campaign, article)
    return render(request, "frontend/writing/preview.html", context)


def _desk(campaign: Campaign, article: Article) -> dict[str, Any]:
    """Return the empty desk of a writer with the campaign's first article."""
    until = clock.now() + timedelta(minutes=campaign.assignment_minutes)
    assignment = Assignment(campaign=campaign, article=article, leased_until=until)
    desk = Desk(assignment=assignment, form=twin_form({}))
    chips = anchor_chips(campaign, article, None)
    return {
        "assignment": assignment,
        "article": article,
        **article_pieces(article),
        "chips": chips[:CHIPS_SHOWN],
        "more_chips": chips[CHIPS_SHOWN:],
        "form": desk.form,
        "missing": frozenset(),
        "reasons": Assignment.ReturnReason.choices,
        **checks_context(desk),
    }
