"""Guesses around the asking: old rows, a broker that is away, what a look costs, and advice."""

from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from kombu.exceptions import OperationalError

from collection.models import Campaign, Twin
from collection.signals import advice_wanted
from filtering import selectors
from filtering.models import FilterRun, Guess
from filtering.services import guesses as asking
from tests.factories import FilterRunFactory, UserFactory
from tests.filtering.guess_asking import answered, asked, let_time_pass
from tests.filtering.guessable import new_twin
from winoplatform.celery import app
from winoplatform.runs import liveness

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("bell")]


def test_rows_are_pruned_as_others_come(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = asked(campaign)
    let_time_pass(Guess.KEPT.total_seconds() + 1)
    asked(campaign, new_twin(answers=(2, 1)), worker=UserFactory())
    assert not Guess.objects.filter(pk=old.pk).exists()
    monkeypatch.setattr(Guess, "MOST", 3)
    for word in ("fit", "into", "bench", "number", "far"):
        asked(campaign, new_twin(options=(word, "suitcase")), worker=UserFactory())
    assert Guess.objects.count() == 3


def test_beat_prunes_too_where_nobody_asks_any_more(
    run: FilterRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Guess, "PRUNED_AT_ONCE", 2)
    for _ in range(5):
        one_more(run)
    let_time_pass(Guess.KEPT.total_seconds() + 1)
    young = one_more(run)
    app.loader.import_default_modules()
    app.tasks[app.conf.beat_schedule["prune-guesses"]["task"]]()
    assert list(Guess.objects.all()) == [young]


def one_more(run: FilterRun) -> Guess:
    name = f"{Guess.objects.count():064d}"
    return Guess.objects.create(filter_run=run, text={}, fingerprint=name, asked_by=UserFactory())


def test_a_broker_that_is_away_undoes_nothing(
    campaign: Campaign,
    django_capture_on_commit_callbacks: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def away(*_: object, **__: object) -> None:
        raise OperationalError("no broker")

    monkeypatch.setattr(asking.current_app, "send_task", away)
    with django_capture_on_commit_callbacks(execute=True):
        guess = asked(campaign)
    assert guess.status == Guess.Status.WAITING


@pytest.mark.parametrize(
    ("workers", "served"),
    [(None, False), ({}, False), ({"a": ["heavy"]}, False), ({"a": ["light", "ring"]}, True)],
)
def test_whether_somebody_answers_is_known(
    workers: Any, served: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(liveness, "alive", lambda: workers)
    assert selectors.guesses_are_served() is served


def test_asking_again_is_a_few_quick_queries(campaign: Campaign) -> None:
    answered(campaign)
    with CaptureQueriesContext(connection) as captured:
        selectors.guess_finding(asked(campaign))
    assert len(captured) <= 20


def test_what_the_machine_said_is_among_the_advice_when_a_twin_is_handed_in(
    campaign: Campaign,
) -> None:
    def advice() -> list[str]:
        found = advice_wanted.send(sender=Twin, campaign=campaign, text=new_twin(), leave_out=None)
        return [f"{finding.code} {finding.level}" for _, few in found for finding in few]

    assert advice() == []
    answered(campaign)
    assert advice() == ["machine_guesses warning"]


@pytest.mark.parametrize(
    ("constraint", "changes"),
    [
        ("filtering_guess_is_asked_once", {"fingerprint": "a" * 64}),
        ("filtering_guess_waits_once_for_each", {"asked_by": "alice"}),
        ("filtering_guess_status_is_known", {"status": "odd"}),
        ("filtering_guess_answered_has_its_counts", {"status": "answered"}),
        ("filtering_guess_answered_has_its_counts", {"right1": 3}),
    ],
)
def test_the_database_refuses(constraint: str, changes: dict[str, Any]) -> None:
    run, alice = FilterRunFactory(finished=True), UserFactory()
    fields = {"filter_run": run, "text": {}, "fingerprint": "b" * 64, "asked_by": UserFactory()}
    Guess.objects.create(**(fields | {"fingerprint": "a" * 64, "asked_by": alice}))
    changes = changes | ({"asked_by": alice} if "asked_by" in changes else {})
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        Guess.objects.create(**(fields | changes))
