"""One run over several machines: network namespaces that share a database and a bucket alone.

Each machine is a network namespace with a folder of its own and no loopback, from which only
PostgreSQL and an S3 server can be reached; there is no Redis. An encoding and an evaluation are
executed by one process (the baseline of the ratios), and by 1, 2 and 4 processes of the command
``shard`` on two machines, with one thread each. Then again by 2 and 4,
while SIGKILL hits one of them at random times and it is started again, as a cluster's queue would.

Needs the right to make network namespaces.
"""

import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from benchmarks.database import scratch_database
from benchmarks.report import parse_args, result, table
from tests.races.processes import database_url
from tests.winoplatform.buckets import Server, options, serving

NETWORK = "10.77.{}.{}"
KILL_SECONDS = (8.0, 20.0)  # a process needs some seconds to begin
KINDS = ("encoding", "evaluation")


@dataclass(frozen=True)
class Machine:
    """A network namespace, the address at which it reaches this one, and its folder."""

    name: str
    gateway: str
    folder: Path

    def command(self, *words: str) -> list[str]:
        return ["ip", "netns", "exec", self.name, sys.executable, "manage.py", *words]


@dataclass
class Outcome:
    """Seconds, CPU seconds of all processes, kills, and the hash of the result."""

    seconds: float = 0.0
    cpu: float = 0.0
    kills: int = 0
    sha256: str = ""
    failures: list[str] = field(default_factory=list)


@contextmanager
def machine(number: int, folder: Path) -> Iterator[Machine]:
    """Make a network namespace that reaches one address of this one, and nothing else."""
    own = f"{os.getpid()}x{number}"
    name, here, there = f"wino{own}", f"wh{own}", f"wt{own}"
    gateway, address = NETWORK.format(number, 1), NETWORK.format(number, 2)
    _ip("netns", "add", name)
    try:
        _ip("link", "add", here, "type", "veth", "peer", "name", there, "netns", name)
        _ip("addr", "add", f"{gateway}/24", "dev", here)
        _ip("link", "set", here, "up")
        _ip("-n", name, "addr", "add", f"{address}/24", "dev", there)
        _ip("-n", name, "link", "set", there, "up")
        folder.mkdir()
        yield Machine(name, gateway, folder)
    finally:
        _ip("netns", "del", name)  # and with it both ends of the link


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


