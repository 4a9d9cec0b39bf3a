"""The commands of docs/api.md, sent in their order as curl would send them."""

import re
import shlex
from pathlib import Path
from string import Template
from typing import Any

import pytest
from rest_framework.test import APIClient

from evaluation import services
from tests.factories import CampaignFactory, UserFactory
from tests.filtering.stages import TINY, published_twins
from winoplatform.runs.kinds import execute_here

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "api.md"
PASSWORD = "a long pass phrase"


def commands() -> list[list[str]]:
    """Return the arguments of each curl command."""
    blocks = re.findall(r"```sh\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    lines = "".join(blocks).replace("\\\n", "").splitlines()
    return [shlex.split(line)[1:] for line in lines if line.startswith("curl ")]


def send(arguments: list[str], known: dict[str, str]) -> Any:
    """Send a request with the options of curl that the document uses: -H, -d and the address."""
    headers, body, address = {}, None, ""
    filled = iter([Template(argument).substitute(known) for argument in arguments])
    for argument in filled:
        if argument == "-H":
            name, value = next(filled).split(": ")
            headers[name] = value
        elif argument == "-d":
            body = next(filled)
        else:
            address = argument
    for name in ("RELEASE_ID", "RUN_ID"):
        address = address.replace(name, known.get(name, name))
        body = body and body.replace(name, known.get(name, name))
    kind = headers.pop("Content-Type", None)
    client = APIClient(headers=headers)
    if body is None:
        return client.get(address)
    return client.post(address, data=body, content_type=kind)


@pytest.fixture
def starter(settings: Any, django_capture_on_commit_callbacks: Any) -> None:
    settings.ENCODER = TINY
    campaign = CampaignFactory(slug="starter")
    published_twins(30, campaign=campaign)
    pipeline = services.start_pipeline(campaign=campaign, release_name="starter-1", by=None)
    for run in pipeline.runs:
        execute_here(run)


@pytest.mark.long
@pytest.mark.usefixtures("starter")
def test_each_command_does_what_the_document_says() -> None:
    UserFactory(username="curator", password=PASSWORD, curator=True)
    known = {"URL": "", "NAME": "curator", "PASSWORD": PASSWORD, "TOKEN": ""}
    answers = []
    for arguments in commands():
        answer = send(arguments, known)
        answers.append(answer.status_code)
        if "json" not in answer["Content-Type"]:
            assert answer.getvalue().startswith(b"qID,")
            continue
        said = answer.json()
        known["TOKEN"] = said.get("token", known["TOKEN"])
        if "n_kept" in said or "by-name" in arguments[-1]:
            known["RELEASE_ID"] = said["id"]
        if said.get("method") == "linear":
            known["RUN_ID"] = said["id"]
        if "code" in said.get("error", {}):
            assert said["error"]["code"] == "no_valid_questions"
    assert answers == [201, 200, 200, 200, 201, 200, 201, 200, 409]
