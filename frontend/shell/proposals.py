"""What waits for a second person, on the pages that it is about and on a campaign's overview."""

import uuid
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from corpora import services
from corpora.models import PublishedRun, Release
from corpora.selectors import ended_publication, release_proposed
from frontend.http import MANAGE, PageRequest, curators_only, existing
from frontend.runs.views import changed
from winoplatform.errors import DomainError
from winoplatform.http import step_up
from winoplatform.personal.mentions import mentions
from workers.models import Proposal, User
from workers.services import Erasure, decide, refusal_to_decide

ENDS = {
    "decline": (Proposal.Outcome.DECLINED, later("It is declined: nothing changes.")),
    "withdraw": (Proposal.Outcome.WITHDRAWN, later("It is withdrawn: nothing changes.")),
}


@dataclass(frozen=True, slots=True)
class Waiting:
    """A proposal in words, where it is decided, and why not by the reader."""

    proposal: Proposal
    title: str
    address: str
    is_own: bool
    refusal: DomainError | None


def waiting(user: Any, **about: Any) -> list[Waiting]:
    """Return the open proposals *about* something that *user* has the right to decide."""
    if not isinstance(user, User):
        return []
    rows = Proposal.objects.open().visible_to(user).filter(**about).select_related("by", "account")
    return [
        Waiting(row, *_subject(row, user), row.by == user, refusal_to_decide(row, user))
        for row in rows
    ]


def waiting_for(user: User, campaign_id: uuid.UUID) -> list[Waiting]:
    """Return what of a campaign waits for *user* as the second person."""
    rows = waiting(user, campaigns__contains=[campaign_id])
    return [row for row in rows if row.refusal is None]


def not_published(user: Any, release: PublishedRun) -> Proposal | None:
    """Return what ended without publishing a release, if *user* may ask for it again."""
    last = ended_publication(release)
    may_ask = last is not None and Proposal.objects.visible_to(user).filter(pk=last.pk).exists()
    return last if may_ask else None


def _subject(proposal: Proposal, user: User) -> tuple[str, str]:
    """Return what is proposed, in words, and the page where *user* decides it."""
    if proposal.account is not None:
        person = proposal.account.public_id
        page = f"{reverse('erase-person')}?person={person}"
        is_admin = user.role == User.Role.ADMIN
        return _("Erase %s") % person, page if is_admin else reverse("person", args=[person])
    release = release_proposed(proposal)
    at = reverse(
        "release" if isinstance(release, Release) else "knowledge-release", args=[release.name]
    )
    if proposal.kind == Proposal.Kind.RELEASE:
        return _("Make %s public") % release.name, at
    return _("Retract %s") % release.name, at


@curators_only("POST", needs=MANAGE)
def decide_proposal(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Confirm, decline or withdraw a proposal, or ask again; return to the page of the form."""
    rows = Proposal.objects.visible_to(request.user)
    proposal = existing(rows, _("There is no such proposal."), public_id=public_id)
    decision = request.POST.get("decision")
    if decision == "confirm":
        if proposal.kind == Proposal.Kind.ERASURE:
            step_up.ask(request)
        return _confirm(request, proposal)
    if decision == "again":
        ask = partial(services.ask_again, proposal=proposal, by=request.user)
        return changed(request, ask, _("It waits for a second person."), at="home")
    if decision not in ENDS:
        raise DomainError("invalid", _("Confirm, decline or withdraw it."))
    outcome, said = ENDS[decision]
    end = partial(decide, proposal=proposal, outcome=outcome, by=request.user)
    return changed(request, end, str(said), at="home")


def _confirm(request: PageRequest, proposal: Proposal) -> HttpResponse:
    done: list[Any] = []
    response = changed(
        request,
        lambda: done.append(services.confirm(proposal=proposal, by=request.user)),
        _("It is confirmed and done."),
        at="home",
    )
    if done and isinstance(done[0], Erasure):
        _say_erased(request, done[0])
        return redirect("people")  # the page of the form has another address now
    return response


def _say_erased(request: PageRequest, erasure: Erasure) -> None:
    said = _("The person was erased. Their account is now %s.")
    messages.success(request, said % erasure.account.public_id)
    is_admin = request.user.role == User.Role.ADMIN
    for mention in mentions(erasure.person.names) if is_admin else ():
        said = _("The name or address is still in %(n)s rows of %(table)s.%(column)s.")
        place = {"n": mention.rows, "table": mention.table, "column": mention.column}
        messages.warning(request, said % place)
