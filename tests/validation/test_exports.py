"""Exports of a campaign over HTTP: forms, ETag, ranges, `since`, and who may have them."""

import csv
import io
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pyarrow.parquet as pq
import pytest
from django.db import connection, transaction
from django.utils import timezone
from rest_framework.test import APIClient

from collection.models import Campaign, Question, Twin
from tests.api.calls import API, assert_error, client_of
from tests.factories import CampaignFactory, TwinFactory, UserFactory, VerdictFactory
from tests.validation.validated import JANUARY, a_question, validated, vote
from validation.exports.campaigns import opened
from validation.models import Verdict, VerdictEvent, Vote
from winoplatform.api.parsing import MEDIA_TYPES
from winoplatform.exporting import parquet
from workers.models import AuditEvent

URL = f"{API}campaigns/winter/export/"


@pytest.fixture
def winter(db: None) -> Campaign:
    campaign = CampaignFactory(slug="winter")
    people = UserFactory.create_batch(3)
    validated(campaign, people, True, True, False, at=JANUARY)
    vote(a_question(campaign), people[0], at=JANUARY + timedelta(hours=1), comment="two\nlines")
    old = TwinFactory(campaign=campaign, withdrawn_at=JANUARY)
    VerdictFactory(question=old.questions.get(number=1))
    TwinFactory(campaign=CampaignFactory())
    return campaign


@pytest.fixture
def dana(db: None) -> APIClient:
    return client_of(UserFactory(curator=True))


def content(response: Any) -> bytes:
    assert response.status_code in (200, 206), response.content
    return b"".join(response) if response.streaming else response.content


def as_values(form: str, data: bytes) -> list[dict[str, Any]]:
    if form == "jsonl":
        return [json.loads(line) for line in data.splitlines()]
    if form == "csv":
        return list(csv.DictReader(io.StringIO(data.decode(), newline="")))
    return pq.read_table(io.BytesIO(data)).to_pylist()


