"""Workers as curators see them: counts, evidence, pause and resume."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from collection.models import Campaign, Provenance
from tests.factories import (
    AttemptFactory,
    PauseFactory,
    QualificationFactory,
    TwinFactory,
    UserFactory,
    VerdictFactory,
)
from tests.frontend.pages import source, words
from workers.models import Pause, User


def detail(client: Client, worker: User) -> str:
    return words(client.get(reverse("person", args=[worker.public_id])))


def test_workers_are_listed_by_pseudonym_with_their_counts(
    as_dana: Client, dana: User, alice: User
) -> None:
    twin = TwinFactory(author=alice)
    VerdictFactory(question=twin.questions.get(number=1))
    Provenance.objects.create(twin=twin, typed_characters=75, pasted_characters=25)
    page = as_dana.get(reverse("people"))
    assert f"{alice.public_id} active 1 100.0% n = 1 0 25.0%" in words(page)
    assert "alice" not in source(page)
    assert dana.public_id not in source(page)


def test_the_list_continues_and_is_searched(as_dana: Client, alice: User) -> None:
    UserFactory.create_batch(31)
    first = as_dana.get(reverse("people"))
    assert alice.public_id not in source(first)
    older = as_dana.get(reverse("people"), {"people": first.context["page"].older})
    assert alice.public_id in source(older)
    assert alice.public_id in source(as_dana.get(reverse("people"), {"q": alice.public_id[:6]}))
    for query in ("w-nobody", "%", "\x00x", "x" * 500):
        assert "No pseudonym starts with this." in words(
            as_dana.get(reverse("people"), {"q": query})
        )


def test_a_twin_shows_how_its_text_came_to_be(
    as_dana: Client, alice: User, campaign: Campaign
) -> None:
    twin = TwinFactory(author=alice, campaign=campaign)
    TwinFactory(author=alice, campaign=campaign)
    Provenance.objects.create(
        twin=twin, typed_characters=3, pasted_characters=180, largest_insert=90, active_seconds=8
    )
    text = detail(as_dana, alice)
    assert "mostly pasted" in text
    assert "3 characters typed · 180 pasted · 90 at once at most" in text
    assert "Typing was not measured" in text


def test_exercises_and_earlier_pauses_are_on_record(
    as_dana: Client, alice: User, campaign: Campaign
) -> None:
    passed = QualificationFactory(worker=alice, campaign=campaign, passed=True)
    AttemptFactory(qualification=passed, number=1, n_right=3, n_items=5)
    AttemptFactory(qualification=passed, number=2, n_right=4, n_items=5)
    PauseFactory(worker=alice, reason="Long ago.", ended_at=timezone.now())
    text = detail(as_dana, alice)
    assert "Kitchen passed – 2 4" in text
    assert "Long ago." in text
    assert "Pause worker" in text


def test_a_curator_pauses_with_a_reason_and_resumes(
    as_dana: Client, dana: User, alice: User
) -> None:
    pause = reverse("pause-worker", args=[alice.public_id])
    resume = reverse("resume-worker", args=[alice.public_id])
    assert as_dana.post(pause, {"reason": "Twins were <copied>."}).status_code == 302
    assert Pause.objects.get().by == dana
    assert "Twins were <copied>." in detail(as_dana, alice)
    again = as_dana.post(pause, {"reason": "Again."})
    assert again.status_code == 409
    assert "already paused" in words(again)
    assert as_dana.post(resume).status_code == 302
    refused = as_dana.post(resume)
    assert refused.status_code == 409
    assert "is not paused" in words(refused)


@pytest.mark.parametrize("reason", ["", "  ", "x" * 501, "a\x00b"])
def test_a_pause_without_a_readable_reason_is_not_made(
    reason: str, as_dana: Client, alice: User
) -> None:
    response = as_dana.post(reverse("pause-worker", args=[alice.public_id]), {"reason": reason})
    assert response.status_code == 400
    assert not Pause.objects.exists()


def test_curators_are_not_among_the_people(as_dana: Client, dana: User) -> None:
    assert as_dana.get(reverse("person", args=[dana.public_id])).status_code == 404
    response = as_dana.post(reverse("pause-worker", args=[dana.public_id]), {"reason": "x"})
    assert response.status_code == 404
