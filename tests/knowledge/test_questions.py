"""The list of a set's questions: what it shows to whom, and that a page reads only its own."""

from dataclasses import asdict
from decimal import Decimal

import pytest
from rest_framework.test import APIClient

from collection.models import Twin
from corpora import services as corpora
from corpora.core.items import Item
from corpora.models import Release
from corpora.selectors import released
from knowledge import selectors, services
from knowledge.models import KnowledgeSet
from tests.corpora.test_blind_once import whole
from tests.factories import CampaignFactory, UserFactory
from tests.filtering.stages import frozen, snapshot_of
from tests.knowledge.formalising import qualified

SPLITS = ("train", "dev", "test", "train")  # told, since drawn ones may have no test


@pytest.fixture
def release() -> Release:
    """A release with test questions, on whose twins nobody votes any more."""
    snapshot = snapshot_of(frozen(pairs=8))
    for twin, split in zip(Twin.objects.order_by("pk"), 2 * SPLITS, strict=True):
        Twin.objects.filter(pk=twin.pk).update(source_split=split)
    return whole(snapshot, "beds")


def copied(release: Release, *, is_public: bool = False) -> KnowledgeSet:
    """A set over a reference set with the release's questions, under other ids."""
    items = [row.item for row in released(release)]
    if is_public:
        items = [Item(**(asdict(one) | {"sentence": f"Once: {one.sentence}"})) for one in items]
    half = len(items) // 2
    splits = {
        "a": [one.to_line() for one in items[:half]],
        "b": [x.to_line() for x in items[half:]],
    }
    over = corpora.import_reference_set(name="copied", format="items", splits=splits, by=None)
    corpora.change_reference_set(reference_set=over, is_public=is_public)
    over.refresh_from_db()
    return services.create_knowledge_set(name="copied", reference_set=over, by=None)


@pytest.fixture(
    params=[
        "release",
        pytest.param("private copy", marks=pytest.mark.long),
        pytest.param("public set", marks=pytest.mark.long),
    ]
)
def of(request: pytest.FixtureRequest, release: Release) -> KnowledgeSet:
    if request.param == "release":
        return services.create_knowledge_set(name="over", release=release, by=None)
    return copied(release, is_public=request.param == "public set")


def test_a_list_reads_what_the_whole_set_has(of: KnowledgeSet) -> None:
    every = list(selectors.set_questions(of))
    shown = [row for row in every if not row.is_held_back]
    is_public = of.reference_set is not None and of.reference_set.is_public
    assert shown
    assert (len(shown) == len(every)) is is_public
    for user, expected in ((UserFactory(curator=True), every), (UserFactory(), shown)):
        found = selectors.question_list(of, user=user)
        is_private = of.reference_set is not None and not is_public
        assert found.hides is (is_private and not user.is_curator)
        assert found.read(found.rows) == expected
        for part in (slice(3, 5), slice(4, 1, -1)):
            ids = [row.id for row in found.rows[part]]
            some = [row for row in expected if row.item.id in ids]
            assert found.read(found.rows[part]) == sorted(
                some, key=lambda one: ids.index(one.item.id)
            )
        if not found.hides:
            assert [row.id for row in found.rows] == [row.item.id for row in expected]
    assert [selectors.find_question(of, row.item.id) for row in every] == every
    assert selectors.find_question(of, "no such") is None
    some = selectors.questions_for_people(of, [*(row.item.id for row in every[2:9]), "no such"])
    assert some == {row.item.id: row.item for row in every[2:9] if not row.is_held_back}


def test_a_question_comes_with_its_twin_unless_it_is_held_back(of: KnowledgeSet) -> None:
    every = list(selectors.set_questions(of))
    worker = UserFactory()
    for row in every:
        found = selectors.question_list(of, user=worker).group_of(row.item.id)
        twins = [] if row.is_held_back else [x for x in every if x.item.group == row.item.group]
        assert found == twins


@pytest.mark.long
def test_a_held_back_question_is_asked_for_as_if_it_did_not_exist(of: KnowledgeSet) -> None:
    pays = {"campaign": CampaignFactory(), "formalisation_reward": Decimal("1.00")}
    KnowledgeSet.objects.filter(pk=of.pk).update(**pays)
    of.refresh_from_db()
    client = APIClient()
    client.force_authenticate(qualified(of))
    address = f"/api/v1/knowledge-sets/{of.name}/questions/"
    for row in selectors.set_questions(of):
        for query in ({}, {"cursor": 1}, {"page_size": 1, "cursor": 3}):
            answer = client.get(address, {"question": row.item.id, **query}).json()
            number = 0 if row.is_held_back else 1
            assert (answer["count"], len(answer["results"])) == (number, number)
            assert (answer["count_is_exact"], answer["next"], answer["previous"]) == (
                True,
                None,
                None,
            )


@pytest.fixture
def read_in_full(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sentences of all items that are made."""
    made: list[str] = []
    check = Item.__post_init__

    def noted(one: Item) -> None:
        made.append(one.sentence)
        check(one)

    monkeypatch.setattr(Item, "__post_init__", noted)
    return made


def test_only_what_is_shown_is_read_in_full_and_its_twins(
    of: KnowledgeSet, read_in_full: list[str]
) -> None:
    curators = selectors.question_list(of, user=UserFactory(curator=True))
    for found in (curators, selectors.question_list(of, user=UserFactory())):
        assert read_in_full == []
        page = found.read(found.rows[:3])
        read = {*read_in_full}
        assert {row.item.sentence for row in page} <= read
        assert read <= sentences_in(curators, {row.group for row in found.rows[:3]})
        read_in_full.clear()
    selectors.questions_for_people(of, [curators.rows[0].id])
    read = {*read_in_full}
    assert read <= sentences_in(curators, {curators.rows[0].group})


def sentences_in(every: selectors.QuestionList, groups: set[str]) -> set[str]:
    rows = every.read([one for one in every.rows if one.group in groups])
    return {row.item.sentence for row in rows}
