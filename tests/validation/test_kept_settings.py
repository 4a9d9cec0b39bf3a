"""What a twin is submitted under stays; it is stored and withdrawn by one service."""

import ast
from decimal import Decimal
from pathlib import Path

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from collection.models import Campaign, Question, Twin
from collection.services import update_campaign
from tests.data_dir import ROOT
from tests.factories import CampaignFactory, TwinFactory, UserFactory
from tests.frontend.pages import words
from tests.validation.deciding import give, waiting
from validation import services
from validation.models import Verdict
from validation.runner import work_out
from validation.services.review.adjudication import decide_question, reopen
from validation.services.review.exclusions import exclude
from validation.services.verdicts.closing import settle_closed
from validation.services.verdicts.questions import revision_of


def opened(campaign: Campaign) -> Question:
    """The first question of a new twin, with the seats that the campaign gives it now."""
    campaign.refresh_from_db()
    twin = TwinFactory(campaign=campaign)
    services.open_seats(twin=twin)
    question: Question = twin.questions.get(number=1)
    return question


def stored(question: Question) -> Question:
    return Question.objects.select_related("twin__campaign").get(pk=question.pk)


def test_after_three_to_one_open_questions_still_get_three_votes(campaign: Campaign) -> None:
    old = opened(campaign)
    update_campaign(campaign=campaign, votes_per_question=1)
    new = opened(campaign)
    assert (waiting(old), waiting(new)) == (3, 1)
    give(stored(old), True)
    give(stored(new), True)
    assert list(Verdict.objects.values_list("question", flat=True)) == [new.pk]
    give(stored(old), True, True)
    assert Verdict.objects.get(question=old).counts["votes"] == 3


def test_agreement_is_of_the_votes_that_were_due_then(campaign: Campaign) -> None:
    old = [opened(campaign) for _ in range(4)]
    for number, question in enumerate(old):
        give(stored(question), True, number != 1, number == 3)
    before = work_out(campaign).figures["answer"]
    update_campaign(campaign=campaign, votes_per_question=1)
    give(stored(opened(campaign)), True)
    report = work_out(campaign).figures["answer"]
    assert report["kappa"] is not None
    assert (report["alpha"], report["kappa"]) == (before["alpha"], before["kappa"])
    assert (report["alpha"]["n"], report["n_votes"], report["kappa"]["n"]) == (4, 12, 4)


def test_a_question_is_decided_under_its_own_policy(campaign: Campaign) -> None:
    question = opened(campaign)
    update_campaign(campaign=campaign, verdict_policy="unanimous")
    give(stored(question), True, True, False)
    verdict = Verdict.objects.get(question=question)
    assert (verdict.valid, verdict.policy) == (True, "majority")
    later = opened(campaign)
    give(stored(later), True, True, False)
    assert Verdict.objects.get(question=later).valid is False


def test_a_replaced_vote_and_a_reopened_question_get_what_was_due() -> None:
    campaign, dana = CampaignFactory(), UserFactory(curator=True)
    one, two = opened(campaign), opened(campaign)
    update_campaign(campaign=campaign, votes_per_question=1)
    first, *_ = give(stored(one), True, True, True)
    exclude(vote_id=first.public_id, reason="Hasty.", by=dana)
    assert waiting(one) == 1
    decide_question(
        question_id=two.public_id, valid=True, note="", revision=revision_of(two), by=dana
    )
    assert Verdict.objects.get(question=two).policy == "majority"
    assert waiting(two) == 0
    reopen(question_id=two.public_id, note="", revision=revision_of(two), by=dana)
    assert waiting(two) == 3


def test_closing_decides_what_waits_for_further_votes_only() -> None:
    campaign = CampaignFactory(votes_per_question=1, extra_votes_max=2)
    few = opened(campaign)
    update_campaign(campaign=campaign, votes_per_question=3)
    many = opened(campaign)
    give(stored(few), False)
    give(stored(many), True, False)
    Campaign.objects.update(status="closed")
    settle_closed(campaign=campaign)
    assert [verdict.question_id for verdict in Verdict.objects.all()] == [few.pk]


def test_a_writer_reads_the_number_that_was_due(client: Client) -> None:
    campaign = CampaignFactory(reward_twin=Decimal("0.40"))
    question = opened(campaign)
    update_campaign(campaign=campaign, votes_per_question=1)
    client.force_login(question.twin.author)
    text = words(client.get(reverse("my-work")))
    assert "0 of 3 votes" in text
    assert "0 of 1 votes" not in text
    assert Twin.objects.get().votes_per_question == 3


SERVICE = "validation/services/writing/twins.py"
SAVING = "collection.services.writing.saving"
SEATS = "validation.services.validating.seats"
# Where else a step is offered by name.
OFFERED = {"validation/services/__init__.py"}


def sources() -> list[Path]:
    """The product's own files."""
    roots = [Path(app.path) for app in apps.get_app_configs()]
    own = [root for root in roots if root.is_relative_to(ROOT) and ".venv" not in root.parts]
    return [path for root in own for path in root.rglob("*.py")]


def importers(module: str, name: str, files: dict[str, str]) -> set[str]:
    """The files that import *name* from *module*, or *module* itself."""
    package, _, last = module.rpartition(".")
    wanted = {(module, name), (package, last)}
    return {
        path
        for path, text in files.items()
        if package in text
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom)
        if wanted & {(node.module or "", each.name) for each in node.names}
    }


def callers(name: str, files: dict[str, str]) -> set[str]:
    """The files that call *name*, also as ``services.name``."""
    calls = [
        (path, node.func)
        for path, text in files.items()
        if name in text
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
    ]
    named = {path for path, func in calls if isinstance(func, ast.Name) and func.id == name}
    return named | {
        path for path, func in calls if isinstance(func, ast.Attribute) and func.attr == name
    }


@pytest.fixture(scope="module")
def files() -> dict[str, str]:
    return {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in sources()}


def test_only_validations_service_stores_a_twin(files: dict[str, str]) -> None:
    assert importers(SAVING, "store", files) == {SERVICE}


@pytest.mark.parametrize("step", ["open_seats", "withdraw_seats"])
def test_only_that_service_opens_and_withdraws_its_seats(files: dict[str, str], step: str) -> None:
    assert callers(step, files) == {SERVICE}
    assert importers(SEATS, step, files) <= {SERVICE, *OFFERED}


@pytest.mark.parametrize(
    "text",
    [
        f"from {SAVING} import store",
        "from collection.services.writing import saving",
        "from validation import services\nservices.open_seats(twin=None)",
    ],
)
def test_another_caller_is_found(text: str) -> None:
    other = {"frontend/writing/views.py": text}
    assert importers(SAVING, "store", other) | callers("open_seats", other) == set(other)
