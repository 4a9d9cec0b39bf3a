"""One run over several machines: network namespaces that share a database and a bucket alone.

Each machine is a network namespace with a folder of its own and no loopback, from which only
PostgreSQL and an S3 server can be reached; there is no Redis. An encoding and an evaluation are
executed by one process (the baseline of the ratios), and by 1, 2 and 4 processes of the command
``shard`` on two machines, with one thread each. Then again by 2 and 4,
while SIGKILL hits one of them at random times and it is started again, as a cluster's queue would.
So are the tables of a campaign exported, by ``export_campaign``. ``--kinds`` names some of
the three.

Needs the right to make network namespaces.
"""

import hashlib
import os
import random
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.database import scratch_database
from benchmarks.namespaces import Machine, environment, machine
from benchmarks.report import parse_args, result, table
from benchmarks.validated_questions import validated_questions
from tests.winoplatform.buckets import Server, options, serving
from winoplatform.artifacts.folder import sha256_of

KILL_SECONDS = (8.0, 20.0)  # a process needs some seconds to begin


@dataclass
class Outcome:
    """Seconds, CPU seconds of all processes, kills, and the hash of the result."""

    seconds: float = 0.0
    cpu: float = 0.0
    kills: int = 0
    sha256: str = ""
    failures: list[str] = field(default_factory=list)


@dataclass
class Cluster:
    """Machines, and what their processes are told."""

    machines: Sequence[tuple[Machine, dict[str, str]]]

    def start(self, words: Sequence[str], number: int) -> subprocess.Popen[bytes]:
        at, environ = self.machines[number % len(self.machines)]
        log = (at.folder / f"{number}.log").open("ab")
        return subprocess.Popen(at.manage(*words), env=environ, stdout=log, stderr=log)

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
    """The inputs of an encoding, an evaluation and an export; each measurement has new runs."""

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
        self.exported = "exported"
        validated_questions(self.exported, 1_000 if quick else 100_000)

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
    outcome = cluster.execute([[*words, *share] for share in shares(of)], kills=kills)
    run.refresh_from_db()
    outcome.sha256 = {"encoding": "matrix_id", "evaluation": "predictions_id"}[kind]
    outcome.sha256 = str(getattr(run, outcome.sha256))
    return outcome


def exported(cluster: Cluster, slug: str, of: int, *, kills: bool) -> Outcome:
    """Export a campaign's tables; the hash is that of all files of all machines."""
    commands, folders = [], []
    for number, share in enumerate(shares(of)):
        at, _ = cluster.machines[number % len(cluster.machines)]
        folders.append(at.folder / f"export-{of}-{kills}-{number}")
        commands.append(["export_campaign", slug, str(folders[-1]), *share])
    outcome, digest = cluster.execute(commands, kills=kills), hashlib.sha256()
    files = sorted((path.name, path) for folder in folders for path in folder.iterdir())
    for name, path in files:
        digest.update(f"{name} {sha256_of(path)}\n".encode())
    outcome.sha256 = digest.hexdigest()
    return outcome


def shares(of: int) -> list[list[str]]:
    """Return what each of so many processes is told; 0: one, which is told of no others."""
    return [["--index", str(index), "--of", str(of)] for index in range(of)] or [[]]


def measure(execute: Callable[..., Outcome]) -> dict[tuple[int, bool], Outcome]:
    """Do the same by one process, and by 1, 2 and 4 shards without and with kills."""
    ways = [(0, False), (1, False), (2, False), (4, False), (2, True), (4, True)]
    return {(of, kills): execute(of, kills=kills) for of, kills in ways}


def main() -> None:
    args = parse_args(__doc__ or "", kinds="encoding,evaluation,export")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="machines-")))
        stack.enter_context(scratch_database())
        server = stack.enter_context(serving())
        stack.enter_context(stored_in(server, folder))
        machines = [stack.enter_context(machine(n, folder / str(n))) for n in (1, 2)]
        cluster = Cluster([(at, environment(at, server.endpoint)) for at in machines])
        work = Work(quick=args.quick)
        ways: dict[str, Callable[..., Outcome]] = {
            "encoding": lambda of, kills: executed(cluster, work.encoding(), of, kills=kills),
            "evaluation": lambda of, kills: executed(cluster, work.evaluation(), of, kills=kills),
            "export": partial(exported, cluster, work.exported),
        }
        outcomes = {kind: measure(ways[kind]) for kind in args.kinds.split(",")}
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
    alone, two = ([of[n, False] for of in outcomes.values()] for n in (0, 2))
    result(
        same=int(all(len({o.sha256 for o in of.values()}) == 1 for of in outcomes.values())),
        speedup_2=sum(o.seconds for o in alone) / sum(o.seconds for o in two),
        overhead_cpu=sum(o.cpu for o in two) / sum(o.cpu for o in alone) - 1,
        kills=sum(o.kills for of_kind in outcomes.values() for o in of_kind.values()),
    )


if __name__ == "__main__":
    main()
