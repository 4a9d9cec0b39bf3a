"""Human performance on what is frozen and on what is published."""

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from collection.models import Question
from filtering import runner, services
from filtering.core.questions import FrozenQuestion
from filtering.human import human_on_release, humans_on_release
from filtering.models import Release, Snapshot
from tests.api.calls import API, assert_error, ok
from tests.factories import (
    CampaignFactory,
    ReleaseFactory,
    SnapshotFactory,
    TwinFactory,
    UserFactory,
    VoteFactory,
)
from tests.filtering.stages import filtered, published_twins
from tests.frontend.pages import words
from winoplatform.artifacts import store

pytestmark = pytest.mark.django_db
N_TWINS = 6


def as_frozen(question: Question) -> FrozenQuestion:
    twin = question.twin
    return FrozenQuestion(
        question.public_id, str(twin.public_id), question.sentence, twin.option1, twin.option2,
        question.answer, twin.domain,
    )  # fmt: skip


@pytest.fixture
def release() -> Release:
    """Both questions of some twins; of each first one three votes, of one of them mostly wrong."""
    campaign, judges = (
        CampaignFactory(dev_share="0.2", test_share="0.2"),
        UserFactory.create_batch(3),
    )
    published_twins(N_TWINS, campaign=campaign)
    twins = list(campaign.twins.order_by("pk"))
    TwinFactory(campaign=campaign)  # neither frozen nor published
    for place, twin in enumerate(twins):
        for judge, is_slip in zip(judges, (place == 0, place == 0, place == 1), strict=True):
            VoteFactory(question=twin.questions.get(number=1), worker=judge, wrong=is_slip)
    questions = [as_frozen(q) for twin in twins for q in twin.questions.order_by("number")]
    run = filtered(questions)
    Snapshot.objects.filter(pk=run.encoding.snapshot_id).update(campaign=campaign)
    run.refresh_from_db()
    built = services.build_release(filter_run=run, name="v1", by=None)
    runner.carry_release(built.pk)
    return Release.objects.get(pk=built.pk)


@pytest.fixture
def as_dana() -> APIClient:
    client = APIClient()
    client.force_authenticate(UserFactory(curator=True))
    return client


def test_a_releases_splits_add_up_to_it(release: Release) -> None:
    whole = human_on_release(release)
    assert (whole.majority.n, whole.single.n, whole.n_short) == (N_TWINS, 3 * N_TWINS, N_TWINS)
    assert whole.majority.value == pytest.approx(5 / 6)
    assert whole.single.value == pytest.approx(15 / 18)
    splits = [human_on_release(release, split=split) for split in ("train", "dev", "test")]
    assert sum(split.majority.n for split in splits) == N_TWINS
    assert all(split.majority.n for split in splits)


def test_over_http_of_a_release_and_of_a_snapshot(as_dana: APIClient, release: Release) -> None:
    path = f"{API}releases/{release.public_id}/human/"
    assert ok(as_dana.get(path))["majority"]["n"] == N_TWINS
    assert ok(as_dana.get(path, {"split": "test"}))["majority"]["n"] < N_TWINS
    assert ok(as_dana.get(path, {"kind": "gold"}))["majority"]["n"] == 0
    assert_error(as_dana.get(path, {"split": "all"}), 400, "invalid")
    snapshot = release.filter_run.encoding.snapshot
    frozen = ok(as_dana.get(f"{API}snapshots/{snapshot.public_id}/human/"))
    assert frozen["single"] == ok(as_dana.get(path))["single"]


def test_what_is_not_done_has_no_human_performance_yet(as_dana: APIClient) -> None:
    snapshot, release = SnapshotFactory(), ReleaseFactory()
    for path in (f"snapshots/{snapshot.public_id}", f"releases/{release.public_id}"):
        assert_error(as_dana.get(f"{API}{path}/human/"), 409, "run_not_done")
    assert humans_on_release(release) == {}


def test_the_page_of_a_release_says_how_well_people_do(
    release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = Client()
    client.force_login(UserFactory(curator=True))
    page = reverse("release", args=["v1"])
    text = words(client.get(page))
    assert "Humans: 83.3% (95% CI " in text
    assert "n = 6), by the majority of three judges; one by one 83.3%." in text
    assert "asked as gold" not in text

    def away(sha256: str) -> None:
        raise FileNotFoundError(sha256)

    monkeypatch.setattr(store, "open_artifact", away)
    assert "Humans:" not in words(client.get(page))
