"""Voting while others try to stop the site, behind the shipped proxy and without it.

Twenty validators vote once a second. Then 200 clients ask for the largest files and read nothing,
40 sign in at once every two seconds, 16 who are signed in send bodies a byte a second, and four
send the longest texts to be checked. Everybody has an address of their own on the loopback, so
limits by address stop nobody. Refusals of the besiegers (429, 503) do not count. ``--direct``
leaves the proxy out.
"""

import json
import os
import socket
import ssl
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.besiegers import TRUSTING
from benchmarks.clients import Client, Crowd, Log, post, wait
from benchmarks.crowd_rows import fill, without_indexes_of_writing
from benchmarks.database import scratch_database
from benchmarks.queue import API, exactness, hire
from benchmarks.report import parse_args, percentile, result, table
from benchmarks.writers import PATIENCE_SECONDS, free_port, wait_for

VALIDATORS, PACE_SECONDS = 20, 1.0
SECONDS = {False: 30.0, True: 8.0}
QUESTIONS = 4_000
READERS, SIGN_INS, SLOW_BODIES = 200, 40, 16
DOWNLOAD_BYTES = 4 * 1024 * 1024  # more than the kernel keeps for who reads nothing
PASSWORD = "a-long-enough-password"
VOTING = ("claim", "local", "vote")


def main() -> None:
    """Run the siege."""
    args = parse_args(__doc__ or "", seconds=0.0, direct=False)
    seconds = args.seconds or SECONDS[args.quick]
    with scratch_database(), tempfile.TemporaryDirectory(prefix="siege-") as folder:
        without_indexes_of_writing()
        campaign = prepared()
        found: dict[str, dict[str, Any]] = {}
        for name in ["direct"] if args.direct else ["proxy", "direct"]:
            with site(Path(folder) / name, behind_proxy=name == "proxy") as port:
                found[name] = besieged(campaign, port, seconds=seconds, tls=name == "proxy")
        rows = [
            (name, when, *(f"{each[when][kind]:.0f}" for kind in VOTING), each[when]["per_s"])
            for name, each in found.items()
            for when in ("quiet", "siege")
        ]
        table(("", "", "claim p95 ms", "answer p95 ms", "vote p95 ms", "requests/s"), rows)
    shown = found.get("proxy") or found["direct"]
    direct = {f"direct_{key}": value for key, value in figures(found["direct"]).items()}
    result(**figures(shown), **(direct if "proxy" in found else {}))


def figures(found: dict[str, Any]) -> dict[str, Any]:
    return {
        "vote_p95_ms": found["siege"]["vote"],
        "vote_p95_quiet_ms": found["quiet"]["vote"],
        "vote_max_ms": found["siege"]["max"],
        "failed": found["failed"],
        "votes": found["votes"],
        **found["exact"],
    }


def prepared() -> Any:
    from tests.factories import CampaignFactory

    campaign = CampaignFactory()
    fill(campaign, QUESTIONS)
    return campaign


@contextmanager
def site(folder: Path, *, behind_proxy: bool) -> Iterator[int]:
    """Serve the platform as production does, or as ``make run`` does; yield the port."""
    from django.conf import settings

    from tests.races.processes import database_url
    from winoplatform.processes import end_with_parent, platform_commands

    folder.mkdir()
    inner, outer = free_port(), free_port()
    if hasattr(settings, "STATIC_ROOT") and settings.STATIC_ROOT:
        from winoplatform import static_files

        static_files.collect()
    environment = os.environ | {"DATABASE_URL": database_url(), "SEND_SECONDS": "30"}
    if behind_proxy:
        environment["PUBLIC_URL"] = f"https://localhost:{outer}"
    command = platform_commands(host="127.0.0.1", port=inner)["web"]
    with (folder / "web.log").open("wb") as log:
        web = subprocess.Popen(
            command, env=environment, stdout=log, stderr=log, preexec_fn=end_with_parent
        )
    try:
        wait_for(inner)
        if not behind_proxy:
            yield inner
            return
        from tests.served.proxy import Proxy

        files = Path(settings.STATIC_ROOT)
        proxy = Proxy(folder, web=inner, files=files, http=free_port(), https=outer)
        proxy.start()
        try:
            yield outer
        finally:
            proxy.stop()
    finally:
        web.kill()  # its processes end with it
        web.wait(PATIENCE_SECONDS)


def besieged(campaign: Any, port: int, *, seconds: float, tls: bool) -> dict[str, Any]:
    """Let validators work quietly, then under siege."""
    receipts: list[str] = []
    told = besiegers(campaign, port, seconds=seconds + 6, tls=tls)
    voting(campaign, port, receipts, seconds=3, tls=tls)  # warm up
    quiet = voting(campaign, port, receipts, seconds=seconds, tls=tls)
    command = [sys.executable, "-m", "benchmarks.besiegers"]
    attack = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert attack.stdin is not None
    attack.stdin.write(json.dumps(told).encode())
    attack.stdin.close()
    try:
        voting(campaign, port, [], seconds=4, tls=tls)  # until all attacks have begun
        siege = voting(campaign, port, receipts, seconds=seconds, tls=tls)
        assert attack.stdout is not None
        print("besiegers:", attack.stdout.read().decode().strip(), flush=True)
    finally:
        attack.kill()
        attack.wait()
    return {
        "quiet": told_of(quiet, seconds),
        "siege": told_of(siege, seconds),
        "failed": sum(n for (_, status), n in siege.statuses.items() if status not in (200, 201)),
        "votes": sum(n for (kind, s), n in siege.statuses.items() if kind == "vote" and s == 201),
        "exact": exactness(campaign, receipts),
    }


