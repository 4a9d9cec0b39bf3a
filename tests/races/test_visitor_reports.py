"""One form of a reader that arrives for two questions at the same moment: one report is stored."""

import uuid
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.db import IntegrityError

from tests.factories import TwinFactory
from tests.races.threads import at_once
from validation.models import VisitorReport
from validation.services.review import visitors


def report_at_once(patch: pytest.MonkeyPatch) -> list[Any]:
    """Both have seen that the key is new before either stores it."""
    now, both_checked = visitors.clock.now, Barrier(2)

    def checked() -> Any:
        both_checked.wait(30)
        return now()

    questions = TwinFactory().questions.all()
    report = partial(
        visitors.report_question, kind="wrong", text="", client_key=uuid.uuid4(), address=None
    )
    with patch.context() as patched:
        patched.setattr(visitors.clock, "now", checked)
        return at_once(*(partial(report, question_id=one.public_id) for one in questions))


def test_both_are_thanked(monkeypatch: pytest.MonkeyPatch) -> None:
    assert report_at_once(monkeypatch) == [True, True]
    assert VisitorReport.objects.count() == 1


def test_without_the_guard_one_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitors, "IntegrityError", ZeroDivisionError)
    answers = report_at_once(monkeypatch)
    assert {type(one) for one in answers} == {bool, IntegrityError}
