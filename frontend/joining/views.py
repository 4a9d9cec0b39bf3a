"""Pages on which people join a campaign."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from collection import services
from collection.models import Campaign, ExerciseItem
from collection.selectors.background import is_asked_now
from collection.selectors.exercise import (
    ShownItem,
    explained_items,
    items_of_attempt,
    least_paid_of,
    least_to_pass,
    length_of_training,
    shown_items,
)
from collection.services.joining.access import Eligibility, eligibility
from frontend.http import PageRequest, blind_only, refuse_curators, signed_in
from frontend.lookups import campaign_for
from frontend.names import JOIN_PAGES
from validation.selectors.rates import recent_report
from winoplatform.errors import DomainError
from workers.models import Qualification, User

PREFIX = "item-"
CHOICE = re.compile(r"[0-9]{1,3}")


class AcceptForm(forms.Form):
    version = forms.IntegerField(min_value=1)


def training_answers(data: Mapping[str, Any]) -> dict[str, int]:
    """Return the choices posted so far for a training, the latest last; 0 for an invalid one."""
    return {
        name.removeprefix(PREFIX): int(value) if CHOICE.fullmatch(str(value)) else 0
        for name, value in data.items()
        if name.startswith(PREFIX)
    }


@dataclass(frozen=True, slots=True)
class Row:
    """One item on the page, with its choice and the error about it."""

    item: ShownItem
    name: str
    chosen: str
    error: str


class ExerciseForm(forms.Form):
    """One choice for each item of the exercise, in the order that the worker sees."""

    number = forms.IntegerField(min_value=1, max_value=1000, widget=forms.HiddenInput)

    def __init__(self, items: Sequence[ShownItem], *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.items = items
        for item in items:
            self.fields[PREFIX + item.id] = forms.TypedChoiceField(
                choices=[(f"{n}", text) for n, text in enumerate(item.choices, start=1)],
                coerce=int,
                error_messages={"required": _("Choose an answer.")},
            )

    def rows(self) -> Iterator[Row]:
        for item in self.items:
            name = PREFIX + item.id
            errors = self.errors.get(name, [""]) if self.is_bound else [""]
            yield Row(item, name, str(self.data.get(name, "")), str(errors[0]))

    def answers(self) -> dict[str, int]:
        """Return the choice for each item, and 0 for items that no longer exist."""
        sent = {name: 0 for name in self.data if name.startswith(PREFIX)}
        chosen = {name: self.cleaned_data.get(name, 0) for name in self.fields if name != "number"}
        return {name.removeprefix(PREFIX): choice for name, choice in (sent | chosen).items()}

    @property
    def is_outdated(self) -> bool:
        """Return whether it answers items that this exercise does not have."""
        return any(name.startswith(PREFIX) and name not in self.fields for name in self.data)


WRITE, VALIDATE = Qualification.Skill.WRITE, Qualification.Skill.VALIDATE
PART = ExerciseItem.Part
FORMALISE = Qualification.Skill.FORMALISE


@signed_in()
def join(request: PageRequest, slug: str) -> HttpResponse:
    """Show a writer's next step; ``?again`` opens the test again after a failed attempt."""
    return _steps(request, campaign_for(request.user, slug), WRITE)


@blind_only()
def join_validate(request: PageRequest, slug: str) -> HttpResponse:
    """As ``join``, for validators."""
    return _steps(request, campaign_for(request.user, slug), VALIDATE)


@signed_in()
def join_formalise(request: PageRequest, slug: str) -> HttpResponse:
    """As ``join``, for people who formalise questions; their exercise is that of a set."""
    return _steps(request, campaign_for(request.user, slug), FORMALISE)


def _skill(request: PageRequest) -> str:
    skill = (request.POST or request.GET).get("skill")
    if skill == FORMALISE:
        return FORMALISE
    if skill != VALIDATE:
        return WRITE
    refuse_curators(request)
    return VALIDATE


def _answers_key(campaign: Campaign, skill: str) -> str:
    """Return the session's key of a training's answers until it is done."""
    return f"training {campaign.public_id} {skill}"


def _steps(
    request: PageRequest,
    campaign: Campaign,
    skill: str,
    *,
    form: ExerciseForm | None = None,
    refusal: DomainError | None = None,
    status: int = 200,
) -> HttpResponse:
    state = eligibility(request.user, campaign, skill=skill)
    if state.next_step == "training" and _answers_key(campaign, skill) in request.session:
        return redirect(f"{reverse('train', args=[campaign.slug])}?skill={skill}")
    context: dict[str, Any] = {
        "campaign": campaign,
        "eligibility": state,
        "skill": skill,
        "of_validators": skill == VALIDATE,
        "of_formalisers": skill == FORMALISE,
    }
    if state.next_step == "guidelines":
        context["terms"] = state.guideline
        context["measured"] = recent_report(campaign, writing=skill == WRITE)
    elif state.next_step == "training":
        context |= _training(request, state)
    if state.next_step != "training":
        context |= _exercise(request, state, form)
    context["refusal"] = refusal or _hindrance(state)
    return render(request, "frontend/joining/join.html", context, status=status)


