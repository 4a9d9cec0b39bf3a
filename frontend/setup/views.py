"""Start a campaign: its name and settings, then a checklist that leads to the other steps."""

from dataclasses import dataclass, replace

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from collection.models import Campaign
from collection.selectors.able_people import validators_needed
from collection.selectors.setup import Line, checklist
from collection.services.campaigns.templates import create_from_template
from frontend.http import MANAGE, PageRequest, curators_only
from frontend.lookups import campaign_for
from frontend.setup.forms import NewCampaignForm


@curators_only("GET", "POST", needs=MANAGE)
def new_campaign(request: PageRequest) -> HttpResponse:
    """Create a draft campaign with texts from templates; articles are the next step."""
    form = NewCampaignForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = create_from_template(by=request.user, **form.cleaned_data)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, _("The campaign is saved as a draft."))
            for line in form.below_floor():
                messages.warning(request, _("Below the lowest hourly rate: %s") % line)
            return redirect("campaign-articles", made.slug)
    status = 400 if request.method == "POST" else 200
    return render(request, "frontend/setup/new.html", {"form": form}, status=status)


@dataclass(frozen=True, slots=True)
class Step:
    """A line of the checklist, as the page shows it."""

    line: Line
    title: str
    about: str
    address: str


@curators_only(needs=MANAGE)
def checklist_page(request: PageRequest, slug: str) -> HttpResponse:
    """Show what the campaign has, what is missing, and where to add it."""
    campaign = campaign_for(request.user, slug)
    lines = checklist(campaign)
    context = {
        "campaign": campaign,
        "steps": [step_of(campaign, line) for line in lines],
        "can_open": all(line.is_done for line in lines if line.is_required),
    }
    return render(request, "frontend/setup/checklist.html", context)


def step_of(campaign: Campaign, line: Line) -> Step:
    """Return a line of the checklist with its words and the page where it can be changed."""
    if line.code == "people":
        return _people(campaign, line)
    title, missing, name, more = _WORDS[line.code]()
    about = "" if line.is_done else missing
    return Step(line, title, about, reverse(name, args=[campaign.slug]) + more)


def _people(campaign: Campaign, line: Line) -> Step:
    """Return the step with which people are invited; its count is how many are missing."""
    needed = {"needed": validators_needed(campaign), "n": line.count}
    missing = _("A pair needs %(needed)d validators besides its writer: invite %(n)d more.")
    about = "" if line.is_done else missing % needed
    return Step(replace(line, count=0), _("Validators"), about, reverse("invitations"))


_WORDS = {
    "articles": lambda: (
        _("Articles"),
        _("Writers have nothing to write about, so the campaign cannot open."),
        "campaign-articles",
        "",
    ),
    "guidelines": lambda: (
        _("Guidelines"),
        _("Workers start without any instructions."),
        "campaign-guidelines",
        "",
    ),
    "exercise": lambda: (
        _("Writers’ training and test"),
        _("Every worker can write at once."),
        "campaign-exercise",
        "?skill=write&part=test",
    ),
    "validating": lambda: (
        _("Validators’ training and test"),
        _("Every worker can validate at once."),
        "campaign-exercise",
        "?skill=validate&part=training",
    ),
    "pay": lambda: (
        _("Who pays, and when"),
        _("Workers are told that the campaign has not said it."),
        "campaign-settings",
        "#id_pay_terms",
    ),
    "contact": lambda: (
        _("Whom to ask"),
        _("Workers are told to ask the person who invited them."),
        "campaign-guidelines",
        "#id_contact",
    ),
}
