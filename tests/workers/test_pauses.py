"""Pausing and resuming: once at a time, with a reason, kept on record."""

import pytest
from django.core.exceptions import ValidationError

from winoplatform.errors import DomainError
from workers import services
from workers.models import Pause, User


def test_a_pause_is_told_with_its_reason(alice: User, dana: User) -> None:
    services.pause_worker(worker=alice, reason="  Too fast. ", by=dana)
    with pytest.raises(DomainError, match=r"Too fast\.$") as refused:
        services.refuse_while_paused(worker=alice)
    assert (refused.value.code, refused.value.status) == ("worker_paused", 403)
    services.refuse_while_paused(worker=dana)


def test_a_second_pause_is_refused_and_the_first_reason_stands(alice: User, dana: User) -> None:
    services.pause_worker(worker=alice, reason="First.", by=dana)
    with pytest.raises(DomainError) as refused:
        services.pause_worker(worker=alice, reason="Second.", by=dana)
    assert refused.value.code == "already_paused"
    assert Pause.objects.get().reason == "First."


def test_a_resumed_worker_works_on_and_the_pause_stays_on_record(alice: User, dana: User) -> None:
    services.pause_worker(worker=alice, reason="First.", by=dana)
    services.resume_worker(worker=alice)
    services.refuse_while_paused(worker=alice)
    services.pause_worker(worker=alice, reason="Second.", by=dana)
    assert [pause.reason for pause in alice.pauses.all()] == ["Second.", "First."]
    assert alice.pauses.last().ended_at is not None


def test_who_is_not_paused_is_not_resumed(alice: User) -> None:
    with pytest.raises(DomainError) as refused:
        services.resume_worker(worker=alice)
    assert refused.value.code == "not_paused"


@pytest.mark.parametrize("reason", ["", "   ", "x" * 501])
def test_a_pause_needs_a_reason_that_can_be_read(reason: str, alice: User, dana: User) -> None:
    with pytest.raises(ValidationError):
        services.pause_worker(worker=alice, reason=reason, by=dana)
    assert not Pause.objects.exists()