def relay(host: str, target: Any) -> int:
    """Pass connections to a port of *host* on to *target*, an address or a socket's path."""
    listening = socket.create_server((host, 0))

    def accept() -> None:
        while True:
            near, _ = listening.accept()
            far = socket.socket(socket.AF_UNIX if isinstance(target, str) else socket.AF_INET)
            far.connect(target)
            for ends in ((near, far), (far, near)):
                threading.Thread(target=_copy, args=ends, daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return int(listening.getsockname()[1])


def _copy(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(1 << 16):
            target.sendall(data)
    except OSError:
        pass  # the other end was killed
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


def environment(at: Machine, endpoint: str) -> dict[str, str]:
    """Return the settings of a machine's processes; no Redis is at the address that they have."""
    address = urlsplit(database_url())
    place = {name: value for name, [value] in parse_qs(address.query).items()}
    folder, number = place.get("host", ""), int(place["port"])
    where = f"{folder}/.s.PGSQL.{number}" if folder.startswith("/") else (folder, number)
    host, port = endpoint.removeprefix("http://").split(":")
    database, bucket = relay(at.gateway, where), relay(at.gateway, (host, int(port)))
    login = address.netloc.removesuffix("@")
    return os.environ | {
        "DATABASE_URL": f"postgres://{login}@{at.gateway}:{database}{address.path}",
        "REDIS_URL": f"redis://{at.gateway}:1/0",
        "ARTIFACTS_URL": "s3://wino/artifacts",
        "ARTIFACTS_ENDPOINT": f"http://{at.gateway}:{bucket}",
        "ARTIFACTS_KEY_ID": "key",
        "ARTIFACTS_SECRET_KEY": "secret",
        "VAR_DIR": str(at.folder),
        "OMP_NUM_THREADS": "1",
        "RUN_LEASE_SECONDS": "6",
    }


@dataclass
class Cluster:
    """Machines, and what their processes are told."""

    machines: Sequence[tuple[Machine, dict[str, str]]]

    def start(self, words: Sequence[str], number: int) -> subprocess.Popen[bytes]:
        at, environ = self.machines[number % len(self.machines)]
        log = (at.folder / f"{number}.log").open("ab")
        return subprocess.Popen(at.command(*words), env=environ, stdout=log, stderr=log)

    def execute(self, commands: Sequence[Sequence[str]], *, kills: bool) -> Outcome:
        """Run the commands to their ends, one a process; with kills, start a killed one again."""
        outcome, began, draw = Outcome(), time.monotonic(), random.Random(len(commands))
        running = {n: self.start(words, n) for n, words in enumerate(commands)}
        next_kill = began + draw.uniform(*KILL_SECONDS)
        while running:
            for number, process in list(running.items()):
                pid, status, usage = os.wait4(process.pid, os.WNOHANG)
                if not pid:
                    continue
                process.returncode = os.waitstatus_to_exitcode(status)
                outcome.cpu += usage.ru_utime + usage.ru_stime
                del running[number]
                if process.returncode == -signal.SIGKILL:
                    running[number] = self.start(commands[number], number)
                elif process.returncode:
                    outcome.failures.append(f"{number}: exit status {process.returncode}")
            if kills and running and time.monotonic() > next_kill:
                draw.choice(list(running.values())).kill()
                outcome.kills += 1
                next_kill = time.monotonic() + draw.uniform(*KILL_SECONDS)
            time.sleep(0.05)
        outcome.seconds = time.monotonic() - began
        return outcome


class Work:
    """The inputs of an encoding and an evaluation, which are made again for each measurement."""

    def __init__(self, *, quick: bool) -> None:
        from corpora.core.items import Item
        from modeling.specs import DEFAULT_ENCODER, SMOLLM2, TINY_ENCODER
        from tests.evaluation.sets import small_set
        from tests.filtering.stages import frozen, snapshot_of

        self.encoder, self.rows = (TINY_ENCODER, 20) if quick else (DEFAULT_ENCODER, 200)
        self.scoring = {"method": "masked", "model": TINY_ENCODER} if quick else {
            "method": "causal", "model": SMOLLM2}  # fmt: skip
        questions = frozen(pairs=200 if quick else 2000)
        self.snapshot = snapshot_of(questions)
        fields = ("id", "group", "sentence", "options", "answer")
        items = [Item(**{name: getattr(q, name) for name in fields}) for q in questions[:400]]
        self.reference_set = small_set(items)

    def encoding(self) -> Any:
        from filtering import services

        run = services.encode(snapshot=self.snapshot, by=None, encoder=self.encoder)
        type(run).objects.filter(pk=run.pk).update(shard_size=self.rows)
        return run

    def evaluation(self) -> Any:
        from evaluation import services

        run = services.evaluate(
            reference_set=self.reference_set, split="test", by=None, **self.scoring
        )
        type(run).objects.filter(pk=run.pk).update(block_size=20)
        return run


def executed(cluster: Cluster, run: Any, of: int, *, kills: bool) -> Outcome:
    """Execute a run by so many shards; 0 stands for one process that is told of no others."""
    kind = str(run._meta.verbose_name)
    words = ["shard", kind, str(run.public_id)]
    shards = [[*words, "--index", str(index), "--of", str(of)] for index in range(of)]
    outcome = cluster.execute(shards or [words], kills=kills)
    run.refresh_from_db()
    outcome.sha256 = {"encoding": "matrix_id", "evaluation": "predictions_id"}[kind]
    outcome.sha256 = str(getattr(run, outcome.sha256))
    return outcome


def measure(cluster: Cluster, make: Callable[[], Any]) -> dict[tuple[int, bool], Outcome]:
    """Execute equal runs by one process, and by 1, 2 and 4 shards without and with kills."""
    ways = [(0, False), (1, False), (2, False), (4, False), (2, True), (4, True)]
    return {(of, kills): executed(cluster, make(), of, kills=kills) for of, kills in ways}


def main() -> None:
    args = parse_args(__doc__ or "")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="machines-")))
        stack.enter_context(scratch_database())
        server = stack.enter_context(serving())
        stack.enter_context(stored_in(server, folder))
        machines = [stack.enter_context(machine(n, folder / str(n))) for n in (1, 2)]
        cluster = Cluster([(at, environment(at, server.endpoint)) for at in machines])
        work = Work(quick=args.quick)
        outcomes = {kind: measure(cluster, getattr(work, kind)) for kind in KINDS}
    report(outcomes)


def stored_in(server: Server, folder: Path) -> Any:
    """Let this process store its artifacts in the server's bucket."""
    from django.conf import settings
    from django.test import override_settings

    bucket = {
        "BACKEND": "winoplatform.artifacts.bucket.BucketStorage",
        "OPTIONS": options(server, str(folder / "cache")),
    }
    return override_settings(STORAGES=settings.STORAGES | {"artifacts": bucket})


def report(outcomes: dict[str, dict[tuple[int, bool], Outcome]]) -> None:
    rows = [
        (kind, of or "one process", "yes" if kills else "no", f"{o.seconds:.1f}", f"{o.cpu:.1f}",
         o.kills, o.sha256[:12], "; ".join(o.failures) or "–")
        for kind, of_kind in outcomes.items()
        for (of, kills), o in of_kind.items()
    ]  # fmt: skip
    table(("run", "shards", "kills", "s", "CPU s", "killed", "SHA-256", "failures"), rows)
    alone = [of_kind[0, False] for of_kind in outcomes.values()]
    two = [of_kind[2, False] for of_kind in outcomes.values()]
    result(
        same=int(all(len({o.sha256 for o in of.values()}) == 1 for of in outcomes.values())),
        speedup_2=sum(o.seconds for o in alone) / sum(o.seconds for o in two),
        overhead_cpu=sum(o.cpu for o in two) / sum(o.cpu for o in alone) - 1,
        kills=sum(o.kills for of_kind in outcomes.values() for o in of_kind.values()),
    )


if __name__ == "__main__":
    main()
