"""Two curators count the majority of the same evaluations at the same moment."""

from functools import partial
from threading import Barrier
from typing import Any

import pytest

from evaluation import services
from evaluation.models import KnowledgeEvaluation
from evaluation.services import knowledge
from tests.factories import KnowledgeEvaluationFactory, KnowledgeReleaseFactory
from tests.races.threads import at_once


def majorities() -> int:
    """How many there are after two equal requests."""
    release = KnowledgeReleaseFactory(finished=True)
    runs = [
        KnowledgeEvaluationFactory(finished=True, release=release, reasons="", model=f"pkg:m/{n}")
        for n in range(2)
    ]
    at_once(*2 * [partial(services.count_majority, by=None, members=runs)])
    return KnowledgeEvaluation.objects.filter(method="majority").count()


def test_equal_requests_count_one_majority() -> None:
    assert majorities() == 1


def test_without_the_lock_they_count_two(monkeypatch: pytest.MonkeyPatch) -> None:
    together, look = Barrier(2), knowledge._majority_of

    def waiting(*asked: Any) -> KnowledgeEvaluation | None:
        found = look(*asked)
        together.wait(timeout=30)
        return found

    monkeypatch.setattr(knowledge, "_lock", lambda run: None)
    monkeypatch.setattr(knowledge, "_majority_of", waiting)
    assert majorities() == 2
