"""Voting while others try to stop the site, behind the shipped proxy and without it.

Twenty validators (``--validators``) vote once a second. Then 200 clients ask for the largest files
and read nothing, 40 sign in at once every two seconds, 16 who are signed in send bodies a byte a
second, and four send the longest texts to be checked. Everybody has an address of their own on the
loopback, so limits by address stop nobody. Refusals of the besiegers (429, 503) do not count.
``--proxy`` and ``--direct`` run one of the two; ``--attacks`` names some of readers, sign-ins,
bodies and texts, or "none", or "visitors": 200 people without an account who read public pages, all
at the same moment, and again five seconds after the last answer; every fourth searches for words of
its own, and every fourth reads a page with a form. Quiet seconds and those of the siege take
turns. All share the cores of one machine, so the table
says how many each part took.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import psutil

from benchmarks.clients import Client, Log, post, wait
from benchmarks.crowd_rows import fill, without_indexes_of_writing
from benchmarks.database import scratch_database
from benchmarks.queue import API, exactness, hire
from benchmarks.report import parse_args, percentile, result, table
from benchmarks.siege_site import Site, site
from benchmarks.spread import Spread

VALIDATORS, PACE_SECONDS, TURNS = 20, 1.0, 4
SECONDS = {False: 30.0, True: 8.0}
QUESTIONS = 4_000
READERS, SIGN_INS, SLOW_BODIES = 200, 40, 16
DOWNLOAD_BYTES = 4 * 1024 * 1024  # more than the kernel keeps for who reads nothing
ATTACKS = ("readers", "sign-ins", "bodies", "texts")
PASSWORD = "a-long-enough-password"
VOTING = ("claim", "local", "vote")


def main() -> None:
    """Run the siege."""
    args = parse_args(
        __doc__ or "", seconds=0.0, direct=False, proxy=False, attacks=",".join(ATTACKS),
        validators=VALIDATORS,
    )  # fmt: skip
    seconds = args.seconds or SECONDS[args.quick]
    names = [name for name in ("proxy", "direct") if getattr(args, name)] or ["proxy", "direct"]
    with scratch_database(), tempfile.TemporaryDirectory(prefix="siege-") as folder:
        without_indexes_of_writing()
        campaign = prepared()
        found: dict[str, dict[str, Any]] = {}
        for name in names:
            with site(Path(folder) / name, behind_proxy=name == "proxy") as at:
                crowd = Voters(campaign, at, args.validators)
                found[name] = besieged(crowd, seconds=seconds, attacks=args.attacks)
        rows = [
            (name, when, *(f"{each[when][kind]:.0f}" for kind in VOTING), each[when]["per_s"])
            for name, each in found.items()
            for when in ("quiet", "siege")
        ]
        table(("", "", "claim p95 ms", "answer p95 ms", "vote p95 ms", "requests/s"), rows)
        for name, each in found.items():
            cores = ", ".join(f"{part} {n:.2f}" for part, n in each["cores"].items())
            print(f"cores during the siege, {name}: {cores}; load {os.getloadavg()[0]:.1f}")
    first, *others = names
    more = {f"{name}_{key}": n for name in others for key, n in figures(found[name]).items()}
    result(**figures(found[first]), **more)


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


@dataclass(frozen=True)
class Voters:
    """Validators of a campaign, who vote at a site."""

    campaign: Any
    at: Site
    number: int

    def vote(self, receipts: list[str], *, seconds: float) -> Log:
        """Let new ones vote, and note what they are told."""
        crowd = Spread(self.at.port, tls=self.at.tls, people=self.number)
        people = hire(self.number, self.campaign)
        slug = self.campaign.slug
        each = [(who, validating(slug, Random(n), receipts)) for n, who in enumerate(people)]
        log = crowd.run(each, seconds=seconds)
        for _ in range(crowd.unanswered):
            log.note("unanswered", 0, 0.0)
        return log


def besieged(crowd: Voters, *, seconds: float, attacks: str) -> dict[str, Any]:
    """Let validators work quietly and under siege by turns, since other work comes and goes."""
    receipts: list[str] = []
    quiet, siege, cores = Log(), Log(), Counter[str]()
    at, told = crowd.at, besiegers(crowd.campaign, crowd.at, attacks=attacks)
    crowd.vote(receipts, seconds=3)  # warm up
    for _ in range(TURNS):
        add(quiet, crowd.vote(receipts, seconds=seconds / TURNS))
        with attack(told) as besieging:
            crowd.vote([], seconds=4)  # until all attacks have begun
            before = at.cpu_seconds(besieging)
            add(siege, crowd.vote(receipts, seconds=seconds / TURNS))
            after = at.cpu_seconds(besieging)
        cores.update({name: (after[name] - before[name]) / seconds for name in after})
    return {
        "quiet": told_of(quiet, seconds),
        "siege": told_of(siege, seconds),
        "cores": cores,
        "failed": sum(n for (_, status), n in siege.statuses.items() if status not in (200, 201)),
        "votes": sum(n for (kind, s), n in siege.statuses.items() if kind == "vote" and s == 201),
        "exact": exactness(crowd.campaign, receipts),
    }


def add(log: Log, more: Log) -> None:
    """Add measurements to a log."""
    for kind, seconds in more.seconds.items():
        log.seconds.setdefault(kind, []).extend(seconds)
    log.statuses = dict(Counter(log.statuses) + Counter(more.statuses))


@contextmanager
def attack(told: dict[str, Any]) -> Iterator[psutil.Process]:
    """Let the besiegers do what they are told, and print what they were answered.

    They have what the others leave of the cores: their machines would be others.
    """
    command = ["nice", "-n", "19", sys.executable, "-m", "benchmarks.besiegers"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert process.stdin is not None
        process.stdin.write(json.dumps(told).encode())
        process.stdin.close()
        yield psutil.Process(process.pid)
        process.terminate()
        assert process.stdout is not None
        print("besiegers:", process.stdout.read().decode().strip(), flush=True)
    finally:
        process.kill()
        process.wait()


def told_of(log: Log, seconds: float) -> dict[str, Any]:
    took = {kind: log.seconds.get(kind) or [float("nan")] for kind in VOTING}
    p95 = {kind: 1e3 * percentile(all_of_them, 0.95) for kind, all_of_them in took.items()}
    p95["max"] = 1e3 * max(took["vote"])
    return {**p95, "per_s": f"{sum(map(len, took.values())) / seconds:.0f}"}


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


def besiegers(campaign: Any, at: Site, *, attacks: str) -> dict[str, Any]:
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
        "port": at.port,
        "tls": at.tls,
        "attacks": attacks.split(","),
        "readers": READERS,
        "downloads": [largest_file(), download],
        "pages": public_pages() if "visitors" in attacks.split(",") else [],
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


def public_pages() -> list[str]:
    """Publish a release, once for both runs; return its pages, and that of one of its questions."""
    from corpora.models import Release
    from tests.frontend.published import lines, published

    release = Release.objects.filter(name="visited").first() or published("visited")
    qid = lines(release, "dev.jsonl")[0]["qID"]
    at = f"/releases/{release.name}/"
    return ["/releases/", at, f"{at}rows/?q=cup#", f"{at}questions/{qid}/"]


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
