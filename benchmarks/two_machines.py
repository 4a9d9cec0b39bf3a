"""Two machines that share PostgreSQL, Redis and a bucket, and nothing else.

Each is a network namespace with web processes behind the shipped proxy, a light and a heavy worker;
one has beat. Clients alternate between them, as behind a load balancer. First the whole pipeline
over HTTP: a campaign, articles, twins, votes, encoding, AFLite, a release, whose files are
downloaded from both. Then 50 validators vote on both at once, while a curator pauses, resumes and
asks for snapshots. Then the same during a rolling restart: one machine is taken out of use and
started again, then the other.

Needs the right to make network namespaces.
"""

import hashlib
import os
import sys
import tempfile
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.clients import Client, Log, wait
from benchmarks.database import scratch_database
from benchmarks.machine_site import Balanced, MachineSite, alternately, sites
from benchmarks.queue import API, hire, validating
from benchmarks.report import parse_args, percentile, result, table
from benchmarks.siege import add
from benchmarks.soak import FAULTS, check, curator_token, prepared, settled_runs, tokens
from benchmarks.soak_validators import Receipts, asked, curating
from benchmarks.soak_validators import validating as soaking
from tests.winoplatform.buckets import serving

VALIDATORS = 50
TWINS, QUESTIONS_A_SECOND = {False: 80, True: 40}, 60  # more than the validators vote on
SECONDS = {False: 60.0, True: 15.0}
PIPELINE_SECONDS = 600.0
BEFORE_RESTART_SECONDS = 5.0


def main() -> None:
    args = parse_args(__doc__ or "")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="two-machines-")))
        stack.enter_context(scratch_database())
        bucket = stack.enter_context(serving())
        running = stack.enter_context(sites(folder, 2, bucket.endpoint, ENCODER=encoder()))
        released = pipeline(running, TWINS[args.quick])
        seconds = SECONDS[args.quick]
        # Both phases vote in one campaign: its checks are of all that anybody was told.
        campaign = prepared(int(4 * seconds * QUESTIONS_A_SECOND))
        crowd = Crowd(campaign, running)
        phases = {"both machines": crowd.work(seconds)}
        restarts = Restarts(running)
        phases["rolling restart"] = crowd.work(seconds, meanwhile=restarts)
        runs, faults = settled_runs(), check(campaign, crowd.receipts)
    report(released, phases, restarts.seconds, runs, faults)


def encoder() -> str:
    from modeling.specs import TINY_ENCODER

    return TINY_ENCODER


@dataclass
class Released:
    """What the pipeline has made, and whether both machines give the same bytes."""

    twins: int
    votes: int
    seconds: float
    files: int
    same: bool
    names: list[str] = field(default_factory=list)


def pipeline(running: Sequence[MachineSite], count: int) -> Released:
    """Make a campaign and all that follows, each request at the other machine."""
    began, ask, curator = time.monotonic(), alternately(running), curator_token()
    drafts = good_twins(count)
    ask(curator, "POST", f"{API}campaigns/", {"slug": "pipeline", "name": "Pipeline"})
    at = f"{API}campaigns/pipeline/"
    ask(curator, "POST", f"{at}articles/", {"articles": articles_for(drafts)})
    ask(curator, "POST", f"{at}status/", {"status": "open"})
    write(running, drafts)
    votes = vote(running, drafts)
    made = ask(curator, "POST", f"{at}pipeline/", {"release_name": "pipeline-1"})
    address = f"{API}releases/{made['release']['id']}/"
    wait_for(lambda: ask(curator, "GET", address))
    files = ask(curator, "GET", f"{address}files/")
    same = all(
        {hashlib.sha256(download(site, curator, f"{address}files/{file['name']}")).hexdigest()}
        == {file["sha256"]}
        for file in files
        for site in running
    )
    return Released(count, votes, time.monotonic() - began, len(files), same)


def good_twins(count: int) -> list[Any]:
    """Return twins that the real crowd wrote and that no rule refuses."""
    from benchmarks.twins import authored_twins
    from collection.core.rules import check_twin

    drafts: dict[str, Any] = {}
    for draft in authored_twins():
        if draft.anchor and check_twin(draft).accepted:
            drafts.setdefault(draft.anchor, draft)
        if len(drafts) == count:
            break
    return [*drafts.values()]


def articles_for(drafts: Sequence[Any]) -> list[dict[str, str]]:
    """Return articles about everything that a twin may be written around."""
    text = " ".join(f"Many people have seen {draft.anchor} at home." for draft in drafts)
    return [{"title": f"Article {n}", "text": f"Part {n}. {text}"} for n in range(5)]


def write(running: Sequence[MachineSite], drafts: Sequence[Any]) -> None:
    """Let five writers write all twins."""
    left, written = iter(drafts), list[str]()
    writers = [(token, writing("pipeline", left, written)) for token in tokens(5, "writer-")]
    Balanced(running).run(writers, seconds=PIPELINE_SECONDS)


def writing(slug: str, drafts: Iterator[Any], written: list[str], *, pace: float = 0.0) -> Client:
    """Write the next of the twins, until none is left; note those that were acknowledged."""
    for draft in drafts:
        path = f"{API}campaigns/{slug}/assignments/"
        status, held = yield from asked("assign", path, {})
        if status not in (200, 201):
            return
        yield wait(pace)
        twin = {
            "client_key": str(uuid.uuid4()),
            "sentences": draft.sentences,
            "options": draft.options,
            "answers": draft.answers,
            "anchor": draft.anchor,
            "domain": "physical",
        }
        status, stored = yield from asked("twin", f"{API}assignments/{held['id']}/twin/", twin)
        if status in (200, 201):
            written.append(stored["id"])


