"""What a participant of a study, and a plain worker, see of other campaigns and of releases.

Anyone with a made-up id can follow a study's link. So every address is asked as such a person.
"""

import pytest
from django.test import Client

from corpora.models import Release
from evaluation.models import Evaluation
from tests.access.routes import ADMIN, API, every_route
from tests.access.samples import Samples, addresses, samples
from tests.api.calls import client_of
from tests.blind import SLUG, World, build, undone
from tests.factories import CrowdSessionFactory, EvaluationFactory, UserFactory
from workers.models import User

pytestmark = pytest.mark.usefixtures("noon")
SCHEMA = "api/schema/"  # the same for everybody


def participant() -> User:
    worker = CrowdSessionFactory(study__campaign__slug="mine").participant.worker
    User.objects.filter(pk=worker.pk).update(origin=User.Origin.CROWD)
    worker.refresh_from_db()
    return worker


def answers_to(user: User, known: Samples) -> dict[str, str]:
    """Return what each address answers with 200, without the values that the question named."""
    api, browser = client_of(user), Client(raise_request_exception=False)
    api.raise_request_exception = False
    browser.force_login(user)
    session = browser.cookies.output().replace("Set-Cookie: ", "")
    answers = {}
    for route in every_route():
        client = api if route.path.startswith(API) else browser
        for address, _ in [] if route.path.startswith((ADMIN, SCHEMA)) else addresses(route, known):
            browser.cookies.load(session)
            with undone():
                answer = client.get(address)
            if answer.status_code == 200:
                parts = answer.streaming_content if answer.streaming else [answer.content]
                answers[address] = b"".join(parts).decode(errors="replace")
    return answers


def world() -> tuple[World, Samples]:
    made = build()
    known = samples(made)
    for release in Release.objects.filter(status="done"):
        EvaluationFactory(release=release, split="dev")
    return made, known


def naming(answers: dict[str, str], word: str) -> list[str]:
    return [address for address, text in answers.items() if word in text]


@pytest.mark.long
def test_a_participant_sees_the_own_study_alone() -> None:
    made, known = world()
    answers = answers_to(participant(), known)
    assert naming(answers, "mine")
    assert naming(answers, SLUG) == []
    assert [address for address in answers if f"/{SLUG}/" in address] == []
    assert naming(answers, made.campaign.name) == []


@pytest.mark.long
@pytest.mark.parametrize("who", ["participant", pytest.param("worker", marks=pytest.mark.long)])
def test_nothing_of_a_release_that_is_not_public_is_shown(who: str) -> None:
    _, known = world()
    names = set(Release.objects.values_list("name", flat=True))
    assert names
    answers = answers_to(participant() if who == "participant" else UserFactory(), known)
    assert {name: naming(answers, name) for name in names if naming(answers, name)} == {}
    rows = Evaluation.objects.exclude(release=None)
    runs = {str(public_id) for public_id in rows.values_list("public_id", flat=True)}
    assert [address for address in answers if any(run in address for run in runs)] == []


@pytest.mark.long
def test_a_public_release_is_shown_to_participants() -> None:
    _, known = world()
    Release.objects.update(is_public=True)
    answers = answers_to(participant(), known)
    assert [address for address in answers if address.startswith("/releases/")]
    assert [address for address in answers if address.startswith("/api/v1/releases/")]
