"""The suite's shortcuts come to what the long ways come to."""

import pytest
from django.apps import apps
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test import Client, TransactionTestCase

from tests import shortcuts
from tests.factories import PayoutLineFactory, UserFactory, VoteFactory


@pytest.mark.django_db(transaction=True)
def test_a_test_leaves_no_row_but_those_that_migrating_stores() -> None:
    stored = {model: model.objects.count() for model in (ContentType, Permission)}
    VoteFactory()
    line = PayoutLineFactory()  # append-only, and much refers to it
    Client().force_login(UserFactory())
    assert type(line).objects.exists()
    TransactionTestCase()._fixture_teardown()
    left = {model for model in apps.get_models() if model._default_manager.exists()}
    assert left == set(stored)
    assert stored == {model: model.objects.count() for model in stored}


def test_an_account_that_may_not_pass_over_triggers_flushes() -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE nobody_special; SET LOCAL ROLE nobody_special")
    assert not shortcuts.emptied()
