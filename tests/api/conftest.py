"""The people of the interface's tests.

Alice writes, Bob validates, Carol must see nothing of either; Dana is the curator.
"""

import pytest
from rest_framework.test import APIClient

from collection.models import Campaign
from tests.api.calls import client_of
from tests.factories import ArticleFactory, CampaignFactory, UserFactory
from workers.models import User


@pytest.fixture
def alice(db: None) -> User:
    return UserFactory(username="alice")


@pytest.fixture
def bob(db: None) -> User:
    return UserFactory(username="bob")


@pytest.fixture
def dana(db: None) -> User:
    return UserFactory(username="dana", curator=True)


@pytest.fixture
def as_alice(alice: User) -> APIClient:
    return client_of(alice)


@pytest.fixture
def as_bob(bob: User) -> APIClient:
    return client_of(bob)


@pytest.fixture
def as_carol(db: None) -> APIClient:
    return client_of(UserFactory(username="carol"))


@pytest.fixture
def as_dana(dana: User) -> APIClient:
    return client_of(dana)


@pytest.fixture
def campaign(db: None) -> Campaign:
    """An open campaign with one article."""
    return ArticleFactory(campaign=CampaignFactory(slug="winter", name="Winter")).campaign
