"""The page and the files of the audit log, for admins."""

import csv
import json
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.api.calls import API, client_of, ok
from tests.factories import UserFactory
from tests.frontend.pages import words
from workers.models import AuditEvent, User
from workers.services import audit

PAGE = "/audit-log/"


@pytest.fixture
def as_admin(browse: Callable[[User], Client]) -> Client:
    return browse(UserFactory(username="root", admin=True))


def test_events_are_filtered_by_person_kind_and_day(
    as_admin: Client, alice: User, dana: User
) -> None:
    audit.record("labels", by=dana, what="/api/v1/questions/")
    audit.record("link_made", by=dana, account=alice, what="password link 1")
    old = timezone.now() - timedelta(days=9)
    AuditEvent.objects.create(kind="token_made", by=alice, what="wino_0000000000", created_at=old)
    everything = words(as_admin.get(PAGE))
    assert "/api/v1/questions/" in everything
    of_alice = words(as_admin.get(PAGE, {"person": "alice"}))
    assert "password link 1" in of_alice
    assert "wino_0000000000" in of_alice
    assert "/api/v1/questions/" not in of_alice
    assert "password link 1" not in words(as_admin.get(PAGE, {"kind": "labels"}))
    today = words(as_admin.get(PAGE, {"since": str(timezone.localdate())}))
    assert "wino_0000000000" not in today
    assert as_admin.get(PAGE, {"kind": "nonsense"}).status_code == 400


def test_pages_keep_the_filters(as_admin: Client, dana: User) -> None:
    for number in range(60):
        audit.record("labels", by=dana, what=f"/page/{number}/")
    first = as_admin.get(PAGE, {"person": "dana", "kind": "labels"})
    page = first.context["page"]
    rest = as_admin.get(PAGE, {"person": "dana", "kind": "labels", "events": page.older})
    assert [event.what for event in rest.context["page"].rows][-1] == "/page/0/"
    assert "person=dana&amp;kind=labels" in first.content.decode()


def test_files_have_the_filtered_events_oldest_first(as_admin: Client, dana: User) -> None:
    audit.record("labels", by=dana, what="=1+1", format="csv")
    text = b"".join(as_admin.get("/audit-log.jsonl", {"kind": "labels"}).streaming_content)  # type: ignore[attr-defined]
    [line] = map(json.loads, text.decode().splitlines())
    assert (line["by_name"], line["what"], line["facts"]) == ("dana", "=1+1", {"format": "csv"})
    text = b"".join(as_admin.get("/audit-log.csv", {"kind": "labels"}).streaming_content)  # type: ignore[attr-defined]
    [row] = csv.DictReader(text.decode().splitlines())
    assert row["what"] == "'=1+1"
    assert as_admin.get("/audit-log.xml").status_code == 404


def test_the_api_lists_the_same(dana: User) -> None:
    audit.record("labels", by=dana, what="/x/")
    admin = client_of(UserFactory(admin=True))
    [event] = ok(admin.get(f"{API}audit-log/?person={dana.public_id}&kind=labels"))["results"]
    assert (event["by"], event["what"]) == (dana.public_id, "/x/")
    assert admin.get(f"{API}audit-log/?kind=nonsense").status_code == 400


def test_reading_the_log_is_in_it(as_admin: Client) -> None:
    as_admin.get(PAGE)
    as_admin.get("/audit-log.csv")
    read = AuditEvent.objects.filter(kind="audit_log").values_list("what", flat=True)
    assert [*read] == ["/audit-log.csv", PAGE]


def test_curators_have_no_link_to_it(as_dana: Client) -> None:
    assert reverse("audit-log") not in as_dana.get("/people/").content.decode()
