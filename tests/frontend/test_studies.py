"""The curators' pages of crowd studies."""

from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from collection.models import Campaign, Study
from collection.services.crowd.studies import setup_of
from tests.collection.crowd.people import report
from tests.factories import CrowdSessionFactory, ExerciseItemFactory, StudyFactory
from tests.frontend.pages import source, words


def fields(**changes: Any) -> dict[str, Any]:
    return {
        "name": "First",
        "provider": "prolific",
        "skill": "write",
        "units": 2,
        "places": 9,
    } | changes


def page(client: Client, study: Study) -> str:
    return words(client.get(reverse("study", args=[study.public_id])))


def test_an_empty_list_says_what_to_do(as_dana: Client, campaign: Campaign) -> None:
    assert "No studies yet. Create one below" in words(as_dana.get("/campaigns/kitchen/studies/"))


def test_a_study_is_made_and_says_what_to_paste(as_dana: Client, campaign: Campaign) -> None:
    response = as_dana.post("/campaigns/kitchen/studies/", fields(completion_code="C1"))
    study = Study.objects.get()
    assert response["Location"] == f"/studies/{study.public_id}/"
    text = page(as_dana, study)
    assert "Completion code C1" in text
    assert "SESSION_ID={{%SESSION_ID%}}" in text
    assert "any person with the link can use any id" in text


def test_the_history_to_ask_for_is_spelled_out_where_it_is_set(
    as_dana: Client, campaign: Campaign
) -> None:
    Campaign.objects.update(min_approvals=100)
    study = StudyFactory(campaign=campaign, provider="mturk")
    text = page(as_dana, study)
    assert "The platform does not report it, so set it there with exactly" in text
    assert "Worker_NumberHITsApproved (00000000000000000040) GreaterThanOrEqualTo 100" in text
    assert "<ExternalURL>" in text


@pytest.mark.long
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"secret": "short"}, "at least 32 characters"),
        ({"return_url": "http://panel.example/"}, "must start with https://"),
        ({"units": 0}, "greater than or equal to 1"),
        ({"places": 0}, "greater than or equal to 1"),
        ({"places": ""}, "This field is required."),
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


def test_a_study_is_changed_and_its_secrets_stay_unless_others_are_given(
    as_dana: Client, campaign: Campaign
) -> None:
    study = StudyFactory(campaign=campaign, provider="prolific", event_secret="from the platform")
    path = reverse("change-study", args=[study.public_id])
    shown = as_dana.get(path)
    assert study.completion_code in source(shown)
    assert "from the platform" not in source(shown)
    assert study.secret not in source(shown)
    changes = {"name": "Second", "places": 7, "completion_code": "C0DE"}
    changes |= {"screen_out_code": "", "secret": ""}
    assert "The study was saved." in words(as_dana.post(path, changes, follow=True))
    changed = Study.objects.get()
    assert (changed.name, changed.places, changed.completion_code) == ("Second", 7, "C0DE")
    assert changed.screen_out_code == study.screen_out_code  # one has to be there
    assert (changed.secret, changed.event_secret) == (study.secret, "from the platform")
    as_dana.post(path, changes | {"event_secret": "another"})
    assert Study.objects.get().event_secret == "another"


def test_codes_that_are_the_same_are_refused_and_nothing_changes(
    as_dana: Client, campaign: Campaign
) -> None:
    study = StudyFactory(campaign=campaign)
    path = reverse("change-study", args=[study.public_id])
    response = as_dana.post(
        path, {"name": "n", "places": 1, "completion_code": "A", "failure_code": "A"}
    )
    assert response.status_code == 400
    assert "The codes of a study must differ" in words(response)
    assert Study.objects.get().completion_code == study.completion_code


@pytest.mark.long
def test_what_a_session_earns_is_told_to_curators_and_participants(
    as_dana: Client, campaign: Campaign
) -> None:
    study = StudyFactory(campaign=campaign)
    assert "$0.80" in page(as_dana, study)
    ExerciseItemFactory(campaign=campaign)
    Campaign.objects.update(reward_exercise="0.50")
    assert "and $0.50 for training and test, once per participant" in page(as_dana, study)
    preview = urlsplit(setup_of(study).preview)
    text = words(Client().get(f"{preview.path}?{preview.query}"))
    assert "The test pays $0.50, once, if at least 1 of 1 answers are correct." in text


def test_an_address_without_https_is_called_out(
    as_dana: Client, campaign: Campaign, settings: Any
) -> None:
    study = StudyFactory(campaign=campaign)
    settings.PUBLIC_URL, settings.CROWD_SANDBOX_URL = "http://127.0.0.1:8000", ""
    assert "Platforms accept only https addresses" in page(as_dana, study)
    settings.PUBLIC_URL = "https://wino.example"
    assert "only https" not in page(as_dana, study)


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
    report(session, "approved")
    assert "timed out approved" in page(as_dana, study)


def test_the_places_taken_are_shown_and_a_full_study_says_so(
    as_dana: Client, campaign: Campaign
) -> None:
    study = StudyFactory(campaign=campaign, places=2)
    for status in ("active", "returned"):
        CrowdSessionFactory(study=study, status=status)
    assert "1 of 2" in words(as_dana.get("/campaigns/kitchen/studies/"))
    assert "All 2 places are taken" not in page(as_dana, study)
    CrowdSessionFactory(study=study, status="completed")
    assert "All 2 places are taken, so no new participants can start" in page(as_dana, study)


def test_a_study_closes(as_dana: Client, campaign: Campaign) -> None:
    study = StudyFactory(campaign=campaign)
    response = as_dana.post(reverse("close-study", args=[study.public_id]), follow=True)
    assert "The study is closed." in words(response)
    assert "Close study" not in words(response)
    again = as_dana.post(reverse("reopen-study", args=[study.public_id]), follow=True)
    assert "The study is open again" in words(again)
    assert Study.objects.get().is_open


def test_pages_of_many_sessions_ask_few_questions(
    as_dana: Client, campaign: Campaign, django_assert_max_num_queries: Any
) -> None:
    study = StudyFactory(campaign=campaign)
    CrowdSessionFactory.create_batch(30, study=study)
    with django_assert_max_num_queries(7):
        assert "Older" in page(as_dana, study)
    with django_assert_max_num_queries(6):
        assert "30" in words(as_dana.get("/campaigns/kitchen/studies/"))


def test_the_campaigns_tab_of_people_leads_here(as_dana: Client, campaign: Campaign) -> None:
    assert "/campaigns/kitchen/quality/" in source(as_dana.get("/campaigns/kitchen/"))
    assert "/campaigns/kitchen/studies/" in source(as_dana.get("/campaigns/kitchen/quality/"))