def _hindrance(state: Eligibility) -> DomainError | None:
    """Return the refusal that no step on this page can resolve."""
    return None if state.next_step or state.may_work else state.refusal


def _training(
    request: PageRequest,
    state: Eligibility,
    done: services.Training | None = None,
    latest: str = "",
) -> dict[str, Any]:
    """Show the *latest* item answered with its explanation, and the next one.

    Items that were answered wrongly are asked again after all others.
    """
    current = list(ExerciseItem.objects.current(state.campaign, state.skill, PART.TRAINING))
    items = shown_items(current, request.user)
    explained = {item.id: item for item in done.explained} if done else {}
    left = [item for item in items if item.id not in explained]
    again = [item for item in items if item.id in explained and not explained[item.id].is_right]
    step = None if done and done.is_done else next(iter([*left, *again]), None)
    return {
        "training": {
            "n_items": length_of_training(state.campaign, current),
            "n_right": done.n_right if done else 0,
            "answered": [item for item in explained.values() if not step or item.id != step.id],
            "just": explained.get(latest),
            "item": step,
            "is_again": step in again,
        }
    }


def _exercise(
    request: PageRequest, state: Eligibility, form: ExerciseForm | None
) -> dict[str, Any]:
    """Return the last attempt, and the test if it is the next step."""
    mine = state.qualification
    last = mine.attempts.order_by("-number").first() if mine else None
    context: dict[str, Any] = {
        "last": last,
        "explained": explained_items(last, request.user) if last else [],
        "is_paid": mine is not None and mine.is_paid,
        "reward": mine.reward if mine and mine.reward else state.campaign.reward_exercise,
    }
    wants_form = last is None or "again" in request.GET or form is not None
    if state.next_step == "exercise" and state.campaign.status == Campaign.Status.OPEN:
        number = state.n_attempts + 1
        fresh = {"initial": {"number": number}}
        items = items_of_attempt(state.campaign, state.skill, mine)
        if wants_form:
            context["form"] = form or ExerciseForm(shown_items(items, request.user), **fresh)
        context |= {
            "number": number,
            "n_items": len(items),
            "least_paid": least_paid_of(state.campaign, items),
            "least_to_pass": least_to_pass(state.campaign, len(items)),
        }
    return context


def _items(campaign: Campaign, worker: User, skill: str) -> list[ShownItem]:
    """Return the items of the worker's next attempt at the test."""
    mine = Qualification.objects.filter(worker=worker, scope=campaign.public_id, skill=skill)
    return shown_items(items_of_attempt(campaign, skill, mine.first()), worker)


@signed_in("POST")
def accept_guidelines(request: PageRequest, slug: str) -> HttpResponse:
    """Record that the version shown was read and is accepted."""
    campaign, skill = campaign_for(request.user, slug), _skill(request)
    form = AcceptForm(request.POST)
    try:
        services.accept_guideline(
            worker=request.user,
            campaign=campaign,
            version=form.cleaned_data["version"] if form.is_valid() else 0,
            skill=skill,
        )
    except DomainError as refusal:
        return _steps(request, campaign, skill, refusal=refusal, status=refusal.status)
    if is_asked_now(request.user, campaign):
        return redirect(reverse("my-background", args=[slug], query={"skill": skill}))
    return redirect(JOIN_PAGES[skill], slug)


@signed_in("GET", "POST")
def train(request: PageRequest, slug: str) -> HttpResponse:
    """Explain the latest answer; the form contains the earlier ones, and so does the session."""
    campaign, skill = campaign_for(request.user, slug), _skill(request)
    key = _answers_key(campaign, skill)
    if request.method == "POST":
        request.session[key] = training_answers(request.POST)
    answers = request.session.get(key)
    if answers is None:
        return redirect(JOIN_PAGES[skill], slug)
    try:
        done = services.train(worker=request.user, campaign=campaign, answers=answers, skill=skill)
    except DomainError as refusal:
        del request.session[key]
        return _steps(request, campaign, skill, refusal=refusal, status=refusal.status)
    if done.is_done:
        del request.session[key]
    state = eligibility(request.user, campaign, skill=skill)
    context = {
        "campaign": campaign,
        "eligibility": state,
        "skill": skill,
        "of_validators": skill == VALIDATE,
        **_training(request, state, done, latest=list(answers)[-1] if answers else ""),
    }
    return render(request, "frontend/joining/join.html", context)


@signed_in("POST")
def submit_exercise(request: PageRequest, slug: str) -> HttpResponse:
    """Store an attempt and show it with explanations."""
    campaign, skill = campaign_for(request.user, slug), _skill(request)
    form = ExerciseForm(_items(campaign, request.user, skill), request.POST)
    if not form.is_valid() and not form.is_outdated:
        return _steps(request, campaign, skill, form=form, status=400)
    try:
        services.submit_exercise(
            worker=request.user,
            campaign=campaign,
            number=form.cleaned_data.get("number", 0),
            answers=form.answers(),
            skill=skill,
        )
    except DomainError as refusal:
        return _steps(request, campaign, skill, refusal=refusal, status=refusal.status)
    return redirect(JOIN_PAGES[skill], slug)
