"""PostgreSQL restarts under fifty clients: which requests fail, and for how long?

The whole platform runs as ``make run`` starts it, on a PostgreSQL that the benchmark restarts: with
a fast shutdown, then by killing its main process, as a crash does. Forty clients validate, ten read
pages, a curator asks for snapshots. What the server acknowledged is looked up at the end, as in the
soak.
"""

import http.client
import os
import re
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import psutil

from benchmarks import soak
from benchmarks.clients import Crowd, Log
from benchmarks.database import scratch_database
from benchmarks.report import parse_args, result, table
from benchmarks.soak_validators import Receipts, curating, validating

VALIDATORS, READERS = 40, 10
PAGES = ("/", "/my-work/", "/my-pay/")
PATIENCE_SECONDS = 30
QUESTIONS = 4_000


@dataclass
class Answers(Log):
    """Also when each answer came."""

    times: list[tuple[float, str, int]] = field(default_factory=list)

    def note(self, kind: str, status: int, seconds: float) -> None:
        """Note an answer; from any thread."""
        super().note(kind, status, seconds)
        self.times.append((time.monotonic(), kind, status))


@dataclass(frozen=True)
class Restart:
    """How PostgreSQL was ended, when, and when it took connections again."""

    name: str
    begun: float
    ready: float


def main() -> None:
    """Run the benchmark."""
    args = parse_args(__doc__ or "", seconds=0.0, down=2.0)
    if os.environ.get("DATABASE_URL"):
        sys.exit("Unset DATABASE_URL: only the platform's own PostgreSQL can be restarted here.")
    seconds = args.seconds or (16.0 if args.quick else 40.0)
    with scratch_database():
        campaign = soak.prepared(QUESTIONS)
        with soak.platform() as (port, _, log_file):
            answers, restarts, receipts = work(campaign, port, seconds=seconds, down=args.down)
            reconnect()
            runs = soak.settled_runs()
            said = log_file.read_text(errors="replace")
        figures = show(answers, restarts)
        errors = re.findall(r"\| (?:\w+\.)+\w*(?:Error|\w+): .*", said)
        for error, n in Counter(errors).most_common(8):
            print(f"logged {n} ×", error[:160])
        faults = soak.check(campaign, receipts)
        result(
            seconds=seconds,
            down=args.down,
            **figures,
            process_restarts=said.count("starting it again"),
            snapshots=runs["done"],
            snapshots_failed=runs["failed"],
            receipts=len(receipts.votes),
            **faults,
        )
    sys.exit(1 if any(faults[name] for name in soak.FAULTS) else 0)


def work(
    campaign: Any, port: int, *, seconds: float, down: float
) -> tuple[Answers, list[Restart], Receipts]:
    """Let everybody work for *seconds*, a third of them before each restart and after the last."""
    from tests.factories import UserFactory
    from tests.races.crowd import make_users
    from workers.services import create_token

    receipts, crowd = Receipts(), Crowd(port)
    crowd.log = answers = Answers()
    people = [
        (create_token(user=user, name="restart")[1], validating(campaign.slug, Random(n), receipts))
        for n, user in enumerate(make_users("validator-", VALIDATORS))
    ]
    curator = create_token(user=UserFactory(curator=True), name="restart")[1]
    people.append((curator, curating(campaign.slug, Random(VALIDATORS))))
    over, restarts = threading.Event(), list[Restart]()
    others = [
        threading.Thread(target=read, args=(port, cookie, answers, over))
        for cookie in signed_in(make_users("reader-", READERS))
    ]
    others.append(threading.Thread(target=restarting, args=(restarts, seconds / 3, down)))
    for thread in others:
        thread.start()
    crowd.run(people, seconds=seconds)
    over.set()
    for thread in others:
        thread.join()
    return answers, restarts, receipts


def restarting(restarts: list[Restart], pause: float, down: float) -> None:
    """End PostgreSQL twice and start it again, *down* seconds after it has ended."""
    for name, number in (("fast shutdown", signal.SIGINT), ("crash", signal.SIGKILL)):
        time.sleep(pause)
        begun = time.monotonic()
        restart(number, down)
        restarts.append(Restart(name, begun, time.monotonic()))


def restart(number: int, down: float) -> None:
    from django.conf import settings

    from winoplatform.embedded import hold_postgres
    from winoplatform.embedded.system import stored_pid

    folder = settings.VAR_DIR / "postgres"
    pid = stored_pid(folder / "pid")
    assert pid is not None
    os.kill(pid, number)
    while psutil.pid_exists(pid):
        time.sleep(0.05)
    time.sleep(down)
    hold_postgres(folder)


def reconnect() -> None:
    """Leave the connections of this process that the restarts have ended."""
    from django.db import connection

    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]


def signed_in(users: Sequence[Any]) -> list[str]:
    from django.test import Client

    clients = [Client() for _ in users]
    for client, user in zip(clients, users, strict=True):
        client.force_login(user)
    return [client.cookies["sessionid"].value for client in clients]


def read(port: int, cookie: str, answers: Answers, over: threading.Event) -> None:
    """One client that reads pages until it is *over*, a new connection for each."""
    random = Random(cookie)
    while not over.wait(random.uniform(0.1, 0.5)):
        status, start = 0, time.perf_counter()
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
        try:
            connection.request(
                "GET", random.choice(PAGES), headers={"Cookie": f"sessionid={cookie}"}
            )
            answer = connection.getresponse()
            answer.read()
            status = answer.status
        except (OSError, http.client.HTTPException):
            pass
        finally:
            connection.close()
        answers.note("page", status, time.perf_counter() - start)


def show(answers: Answers, restarts: Sequence[Restart]) -> dict[str, Any]:
    """Print what each restart cost; return it as figures."""
    rows, figures = [], {}
    ends = [restart.begun for restart in restarts[1:]] + [float("inf")]
    for restart, end in zip(restarts, ends, strict=True):
        within = [each for each in answers.times if restart.begun <= each[0] < end]
        failed = [(at, status) for at, _, status in within if not status or status >= 500]
        count = Counter(status for _, status in failed)
        until = max((at for at, _ in failed), default=restart.ready) - restart.ready
        away = restart.ready - restart.begun
        refused, faults = count.pop(503, 0), sum(count.values())
        rows.append((restart.name, f"{away:.1f}", len(within), faults, refused, f"{until:.1f}"))
        key = restart.name.replace(" ", "_")
        figures |= {f"{key}_faults": faults, f"{key}_refused": refused, f"{key}_until_s": until}
    told = Counter(status for _, _, status in answers.times)
    table(("restart", "s away", "answers", "500 or none", "503", "s until none fails"), rows)
    print("answers:", ", ".join(f"{n} × {status or 'none'}" for status, n in told.most_common()))
    slowest = max(max(seconds) for seconds in answers.seconds.values())
    return figures | {"slowest_s": slowest}


if __name__ == "__main__":
    main()
