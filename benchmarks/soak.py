"""Ten minutes in which processes die: is anything lost, doubled or paid twice?

The whole platform runs as ``make run`` starts it. A hundred clients validate over HTTP (they beat,
return, abandon, resend and amend), a curator pauses and resumes and asks for snapshots, and every
few seconds a web process, the web server's main process or a Celery worker is killed with SIGKILL.
What the server acknowledged is noted by the clients and looked up in the database at the end.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import psutil

from benchmarks.clients import Crowd, Log
from benchmarks.crowd_rows import fill, without_indexes_of_writing
from benchmarks.database import scratch_database
from benchmarks.report import parse_args, percentile, result, table
from benchmarks.soak_validators import Receipts, curating, validating
from benchmarks.writers import PATIENCE_SECONDS, free_port, wait_for

CLIENTS = 100
QUESTIONS_A_MINUTE = 1_500  # more than the clients validate
KILL_SECONDS = (3.0, 7.0)
SETTLING_SECONDS = 30
SEED = 7


def main() -> None:
    """Run the soak."""
    args = parse_args(__doc__ or "", minutes=0.0)
    minutes = args.minutes or (0.5 if args.quick else 10.0)
    with scratch_database():
        campaign = prepared(int(QUESTIONS_A_MINUTE * minutes))
        with platform() as (port, process, log_file):
            killed, log, receipts = soak(campaign, port, process, seconds=60 * minutes)
            runs = settled_runs()
            said = log_file.read_text(errors="replace")
        show(log, killed, receipts, errors=re.findall(r"\| (?:\w+\.)+\w*(?:Error|\w+): .*", said))
        faults = check(campaign, receipts)
        result(
            minutes=minutes,
            clients=CLIENTS,
            kills=killed.total(),
            restarts=said.count("starting it again"),
            unanswered=sum(n for (_, status), n in log.statuses.items() if not status),
            server_errors=sum(n for (_, status), n in log.statuses.items() if status >= 500),
            receipts=len(receipts.votes),
            amended=receipts.amended,
            snapshots=runs["done"],
            snapshots_failed=runs["failed"],
            vote_p95_ms=1e3 * percentile(log.seconds.get("vote") or [0.0], 0.95),
            **faults,
        )
    sys.exit(1 if any(faults[name] for name in FAULTS) else 0)


FAULTS = ("over", "under", "lost", "other_answer", "double_pay", "cents_off", "half_voted")


def prepared(questions: int) -> Any:
    """Make a campaign with everything that a vote can set off: extra votes and gold questions."""
    from tests.factories import CampaignFactory

    without_indexes_of_writing()
    campaign = CampaignFactory(
        slug="soak", vote_minutes=1, extra_votes_max=2, gold_share="0.10", gold_pass_share="0"
    )
    fill(campaign, questions)
    return campaign


@contextmanager
def platform() -> Iterator[tuple[int, psutil.Process, Any]]:
    """Run the whole platform, as ``make run`` does, on this process's database."""
    from pathlib import Path

    from tests.races.processes import database_url

    port = free_port()
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        log = Path(folder) / "serve.log"
        environment = os.environ | {
            "DATABASE_URL": database_url(),
            "REDIS_KEY_PREFIX": f"soak-{os.getpid()}:",
            "RUN_LEASE_SECONDS": "5",
            "RUN_DISPATCH_SECONDS": "2",
        }
        command = [sys.executable, "manage.py", "serve", "--port", str(port)]
        with log.open("wb") as file:
            process = subprocess.Popen(command, env=environment, stdout=file, stderr=file)
        try:
            wait_for(port)
            yield port, psutil.Process(process.pid), log
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(PATIENCE_SECONDS)


def soak(
    campaign: Any, port: int, process: psutil.Process, *, seconds: float
) -> tuple[Counter[str], Log, Receipts]:
    """Let everybody work while processes die."""
    from tests.factories import UserFactory
    from tests.races.crowd import make_users
    from workers.services import create_token, scopes_of

    receipts, random = Receipts(), Random(SEED)
    people = make_users("client-", CLIENTS)
    crowd = [
        (create_token(user=user, name="soak")[1], validating(campaign.slug, Random(n), receipts))
        for n, user in enumerate(people)
    ]
    curator = UserFactory(curator=True)
    _, token = create_token(user=curator, name="soak", scopes=scopes_of(curator))
    crowd.append((token, curating(campaign.slug, random)))
    over, killed = threading.Event(), Counter[str]()
    killer = threading.Thread(target=_kill, args=(process, over, killed))
    killer.start()
    try:
        log = Crowd(port).run(crowd, seconds=seconds)
    finally:
        over.set()
        killer.join()
    return killed, log, receipts