def told_of(log: Log, seconds: float) -> dict[str, Any]:
    took = {kind: log.seconds.get(kind) or [float("nan")] for kind in VOTING}
    p95 = {kind: 1e3 * percentile(all_of_them, 0.95) for kind, all_of_them in took.items()}
    p95["max"] = 1e3 * max(took["vote"])
    return {**p95, "per_s": f"{sum(map(len, took.values())) / seconds:.0f}"}


def voting(campaign: Any, port: int, receipts: list[str], *, seconds: float, tls: bool) -> Log:
    crowd = Spread(port, tls=tls)
    people = hire(VALIDATORS, campaign)
    each = [(who, validating(campaign.slug, Random(n), receipts)) for n, who in enumerate(people)]
    log = crowd.run(each, seconds=seconds)
    for _ in range(crowd.unanswered):
        log.note("unanswered", 0, 0.0)
    return log


class Spread(Crowd):
    """People who come from different addresses, also over TLS."""

    def __init__(self, port: int, *, tls: bool) -> None:
        super().__init__(port)
        self.tls, self.opened = tls, 0
        # Before anything is timed: a TLS handshake blocks the other clients of this thread.
        self.ready = [self._open() for _ in range(VALIDATORS)]

    def connected(self) -> socket.socket:
        return self.ready.pop() if self.ready else self._open()

    def _open(self) -> socket.socket:
        self.opened += 1
        plain = socket.create_connection(
            ("127.0.0.1", self.port), 5, (f"127.1.0.{self.opened % 250 + 1}", 0)
        )
        if not self.tls:
            return plain
        return TRUSTING.wrap_socket(plain, server_hostname="localhost")

    def received(self, link: socket.socket) -> bytes:
        data = link.recv(65536)
        while isinstance(link, ssl.SSLSocket) and link.pending():
            data += link.recv(65536)
        return data


def validating(slug: str, random: Random, receipts: list[str]) -> Client:
    """Claim, answer and vote, once a second; what is refused is tried again."""
    yield wait(PACE_SECONDS * random.random())
    while True:
        _, answer = yield post("claim", f"{API}campaigns/{slug}/seats/", {})
        if answer and answer.get("seat"):
            seat = f"{API}seats/{answer['seat']['id']}/"
            yield post("local", f"{seat}local/", {"option": None})
            ballot = {"option": random.choice((1, 2)), "ambiguous": False}
            status, answer = yield post("vote", f"{seat}vote/", ballot)
            if status in (200, 201):
                receipts.append(answer["id"])
        yield wait(PACE_SECONDS * (0.5 + random.random()))


def besiegers(campaign: Any, port: int, *, seconds: float, tls: bool) -> dict[str, Any]:
    """Make the accounts and files of the besiegers; return what their process is told."""
    from django.contrib.auth.hashers import make_password

    from tests.factories import ArtifactFactory, ReleaseFileFactory, UserFactory
    from workers.models import User
    from workers.services import create_token

    people = [UserFactory() for _ in range(SIGN_INS)]
    keys = [user.pk for user in people]
    User.objects.filter(pk__in=keys).update(password=make_password(PASSWORD))
    curator = create_token(user=UserFactory(curator=True), name="siege")[1]
    file = ReleaseFileFactory(artifact=ArtifactFactory(content=os.urandom(DOWNLOAD_BYTES)))
    download = f"{API}releases/{file.release.public_id}/files/{file.name}"
    return {
        "port": port,
        "tls": tls,
        "seconds": seconds,
        "readers": READERS,
        "downloads": [largest_file(), download],
        "curator": curator,
        "accounts": [
            {"username": user.username, "password": PASSWORD, "name": "siege"} for user in people
        ],
        "tokens": hire(SLOW_BODIES, campaign),
        "claim": f"{API}campaigns/{campaign.slug}/seats/",
        "check": f"{API}campaigns/{campaign.slug}/check/",
        "writer": create_token(user=UserFactory(), name="siege")[1],
        "texts": [worst_text(unit) for unit in (".", " a", "\u0301", "[")],
    }


def largest_file() -> str:
    from django.templatetags.static import static

    return static("plotly/plotly.min.js")


def worst_text(unit: str) -> dict[str, Any]:
    """A twin to be checked, as long as it may be."""
    text = unit * (4_900 // len(unit))
    return {
        "sentences": [f"The cup _ {text}", f"The jar _ {text}"],
        "options": ["the cup", "the jar"],
        "answers": [1, 2],
        "anchor": text[:120],
        "domain": "physical",
    }


if __name__ == "__main__":
    main()
