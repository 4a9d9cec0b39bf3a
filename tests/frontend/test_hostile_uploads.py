"""Files meant to do harm, and visitors without an account: refused or read, soon, no error."""

import io
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.files import uploadhandler
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.urls import get_resolver, reverse
from rest_framework.test import APIClient

from corpora.core.readers import BY_NAME
from evaluation.core.predictions import FORMATS
from tests.api.calls import API, assert_error, client_of
from tests.corpora.sets import imported
from tests.factories import CampaignFactory, StudyFactory
from tests.frontend.pages import words
from winoplatform.http.bodies import ANONYMOUS_AT_ONCE, ANONYMOUS_BYTES
from workers.models import User

MB = 1_000_000
HEADERS = {
    "articles": "source_id,title,text\n",
    "people": "username,email,role\n",
    "predictions": "id,prediction\n",
    "sets": "id,sentence,option1,option2,answer\n",
}
HOSTILE = {
    "quotation marks": '"' * MB,
    "pairs of quotation marks after text": 'a,"' * (MB // 3),
    "NUL characters": "\x00" * MB,
    "one field": "x" * MB,
    "columns": "," * MB,
    "empty lines": "\n" * MB,
    "carriage returns": "\r" * MB,
    "open brackets": "[" * MB,
    "an array of arrays": "[" + "[]," * (MB // 3),
    "spaces": " " * MB,
}
LONGEST = 2.0  # CPU seconds


@pytest.fixture
def page(dana: User) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(dana)
    return client


@pytest.fixture
def api(dana: User) -> APIClient:
    client = client_of(dana)
    client.raise_request_exception = False
    return client


def texts(kind: str) -> list[str]:
    return [before + text for text in HOSTILE.values() for before in ("", HEADERS[kind])]


def timed(send: Any) -> Any:
    begun = time.process_time()
    answer = send()
    taken = time.process_time() - begun
    assert taken < LONGEST, send.__defaults__
    return answer


def a_file(name: str, text: str) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode())


def uploaded(api: APIClient, sent: dict[str, Any]) -> Any:
    body = encode_multipart(BOUNDARY, sent)
    return api.generic("POST", f"{API}evaluations/uploads/", body, content_type=MULTIPART_CONTENT)


@pytest.mark.long
def test_articles(page: Client) -> None:
    address = reverse("campaign-articles", args=[CampaignFactory().slug])
    for text in texts("articles"):
        for name in ("a.csv", "a.jsonl", "a.txt"):
            sent = {"file": a_file(name, text)}
            assert timed(lambda sent=sent: page.post(address, sent)).status_code < 500


@pytest.mark.long
def test_lists_of_people(page: Client) -> None:
    for text in texts("people"):
        sent = {"file": a_file("a.csv", text)}
        assert timed(lambda sent=sent: page.post(reverse("invite-list"), sent)).status_code < 500


@pytest.mark.long
def test_predictions(api: APIClient) -> None:
    imported("tiny")
    asked = {"reference_set": "tiny", "split": "test", "system_name": "x"}
    for text in texts("predictions"):
        for format in FORMATS:
            sent = {**asked, "format": format, "file": a_file("a.csv", text)}
            answer = timed(lambda sent=sent: uploaded(api, sent))
            assert answer.status_code in (400, 413), (format, text[:40], answer.content)


@pytest.mark.long
@pytest.mark.parametrize("format", sorted(BY_NAME))
def test_reference_sets(api: APIClient, format: str) -> None:
    for text in texts("sets"):
        sent = {"name": "hostile", "licence": "none", "format": format, "splits": {"test": text}}
        answer = timed(lambda sent=sent: api.post(f"{API}reference-sets/", sent))
        assert answer.status_code in (400, 413), (text[:40], answer.content)


PAGES = ["/sign-in/", "/admin/login/", "/health/", "/no/such/page/", "/account/"]
FORM = "application/x-www-form-urlencoded"
CSRF = "c" * 32


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the files that Django has put on the disk."""
    names: list[str] = []
    made = uploadhandler.TemporaryUploadedFile

    def noted(name: str, *args: Any) -> Any:
        names.append(name)
        return made(name, *args)

    monkeypatch.setattr(uploadhandler, "TemporaryUploadedFile", noted)
    return names


def anonymous() -> Client:
    """A browser with the cookie that lets Django read a form's CSRF token."""
    client = Client(enforce_csrf_checks=True)
    client.cookies["csrftoken"] = CSRF
    return client


def upload(size: int) -> dict[str, Any]:
    return {"file": SimpleUploadedFile("a.bin", b"a" * size)}


@pytest.mark.parametrize("path", PAGES)
def test_an_anonymous_upload_of_12_megabytes_is_refused_unread(
    path: str, written: list[str], db: None
) -> None:
    response = anonymous().post(path, upload(12_000_000))
    assert written == []
    assert response.status_code == 413
    assert "you can send at most" in words(response)


def test_an_upload_to_a_study_is_refused_unread(written: list[str], db: None) -> None:
    path = reverse("arrive", args=[StudyFactory().public_id])
    assert anonymous().post(path, upload(12_000_000)).status_code == 413
    assert written == []


@pytest.mark.parametrize("size", [10, 3_000_000])
def test_no_page_takes_a_file_from_anyone(size: int, written: list[str], as_carol: Client) -> None:
    response = as_carol.post("/account/", {"name": "mine", **upload(size)})
    assert response.status_code == 400
    assert written == []


@pytest.mark.parametrize("kind", [FORM, "application/json", "text/xml", "x"])
def test_an_anonymous_body_of_any_kind_is_limited(kind: str, db: None) -> None:
    class Unread(io.BytesIO):
        def read(self, *_: Any) -> bytes:
            raise AssertionError("the body is read")

    for path in ("/sign-in/", "/api/v1/tokens/"):
        big = {"wsgi.input": Unread(), "CONTENT_LENGTH": str(ANONYMOUS_BYTES + 1)}
        assert anonymous().generic("POST", path, content_type=kind, **big).status_code == 413


def test_programs_get_the_one_error_shape(db: None) -> None:
    study = StudyFactory().public_id
    for path in ("tokens/", f"studies/{study}/events/"):
        body = {"username": "a" * 100_000}
        response = Client().post(f"/api/v1/{path}", body, content_type="application/json")
        assert_error(response, 413, "too_large")


def test_a_body_without_a_length_counts_as_none(db: None) -> None:
    chunked = {"wsgi.input": io.BytesIO(b"a" * 12_000_000), "CONTENT_LENGTH": ""}
    response = Client().generic("POST", "/api/v1/tokens/", content_type=FORM, **chunked)
    assert response.status_code in (400, 415)
    assert chunked["wsgi.input"].tell() == 0  # type: ignore[attr-defined]


def views_under(prefix: str, patterns: Any = None, path: str = "") -> Iterator[tuple[str, Any]]:
    for each in patterns if patterns is not None else get_resolver().url_patterns:
        whole = f"{path}{each.pattern}"
        if hasattr(each, "url_patterns"):
            yield from views_under(prefix, each.url_patterns, whole)
        elif whole.startswith(prefix):
            yield whole, each.callback


def test_no_address_of_the_api_reads_a_form_for_its_csrf_token() -> None:
    views = dict(views_under("api/"))
    assert len(views) > 100
    assert [path for path, view in views.items() if not getattr(view, "csrf_exempt", False)] == []


class Slow(io.BytesIO):
    """A body that does not come until the test lets it."""

    def __init__(self) -> None:
        super().__init__(b"username=a")
        self.asked, self.comes = threading.Event(), threading.Event()

    def read(self, *size: int) -> bytes:
        self.asked.set()
        assert self.comes.wait(20)
        return super().read(*size)


def send_slowly(body: Slow, path: str) -> None:
    kind = "application/json" if path.startswith("/api/") else FORM
    slow = {"wsgi.input": body, "CONTENT_LENGTH": "10"}
    anonymous().generic("POST", path, content_type=kind, **slow)


@pytest.mark.django_db(transaction=True)
def test_slow_bodies_leave_threads_for_other_requests() -> None:
    doors = ["/sign-in/", "/api/v1/tokens/"] * ANONYMOUS_AT_ONCE
    bodies = [Slow() for _ in doors]
    threads = [
        threading.Thread(target=send_slowly, args=each) for each in zip(bodies, doors, strict=True)
    ]
    for thread, body in zip(threads[:ANONYMOUS_AT_ONCE], bodies, strict=False):
        thread.start()
        assert body.asked.wait(20)
    for thread in threads[ANONYMOUS_AT_ONCE:]:
        thread.start()
        thread.join(20)
    held = sum(thread.is_alive() for thread in threads)
    refused = anonymous().post("/sign-in/", {"login": "erin"})
    for body in bodies:
        body.comes.set()
    for thread in threads:
        thread.join(20)
    assert held == ANONYMOUS_AT_ONCE
    assert (refused.status_code, "busy with other visitors" in words(refused)) == (503, True)
    assert anonymous().post("/sign-in/", {"login": "erin"}).status_code == 403


def test_a_signed_in_user_may_send_more(as_carol: Client) -> None:
    fields = {"name": "mine", "scopes": "read", "days": "30", "more": "x" * (2 * ANONYMOUS_BYTES)}
    assert as_carol.post("/account/", fields).status_code == 200