def plain(value: Any) -> str:
    """Write a value as CSV has it, whatever form it came in."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict | list):
        return json.dumps(value)
    if hasattr(value, "isoformat"):
        return str(value.isoformat(timespec="microseconds"))
    return str(value)


@pytest.mark.long
@pytest.mark.parametrize("name", ["questions", "twins", "votes"])
def test_all_forms_have_the_same_columns_and_values(
    winter: Campaign, dana: APIClient, name: str
) -> None:
    found = {}
    for form, media_type in MEDIA_TYPES.items():
        response = dana.get(f"{URL}{name}", headers={"Accept": media_type})
        assert response["Content-Type"].startswith(media_type)
        found[form] = as_values(form, content(response))
        assert content(dana.get(f"{URL}{name}?format={form}"))
    rows = found["jsonl"]
    assert len(rows) >= 3
    for form in ("csv", "parquet"):
        assert [list(row) for row in found[form]] == [list(row) for row in rows]
        for one, other in zip(rows, found[form], strict=True):
            for column, value in one.items():
                if value is None or "_at" not in column:
                    same = plain(value), plain(other[column])
                    assert same[0] == same[1] or float(same[0]) == float(same[1]), column


def test_a_row_group_never_has_more_rows_and_none_is_lost(
    winter: Campaign, dana: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "ROW_GROUP", 2)
    data = content(dana.get(f"{URL}questions?format=parquet"))
    file = pq.ParquetFile(io.BytesIO(data))
    sizes = [file.metadata.row_group(n).num_rows for n in range(file.num_row_groups)]
    assert sum(sizes) == Question.objects.filter(twin__campaign=winter).count()
    assert set(sizes[:-1]) == {2}


@pytest.mark.long
@pytest.mark.parametrize("form", MEDIA_TYPES)
def test_a_download_that_broke_off_is_continued(
    winter: Campaign, dana: APIClient, form: str
) -> None:
    url = f"{URL}votes?format={form}"
    first = dana.get(url)
    whole, etag = content(first), first["ETag"]
    rest = dana.get(url, headers={"Range": "bytes=100-", "If-Range": etag})
    assert rest.status_code == 206
    assert rest["Content-Range"] == f"bytes 100-{len(whole) - 1}/{len(whole)}"
    assert whole[:100] + content(rest) == whole
    assert content(dana.get(url, headers={"Range": "bytes=-7"})) == whole[-7:]
    assert content(dana.get(url, headers={"Range": "bytes=100-", "If-Range": '"old"'})) == whole
    beyond = dana.get(url, headers={"Range": f"bytes={len(whole)}-"})
    assert_error(beyond, 416, "range_not_satisfiable")
    assert dana.get(url, headers={"If-None-Match": etag}).status_code == 304
    head = dana.head(url)
    assert (head.status_code, head["ETag"], head.content) == (200, etag, b"")
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def test_the_etag_changes_with_what_the_file_says_and_with_nothing_else(
    winter: Campaign, dana: APIClient
) -> None:
    def etags() -> list[str]:
        return [dana.head(f"{URL}{name}")["ETag"] for name in ("questions", "twins", "votes")]

    def is_new() -> list[bool]:
        before.append(etags())
        return [one != other for one, other in zip(before[-1], before[-2], strict=True)]

    before = [etags()]
    TwinFactory(campaign=CampaignFactory())
    UserFactory()
    assert is_new() == [False] * 3
    for change, expected in (
        (Verdict.objects.update, [True, False, False]),
        (Vote.objects.update, [False, False, True]),
    ):
        with transaction.atomic():  # a row version of its own
            change(created_at=timezone.now())
        assert is_new() == expected
    vote(a_question(winter), UserFactory())
    assert is_new() == [True] * 3


def test_since_gives_what_was_created_or_changed(winter: Campaign, dana: APIClient) -> None:
    def ids(name: str, since: Any) -> list[str]:
        given = {"since": since.isoformat()}
        rows = as_values("jsonl", content(dana.get(f"{URL}{name}", given)))
        return [next(iter(row.values())) for row in rows]

    Question.objects.update(created_at=JANUARY)
    Twin.objects.update(created_at=JANUARY)
    Verdict.objects.update(created_at=JANUARY)
    now = JANUARY + timedelta(days=30)
    assert [ids(name, now) for name in ("questions", "twins", "votes")] == [[], [], []]
    twin = Twin.objects.filter(campaign=winter, withdrawn_at=None).latest("pk")
    Twin.objects.filter(pk=twin.pk).update(withdrawn_at=now)
    assert ids("twins", now) == [str(twin.public_id)]
    assert len(ids("questions", now)) == twin.questions.count()
    first, second, *_ = Vote.objects.order_by("pk")
    Vote.objects.filter(pk=first.pk).update(excluded_at=now, exclusion_reason="hasty")
    VerdictEvent.objects.create(
        question=second.question, action="restored", before={}, after={}, created_at=now
    )
    assert str(first.public_id) in ids("votes", now)
    # The seconds of a vote are those of the whole export: the vote before is not forgotten.
    every = as_values("jsonl", content(dana.get(f"{URL}votes")))
    some = as_values("jsonl", content(dana.get(f"{URL}votes", {"since": now.isoformat()})))
    assert some
    assert all(row in every for row in some)


def test_a_mirror_is_told_from_when_to_ask_next(winter: Campaign, dana: APIClient) -> None:
    response = dana.get(f"{URL}votes")
    told = timezone.datetime.fromisoformat(response["Next-Since"])
    assert timedelta(seconds=55) < timezone.now() - told < timedelta(minutes=5)
    response.close()


def test_what_is_not_known_is_refused(winter: Campaign, dana: APIClient) -> None:
    assert_error(dana.get(f"{URL}seats"), 404, "not_found")
    assert_error(dana.get(f"{URL}votes?format=xlsx"), 400, "invalid")
    assert_error(dana.get(f"{URL}votes?since=soon"), 400, "invalid")
    assert_error(dana.get(f"{URL}votes?sicne=2026-01-01"), 400, "invalid")
    assert_error(dana.get(f"{URL}votes", headers={"Accept": "image/png"}), 406, "not_acceptable")
    with pytest.raises(ValueError, match="no export"):
        opened(winter, "votes", "xlsx")


def test_only_curators_have_it(winter: Campaign) -> None:
    for user, status in ((UserFactory(), 403), (None, 401)):
        assert client_of(user).get(f"{URL}questions").status_code == status


def test_a_reader_that_breaks_off_leaves_the_connection_whole(
    winter: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("winoplatform.db.copying.BLOCK", 1)
    for form in MEDIA_TYPES:
        blocks = opened(winter, "votes", form).blocks
        next(blocks)
        blocks.close()
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            assert cursor.fetchone() == (1,)


def test_an_empty_campaign_gives_empty_files(db: None, dana: APIClient) -> None:
    CampaignFactory(slug="winter")
    assert content(dana.get(f"{URL}votes")) == b""
    assert as_values("csv", content(dana.get(f"{URL}votes?format=csv"))) == []
    assert as_values("parquet", content(dana.get(f"{URL}votes?format=parquet"))) == []


@pytest.mark.django_db(transaction=True)
def test_an_etag_is_that_of_the_bytes_though_rows_change_meanwhile() -> None:
    campaign = CampaignFactory(slug="winter")
    TwinFactory(campaign=campaign)
    before = b"".join(opened(campaign, "twins", "jsonl").blocks)
    export = opened(campaign, "twins", "jsonl")
    with ThreadPoolExecutor(1) as elsewhere:  # another connection
        elsewhere.submit(_withdraw_all).result()
    assert b"".join(export.blocks) == before
    later = opened(campaign, "twins", "jsonl")
    assert later.etag != export.etag
    assert b"".join(later.blocks) != before


@pytest.mark.django_db(transaction=True)
def test_a_download_that_breaks_off_stays_in_the_audit_log() -> None:
    CampaignFactory(slug="winter")
    answer = client_of(UserFactory(curator=True)).get(f"{URL}votes")
    assert answer.status_code == 200
    answer.close()
    assert AuditEvent.objects.filter(kind=AuditEvent.Kind.LABELS_FILE, what=f"{URL}votes").exists()


def _withdraw_all() -> None:
    Twin.objects.update(withdrawn_at=JANUARY)
    connection.close()


def test_a_person_reads_one_export_at_a_time(dana: APIClient, winter: Campaign) -> None:
    reading = dana.get(f"{URL}questions?format=csv")
    part = dana.get(f"{URL}questions?format=csv", headers={"Range": "bytes=0-0"})
    refused = assert_error(part, 429, "export_running")
    assert part["Retry-After"] == "5", refused
    other = client_of(UserFactory(curator=True)).get(f"{URL}questions?format=csv")
    assert content(other) == content(reading)
    assert content(dana.get(f"{URL}votes?format=csv", headers={"Range": "bytes=0-0"}))
    assert content(dana.get(f"{URL}votes?format=csv"))
