"""Dialects through the real ways in: pages, commands and the API, by people who may."""

import json
import re
from collections.abc import Callable
from io import StringIO
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.urls import reverse

from collection.models import Campaign
from corpora import services as corpora
from corpora.models import ReferenceSet
from tests.api.calls import API, client_of
from tests.factories import CampaignFactory, UserFactory
from tests.tabular.dialects import READ, REFUSED
from tests.tabular.test_dialects import ARTICLES, PEOPLE, PREDICTIONS, QUESTIONS
from tests.tabular.test_dialects import pair as published
from workers.models import User

pytestmark = pytest.mark.django_db
Send = Callable[[Client, bytes, Path], str]
DIALECTS = ("semicolon", "UTF-16, tabs (Excel’s Unicode text)", "line ends CR",
            "names in capitals, with spaces", "empty columns at the end", "a pandas index",
            "a JSON array over lines")  # fmt: skip
FAULTS = ("an Excel workbook", "UTF-16 without its mark", "no line of names",
          "a name that stands twice")  # fmt: skip
AS_TEXT = frozenset({"reference sets by the API", "people by the API"})
numbers = count()


def command(name: str, *arguments: str, **options: Any) -> str:
    """Return what a command says, or the sentence of its refusal."""
    out = StringIO()
    try:
        call_command(name, *arguments, stdout=out, stderr=out, **options)
    except CommandError as error:
        return str(error)
    said = " ".join(out.getvalue().split())
    return re.sub(r"(?: imported|understood:|questions imported) 2 |2 items", " two ", said)


def shown(response: Any) -> str:
    return str(response.content.decode()).replace("&quot;", '"').replace("&#x27;", "'")


def upload(content: bytes, name: str = "file.csv") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def campaign() -> Campaign:
    made: Campaign = CampaignFactory(slug=f"c{next(numbers)}")
    return made


def quiz() -> ReferenceSet:
    rows = [json.dumps(row | {"id": f"q{n}"}) for n, row in enumerate(QUESTIONS, 1)]
    return corpora.import_reference_set(
        name=f"quiz{next(numbers)}", format="table", splits={"test": rows}, by=None
    )


def set_by_page(client: Client, content: bytes, path: Path) -> str:
    body = {"name": f"s{next(numbers)}", "format": "table", "split1": "test"}
    response = client.post(reverse("new-reference-set"), body | {"file1": upload(content)})
    return "two" if response.status_code == 302 else shown(response)


def predictions_by_page(client: Client, content: bytes, path: Path) -> str:
    body = {"questions": f"reference-set:{quiz().name}:test", "system_name": "S"}
    response = client.post(reverse("new-predictions"), body | {"file": upload(content)})
    return shown(response).replace("2 of 2 questions", "two")


def people_by_page(client: Client, content: bytes, path: Path) -> str:
    response = client.post(
        reverse("invite-list"), {"file": upload(content), "campaign": campaign().slug}
    )
    return shown(response).replace("2 people on the list", "two")


def articles_by_page(client: Client, content: bytes, path: Path) -> str:
    address = reverse("campaign-articles", args=[campaign().slug])
    response = client.post(address, {"file": upload(content)})
    report = response.context["report"]
    return "two" if report.imported == 2 else report.first_rejects[0].message


def by_api(path: str, **body: Any) -> str:
    return _answer(client_of(User.objects.get(username="dana")).post(f"{API}{path}/", body))


def predictions_by_api(client: Client, content: bytes, path: Path) -> str:
    body = {"reference_set": quiz().name, "split": "test", "system_name": "S", "format": "csv"}
    sender = client_of(User.objects.get(username="dana"))
    sent = encode_multipart(BOUNDARY, body | {"file": upload(content)})
    address = f"{API}evaluations/uploads/"
    return _answer(sender.generic("POST", address, sent, content_type=MULTIPART_CONTENT))


def _answer(response: Any) -> str:
    return "two" if response.status_code == 201 else str(response.json()["error"]["message"])


def _written(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    return str(path)


WAYS: dict[str, tuple[Any, Send]] = {
    "articles by page": (ARTICLES, articles_by_page),
    "articles by command": (ARTICLES, lambda client, content, path: command(
        "import_articles", _written(path, content), campaign=campaign().slug
    )),
    "published questions by command": (published(), lambda client, content, path: command(
        "import_winogrande", _written(path, content), campaign=f"w{next(numbers)}"
    )),
    "reference sets by page": (QUESTIONS, set_by_page),
    "reference sets by command": (QUESTIONS, lambda client, content, path: command(
        "import_reference_set", f"s{next(numbers)}", f"test={_written(path, content)}",
        format="table",
    )),
    "reference sets by the API": (QUESTIONS, lambda client, content, path: by_api(
        "reference-sets", name=f"s{next(numbers)}", format="table",
        splits={"test": content.decode()},
    )),
    "predictions by page": (PREDICTIONS, predictions_by_page),
    "predictions by command": (PREDICTIONS, lambda client, content, path: command(
        "score_predictions", quiz().name, _written(path, content), split="test"
    )),
    "predictions by the API": (PREDICTIONS, predictions_by_api),
    "people by page": (PEOPLE, people_by_page),
    "people by the API": (PEOPLE, lambda client, content, path: by_api(
        f"campaigns/{campaign().slug}/invitations/from-csv", text=content.decode()
    )),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_every_way_in_reads_and_refuses_alike(way: str, tmp_path: Path) -> None:
    rows, send = WAYS[way]
    (client := Client()).force_login(UserFactory(username="dana", curator=True))
    dialects = {name: READ[name] for name in DIALECTS}
    faults = {name: REFUSED[name] for name in FAULTS}
    if way in AS_TEXT:  # the text of a file is within JSON, so it has no bytes of its own
        dialects = {name: write for name, write in dialects.items() if "UTF" not in name}
        faults = {name: REFUSED[name] for name in FAULTS[2:]}
    for number, (name, write) in enumerate(dialects.items()):
        content = write([row | _own(row, number) for row in rows])
        assert "two" in send(client, content, tmp_path / "file.csv"), name
    for name, (write, sentence) in faults.items():
        assert sentence in send(client, write(rows), tmp_path / "file.csv"), name


def _own(row: dict[str, str], number: int) -> dict[str, str]:
    """Return a user name that no other list has."""
    return {"username": f"{row['username']}{number}"} if "username" in row else {}


MARKS = ('"', '"""', '"' * 1_000, '"' * 131_073, '"' * 300_001, '"\n' * 20_001)


@pytest.mark.long
@pytest.mark.parametrize("way", WAYS)
def test_no_way_in_fails_at_quotation_marks(way: str, tmp_path: Path) -> None:
    rows, send = WAYS[way]
    (client := Client()).force_login(UserFactory(username="dana", curator=True))
    header = ",".join(rows[0])
    for before in ("", f"{header}\n", f'{header}\n",",",'):
        for marks in MARKS:
            assert send(client, (before + marks).encode(), tmp_path / "file.csv") != "two"
