"""Several experts store versions of one question at the same moment."""

from dataclasses import replace
from functools import partial
from threading import Barrier
from typing import Any

import pytest

from knowledge import services
from knowledge.core.formalisation import Thing
from knowledge.models import Formalisation
from knowledge.services import formalising
from tests.factories import KnowledgeSetFactory
from tests.factories.knowledge import TOO_LARGE
from tests.races.threads import at_once

EXPERTS = 4


def answers() -> list[Any]:
    """What each expert is answered, who words the trophy in a way of their own."""
    knowledge_set = KnowledgeSetFactory()
    worded = [
        replace(TOO_LARGE, things=(Thing("Trophy", f"cup {n}"), TOO_LARGE.things[1]))
        for n in range(EXPERTS)
    ]
    asked = partial(
        services.formalise, knowledge_set=knowledge_set, question="t-1", formulas=[], by=None
    )
    return at_once(*[partial(asked, formalisation=one) for one in worded])


def test_each_version_has_a_number_of_its_own() -> None:
    assert sorted(row.number for row in answers()) == [1, 2, 3, 4]


def test_without_the_lock_they_take_the_same_number(monkeypatch: pytest.MonkeyPatch) -> None:
    together, save = Barrier(EXPERTS), Formalisation.save

    def waiting(self: Formalisation, *args: Any, **options: Any) -> None:
        together.wait(timeout=30)
        save(self, *args, **options)

    monkeypatch.setattr(formalising, "one_at_a_time", lambda _: None)
    monkeypatch.setattr(Formalisation, "save", waiting)
    found = answers()
    assert sum(isinstance(answer, Exception) for answer in found) == EXPERTS - 1
