"""What curators, workers who formalise, other workers and the public may see."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from corpora import services as corpora
from knowledge import services
from knowledge.core.formalisation import Thing
from knowledge.models import Formalisation, Formula, KnowledgeSet, Proof, Sentence
from knowledge.proving import PROVER
from tests.factories import KnowledgeSetFactory, UserFactory
from tests.factories.knowledge import LARGE, TOO_LARGE, ProofFactory
from tests.filtering.stages import carried, contents, frozen, rows, snapshot_of
from tests.knowledge.formalising import qualified
from winoplatform.errors import NotFound
from workers.models import User


@pytest.fixture
def over_release() -> KnowledgeSet:
    """A set over a release with test questions, which pays for formalising."""
    release = corpora.build_release(snapshot=snapshot_of(frozen(pairs=20)), name="beds", by=None)
    carried(release)
    release.refresh_from_db()
    return services.create_knowledge_set(
        name="beds", by=None, release=release, formalisation_reward=Decimal("2.00")
    )


def questions(of: KnowledgeSet) -> tuple[dict[str, Any], dict[str, Any]]:
    """A question that is held back, and one that is not."""
    assert of.release is not None
    index = rows(contents(of.release)["index.jsonl"])
    blind = next(row for row in index if row["split"] == "test")
    return blind, next(row for row in index if row["split"] != "test")


def formalised(
    of: KnowledgeSet, row: dict[str, Any], *formulas: Formula, by: User
) -> Formalisation:
    names = ("First", "Second")
    content = replace(
        TOO_LARGE,
        things=(Thing("First"), Thing("Second")),
        options=names,
        answer=names[row["answer"] - 1],
        outcome=None,
    )
    return services.formalise(
        knowledge_set=of, question=row["qID"], formalisation=content, formulas=formulas, by=by
    )


@pytest.mark.long
def test_what_is_said_of_a_question_that_is_held_back_is_for_curators(
    over_release: KnowledgeSet,
) -> None:
    curator, worker = UserFactory(curator=True), qualified(over_release)
    blind, shown = questions(over_release)
    secret = services.add_formula(knowledge_set=over_release, name="a", text=LARGE, by=curator)
    told = services.add_formula(knowledge_set=over_release, name="b", text="Aa", by=curator)
    hidden = formalised(over_release, blind, secret, told, by=curator)
    services.take_question(worker=worker, knowledge_set=over_release, question=shown["qID"])
    own = formalised(over_release, shown, told, by=worker)
    proofs = [ProofFactory(fingerprint=one.fingerprint, prover=PROVER) for one in (hidden, own)]

    def seen(model: Any, user: Any) -> list[Any]:
        return list(model.objects.visible_to(user).order_by("pk"))

    assert [seen(model, curator) for model in (Formula, Formalisation, Proof)] == [
        [secret, told],
        [hidden, own],
        proofs,
    ]
    assert [seen(model, worker) for model in (Formula, Formalisation, Proof)] == [
        [told],
        [own],
        proofs[1:],
    ]
    for other in (UserFactory(), AnonymousUser()):
        assert not any(seen(model, other) for model in (Formula, Formalisation, Proof, Sentence))


@pytest.mark.long
def test_a_curator_who_becomes_a_worker_no_longer_sees_what_is_held_back(
    over_release: KnowledgeSet,
) -> None:
    curator = UserFactory(curator=True)
    blind, _shown = questions(over_release)
    formula = services.add_formula(knowledge_set=over_release, name="a", text=LARGE, by=curator)
    formalised(over_release, blind, formula, by=curator)
    User.objects.filter(pk=curator.pk).update(role="worker")
    worker = User.objects.get(pk=curator.pk)
    assert not Formula.objects.visible_to(worker).exists()
    assert not Formalisation.objects.visible_to(worker).exists()


def test_a_worker_cannot_formalise_a_question_that_is_held_back(over_release: KnowledgeSet) -> None:
    blind, _shown = questions(over_release)
    with pytest.raises(NotFound):
        formalised(over_release, blind, by=qualified(over_release))


@pytest.mark.parametrize(
    ("public", "expected"),
    [(False, [True, False, False]), (True, [True, True, False])],
    ids=["hidden", "public"],
)
def test_a_set_over_a_reference_set_is_known_to_those_who_may_see_that(
    public: bool, expected: list[bool]
) -> None:
    made = KnowledgeSetFactory()
    corpora.change_reference_set(reference_set=made.reference_set, is_public=public)
    users: list[Callable[[], Any]] = [lambda: UserFactory(curator=True), UserFactory, AnonymousUser]
    known = [KnowledgeSet.objects.visible_to(user()).exists() for user in users]
    assert known == expected


@pytest.mark.long
def test_a_set_over_a_release_is_known_to_those_who_may_see_that(
    over_release: KnowledgeSet,
) -> None:
    assert KnowledgeSet.objects.visible_to(UserFactory()).exists()
    assert not KnowledgeSet.objects.visible_to(AnonymousUser()).exists()
