"""Two curators count the majority of the same evaluations at the same moment."""

from functools import partial
from threading import Barrier
from typing import Any

import pytest

from evaluation import services
from evaluation.models import Evaluation
from evaluation.services import ensembles
from tests.factories import KnowledgeEvaluationFactory, KnowledgeReleaseFactory
from tests.races.threads import at_once


def majorities() -> int:
    """How many there are after two equal requests."""
    release = KnowledgeReleaseFactory(finished=True)
    runs = [
        KnowledgeEvaluationFactory(finished=True, knowledge_release=release, model=f"pkg:m/{n}")
        for n in range(2)
    ]
    at_once(*2 * [partial(services.combine, by=None, members=runs)])
    return Evaluation.objects.filter(method="ensemble").count()


def test_equal_requests_count_one_majority() -> None:
    assert majorities() == 1


def test_without_the_lock_they_count_two(monkeypatch: pytest.MonkeyPatch) -> None:
    together, look = Barrier(2), ensembles._ensemble_of

    def waiting(*asked: Any) -> Evaluation | None:
        found = look(*asked)
        together.wait(timeout=30)
        return found

    monkeypatch.setattr(ensembles, "_lock", lambda run: None)
    monkeypatch.setattr(ensembles, "_ensemble_of", waiting)
    assert majorities() == 2
