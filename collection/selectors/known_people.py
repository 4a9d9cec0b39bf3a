"""The people whom a curator may know of: those who work in the curator's campaigns."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

from django.apps import apps
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery, Value

from collection.models import (
    Assignment,
    Campaign,
    Consent,
    CrowdSession,
    Guideline,
    Membership,
    Twin,
    of_member,
)
from winoplatform.errors import existing
from winoplatform.http.rights import Right
from workers.models import Invitation, LedgerEntry, PersonLabel, Proposal, Qualification, User

NAMELESS = (User.Origin.CROWD, User.Origin.IMPORTED)


def known_to(user: User, right: str | None = None) -> Q:
    """Select the people who work in campaigns of a member, or whom the member invited."""
    if user.role == User.Role.ADMIN:
        return ~Q(pk__in=[])
    invited = Invitation.objects.filter(created_by=user, user__isnull=False)
    campaigns = Campaign.objects.filter(of_member(user, "pk", right))
    return Q(pk__in=invited.values("user")) | work_in(campaigns)


@dataclass(frozen=True, slots=True)
class Names:
    """What a curator may read beside pseudonyms: own labels, and user names."""

    labels: Mapping[str, str]
    user_names: Mapping[str, str]


def names_for(curator: User) -> Names:
    """Return a curator's own labels and the user names that they may see, by pseudonym.

    User names are of those who accepted guidelines that say so, in campaigns of the curator whose
    newest guidelines still do. Accounts of crowd workers and of imports have no name that a person
    chose.
    """
    newest = Guideline.objects.filter(campaign=OuterRef("guideline__campaign"))
    still = newest.order_by("-version").values("shows_user_names")[:1]
    consents: Any = Consent.objects.active().annotate(still=Subquery(still))
    named = consents.filter(
        of_member(curator, "guideline__campaign", Right.SEE),
        guideline__shows_user_names=True,
        still=True,
        worker__erased_at=None,
    ).exclude(worker__origin__in=NAMELESS)
    labels = PersonLabel.objects.filter(by=curator).order_by()
    # One query, as many pages name people.
    rows = labels.values_list("worker__public_id", "text", Value(True)).union(
        named.values_list("worker__public_id", "worker__username", Value(False))
    )
    return Names(
        {name: text for name, text, is_label in rows if is_label},
        {name: text for name, text, is_label in rows if not is_label},
    )


def may_renew_password(curator: User, worker: User, names: Names) -> bool:
    """Return whether a curator with these names may make a password link for a pseudonym.

    Who opens the link reads the user name.
    """
    return curator.role == User.Role.ADMIN or worker.public_id in names.user_names


def known_worker(user: User, public_id: str) -> User:
    """Return a worker of `known_to` by pseudonym; NotFound for others."""
    workers = User.objects.filter(known_to(user), role=User.Role.WORKER)
    return existing(workers.filter(public_id=public_id).first(), "worker")


def known_to_none_but(user: User) -> Q:
    """Select those of `known_to` whom no other curator knows: by their work, or an invitation."""
    others = Invitation.objects.filter(user__isnull=False).exclude(created_by=user)
    if user.role == User.Role.ADMIN:
        return known_to(user)
    elsewhere = Q(pk__in=others.values("user")) | work_in(
        Campaign.objects.exclude(of_member(user, "pk"))
    )
    return known_to(user) & ~elsewhere


def work_in(campaigns: "QuerySet[Campaign]") -> Q:
    """Select the people who work in some campaigns.

    They have accepted guidelines, hold or held work, wrote, are paid, or took a test. Each person
    is looked up by an index: one of these tables has rows for every question. Its indexes by worker
    hold either the seats with an answer or those without.
    """
    worker, ids = {"worker": OuterRef("pk")}, campaigns.values("public_id")
    works: list[QuerySet[Any]] = [
        Membership.objects.filter(user=OuterRef("pk"), role="worker", campaign__in=campaigns),
        Consent.objects.filter(guideline__campaign__in=campaigns, **worker),
        Assignment.objects.filter(campaign__in=campaigns, **worker),
        CrowdSession.objects.filter(
            study__campaign__in=campaigns, participant__worker=OuterRef("pk")
        ),
        _seats().filter(campaign__in=campaigns, answered_at__isnull=True, **worker),
        _seats().filter(campaign__in=campaigns, answered_at__isnull=False, **worker),
        Twin.objects.filter(campaign__in=campaigns, author=OuterRef("pk")),
        LedgerEntry.objects.filter(budget__in=ids, **worker),
        Qualification.objects.filter(scope__in=ids, **worker),
    ]
    return reduce(or_, (Q(Exists(rows)) for rows in works))


def campaigns_for_a_second(account: User) -> "QuerySet[Campaign]":
    """Return the campaigns where a person works or worked that ask for a second one to erase."""
    # The campaign is three queries out: of the person, and of each table of work.
    campaign = Campaign.objects.filter(pk=OuterRef(OuterRef(OuterRef("pk"))))
    works_there = User.objects.filter(work_in(campaign), pk=account.pk)
    asking = Campaign.objects.filter(second_person__contains=[Proposal.Kind.ERASURE])
    return asking.filter(Exists(works_there))


def _seats() -> Any:
    """Return the seats of validation, an app above this one."""
    return apps.get_model("validation", "Seat").objects
