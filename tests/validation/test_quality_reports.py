"""Reports of quality: worked out on demand where that is quick, else by a worker."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from kombu.exceptions import OperationalError

from collection.models import Campaign
from tests.factories import (
    CampaignFactory,
    UserFactory,
)
from tests.validation.validated import validated
from validation.models import QualityReport
from validation.selectors.quality.people import is_fresh, stored_report
from validation.services import quality as service
from validation.tasks import execute_report
from workers.models import User


@pytest.fixture
def campaign(db: None) -> Campaign:
    return CampaignFactory(slug="winter", name="Winter")


@pytest.fixture
def validators(db: None) -> list[User]:
    return UserFactory.create_batch(3)


def test_a_report_that_is_quick_is_worked_out_on_demand_and_kept_a_while(
    campaign: Campaign, validators: list[User]
) -> None:
    validated(campaign, validators, True, True, True)
    report = service.quality_report(campaign=campaign)
    assert report.n_votes == 3
    QualityReport.objects.update(seconds=0.05)
    validated(campaign, validators, True, True, True)
    assert service.quality_report(campaign=campaign).n_votes == 3  # still fresh
    QualityReport.objects.update(created_at=timezone.now() - timedelta(seconds=6))
    assert service.quality_report(campaign=campaign).n_votes == 6


def test_a_dear_report_is_asked_for_of_a_worker_and_shown_with_its_age(
    campaign: Campaign, validators: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    dispatched: list[Any] = []
    monkeypatch.setattr(service, "_dispatch", dispatched.append)
    monkeypatch.setattr(service, "QUICK_VOTES", 2)
    validated(campaign, validators, True, True, True)
    assert service.quality_report(campaign=campaign) is None
    assert dispatched == [campaign]
    execute_report(campaign.pk)
    QualityReport.objects.update(seconds=2, created_at=timezone.now() - timedelta(seconds=100))
    assert is_fresh(stored_report(campaign))
    QualityReport.objects.update(created_at=timezone.now() - timedelta(seconds=300))
    old = service.quality_report(campaign=campaign)
    assert old is not None
    assert len(dispatched) == 2
    execute_report(campaign.pk)
    again = stored_report(campaign)
    execute_report(campaign.pk)  # the message came twice
    assert stored_report(campaign).created_at == again.created_at > old.created_at


def test_a_page_does_not_fail_with_the_broker(
    campaign: Campaign, validators: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*args: Any, **options: Any) -> None:
        raise OperationalError("no broker")

    monkeypatch.setattr(service.current_app, "send_task", away)
    monkeypatch.setattr(service, "QUICK_VOTES", 2)
    validated(campaign, validators, True, True, True)
    assert service.quality_report(campaign=campaign) is None


def test_a_message_names_a_task_that_workers_know(
    campaign: Campaign, validators: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(
        service.current_app, "send_task", lambda name, **options: sent.append((name, options))
    )
    monkeypatch.setattr(service, "QUICK_VOTES", 2)
    validated(campaign, validators, True, True, True)
    service.quality_report(campaign=campaign)
    [(name, options)] = sent
    assert name == execute_report.name
    assert (options["args"], options["queue"]) == ([campaign.pk], "light")
