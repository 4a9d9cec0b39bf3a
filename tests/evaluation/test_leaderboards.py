"""Leaderboards: who may submit how often, and what is stored."""

import io
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client as Browser
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.urls import reverse
from django.utils import timezone

from corpora.models import Release
from corpora.selectors import release_people
from corpora.services.releases import retract_release
from evaluation import selectors, services
from evaluation.models import Leaderboard, Submission
from tests.api.calls import API, Client, assert_error, client_of, ok
from tests.evaluation.boards import PER_YEAR, board_of, predictions, released
from tests.factories import ReleaseFactory, UserFactory
from tests.frontend.pages import words
from winoplatform.errors import DomainError
from workers.models import User


@pytest.fixture(scope="module")
def release_kept(kept: str) -> int:
    release = released()
    Release.objects.filter(pk=release.pk).update(is_public=True)
    board_of(release)
    return release.pk


@pytest.fixture
def release(release_kept: int) -> Release:
    return Release.objects.get(pk=release_kept)


def submit(release: Release, by=None, *, wrong: int = 0, **fields) -> Submission:
    asked = {"system": "Guess", "file": predictions(release, wrong=wrong)} | fields
    return services.submit(release=release, by=by or UserFactory(), **asked)


def send(client: Client, url: str, file: io.BytesIO) -> Any:
    file.name = "mine.lst"
    body = encode_multipart(BOUNDARY, {"file": file, "system": "Mine"})
    return client.post(url, body, content_type=MULTIPART_CONTENT)


def a_day_passes() -> None:
    for row in Submission.objects.all():
        Submission.objects.filter(pk=row.pk).update(created_at=row.created_at - timedelta(days=1))


def refusal(release: Release, by=None, **fields) -> str:
    with pytest.raises(DomainError) as refused:
        submit(release, by, **fields)
    return refused.value.code


def test_predictions_are_scored_with_noise_and_not_kept(release: Release) -> None:
    made = submit(release, wrong=0)
    assert made.accuracy > 1 - 4 * made.accuracy_noise
    assert 0.03 < made.accuracy_noise < 0.05
    assert made.pair_accuracy is not None
    assert made.share_told == pytest.approx(0.01 / PER_YEAR)
    stored = " ".join(str(value) for value in Submission.objects.values_list()[0])
    assert predictions(release).read().decode().strip() not in stored


def test_equal_predictions_get_equal_scores_and_count_once(release: Release, alice: User) -> None:
    first = submit(release, alice, wrong=100)
    assert submit(release, alice, wrong=100) == first
    assert submit(release, wrong=100, system="Copy") == first
    assert Submission.objects.count() == 1


def test_one_file_a_day_and_a_quarter_of_the_year_for_each(release: Release, alice: User) -> None:
    submit(release, alice, wrong=1)
    assert refusal(release, alice, wrong=2) == "submitted_today"
    a_day_passes()
    assert refusal(release, alice, wrong=2) == "submissions_used_up"
    assert submit(release, wrong=2)


def test_the_year_is_used_up_by_all_people_over_all_settings(release: Release) -> None:
    for wrong in range(2):
        submit(release, wrong=wrong)
    board_of(release, per_year=8)  # half of the year is used, so four smaller parts are left
    board = release.snapshot.campaign.leaderboard
    left = selectors.remaining(board, user=None, now=timezone.now())
    assert (left.of_all, left.share_told) == (4, pytest.approx(0.005))
    Submission.objects.update(share_told=0.005)
    assert selectors.remaining(board, user=UserFactory(), now=timezone.now()).of_person == 0
    assert refusal(release, wrong=7) == "submissions_used_up"
    assert sum(Submission.objects.values_list("share_told", flat=True)) <= 0.01


def test_a_submission_counts_for_365_days_also_past_the_end_of_a_calendar_year(
    release: Release, alice: User
) -> None:
    submit(release, alice, wrong=1)
    Submission.objects.update(created_at=timezone.now() - timedelta(days=364))
    assert refusal(release, alice, wrong=2) == "submissions_used_up"
    Submission.objects.update(created_at=timezone.now() - timedelta(days=366))
    assert submit(release, alice, wrong=2)


def test_a_submission_that_is_refused_shows_no_score_and_keeps_none(release: Release) -> None:
    with pytest.raises(ValidationError) as refused:
        submit(release, system="x" * 500)
    assert set(refused.value.message_dict) == {"system"}
    assert not Submission.objects.exists()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"1\n2\n", "one line per item, 520, got 2"),
        (b"1,1,1,1,1\n" * 520, "five training files"),
        (b"\n".join([b"3"] * 520), "520 questions have no prediction 1 or 2"),
        (b"\xff\xff", "not UTF-8 text"),
        (b"\xff\xfe", "one line per item"),
        (b"", "one line per item"),
    ],
)
def test_a_file_that_cannot_be_scored_costs_nothing(
    release: Release, content: bytes, says: str
) -> None:
    with pytest.raises(DomainError, match=says):
        submit(release, file=io.BytesIO(content))
    assert not Submission.objects.exists()


