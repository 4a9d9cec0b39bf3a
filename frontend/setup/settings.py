"""The settings of a campaign, and their history."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.forms import model_to_dict
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from collection import services
from collection.models import Campaign, ExerciseItem, SettingsChange
from collection.selectors.attributes import search_attributes
from collection.selectors.exercise import guessers_paid, items_of_attempt, least_paid_of
from collection.selectors.setup import outdated_quotes
from collection.selectors.terms import terms_of
from frontend.http import MANAGE, PageRequest, curators_only
from frontend.lookups import campaign_for
from frontend.setup.lines import (
    AttributesForm,
    ExerciseTextForm,
    add_errors,
    attributes_text,
    exercise_text,
)
from frontend.setup.settings_forms import CampaignForm, GuidelineForm
from frontend.templatetags.pages import money
from winoplatform.errors import DomainError
from workers.models import Qualification, User


@dataclass(frozen=True, slots=True)
class Change:
    """A setting's name, and its value before and after, in words."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Entry:
    """What was changed at one time, or that the campaign was created; by whom, in words.

    A history may begin after the campaign was created, without changes and with nobody.
    """

    at: datetime
    by: str
    is_created: bool
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Outdated:
    """Settings that guidelines quote as they were before."""

    version: int
    changes: tuple[Change, ...]


def history_of(campaign: Campaign) -> list[Entry]:
    """Return the history of a campaign's settings, newest first."""
    rows = SettingsChange.objects.filter(campaign=campaign).select_related("by").order_by("-pk")
    return [
        Entry(
            at=row.created_at,
            by=_by(row, campaign),
            is_created=_is_created(row, campaign),
            changes=_changes((name, row.before[name], row.after[name]) for name in row.before),
        )
        for row in rows
    ]


def _is_created(row: SettingsChange, campaign: Campaign) -> bool:
    return not row.before and row.created_at <= campaign.created_at


def _by(row: SettingsChange, campaign: Campaign) -> str:
    if row.by:
        return str(row.by.public_id)
    return _("the platform") if row.before or _is_created(row, campaign) else ""


def outdated(campaign: Campaign) -> Outdated | None:
    """Return the settings that the newest guidelines quote and that have changed since."""
    quotes = outdated_quotes(campaign)
    return Outdated(quotes.version, _changes(quotes.changes)) if quotes else None


def _changes(changes: Iterable[tuple[str, Any, Any]]) -> tuple[Change, ...]:
    return tuple(
        Change(_label(name), *(_value_text(name, value) for value in values))
        for name, *values in changes
    )


def _label(name: str) -> str:
    field = _field(name)
    return name if field is None else str(field.verbose_name)


def _field(name: str) -> Any:
    """Return a setting's column; None where a later version has none."""
    return next((f for f in Campaign._meta.concrete_fields if f.name == name), None)


def _value_text(name: str, value: Any) -> str:
    if value is None or value in ("", []):
        return _("none")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return ", ".join(str(_choices(name).get(one, one)) for one in value)
    return str(_choices(name).get(value, value))


def _choices(name: str) -> Mapping[Any, Any]:
    field = _field(name)
    field = getattr(field, "base_field", field)
    return dict(field.flatchoices) if field is not None else {}


SKILL = (Qualification.Skill.WRITE.value, Qualification.Skill.VALIDATE.value)
PART = (ExerciseItem.Part.TEST.value, ExerciseItem.Part.TRAINING.value)


# The field of each refusal, by its code.
REFUSED_AT = {
    "budget_exhausted": "budget_cap",
    "second_approval_kept": "second_approval_above",
    "second_person_kept": "second_person",
    "currency_fixed": "currency",
    "people_fixed": "people_origin",
}


@curators_only("GET", "POST", needs=MANAGE)
def campaign_settings(request: PageRequest, slug: str) -> HttpResponse:
    """Change settings; existing twins, votes and pay do not change."""
    campaign = campaign_for(request.user, slug)
    # The form changes its instance, even when invalid: the page shows an unchanged copy.
    sent = request.POST if request.method == "POST" else None
    form = CampaignForm(sent, instance=campaign_for(request.user, slug))
    if request.method == "POST" and _store(form, campaign, request.user):
        messages.success(request, _("The settings were saved."))
        return redirect("campaign-settings", slug)
    context = {
        "campaign": campaign,
        "form": form,
        "outdated": outdated(campaign),
        "history": history_of(campaign),
    }
    status = 400 if request.method == "POST" else 200
    return render(request, "frontend/setup/settings.html", context, status=status)


