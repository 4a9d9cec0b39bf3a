"""Pages on which people validate."""

import uuid
from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from collection.models import Campaign
from collection.selectors.crowd import units_left
from frontend.http import PageRequest, blind_only
from frontend.lookups import campaign_for
from frontend.templatetags.shell import SESSION_KEY, code_page
from frontend.validating.page import (
    current,
    explained,
    lease_of,
    next_question,
    receipt,
    show_question,
    to_amend,
)
from frontend.validating.reads import VoteAnswers, n_in_hand
from validation import services
from validation.models import Vote
from validation.services import golds
from winoplatform import clock
from winoplatform.errors import DomainError
from workers.models import Qualification, User

COMMENT_MOST = 500


class LocalAnswerForm(forms.Form):
    """The first step's answer; 0 means "cannot tell"."""

    option = forms.TypedChoiceField(choices=[("1", "1"), ("2", "2"), ("0", "0")], coerce=int)

    def shown_option(self) -> int | None:
        return self.cleaned_data["option"] or None


class VoteForm(forms.Form):
    option = forms.TypedChoiceField(
        choices=[("1", "1"), ("2", "2")],
        coerce=int,
        error_messages={"required": later("First choose the option that fills the blank.")},
    )
    clarity = forms.ChoiceField(
        choices=[("clear", later("not ambiguous")), ("both", later("ambiguous"))],
        error_messages={"required": later("Choose whether the question is ambiguous.")},
    )
    comment = forms.CharField(max_length=COMMENT_MOST, required=False)
    report = forms.ChoiceField(choices=Vote.Report.choices, required=False)

    def vote(self) -> dict[str, Any]:
        """Return the vote as the services take it."""
        return {
            "shown_option": self.cleaned_data["option"],
            "ambiguous": self.cleaned_data["clarity"] == "both",
            "comment": self.cleaned_data["comment"],
            "report": self.cleaned_data["report"],
        }

    def values(self) -> VoteAnswers:
        """Return the submitted values to show again: a missing one must not discard others."""
        option = str(self.data.get("option"))
        return VoteAnswers(
            option=int(option) if option in ("1", "2") else 0,
            clarity="",
            comment=str(self.data.get("comment", "")),
            report=str(self.data.get("report", "")),
        )

    @property
    def first_error(self) -> str:
        return str(next(iter(self.errors.values()))[0])


class ReturnForm(forms.Form):
    """Why a question is returned; an invalid reason must not prevent the return."""

    report = forms.ChoiceField(choices=Vote.Report.choices, required=False)

    def reported(self) -> str:
        return self.cleaned_data["report"] if self.is_valid() else ""

    def values(self) -> VoteAnswers:
        """Return the reason to show again, on either step of the question."""
        return VoteAnswers(report=self.reported())


@blind_only("GET", "POST")
def validate(request: PageRequest, slug: str) -> HttpResponse:
    """Show the validator's current question; POST claims the next one."""
    campaign = campaign_for(request.user, slug)
    if request.method == "POST":
        return next_question(request, campaign)
    return current(request, campaign, said=ReturnForm(request.GET).values())


@blind_only("POST")
def ahead(request: PageRequest, slug: str) -> HttpResponse:
    """Return the question after the current one in advance, so that the page need not wait."""
    campaign = campaign_for(request.user, slug)
    if SESSION_KEY in request.session and _is_last(request.user, campaign):
        return HttpResponse(status=204)  # the session's code follows, not another question
    try:
        seat = services.claim_seat(worker=request.user, campaign=campaign, ahead=True)
    except DomainError:
        return HttpResponse(status=204)  # the response to the vote will explain why
    return show_question(request, campaign, {"seat": seat, "is_ahead": True})


def _is_last(worker: User, campaign: Campaign) -> bool:
    """Return whether the worker's crowd session is complete with the questions in hand."""
    left = units_left(worker=worker, campaign=campaign, skill=Qualification.Skill.VALIDATE)
    return left is not None and left <= n_in_hand(worker, campaign, clock.now())


