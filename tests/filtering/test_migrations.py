"""A database of before controls and tuned encoders keeps its runs when it is brought up to date."""

from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django import DjangoDbBlocker

from tests.old_databases import latest, migrate, old_database

BEFORE = [("filtering", "0002_guess")]


@pytest.fixture
def before(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Any]:
    with old_database(django_db_blocker, BEFORE) as apps:
        yield apps


def test_runs_come_along_and_what_was_encoded_says_in_which_numbers(before: Any) -> None:
    campaign = before.get_model("collection", "Campaign").objects.create(slug="kitchen", name="K")
    snapshot = before.get_model("filtering", "Snapshot").objects.create(campaign=campaign)
    encodings = before.get_model("filtering", "Encoding").objects
    begun = encodings.create(snapshot=snapshot, encoder="a", weights_sha256="f" * 64)
    encodings.create(snapshot=snapshot, encoder="b")
    run = before.get_model("filtering", "FilterRun").objects.create(encoding_id=begun.pk, tau=0.6)

    now = migrate(latest("filtering"))

    rows = now.get_model("filtering", "Encoding").objects.values_list("encoder", "dtype_used")
    assert dict(rows) == {"a": "float32", "b": ""}
    [there] = now.get_model("filtering", "FilterRun").objects.all()
    assert (there.public_id, there.tau, there.method) == (run.public_id, 0.6, "aflite")
