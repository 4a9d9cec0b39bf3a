"""Factories of people who come from crowd platforms."""

from typing import Any

import factory
from django.utils import timezone

from collection.models import CrowdSession, Participant, Study
from tests.factories.work import CampaignFactory, Factory, UserFactory


class StudyFactory(Factory):
    """Two twins a session, by signed link."""

    class Meta:
        model = Study

    campaign = factory.SubFactory(CampaignFactory)
    provider = Study.Provider.GENERIC
    name = factory.Sequence(lambda n: f"study {n}")
    units = 2
    places = 100


class ParticipantFactory(Factory):
    class Meta:
        model = Participant

    provider = Study.Provider.GENERIC
    external_id = factory.Sequence(lambda n: f"platform-{n}")
    worker = factory.SubFactory(UserFactory, origin="crowd")


class CrowdSessionFactory(Factory):
    """An active session; any other ``status`` has ended just now."""

    class Meta:
        model = CrowdSession

    study = factory.SubFactory(StudyFactory)
    participant = factory.SubFactory(
        ParticipantFactory, provider=factory.SelfAttribute("..study.provider")
    )
    external_id = factory.Sequence(lambda n: f"session-{n}")

    @factory.lazy_attribute
    def ended_at(self) -> Any:
        is_active = getattr(self, "status", "active") == CrowdSession.Status.ACTIVE
        return None if is_active else timezone.now()
