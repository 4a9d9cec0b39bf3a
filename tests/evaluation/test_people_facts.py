"""People's performance in the manifest of a release."""

import pytest

from corpora.models import Snapshot
from evaluation import services
from evaluation.selectors.knowledge import people_facts
from tests.factories import ReleaseFactory, UserFactory
from tests.factories.panels import PanelFactory, PanelItemFactory, PanelSeatFactory
from tests.filtering.stages import frozen, snapshot_of
from winoplatform.runs.kinds import execute_here


def asked(snapshot: Snapshot, *options: tuple[int | None, ...]) -> None:
    """An evaluation of the snapshot; each item's right option is 1."""
    of = {"campaign": snapshot.campaign, "snapshot": snapshot, "reference_set": None}
    evaluation = PanelFactory(**of, split="all", n_items=len(options))
    for given in options:
        item = PanelItemFactory(panel=evaluation)
        for option in given:
            PanelSeatFactory(item=item, worker=option and UserFactory(), option=option)


@pytest.fixture
def snapshot() -> Snapshot:
    return snapshot_of(frozen(pairs=3))


def test_a_release_tells_how_people_did_on_fresh_votes(snapshot: Snapshot) -> None:
    asked(snapshot, (1, 1, 1), (1, 1, 2), (1, 2, 2))
    preview = services.preview_release(snapshot=snapshot, by=None)
    execute_here(preview)
    preview.refresh_from_db()
    assert preview.facts is not None
    (told,) = preview.facts["human"]
    counts = ("split", "questions", "people", "votes")
    assert [told[name] for name in counts] == ["all", 3, 9, 9]
    assert (told["majority"]["value"], told["individual"]["value"]) == (0.67, 0.67)


def test_a_split_is_named_with_the_release_that_it_is_of(snapshot: Snapshot) -> None:
    release = ReleaseFactory(snapshot=snapshot, name="first", finished=True)
    evaluation = PanelFactory(
        campaign=snapshot.campaign, release=release, reference_set=None, split="dev"
    )
    item = PanelItemFactory(panel=evaluation)
    for _ in range(3):
        PanelSeatFactory(item=item, worker=UserFactory(), option=1)
    (told,) = people_facts(snapshot)
    assert (told["split"], told["release"]) == ("dev", "first")


def test_an_unfinished_evaluation_is_not_told(snapshot: Snapshot) -> None:
    asked(snapshot, (1, 1, 1))
    asked(snapshot, (1, 1, 2), (1, None, None))
    (told,) = people_facts(snapshot)
    assert told["questions"] == 1


def test_without_one_there_is_nothing_to_tell(snapshot: Snapshot) -> None:
    assert people_facts(snapshot) == []
