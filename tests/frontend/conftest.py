"""The people of the pages' tests.

Alice writes, Bob validates, Carol must see nothing of either; Dana is the curator.
"""

from collections.abc import Callable

import pytest
from django.test import Client

from collection.models import Article, Campaign
from tests.factories import ArticleFactory, CampaignFactory, UserFactory
from tests.frontend.proofs import prove
from workers.models import User


def signed_in_now(user: User) -> Client:
    client = Client()
    client.force_login(user)
    prove(client, user)
    return client


@pytest.fixture
def alice(db: None) -> User:
    return UserFactory(username="alice")


@pytest.fixture
def bob(db: None) -> User:
    return UserFactory(username="bob")


@pytest.fixture
def carol(db: None) -> User:
    return UserFactory(username="carol")


@pytest.fixture
def dana(db: None) -> User:
    return UserFactory(username="dana", curator=True)


@pytest.fixture
def campaign(db: None) -> Campaign:
    return CampaignFactory(slug="kitchen", name="Kitchen")


@pytest.fixture
def article(campaign: Campaign) -> Article:
    return ArticleFactory(campaign=campaign)


@pytest.fixture
def browse() -> Callable[[User], Client]:
    """Return a client that has signed in, with the password a moment ago."""
    return signed_in_now
