"""The curators' pages of crowd studies."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from collection.models import Campaign, Study
from tests.factories import CrowdSessionFactory, StudyFactory
from tests.frontend.pages import source, words
from workers.models import User


@pytest.fixture
def as_dana(dana: User, browse: Callable[[User], Client]) -> Client:
    return browse(dana)


def fields(**changes: Any) -> dict[str, Any]:
    return {"name": "First", "provider": "prolific", "skill": "write", "units": 2} | changes


def page(client: Client, study: Study) -> str:
    return words(client.get(reverse("study", args=[study.public_id])))


def test_an_empty_list_says_what_to_do(as_dana: Client, campaign: Campaign) -> None:
    assert "No study yet. Make one below" in words(as_dana.get("/campaigns/kitchen/studies/"))


def test_a_study_is_made_and_says_what_to_paste(as_dana: Client, campaign: Campaign) -> None:
    response = as_dana.post("/campaigns/kitchen/studies/", fields(completion_code="C1"))
    study = Study.objects.get()
    assert response["Location"] == f"/studies/{study.public_id}/"
    text = page(as_dana, study)
    assert "Completion code C1" in text
    assert "SESSION_ID={{%SESSION_ID%}}" in text
    assert "whoever has the link can name any id" in text


def test_the_history_to_ask_for_is_spelled_out_where_it_is_set(
    as_dana: Client, campaign: Campaign
) -> None:
    Campaign.objects.update(min_approvals=100)
    study = StudyFactory(campaign=campaign, provider="mturk")
    text = page(as_dana, study)
    assert "The platform does not report it to us, so set it there, exactly" in text
    assert "Worker_NumberHITsApproved (00000000000000000040) GreaterThanOrEqualTo 100" in text
    assert "<ExternalURL>" in text


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"secret": "short"}, "at least 32 characters"),
        ({"return_url": "http://panel.example/"}, "must begin with https://"),
        ({"units": 0}, "greater than or equal to 1"),
        ({"provider": ""}, "Choose the platform."),
    ],
    ids=str,
)
def test_what_cannot_be_is_said_beside_its_field(
    change: dict[str, Any], sentence: str, as_dana: Client, campaign: Campaign
) -> None:
    response = as_dana.post("/campaigns/kitchen/studies/", fields(**change))
    assert response.status_code == 400
    assert sentence in words(response)
    assert not Study.objects.exists()


def test_secrets_are_on_no_page(as_dana: Client, campaign: Campaign) -> None:
    secrets = {"secret": "x" * 40, "event_secret": "y" * 40}
    refused = as_dana.post("/campaigns/kitchen/studies/", fields(units=0, **secrets))
    as_dana.post("/campaigns/kitchen/studies/", fields(**secrets))
    study = Study.objects.get()
    shown = [refused, as_dana.get("/campaigns/kitchen/studies/")]
    shown.append(as_dana.get(reverse("study", args=[study.public_id])))
    for response in shown:
        for secret in secrets.values():
            assert secret not in source(response)


def test_links_are_signed_a_line_each(as_dana: Client, campaign: Campaign) -> None:
    study = StudyFactory(campaign=campaign)
    path = reverse("study-links", args=[study.public_id])
    text = words(as_dana.post(path, {"participants": "p-1\n\n p-2 \n", "approvals": "9"}))
    assert text.count("&signature=") == 2 + 1  # the pattern above them as well
    assert "participant=p-2" in text
    assert as_dana.post(path, {"participants": " "}).status_code == 400
    assert as_dana.post(path, {"participants": "\n".join("p" * 201)}).status_code == 400


def test_sessions_are_shown_with_state_and_work(as_dana: Client, campaign: Campaign) -> None:
    study = StudyFactory(campaign=campaign)
    session = CrowdSessionFactory(study=study, status="timed_out")
    text = page(as_dana, study)
    assert session.participant.external_id in text
    assert "timed out 0 of 2" in text


def test_a_study_closes(as_dana: Client, campaign: Campaign) -> None:
    study = StudyFactory(campaign=campaign)
    response = as_dana.post(reverse("close-study", args=[study.public_id]), follow=True)
    assert "The study is closed: nobody new arrives" in words(response)
    assert "Close it" not in words(response)


def test_pages_of_many_sessions_ask_few_questions(
    as_dana: Client, campaign: Campaign, django_assert_max_num_queries: Any
) -> None:
    study = StudyFactory(campaign=campaign)
    CrowdSessionFactory.create_batch(30, study=study)
    with django_assert_max_num_queries(6):
        assert "Older" in page(as_dana, study)
    with django_assert_max_num_queries(6):
        assert "30" in words(as_dana.get("/campaigns/kitchen/studies/"))


def test_the_campaigns_page_leads_here(as_dana: Client, campaign: Campaign) -> None:
    assert "/campaigns/kitchen/studies/" in source(as_dana.get("/campaigns/kitchen/"))
