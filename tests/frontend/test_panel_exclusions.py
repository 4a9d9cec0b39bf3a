"""Pages of human evaluations: excluded votes, appeals, states, and people beside systems."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from collection.models import Campaign
from panels import services
from panels.models import Panel, PanelSeat
from tests.evaluation.done import evaluated
from tests.evaluation.sets import small_set
from tests.factories import UserFactory
from tests.frontend.pages import HTMX, words
from tests.panels.people import answer_all, of_a_set
from validation.models import Appeal
from workers.models import User


@pytest.fixture
def evaluation(campaign: Campaign) -> Panel:
    return of_a_set(campaign=campaign)


def to(name: str, evaluation: Panel, *more: Any) -> str:
    return reverse(name, args=[evaluation.public_id, *more])


def test_a_curator_excludes_a_vote_and_all_of_a_person(
    as_dana: Client, as_bob: Client, bob: User
) -> None:
    evaluation = of_a_set(n_groups=2)
    answer_all(evaluation, [bob])
    person = reverse("human-evaluation-person", args=[evaluation.public_id, bob.public_id])
    assert person in as_dana.get(to("human-evaluation", evaluation)).content.decode()
    seat = PanelSeat.objects.filter(worker=bob).first()
    assert seat is not None
    out = to("exclude-human-vote", evaluation, seat.public_id)
    assert as_dana.post(out, {"reason": "Hasty."})["Location"] == person
    assert "excluded: paid, not used Hasty." in words(as_dana.get(person))
    assert "1 more is paid and not used" in words(as_dana.get(to("human-evaluation", evaluation)))
    as_dana.post(to("restore-human-vote", evaluation, seat.public_id), {"reason": "Honest."})
    assert "excluded: paid" not in words(as_dana.get(person))
    as_dana.post(out, {"reason": ""})
    assert "Enter a reason" in words(as_dana.get(person))
    assert as_dana.post(person, {"reason": " "}).status_code == 400
    as_dana.post(person, {"reason": "A program."})
    assert PanelSeat.objects.filter(worker=bob, excluded_at__isnull=False).count() == 2
    assert "2 votes were excluded." in words(as_dana.get(person))


def test_the_worker_appeals_and_the_curator_upholds(
    as_dana: Client, as_bob: Client, bob: User
) -> None:
    evaluation = of_a_set(n_groups=1)
    answer_all(evaluation, [bob])
    seat = PanelSeat.objects.get(worker=bob)
    dana = UserFactory(curator=True)
    services.exclude_vote(vote_id=seat.public_id, reason="Hasty.", by=dana)
    mine = as_bob.get(reverse("my-appeals"))
    make = reverse("make-appeal", args=["vote", seat.public_id])
    assert "Your excluded answers in human evaluations" in words(mine)
    assert make in mine.content.decode()
    assert as_bob.post(make, {"text": "I read it."}).status_code == 302
    assert make not in as_bob.get(reverse("my-appeals")).content.decode()
    page = as_dana.get(reverse("appeals")).content.decode()
    assert reverse("human-evaluation-person", args=[evaluation.public_id, bob.public_id]) in page
    answer = reverse("answer-appeal", args=[Appeal.objects.get().public_id])
    as_dana.post(answer, {"answer": "You did.", "upheld": "yes"})
    seat.refresh_from_db()
    assert seat.excluded_at is None


def test_a_paused_campaign_says_so_and_offers_nothing(as_bob: Client, evaluation: Panel) -> None:
    Campaign.objects.update(status="paused")
    here = to("answer-human", evaluation)
    assert here not in as_bob.get("/").content.decode()
    for answer in (as_bob.get(here), as_bob.post(here, headers=HTMX)):
        assert "is paused and has no work at the moment" in words(answer)


def test_a_comparison_says_which_questions_people_and_systems_share(as_dana: Client) -> None:
    data = small_set()
    evaluated(data)
    answer_all(of_a_set(data=data, n_groups=1), UserFactory.create_batch(6))
    here = reverse("comparison", args=["reference-set", "small", "test"])
    page = words(as_dana.get(here))
    assert "Every figure here is of the 2 questions of 6 that have all their votes" in page
    assert "People, majority of 3 (people not stated) 100.0%" in page
    file = reverse("comparison-file", args=["reference-set", "small", "test", "csv"])
    assert "2 of 6 questions" in as_dana.get(file).content.decode()
