"""Optional questions about people: a person's own answers, and what a campaign asks."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from collection import services
from collection.core.background import STANDARD, QuestionText
from collection.models import BackgroundQuestion, Campaign
from collection.selectors.background import background_of, may_publish, own_answers
from collection.selectors.consents import campaign_of_consent
from frontend.http import MANAGE, PageRequest, curators_only, signed_in
from frontend.lookups import campaign_for
from frontend.names import JOIN_PAGES


@signed_in("GET", "POST")
def my_background(request: PageRequest, slug: str) -> HttpResponse:
    """Show the user's own answers; POST changes or deletes them."""
    campaign = campaign_of_consent(request.user, slug)
    skill = (request.POST or request.GET).get("skill", "")
    if request.method == "POST":
        return _save_answers(request, campaign, skill)
    context = {
        "campaign": campaign,
        "rows": own_answers(request.user, campaign),
        "skill": skill if skill in JOIN_PAGES else "",
        "join_page": JOIN_PAGES.get(skill, ""),
    }
    return render(request, "frontend/consents/background.html", context)


def _save_answers(request: PageRequest, campaign: Campaign, skill: str) -> HttpResponse:
    if "delete" in request.POST:
        services.delete_background(worker=request.user, campaign=campaign)
        messages.success(request, _("Your answers are deleted."))
        return redirect("my-background", campaign.slug)
    answers = {
        name: [int(value) for value in request.POST.getlist(name) if value.isdecimal()]
        for name in request.POST
    }
    services.answer_background(worker=request.user, campaign=campaign, answers=answers)
    if skill in JOIN_PAGES:
        return redirect(JOIN_PAGES[skill], campaign.slug)
    messages.success(request, _("Your answers are saved."))
    return redirect("my-background", campaign.slug)


def _questions_as_text(rows: list[BackgroundQuestion]) -> str:
    blocks = [
        "\n".join((f"{'* ' if row.many else ''}{row.text}", *(f"- {text}" for text in row.options)))
        for row in rows
        if not row.code
    ]
    return "\n\n".join(blocks)


def _parse_questions(text: str) -> list[QuestionText]:
    """Read own questions: each a line and its options as lines that begin with a hyphen.

    Raises
    ------
    ValidationError
        For an option before any question.
    """
    texts: list[tuple[str, bool, list[str]]] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        if not line.startswith("-"):
            texts.append((line.removeprefix("*").strip(), line.startswith("*"), []))
        elif texts:
            texts[-1][2].append(line.removeprefix("-").strip())
        else:
            raise ValidationError(_("Write a question before its options."))
    return [QuestionText(text, tuple(options), many) for text, many, options in texts]


class QuestionsForm(forms.Form):
    codes = forms.MultipleChoiceField(
        label=later("Questions"),
        required=False,
        choices=[(code, asked.text) for code, asked in STANDARD.items()],
        widget=forms.CheckboxSelectMultiple,
    )
    own = forms.CharField(
        label=later("Own questions"),
        required=False,
        max_length=10_000,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "true"}),
        help_text=later(
            "A line for each question, then a line for each option, beginning with a hyphen. Where "
            "people may choose several options, the question begins with an asterisk."
        ),
    )


@curators_only("GET", "POST", needs=MANAGE)
def campaign_background(request: PageRequest, slug: str) -> HttpResponse:
    """Choose what people are asked about themselves; show the counts of their answers."""
    campaign = campaign_for(request.user, slug)
    rows = list(BackgroundQuestion.objects.asked_in(campaign))
    initial = {"codes": [row.code for row in rows if row.code], "own": _questions_as_text(rows)}
    form = QuestionsForm(request.POST if request.method == "POST" else None, initial=initial)
    if request.method == "POST" and "publish" in request.POST:
        services.publish_background(campaign=campaign)
        return redirect("campaign-background", slug)
    if request.method == "POST" and form.is_valid() and _save_questions(form, campaign):
        messages.success(request, _("The questions are saved."))
        return redirect("campaign-background", slug)
    context: dict[str, Any] = {
        "campaign": campaign,
        "form": form,
        "background": background_of(campaign),
        "may_publish": may_publish(campaign),
        "least_people": 2 * campaign.least_group,
    }
    status = 400 if request.method == "POST" else 200
    return render(request, "frontend/consents/questions.html", context, status=status)


def _save_questions(form: QuestionsForm, campaign: Campaign) -> bool:
    data = form.cleaned_data
    try:
        services.set_background(
            campaign=campaign, codes=data["codes"], own=_parse_questions(data["own"])
        )
    except ValidationError as error:
        form.add_error("own", error.messages)
        return False
    return True
