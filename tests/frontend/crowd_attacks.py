"""Attacks for money with only a study's link, as every participant has it."""

import re
import uuid
from decimal import Decimal
from random import Random
from typing import Any

from django.test import Client
from django.urls import reverse

from collection.models import Campaign, Study
from collection.services.campaigns import pay
from collection.services.crowd.studies import setup_of
from tests.frontend.pages import source, typed
from winoplatform.errors import DomainError
from workers.models import LedgerEntry, User

ME = "a" * 24
ARTICLE = re.compile(r'action="/write/([0-9a-f-]{36})/"')
ITEM = re.compile(r'name="(item-[0-9a-f-]{36})" value="(\d)".*?<span lang="en">(.*?)</span>')


def prolific_link(study: Study, participant: str, session: str) -> str:
    """Fill the study's link as Prolific does, or as any participant can."""
    link = setup_of(study).link.replace("{{%PROLIFIC_PID%}}", participant)
    link = link.replace("{{%SESSION_ID%}}", session).replace("{{%STUDY_ID%}}", "0" * 24)
    return "/" + link.split("/", 3)[3]


def invent_sessions(study: Study, number: int) -> int:
    """Arrive *number* times with the same id; write one twin each time, then stop.

    Return how many sessions were let in.
    """
    let_in = 0
    for n in range(number):
        client = Client()
        if client.post(prolific_link(study, ME, f"{n:024x}")).status_code != 302:
            continue
        let_in += 1
        slug = study.campaign.slug
        page = source(client.post(reverse("author", args=[slug]), follow=True))
        words = f"The trophy did not fit into the brown suitcase number {n} because the _ was far"
        texts = {"sentence1": f"{words} too large.", "sentence2": f"{words} too small."}
        for article in ARTICLE.findall(page)[:1]:
            client.post(f"/write/{article}/", typed(client_key=str(uuid.uuid4()), **texts))
        session = client.session["crowd_session"]
        client.post(reverse("stop-session", args=[session]))
    return let_in


def script_participants(study: Study, number: int, *, first: int = 0, knows: str = "") -> int:
    """Come as *number* invented participants and click through the exercise; return those let in.

    The script clicks at random, or the choice whose words it *knows*.
    """
    let_in, random = 0, Random(7)
    for n in range(first, first + number):
        client = Client()
        if client.post(prolific_link(study, f"b{n:023x}", f"c{n:023x}")).status_code != 302:
            continue
        let_in += 1
        answers = {
            name: choices[knows] if knows else random.choice(list(choices.values()))
            for name, choices in shown_choices(client, study).items()
        }
        hand_in(client, study, answers)
    return let_in


def shown_choices(client: Client, study: Study) -> dict[str, dict[str, str]]:
    """Return for each item of the exercise the value of each choice by its words."""
    page = client.get(reverse("join", args=[study.campaign.slug]))
    shown: dict[str, dict[str, str]] = {}
    for name, value, words in ITEM.findall(source(page)):
        shown.setdefault(name, {})[words] = value
    return shown


def hand_in(client: Client, study: Study, answers: dict[str, str]) -> Any:
    fields = {"number": "1", "skill": "write"} | answers
    return client.post(reverse("submit-exercise", args=[study.campaign.slug]), fields, follow=True)


def bonuses(campaign: Campaign, by: User) -> Decimal:
    """Approve everything and pay it out as bonuses; return the sum that leaves."""
    pay.approve_entries(campaign=campaign, by=by)
    try:
        payout = pay.export_payout(
            campaign=campaign, provider="any", client_key=uuid.uuid4(), by=by
        )
    except DomainError:
        return Decimal("0.00")
    return sum((line.amount for line in payout.lines.all()), Decimal("0.00"))


def credited(campaign: Campaign) -> Decimal:
    return LedgerEntry.objects.filter(budget=campaign.public_id).total()
