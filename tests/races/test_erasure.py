"""A request that stores a text while its person is erased, with a control without the guard."""

from datetime import timedelta
from functools import partial

import pytest
from django.db import transaction
from django.utils import timezone

from tests.factories import UserFactory
from tests.races.threads import Meeting, at_once
from validation.models import Appeal
from workers import services
from workers.models import User
from workers.services import erasure

LATE = "I am Anna, and late"


def appeal(account: User, meeting: Meeting) -> None:
    """Store a text, and commit only when the erasure waits for it or is over."""
    with transaction.atomic():
        Appeal.objects.create(worker=account, subject="pause", unit="1", text=LATE)
        meeting.hold()


def texts_after_the_next_sweep() -> int:
    account, meeting = UserFactory(), Meeting()
    erase = partial(services.erase_person, account=account, by=UserFactory(admin=True))
    results = at_once(partial(appeal, account, meeting), partial(meeting.then, erase))
    assert not [result for result in results if isinstance(result, Exception)]
    services.keep_periods(now=timezone.now())
    return Appeal.objects.filter(text=LATE).count()


def test_a_text_of_a_request_under_way_is_erased_by_the_next_sweep() -> None:
    assert texts_after_the_next_sweep() == 0


def test_without_a_repeated_erasure_it_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(erasure, "REPEATED", timedelta(0))
    assert texts_after_the_next_sweep() == 1
