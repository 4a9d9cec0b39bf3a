"""Working in a crowd session: its bar, its end, and what stops it."""

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from collection.models import Article, Assignment, Campaign, CrowdSession, Participant, Twin
from tests.factories import (
    CrowdSessionFactory,
    ExerciseItemFactory,
    PauseFactory,
    QualificationFactory,
    StudyFactory,
    TwinFactory,
    UserFactory,
)
from tests.frontend.pages import source, typed, words
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


@pytest.mark.long
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


def cast(client: Client, seat: Seat, **more: str) -> HttpResponse:
    """Vote as the page's script does, which shows the next question at once."""
    htmx = {"HTTP_HX_REQUEST": "true"}
    client.post(reverse("answer-local", args=["kitchen", seat.public_id]), {"option": "0"}, **htmx)
    vote = {"option": "1", "clarity": "clear", **more}
    return client.post(reverse("cast-vote", args=["kitchen", seat.public_id]), vote, **htmx)


@pytest.mark.long
def test_no_question_is_fetched_beyond_the_last_one_of_a_session(campaign: Campaign) -> None:
    for _ in range(4):
        TwinFactory(campaign=campaign, seats=1)
    client = arrive(StudyFactory(campaign=campaign, skill="validate"))
    htmx = {"HTTP_HX_REQUEST": "true"}
    ahead = reverse("validate-ahead", args=["kitchen"])
    client.post(reverse("validate", args=["kitchen"]), **htmx)
    coming = client.post(ahead, **htmx)
    assert coming.status_code == 200
    assert "Session:" not in words(coming)  # it would be of before the vote
    first, last = Seat.objects.filter(worker__isnull=False).order_by("claimed_at", "pk")
    assert "Session: 1 of 2 questions" in words(cast(client, first, shown="1"))
    assert client.post(ahead, **htmx).status_code == 204
    ended = cast(client, last, shown="1")
    assert ended["HX-Redirect"] == reverse(
        "crowd-session", args=[CrowdSession.objects.get().public_id]
    )
    assert not Seat.objects.filter(worker__isnull=False, answered_at=None).exists()


def test_the_code_follows_the_last_vote_also_where_another_session_goes_on(
    campaign: Campaign,
) -> None:
    TwinFactory(campaign=campaign, seats=3)
    study = StudyFactory(campaign=campaign, skill="validate", units=1)
    client = arrive(study)
    worker = Participant.objects.get().worker
    other = StudyFactory(campaign=campaign, skill="validate")
    CrowdSessionFactory(study=other, participant=worker.participant)
    done = study.sessions.get()
    assert validate_one(client)["HX-Redirect"] == reverse("crowd-session", args=[done.public_id])


@pytest.mark.long
def test_the_code_follows_a_writers_last_twin(campaign: Campaign, article: Article) -> None:
    study = StudyFactory(campaign=campaign, units=1)
    client = arrive(study)
    client.post(reverse("author", args=["kitchen"]))
    assignment = Assignment.objects.get()
    sent = client.post(
        reverse("submit-twin", args=[assignment.public_id]),
        typed(client_key=str(assignment.public_id)),
    )
    own = reverse("crowd-session", args=[CrowdSession.objects.get().public_id])
    assert sent["Location"] == own
    page = client.get(own)
    assert study.completion_code in words(page)
    assert f'data-forget="{assignment.public_id}"' in source(page)
    receipt = client.get(reverse("receipt", args=[Twin.objects.get().public_id]))
    assert "Write another" not in words(receipt)
    assert f'<a class="button" href="{own}">' in source(receipt)
    assert "Get your code" in words(receipt)


def test_a_participant_without_a_cookie_is_sent_back_to_the_study_link(campaign: Campaign) -> None:
    arrived = arrive(StudyFactory(campaign=campaign))
    own = reverse("crowd-session", args=[CrowdSession.objects.get().public_id])
    bare = Client()
    assert "Open the study link again" in words(bare.get(own))
    del arrived.cookies["sessionid"]
    for address in ("/", reverse("author", args=["kitchen"]), own):
        page = arrived.get(address)
        assert page.status_code == 403
        assert "you need no password: open the study there again" in words(page)
        assert 'type="password"' not in source(page)
    assert "You need no password" in words(bare.get("/sign-in/"))
    assert bare.get("/").status_code == 302


def test_who_signs_in_by_password_is_no_participant_any_more(campaign: Campaign) -> None:
    client = arrive(StudyFactory(campaign=campaign))
    del client.cookies["sessionid"]
    UserFactory(username="dana", password="a long password")
    client.post("/sign-in/", {"login": "dana", "password": "a long password"})
    assert client.cookies["came_by_link"].value == ""


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
