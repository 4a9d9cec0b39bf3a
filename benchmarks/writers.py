"""Writers at the real server: they type, and each pause of theirs sends one check."""

import http.client
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from random import Random
from typing import Any
from urllib.parse import urlencode

import psutil

from benchmarks.clients import Client, Crowd, post, wait
from collection.core.rules import TwinDraft
from tests.races.processes import database_url
from tests.winoplatform.ports import free_port
from winoplatform.processes.supervisor import platform_commands

TOKEN = "c" * 32  # of the form: the cookie and the header say the same
PACE_SECONDS = (1.0, 2.0)
PATIENCE_SECONDS = 60


@dataclass(frozen=True)
class Writer:
    """One signed-in person with an assignment."""

    session: str
    assignment: str


class Writers(Crowd):
    """People at pages: each has a session."""

    def headers(self, login: str) -> dict[str, str]:
        return {
            "Cookie": f"sessionid={login}; csrftoken={TOKEN}",
            "X-CSRFToken": TOKEN,
            "HX-Request": "true",
            "Content-Type": "application/x-www-form-urlencoded",
        }


@contextmanager
def server() -> Iterator[tuple[int, psutil.Process]]:
    """Serve the platform as ``make run`` does, and a bare request, on this process's database."""
    port = free_port()
    command = platform_commands(host="127.0.0.1", port=port)["web"]
    environment = os.environ | {
        "DATABASE_URL": database_url(),
        "DATABASE_POOL_SIZE": "8",
        "DJANGO_SETTINGS_MODULE": "benchmarks.bare.settings",
    }
    process = subprocess.Popen(command, env=environment)
    try:
        wait_for(port)
        yield port, psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait(PATIENCE_SECONDS)


def wait_for(port: int) -> None:
    """Wait until the server at *port* answers."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/sign-in/")
            connection.getresponse().read()
            return
        except OSError:
            time.sleep(0.2)
    sys.exit("The server did not answer in time.")


def server_peak_mb(process: psutil.Process) -> float:
    """Return the greatest memory that any one of the server's processes has had."""
    peaks = []
    for each in (process, *process.children(recursive=True)):
        with open(f"/proc/{each.pid}/status", encoding="utf-8") as lines:
            peaks += [int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")]
    return max(peaks)


def hire(count: int, campaign: Any) -> list[Writer]:
    """Make writers with an article each, signed in."""
    from django.test import Client

    from tests.factories import ArticleFactory, AssignmentFactory, UserFactory

    article = ArticleFactory(campaign=campaign)
    writers = []
    for _ in range(count):
        user = UserFactory()
        held = AssignmentFactory(campaign=campaign, article=article, worker=user)
        client = Client()
        client.force_login(user)
        writers.append(Writer(client.cookies["sessionid"].value, str(held.public_id)))
    return writers


def type_and_check(
    writers: Sequence[Writer],
    drafts: Sequence[TwinDraft],
    *,
    port: int,
    seconds: float,
    is_paced: bool = True,
) -> list[float]:
    """Let everybody type for a while, or check without a pause; return each check's seconds."""
    writing = (
        (writer.session, _write(writer, drafts[number :: len(writers)], Random(number), is_paced))
        for number, writer in enumerate(writers)
    )
    return Writers(port).run(writing, seconds=seconds).seconds["check"]


def _write(writer: Writer, drafts: Sequence[TwinDraft], random: Random, is_paced: bool) -> Client:
    if is_paced:
        yield wait(random.uniform(0, PACE_SECONDS[1]))  # nobody starts in step
    for body in chain.from_iterable(map(_typed, drafts)):
        status, _ = yield post("check", f"/write/{writer.assignment}/check/", body)
        assert status == 200, f"the check answered {status}"
        if is_paced:
            yield wait(random.uniform(*PACE_SECONDS))


def _typed(draft: TwinDraft) -> Iterator[bytes]:
    """Yield the form as it stands after every third word of the second sentence."""
    words = draft.sentences[1].split()
    for count in range(3, len(words) + 3, 3):
        yield urlencode(
            {
                "anchor": draft.anchor or "",
                "domain": "physical",
                "option1": draft.options[0],
                "option2": draft.options[1],
                "sentence1": draft.sentences[0],
                "sentence2": " ".join(words[:count]),
                "answer1": str(draft.answers[0]),
            }
        ).encode()