def vote(running: Sequence[MachineSite], drafts: Sequence[Any]) -> int:
    """Let ten validators, who know the answers, vote until nothing is left; count the votes."""
    from collection.models import Campaign

    right = {
        sentence: draft.options[answer - 1]
        for draft in drafts
        for sentence, answer in zip(draft.sentences, draft.answers, strict=True)
    }

    def choose(shown: Any, random: Random) -> int:
        return int(shown["options"].index(right[shown["sentence"]])) + 1

    receipts: list[str] = []
    people = hire(10, Campaign.objects.get(slug="pipeline"))
    each = [
        (token, validating("pipeline", Random(n), receipts, pace=0.2, choose=choose))
        for n, token in enumerate(people)
    ]
    Balanced(running).run(each, seconds=PIPELINE_SECONDS)
    return len(set(receipts))


def wait_for(look: Callable[[], Any]) -> None:
    """Wait until a run is done."""
    end = time.monotonic() + PIPELINE_SECONDS
    while (run := look())["status"] != "done":
        if run["status"] in ("failed", "cancelled") or time.monotonic() > end:
            raise RuntimeError(f"the run is {run['status']}: {run['failure']}")
        time.sleep(1)


def download(site: MachineSite, token: str, path: str) -> bytes:
    answer = site.ask("GET", path, Authorization=f"Token {token}")
    if answer.status != 200:
        raise RuntimeError(f"{path}: {answer.status}")
    return answer.body


@dataclass
class Restarts:
    """Restarts the machines, one after the other; how long each was out of use."""

    running: Sequence[MachineSite]
    seconds: list[float] = field(default_factory=list)

    def __call__(self) -> None:
        time.sleep(BEFORE_RESTART_SECONDS)
        for site in self.running:
            self.seconds.append(site.restart())


class Crowd:
    """Validators and a curator at both machines, and what they were told."""

    def __init__(self, campaign: Any, running: Sequence[MachineSite]) -> None:
        self.campaign, self.running, self.receipts = campaign, running, Receipts()
        self.people = tokens(VALIDATORS)
        self.curator = curator_token()

    def work(self, seconds: float, *, meanwhile: Callable[[], None] = lambda: None) -> Log:
        """Work for a while, and again until *meanwhile* has ended, which runs in this thread.

        Since what it starts ends with the thread that started it.
        """
        log, over = Log(), threading.Event()
        working = threading.Thread(target=self._work, args=(log, seconds, over))
        working.start()
        meanwhile()
        over.set()
        working.join()
        return log

    def _work(self, log: Log, seconds: float, over: threading.Event) -> None:
        for lap in count():
            self.reopen()  # the curator may have left it paused
            balanced = Balanced(self.running)
            add(log, balanced.run(self._people(lap), seconds=seconds))
            for _ in range(balanced.unanswered):
                log.note("unanswered", 0, 0.0)
            if over.is_set():
                return

    def _people(self, lap: int) -> list[tuple[str, Client]]:
        slug = self.campaign.slug
        people = [
            (token, soaking(slug, Random(f"{lap} {n}"), self.receipts))
            for n, token in enumerate(self.people)
        ]
        return [*people, (self.curator, curating(slug, Random(lap)))]

    def reopen(self) -> None:
        from django.db import connection

        from collection.models import Campaign

        Campaign.objects.filter(pk=self.campaign.pk).update(status=Campaign.Status.OPEN)
        connection.close()


def report(
    released: Released,
    phases: dict[str, Log],
    restarts: Sequence[float],
    runs: dict[str, int],
    faults: dict[str, Any],
) -> None:
    print(
        f"pipeline: {released.twins} twins, {released.votes} votes, {released.files} files of the "
        f"release, {released.seconds:.0f} s; same bytes from both: {released.same}"
    )
    headers = ("phase", "requests", "unanswered", "5xx", "429", "votes", "claim p95", "vote p95")
    table(headers, [(name, *figures(log).values()) for name, log in phases.items()])
    for kind, log in phases.items():
        refused = {f"{k} {s}": n for (k, s), n in log.statuses.items() if s == 0 or s >= 500}
        print(f"{kind}, not answered or refused:", refused or "none")
    print("out of use:", ", ".join(f"{seconds:.1f} s" for seconds in restarts))
    print(f"load {os.getloadavg()[0]:.1f}")
    result(
        same_bytes=int(released.same),
        restart_unanswered=figures(phases["rolling restart"])["unanswered"],
        restart_5xx=figures(phases["rolling restart"])["errors"],
        snapshots=runs["done"],
        snapshots_failed=runs["failed"],
        **faults,
    )
    sys.exit(1 if any(faults[name] for name in FAULTS) or not released.same else 0)


def figures(log: Log) -> dict[str, Any]:
    """Count the requests of a phase by what became of them."""
    of = Counter[str]()
    for (_, status), n in log.statuses.items():
        of["requests"] += n
        of["unanswered"] += n * (status == 0)
        of["errors"] += n * (status >= 500)
        of["limited"] += n * (status == 429)
    took = {kind: log.seconds.get(kind) or [0.0] for kind in ("claim", "vote")}
    return {
        **{name: of[name] for name in ("requests", "unanswered", "errors", "limited")},
        "votes": sum(
            n for (kind, status), n in log.statuses.items() if (kind, status) == ("vote", 201)
        ),
        **{f"{kind}_p95": f"{1e3 * percentile(each, 0.95):.0f} ms" for kind, each in took.items()},
    }


if __name__ == "__main__":
    main()
