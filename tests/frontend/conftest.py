"""Browsers in which people have signed in."""

from collections.abc import Callable

import pytest
from django.test import Client

from collection.models import Article, Campaign
from tests.factories import ArticleFactory
from tests.frontend.proofs import prove
from workers.models import User


def signed_in_now(user: User) -> Client:
    client = Client()
    client.force_login(user)
    prove(client, user)
    return client


@pytest.fixture
def article(campaign: Campaign) -> Article:
    return ArticleFactory(campaign=campaign)


@pytest.fixture
def browse() -> Callable[[User], Client]:
    """Return a client that has signed in, with the password a moment ago."""
    return signed_in_now


@pytest.fixture
def as_alice(alice: User) -> Client:
    return signed_in_now(alice)


@pytest.fixture
def as_bob(bob: User) -> Client:
    return signed_in_now(bob)


@pytest.fixture
def as_carol(carol: User) -> Client:
    return signed_in_now(carol)


@pytest.fixture
def as_dana(dana: User) -> Client:
    return signed_in_now(dana)
