"""What the database itself refuses of publications."""

from collections.abc import Callable

import pytest
from django.db import IntegrityError, transaction

from publishing.models import Publication, PublicationStep
from tests.factories import PublicationFactory
from tests.refusals import again


def step_twice() -> None:
    run = PublicationFactory()
    for _ in range(2):
        PublicationStep.objects.create(run=run, number=1, attempt=1, seconds=0.1, what="the place")


REFUSED: list[tuple[str, Callable[[], object]]] = [
    ("publication_status_is_known", lambda: PublicationFactory(status="odd")),
    ("publication_target_is_known", lambda: PublicationFactory(target="other", repository="")),
    ("publication_done_has_its_results", lambda: PublicationFactory(status="done")),
    ("publication_only_the_hub_has_repositories", lambda: PublicationFactory(repository="")),
    ("publication_only_the_hub_has_repositories", lambda: PublicationFactory(target="zenodo")),
    ("publication_is_sent_once_at_a_time", lambda: again(PublicationFactory, "release")),
    ("publicationstep_is_recorded_once", step_twice),
]


@pytest.mark.parametrize(("constraint", "break_it"), REFUSED)
def test_the_database_refuses(constraint: str, break_it: Callable[[], object]) -> None:
    with pytest.raises(IntegrityError, match=f"publishing_{constraint}"), transaction.atomic():
        break_it()


def test_every_constraint_of_these_tables_is_tried() -> None:
    models = (Publication, PublicationStep)
    named = {constraint.name for model in models for constraint in model._meta.constraints}
    assert named == {f"publishing_{constraint}" for constraint, _ in REFUSED}