def test_a_test_that_is_too_small_for_so_many_is_refused(release: Release) -> None:
    assert services.why_refused(release) == ""
    board_of(release, per_year=12)
    assert refusal(release) == "test_too_small"
    assert "The blind test has 520 questions" in services.why_refused(release)


def test_a_leaderboard_that_could_accept_nothing_is_not_offered(release: Release) -> None:
    address, change = (
        reverse(name, args=[release.name]) for name in ("leaderboard", "change-leaderboard")
    )
    release.snapshot.campaign.leaderboard.delete()
    curator = Browser()
    curator.force_login(UserFactory(curator=True))
    assert "needs a blind test of about" in words(curator.get(address))
    refused = curator.post(change, {"per_year": "300", "is_open": "on"})
    assert refused.status_code == 409
    assert "needs a blind test of about 4,101 questions" in words(refused)
    assert not Leaderboard.objects.exists()
    curator.post(change, {"per_year": "1", "is_open": "on"})
    assert Leaderboard.objects.get().is_open


def test_without_enough_blind_questions_nothing_can_be_opened(db: None) -> None:
    release = ReleaseFactory(finished=True)
    curator = Browser()
    curator.force_login(UserFactory(curator=True))
    page = curator.get(reverse("leaderboard", args=[release.name]))
    assert "This release has no blind questions" in words(page)
    assert "Open the leaderboard" not in words(page)


def test_a_closed_leaderboard_keeps_its_scores(release: Release) -> None:
    submit(release)
    services.close_leaderboard(leaderboard=release.snapshot.campaign.leaderboard)
    assert refusal(release, wrong=3) == "leaderboard_closed"
    assert len(selectors.ranked(release)) == 1


def test_a_retracted_release_accepts_none(release: Release) -> None:
    retract_release(release=release, reason="Labels of dev are swapped.", by=UserFactory())
    assert refusal(release, wrong=3) == "leaderboard_closed"


def test_a_release_that_takes_no_predictions_offers_no_form(release: Release) -> None:
    address = reverse("leaderboard", args=[release.name])
    browser = Browser()
    browser.force_login(UserFactory())
    assert "Submissions that you have left" in words(browser.get(address))
    retract_release(release=release, reason="Labels of dev are swapped.", by=UserFactory())
    text = words(browser.get(address))
    assert "This release is retracted, so it takes no predictions." in text
    assert "Submissions that you have left" not in text


def test_a_release_without_blind_questions_takes_no_predictions(db: None) -> None:
    release = ReleaseFactory(finished=True)
    board_of(release)
    assert services.why_refused(release) == (
        "This release has no blind questions, so it takes no predictions."
    )


def test_an_invalid_link_is_refused_before_any_score(release: Release) -> None:
    with pytest.raises(ValidationError):
        submit(release, link="javascript:alert(1)")
    assert not Submission.objects.exists()


def test_over_rest_a_worker_submits_and_reads_no_answer(release: Release) -> None:
    worker, url = client_of(UserFactory()), f"{API}releases/{release.public_id}/leaderboard/"
    made = ok(send(worker, url, predictions(release, wrong=50)), 201)
    told = ok(worker.get(url))
    assert told["submissions"][0]["submission"] == made
    assert told["submissions"][0]["accuracy"]["low"] < made["accuracy"]
    assert told["remaining"]["of_all"] == PER_YEAR - 1
    assert told["people"]["origins"] == list(release_people(release).origins)
    assert set(made) == {
        "id", "system", "link", "accuracy", "accuracy_noise", "pair_accuracy", "pair_noise",
        "area", "created_at",
    }  # fmt: skip
    again = send(worker, url, predictions(release, wrong=51))
    assert_error(again, 429, "submitted_today")
    assert 0 < int(again.headers["Retry-After"]) <= 24 * 60 * 60


def test_only_curators_change_a_leaderboard(release: Release) -> None:
    url = f"{API}campaigns/kitchen/leaderboard/"
    assert_error(client_of(UserFactory()).put(url, {"per_year": 300}), 403, "permission_denied")
    curator = client_of(UserFactory(curator=True))
    assert ok(curator.put(url, {"per_year": 2, "is_open": False})) == {
        "per_year": 2,
        "is_open": False,
    }
