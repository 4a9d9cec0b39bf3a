"""Views saved at the same moment: a campaign has at most so many, and no name twice."""

from collections.abc import Sequence
from functools import partial
from threading import Barrier
from typing import Any

import pytest

from tests.factories import CampaignFactory, UserFactory
from tests.races.threads import at_once
from validation.models import SavedView
from validation.services.review import shared
from winoplatform.errors import DomainError


def save_at_once(names: Sequence[str]) -> list[Any]:
    save = partial(shared.save_view, campaign=CampaignFactory(), query="")
    return at_once(*(partial(save, name=name, by=UserFactory(curator=True)) for name in names))


@pytest.mark.parametrize(
    ("names", "code"),
    [(("One", "Two", "Three"), "too_many"), (("Split", "SPLIT", "split"), "name_taken")],
)
def test_one_of_them_is_saved(
    monkeypatch: pytest.MonkeyPatch, names: Sequence[str], code: str
) -> None:
    monkeypatch.setattr(shared, "MOST_VIEWS", 1 if code == "too_many" else 100)
    answers = save_at_once(names)
    assert [one.code for one in answers if isinstance(one, DomainError)] == [code, code]
    assert SavedView.objects.count() == 1


def test_without_the_lock_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    now, all_checked = shared.clock.now, Barrier(3)

    def checked() -> Any:
        all_checked.wait(30)
        return now()

    monkeypatch.setattr(shared, "MOST_VIEWS", 1)
    monkeypatch.setattr(shared, "_lock_views", lambda campaign: None)
    monkeypatch.setattr(shared.clock, "now", checked)
    save_at_once(["One", "Two", "Three"])
    assert SavedView.objects.count() == 3
