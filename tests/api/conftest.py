"""The clients of the interface's tests."""

import pytest
from rest_framework.test import APIClient

from collection.models import Campaign
from tests.api.calls import client_of
from tests.factories import ArticleFactory, CampaignFactory
from workers.models import User


@pytest.fixture
def as_alice(alice: User) -> APIClient:
    return client_of(alice)


@pytest.fixture
def as_bob(bob: User) -> APIClient:
    return client_of(bob)


@pytest.fixture
def as_carol(carol: User) -> APIClient:
    return client_of(carol)


@pytest.fixture
def as_dana(dana: User) -> APIClient:
    return client_of(dana)


@pytest.fixture
def campaign(db: None) -> Campaign:
    """An open campaign with one article."""
    return ArticleFactory(campaign=CampaignFactory(slug="winter", name="Winter")).campaign
