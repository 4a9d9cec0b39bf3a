"""Files meant to do harm, at every place that takes one: refused or read, soon, no error."""

import time
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.urls import reverse
from rest_framework.test import APIClient

from corpora.core.readers import BY_NAME
from evaluation.core.predictions import FORMATS
from tests.api.calls import API, client_of
from tests.corpora.sets import imported
from tests.factories import CampaignFactory
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