@blind_only("POST")
def beat(request: PageRequest, slug: str, seat_id: uuid.UUID) -> HttpResponse:
    """Extend the validator's leases while the page is open and in use."""
    campaign = campaign_for(request.user, slug)
    try:
        seat = services.beat(worker=request.user, seat_id=seat_id)
    except DomainError as refusal:
        return explained(request, campaign, refusal)
    context = {
        "campaign": campaign,
        "question": services.view(seat),
        **lease_of(seat, campaign, clock.now()),
    }
    return render(request, "frontend/validating/lease.html", context)


@blind_only("POST")
def answer_local(request: PageRequest, slug: str, seat_id: uuid.UUID) -> HttpResponse:
    """Store the answer to the context around the blank, and show the sentence.

    A report chosen meanwhile is sent with the vote: it is shown again.
    """
    campaign = campaign_for(request.user, slug)
    form, said = LocalAnswerForm(request.POST), ReturnForm(request.POST).values()
    if not form.is_valid():
        message = _("Choose 1, 2 or “cannot tell”.")
        return current(request, campaign, message=message, said=said, status=400)
    try:
        seat = services.answer_local(
            worker=request.user, seat_id=seat_id, shown_option=form.shown_option()
        )
    except DomainError as refusal:
        return explained(request, campaign, refusal)
    if not request.htmx:
        query = {"report": said.report} if said.report else None
        return redirect(reverse("validate", args=[slug], query=query))
    if seat.answered_at is not None:
        return current(request, campaign)
    # Not the seat held longest: its vote may still be on the way.
    return current(request, campaign, seat=seat, said=said)


@blind_only("POST")
def cast_vote(request: PageRequest, slug: str, seat_id: uuid.UUID) -> HttpResponse:
    """Store the vote and show the next question, unless ``shown`` says that the page has it."""
    campaign = campaign_for(request.user, slug)
    form = VoteForm(request.POST)
    is_shown = "shown" in request.POST
    if not form.is_valid():
        if is_shown:
            return receipt(request, campaign, DomainError("invalid", form.first_error))
        return current(request, campaign, message=form.first_error, said=form.values(), status=400)
    try:
        vote = services.cast_vote(worker=request.user, seat_id=seat_id, **form.vote())
    except DomainError as refusal:
        if is_shown:
            return receipt(request, campaign, refusal)
        return explained(request, campaign, refusal)
    if (code := code_page(request, vote.public_id)) is not None:
        return code
    if is_shown:
        return receipt(request, campaign)
    return next_question(request, campaign, recorded=True)


@blind_only()
def undo(request: PageRequest, slug: str) -> HttpResponse:
    """Show the last question again, while its vote can be changed."""
    campaign = campaign_for(request.user, slug)
    seat = services.amendable(worker=request.user, campaign=campaign)
    if seat is None:
        message = _("Your last vote can no longer be changed. Continue with the next question.")
        return current(request, campaign, message=message)
    return to_amend(request, campaign, seat)


@blind_only("POST")
def amend_vote(request: PageRequest, slug: str, seat_id: uuid.UUID) -> HttpResponse:
    """Replace the last answer."""
    campaign = campaign_for(request.user, slug)
    form = VoteForm(request.POST)
    if not form.is_valid():
        seat = services.amendable(worker=request.user, campaign=campaign)
        if seat is None:
            return current(request, campaign, message=form.first_error, status=400)
        return to_amend(
            request, campaign, seat, message=form.first_error, said=form.values(), status=400
        )
    try:
        services.amend_vote(worker=request.user, seat_id=seat_id, **form.vote())
    except DomainError as refusal:
        return explained(request, campaign, refusal)
    return next_question(request, campaign, amended=True)


@blind_only("POST")
def return_seat(request: PageRequest, slug: str, seat_id: uuid.UUID) -> HttpResponse:
    """Return the question without a vote; a report gives the reason."""
    campaign = campaign_for(request.user, slug)
    report = ReturnForm(request.POST).reported()
    try:
        services.return_seat(worker=request.user, seat_id=seat_id, report=report)
    except DomainError as refusal:
        return explained(request, campaign, refusal)
    return next_question(request, campaign, given_back="reported" if report else "plain")


@blind_only("POST")
def see_notice(request: PageRequest, slug: str) -> HttpResponse:
    """Note that the validator has read a warning."""
    golds.notice_seen(request.user, campaign_for(request.user, slug))
    return HttpResponse() if request.htmx else redirect("validate", slug)
