"""The bucket is killed for a minute, under a pipeline and fifty people at two machines.

Forty validators and ten writers work through both machines of ``benchmarks.two_machines``, four
readers download files of an earlier release and exports of votes, and two pipelines run: one begins
before the bucket dies, the other while it is dead. The table has what became of
each kind of request before, during and after that minute. At the end all runs must be done, all
that anybody was told be stored, and every file be in the bucket and intact.

Needs the right to make network namespaces.
"""

import hashlib
import os
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.clients import Log
from benchmarks.database import scratch_database
from benchmarks.machine_site import Balanced, MachineSite, alternately, sites
from benchmarks.machines import stored_in
from benchmarks.queue import API
from benchmarks.report import parse_args, percentile, result, table
from benchmarks.siege import add
from benchmarks.soak import FAULTS, check, curator_token, prepared, tokens
from benchmarks.soak_validators import Receipts, validating
from benchmarks.two_machines import articles_for, encoder, good_twins, writing
from tests.winoplatform.buckets import serving

VALIDATORS, WRITERS, READERS = 40, 10, 4
DEAD_SECONDS, AROUND_SECONDS = {False: 60.0, True: 15.0}, {False: 30.0, True: 10.0}
QUESTIONS = {False: 2_000, True: 200}
WRITER_SECONDS = 5.0
READER_SECONDS = 1.0
PATIENCE_SECONDS = 600.0
OTHER_BYTES = 599  # not a status: an answer 200 with wrong bytes


def main() -> None:
    args = parse_args(__doc__ or "")
    dead, around = DEAD_SECONDS[args.quick], AROUND_SECONDS[args.quick]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bucket-away-")))
        stack.enter_context(scratch_database())
        bucket = stack.enter_context(serving())
        running = stack.enter_context(sites(folder, 2, bucket.endpoint, ENCODER=encoder()))
        world = World(running, questions=QUESTIONS[args.quick], seconds=dead + 2 * around)
        phases = {"before": world.work(around)}
        world.pipeline("first")
        with bucket.dead():
            world.pipeline("second")
            phases["dead"] = world.work(dead)
        back = time.monotonic()
        phases["after"] = world.work(around)
        world.settle()
        waited = time.monotonic() - back
        faults = check(world.campaign, world.receipts) | world.lost()
        stack.enter_context(stored_in(bucket, folder))
        faults |= artifacts()
    report(phases, faults, waited)


