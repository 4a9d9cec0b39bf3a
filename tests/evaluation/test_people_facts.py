"""People's performance in the manifest of a release."""

import pytest

from corpora import services
from corpora.models import ReleasePreview
from evaluation.selectors.people_facts import people_facts
from tests.factories import ReleaseFactory, UserFactory
from tests.factories.human import HumanEvaluationFactory, HumanItemFactory, HumanSeatFactory
from tests.filtering.stages import frozen, snapshot_of
from winoplatform.runs.kinds import execute_here

pytestmark = pytest.mark.django_db


def asked(preview: ReleasePreview, *options: tuple[int | None, ...]) -> None:
    """An evaluation of the snapshot; each item's right option is 1."""
    evaluation = HumanEvaluationFactory(
        campaign=preview.snapshot.campaign, snapshot=preview.snapshot, reference_set=None,
        split="all",
    )  # fmt: skip
    for given in options:
        item = HumanItemFactory(evaluation=evaluation)
        for option in given:
            HumanSeatFactory(item=item, worker=option and UserFactory(), option=option)


@pytest.fixture
def preview() -> ReleasePreview:
    return services.preview_release(snapshot=snapshot_of(frozen(pairs=3)), by=None)


def test_a_release_tells_how_people_did_on_fresh_votes(preview: ReleasePreview) -> None:
    asked(preview, (1, 1, 1), (1, 1, 2), (1, 2, 2))
    execute_here(preview)
    preview.refresh_from_db()
    assert preview.facts is not None
    (told,) = preview.facts["human"]
    counts = ("split", "questions", "people", "votes")
    assert [told[name] for name in counts] == ["all", 3, 9, 9]
    assert (told["majority"]["value"], told["individual"]["value"]) == (0.67, 0.67)


def test_a_split_is_named_with_the_release_that_it_is_of(preview: ReleasePreview) -> None:
    release = ReleaseFactory(snapshot=preview.snapshot, name="first", finished=True)
    evaluation = HumanEvaluationFactory(
        campaign=preview.snapshot.campaign, release=release, reference_set=None, split="dev"
    )
    item = HumanItemFactory(evaluation=evaluation)
    for _ in range(3):
        HumanSeatFactory(item=item, worker=UserFactory(), option=1)
    (told,) = people_facts(preview)
    assert (told["split"], told["release"]) == ("dev", "first")


def test_an_unfinished_evaluation_is_not_told(preview: ReleasePreview) -> None:
    asked(preview, (1, 1, 1))
    asked(preview, (1, 1, 2), (1, None, None))
    (told,) = people_facts(preview)
    assert told["questions"] == 1


def test_without_one_there_is_nothing_to_tell(preview: ReleasePreview) -> None:
    assert people_facts(preview) == []