def _kill(process: psutil.Process, over: threading.Event, killed: Counter[str]) -> None:
    random = Random(SEED)
    while not over.wait(random.uniform(*KILL_SECONDS)):
        kind = random.choice(("web", "web", "web server", "worker", "pool"))
        victims = _victims(process).get(kind)
        if victims:
            try:
                random.choice(victims).kill()
            except psutil.NoSuchProcess:
                continue
            killed[kind] += 1


def _victims(process: psutil.Process) -> dict[str, list[psutil.Process]]:
    """Find the children of the platform: main processes of the web server and Celery, and below."""
    found: dict[str, list[psutil.Process]] = {}
    for child in process.children():
        try:
            command = " ".join(child.cmdline())
            below = child.children(recursive=True)
        except psutil.NoSuchProcess:
            continue
        if "granian" in command:
            found["web server"], found["web"] = [child], below
        elif " worker " in command:
            found.setdefault("worker", []).append(child)
            found.setdefault("pool", []).extend(below)
    return found


def settled_runs() -> dict[str, int]:
    """Wait until every snapshot has ended; count the results."""
    from corpora.models import Snapshot
    from winoplatform.runs.models import RunStatus

    end = time.monotonic() + SETTLING_SECONDS
    while time.monotonic() < end:
        left = [run for run in Snapshot.objects.all() if not run.has_ended]
        if not left:
            break
        time.sleep(1)
    done = Snapshot.objects.filter(status=RunStatus.DONE).count()
    return {"done": done, "failed": Snapshot.objects.count() - done}


def check(campaign: Any, receipts: Receipts) -> dict[str, Any]:
    """Count every fault that the database shows."""
    from django.db.models import Count, Q, Sum

    from collection.models import Question
    from validation import services
    from validation.models import Seat, Vote
    from workers.models import LedgerEntry

    counted = Count("votes", filter=Q(votes__is_gold=False))
    due = Count("seats", filter=Q(seats__gold=None))
    here = Question.objects.in_campaign(campaign)
    votes_of = dict(here.annotate(n=counted).values_list("pk", "n"))
    seats_of = dict(here.annotate(n=due).values_list("pk", "n"))
    decided = set(here.filter(verdict__isnull=False).values_list("pk", flat=True))
    most = campaign.votes_per_question + campaign.extra_votes_max
    over = sum(max(0, n - min(most, seats_of[pk])) for pk, n in votes_of.items())
    under = sum(max(0, seats_of[pk] - votes_of[pk]) for pk in decided)

    stored = {
        str(vote.public_id): vote
        for vote in Vote.objects.filter(seat__campaign=campaign).select_related("seat")
    }
    lost, other = 0, 0
    for key, (seat, answers) in receipts.votes.items():
        vote = stored.get(key)
        if vote is None or str(vote.seat.public_id) != seat:
            lost += 1
        elif (services.as_shown(vote.seat, vote.option), vote.ambiguous) not in answers:
            other += 1

    entries = LedgerEntry.objects.filter(budget=campaign.public_id)
    per_unit = Counter(entries.values_list("unit", flat=True))
    promised = Seat.objects.filter(campaign=campaign, answered_at__isnull=False)
    cents = (promised.aggregate(sum=Sum("reward"))["sum"] or 0) - entries.total()
    unpaid = len(set(stored) ^ set(per_unit))
    without = (
        promised.filter(vote=None).count() + Vote.objects.filter(seat__answered_at=None).count()
    )
    return {
        "votes": len(stored),
        "golds": sum(vote.is_gold for vote in stored.values()),
        "complete": len(decided),
        "over": over,
        "under": under,
        "lost": lost,
        "other_answer": other,
        "double_pay": sum(n - 1 for n in per_unit.values()) + unpaid,
        "cents_off": abs(int(100 * cents)),
        "half_voted": without,
    }


def show(log: Log, killed: Counter[str], receipts: Receipts, *, errors: list[str]) -> None:
    """Print what happened to each kind of request, what was killed, refused and logged."""
    rows = []
    for kind in sorted({kind for kind, _ in log.statuses}):
        answers = {s: n for (name, s), n in sorted(log.statuses.items()) if name == kind}
        took = log.seconds.get(kind) or [0.0]
        told = ", ".join(f"{n} × {status or 'no answer'}" for status, n in answers.items())
        rows.append((kind, told, *(f"{1e3 * percentile(took, q):.0f}" for q in (0.5, 0.95))))
    table(("request", "answers", "p50 ms", "p95 ms"), rows)
    print("killed:", ", ".join(f"{n} × {kind}" for kind, n in killed.items()))
    print("refused:", ", ".join(f"{n} × {code}" for code, n in receipts.refused.items()))
    for error, n in Counter(errors).most_common(5):
        print(f"logged {n} ×", error[:160])


if __name__ == "__main__":
    main()
