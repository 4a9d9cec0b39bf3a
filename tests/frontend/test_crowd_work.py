"""Working in a crowd session: its bar, its end, and what stops it."""

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from collection.models import Campaign, CrowdSession, Participant
from tests.factories import (
    ExerciseItemFactory,
    PauseFactory,
    QualificationFactory,
    StudyFactory,
    TwinFactory,
)
from tests.frontend.pages import source, words
from tests.frontend.test_crowd import arrive
from validation.models import Seat


def validate_one(client: Client) -> HttpResponse:
    """Validate the question at hand as a page with htmx does, and return what the vote answers."""
    htmx = {"HTTP_HX_REQUEST": "true"}
    client.post(reverse("validate", args=["kitchen"]), **htmx)
    seat = Seat.objects.get(worker__isnull=False, answered_at=None).public_id
    client.post(reverse("answer-local", args=["kitchen", seat]), {"option": "0"}, **htmx)
    vote = {"option": "1", "clarity": "clear"}
    return client.post(reverse("cast-vote", args=["kitchen", seat]), vote, **htmx)


def test_validating_moves_the_bar_and_the_last_vote_leads_to_the_code(campaign: Campaign) -> None:
    study = StudyFactory(campaign=campaign, skill="validate")
    for _ in range(2):
        TwinFactory(campaign=campaign, seats=1)
    client = arrive(study)
    first = validate_one(client)
    assert "Session: 1 of 2 questions" in words(first)
    assert 'hx-swap-oob="true"' in source(first)
    last = validate_one(client)
    session = CrowdSession.objects.get()
    assert session.status == "completed"
    assert last["HX-Redirect"] == reverse("crowd-session", args=[session.public_id])
    assert study.completion_code in words(client.get(last["HX-Redirect"]))


def test_a_validator_who_is_paused_reads_why_beside_what_is_left_to_do(campaign: Campaign) -> None:
    TwinFactory(campaign=campaign, seats=1)
    client = arrive(StudyFactory(campaign=campaign, skill="validate"))
    PauseFactory(worker=Participant.objects.get().worker, reason="Too quick.")
    response = client.post(reverse("validate", args=["kitchen"]), HTTP_HX_REQUEST="true")
    assert response.status_code == 403
    assert "The curator’s reason: Too quick." in words(response)
    assert "Your session and its code" in words(response)


def test_who_has_failed_the_exercise_is_led_to_the_screen_out_code(campaign: Campaign) -> None:
    study = StudyFactory(campaign=campaign)
    ExerciseItemFactory(campaign=campaign)
    client = arrive(study)
    worker = Participant.objects.get().worker
    QualificationFactory(worker=worker, campaign=study.campaign, failed=True)
    page = client.get(reverse("join", args=["kitchen"]))
    own = reverse("crowd-session", args=[CrowdSession.objects.get().public_id])
    assert own in source(page)
    text = words(client.get(own))
    assert "You did not pass the test" in text
    assert "Continue working" not in text
    ended = client.post(
        reverse("finish-session", args=[CrowdSession.objects.get().public_id]), follow=True
    )
    assert study.screen_out_code in words(ended)


def test_the_start_page_of_a_participant_is_their_session(campaign: Campaign) -> None:
    client = arrive(StudyFactory(campaign=campaign))
    session = CrowdSession.objects.get()
    assert client.get("/")["Location"] == reverse("crowd-session", args=[session.public_id])


def test_a_paused_validator_is_told_before_they_ask_for_a_question(campaign: Campaign) -> None:
    TwinFactory(campaign=campaign, seats=1)
    client = arrive(StudyFactory(campaign=campaign, skill="validate"))
    PauseFactory(worker=Participant.objects.get().worker, reason="Too quick.")
    page = words(client.get(reverse("validate", args=["kitchen"])))
    assert "The curator’s reason: Too quick." in page
    assert "Get a question" not in page