def _store(form: CampaignForm, campaign: Campaign, by: User) -> bool:
    """Store the form's changes, or show all errors at once."""
    is_valid = form.is_valid()
    update = services.update_campaign if is_valid else services.try_update
    try:
        update(campaign=campaign, by=by, **form.changes())
    except ValidationError as error:
        if is_valid:
            form.add_error(None, error)
    except DomainError as refusal:
        form.add_error(REFUSED_AT.get(refusal.code), _sentence(refusal, campaign))
    return form.is_valid()


def _sentence(refusal: DomainError, campaign: Campaign) -> str:
    """Return a refusal's message, with money formatted as on every page."""
    if refusal.code != "budget_exhausted":
        return refusal.message
    sums = {
        name: money(Decimal(refusal.details[name]), campaign.currency)
        for name in ("committed", "cap")
    }
    return (
        _(
            "With these settings %(committed)s are committed, more than the budget of %(cap)s. "
            "Raise the budget or lower the pay."
        )
        % sums
    )


@curators_only("GET", "POST", needs=MANAGE)
def guidelines(request: PageRequest, slug: str) -> HttpResponse:
    """Publish a new version of the guidelines; ``?version`` shows an old one."""
    campaign = campaign_for(request.user, slug)
    if request.method == "POST":
        form = GuidelineForm(request.POST)
        if form.is_valid():
            try:
                made = services.publish_guideline(
                    campaign=campaign, by=request.user, **form.cleaned_data
                )
            except ValidationError as error:
                form.add_error(None, error)
            else:
                messages.success(request, _("Version %d is published.") % made.version)
                return redirect("campaign-guidelines", slug)
        return _guidelines(request, campaign, form, status=400)
    return _guidelines(request, campaign, GuidelineForm(initial=model_to_dict(terms_of(campaign))))


def _guidelines(
    request: PageRequest, campaign: Campaign, form: GuidelineForm, *, status: int = 200
) -> HttpResponse:
    versions = campaign.guideline_set.order_by("-version").select_related("created_by")
    context: dict[str, Any] = {
        "campaign": campaign,
        "form": form,
        "versions": versions,
        "outdated": outdated(campaign),
    }
    wanted = request.GET.get("version", "")
    if wanted:
        is_number = wanted.isascii() and wanted.isdigit() and len(wanted) < 10
        context["old"] = versions.filter(version=wanted).first() if is_number else None
        if context["old"] is None:
            raise Http404(_("There is no such version."))
    return render(request, "frontend/setup/guidelines.html", context, status=status)


@curators_only("GET", "POST", needs=MANAGE)
def exercise(request: PageRequest, slug: str) -> HttpResponse:
    """Replace one part of the exercise; ``?skill=validate&part=training`` selects it."""
    campaign = campaign_for(request.user, slug)
    skill, part = _choice(request, "skill", SKILL), _choice(request, "part", PART)
    items = list(ExerciseItem.objects.current(campaign, skill, part))
    form = ExerciseTextForm(request.POST or None, initial={"text": exercise_text(items)})
    if request.method == "POST" and form.is_valid():
        texts = form.cleaned_data["text"]
        try:
            services.set_exercise(campaign=campaign, items=texts, skill=skill, part=part)
        except ValidationError as error:
            add_errors(form, error)
        else:
            messages.success(request, _("Training and test were saved."))
            return redirect(request.get_full_path())
    context = {"campaign": campaign, "form": form, "items": items, "skill": skill, "part": part}
    if items and part == PART[0]:
        first = items_of_attempt(campaign, skill)
        context |= {
            "first": first,
            "least_paid": least_paid_of(campaign, first),
            "guessers_paid": guessers_paid(campaign, first),
        }
    context["parts"] = [(a_skill, a_part) for a_skill in SKILL for a_part in PART[::-1]]
    status = 400 if request.method == "POST" else 200
    return render(request, "frontend/setup/exercise.html", context, status=status)


def _choice(request: PageRequest, name: str, choices: tuple[str, ...]) -> str:
    """Return the choice in the address; the first one by default."""
    wanted = request.GET.get(name, choices[0])
    if wanted not in choices:
        raise Http404(_("There is no such part of training and test."))
    return wanted


@curators_only("GET", "POST", needs=MANAGE)
def attributes(request: PageRequest, slug: str) -> HttpResponse:
    """Replace the whole attribute table."""
    campaign = campaign_for(request.user, slug)
    rows = search_attributes(campaign)
    form = AttributesForm(request.POST or None, initial={"text": attributes_text(rows)})
    if request.method == "POST" and form.is_valid():
        try:
            services.set_attributes(campaign=campaign, rows=form.cleaned_data["text"])
        except ValidationError as error:
            add_errors(form, error)
        else:
            messages.success(request, _("The table was saved."))
            return redirect("campaign-attributes", slug)
    context = {"campaign": campaign, "form": form, "rows": rows}
    status = 400 if request.method == "POST" else 200
    return render(request, "frontend/setup/attributes.html", context, status=status)