class World:
    """The people, the campaigns and an earlier release."""

    def __init__(self, running: Sequence[MachineSite], *, questions: int, seconds: float) -> None:
        from benchmarks.validated_questions import validated_questions

        self.running, self.ask = running, alternately(running)
        # An account reads one export at a time.
        self.curator, *self.readers = (curator_token(admin=True) for _ in range(1 + READERS))
        self.campaign = prepared(int(seconds * VALIDATORS * 1.5))
        for number, name in enumerate(("earlier", "first", "second")):
            validated_questions(name, questions, seed=number)
        self.drafts = good_twins(int(seconds / WRITER_SECONDS + 1) * WRITERS)
        self.left, self.written, self.receipts = iter(self.drafts), list[str](), Receipts()
        self.validators, self.writers = tokens(VALIDATORS), tokens(WRITERS, "writer-")
        self._open_for_writers()
        earlier = self.pipeline("earlier")
        self.settle()
        files = self.ask(self.curator, "GET", f"{earlier}files/")
        self.files = {f"{earlier}files/{file['name']}": file["sha256"] for file in files}

    def _open_for_writers(self) -> None:
        at = f"{API}campaigns/writing/"
        self.ask(self.curator, "POST", f"{API}campaigns/", {"slug": "writing", "name": "Writing"})
        self.ask(self.curator, "POST", f"{at}articles/", {"articles": articles_for(self.drafts)})
        self.ask(self.curator, "POST", f"{at}status/", {"status": "open"})

    def pipeline(self, name: str) -> str:
        """Queue a campaign's runs, up to its release; return the release's address."""
        path = f"{API}campaigns/{name}/pipeline/"
        made = self.ask(self.curator, "POST", path, {"release_name": name})
        return f"{API}releases/{made['release']['id']}/"

    def settle(self) -> None:
        """Wait until all runs have ended."""
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end and not all(run.has_ended for run in runs()):
            time.sleep(1)

    def work(self, seconds: float) -> Log:
        """Let everybody work for a while; the log has the downloads, too."""
        slug, over = self.campaign.slug, threading.Event()
        reads = [Log() for _ in range(READERS)]
        readers = [
            threading.Thread(target=self._read, args=(token, over, log))
            for token, log in zip(self.readers, reads, strict=True)
        ]
        for reader in readers:
            reader.start()
        people = [
            (token, validating(slug, Random(f"{n} {seconds}"), self.receipts))
            for n, token in enumerate(self.validators)
        ]
        people += [
            (token, writing("writing", self.left, self.written, pace=WRITER_SECONDS))
            for token in self.writers
        ]
        log = Balanced(self.running).run(people, seconds=seconds)
        over.set()
        for reader, of_reader in zip(readers, reads, strict=True):
            reader.join()
            add(log, of_reader)
        return log

    def _read(self, token: str, over: threading.Event, log: Log) -> None:
        """Read files of the earlier release from either machine, and an export, by turns."""
        random = Random(token)
        export = f"{API}campaigns/earlier/export/votes"
        while not over.wait(READER_SECONDS):
            site, path = random.choice(self.running), random.choice([*self.files])
            for kind, wanted in (("file of a release", path), ("export of votes", export)):
                began = time.monotonic()
                answer = site.ask("GET", wanted, Authorization=f"Token {token}")
                status = answer.status
                sha256 = hashlib.sha256(answer.body).hexdigest()
                if status == 200 and self.files.get(wanted, sha256) != sha256:
                    status = OTHER_BYTES
                log.note(kind, status, time.monotonic() - began)

    def lost(self) -> dict[str, int]:
        """Count the runs that are not done, and the twins that were lost or doubled."""
        from collection.models import Twin

        undone = sum(run.status != "done" for run in runs())
        stored = Twin.objects.filter(campaign__slug="writing").values_list("public_id", flat=True)
        twins = {str(key) for key in stored}
        return {
            "runs_undone": undone,
            "twins": len(twins),
            "twins_off": len(twins ^ set(self.written)),
        }


def runs() -> list[Any]:
    from winoplatform.runs.dispatch import run_models

    return [run for model in run_models() for run in model._default_manager.all()]


def artifacts() -> dict[str, int]:
    """Compare all rows of artifacts with the bucket, by reading each file."""
    from winoplatform.artifacts.checking import check_artifacts

    found = check_artifacts()
    return {
        "artifacts": found.checked,
        "artifacts_wrong": len(found.missing) + len(found.damaged) + len(found.repaired),
    }


def report(phases: dict[str, Log], faults: dict[str, Any], waited: float) -> None:
    rows = []
    for kind in sorted({kind for log in phases.values() for kind, _ in log.statuses}):
        for name, log in phases.items():
            took = log.seconds.get(kind) or [0.0]
            answers = {s: n for (k, s), n in sorted(log.statuses.items()) if k == kind}
            said = ", ".join(f"{n} × {status}" for status, n in answers.items()) or "–"
            slow = [f"{1e3 * percentile(took, 0.95):.0f}", f"{1e3 * max(took):.0f}"]
            rows.append((kind, name, said, *slow))
    table(("request", "bucket", "answers", "p95 ms", "longest ms"), rows)
    print(f"all runs done {waited:.0f} s after it was back; load {os.getloadavg()[0]:.1f}")
    result(waited_s=waited, **faults)
    wrong = [*FAULTS, "runs_undone", "twins_off", "artifacts_wrong"]
    sys.exit(1 if any(faults[name] for name in wrong) else 0)


if __name__ == "__main__":
    main()
