"""Pages at 100,000 questions: the 95th percentile and the queries of each list and dashboard.

A campaign of `--questions` with three votes and a verdict for nine in ten, a finished snapshot,
filter run and release of its valid questions, and a second small campaign. A curator and a worker
open every page that shows a list or a summary, through Django's handlers without a web server:
`--repeats` times each, after a first time that is reported apart (a process reads a run's files
once). `cpu` is the processor time of the web process and of PostgreSQL, which other work on the
machine does not change as much as it does the time of a page. So are the cost of one event of the
audit log, in microseconds, and its largest share in a page that adds one.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks.database import scratch_database
from benchmarks.report import parse_args, percentile, result, table
from benchmarks.validated_questions import validated_questions
from winoplatform.processes.supervisor import exempt_loaded_code

QUESTIONS, REPEATS = {False: 100_000, True: 2_000}, {False: 20, True: 3}
EVENTS = 2_000
SLUG = "big"


@dataclass(frozen=True)
class Measured:
    """One page: milliseconds, processor milliseconds, and its largest number of queries."""

    path: str
    first_ms: float
    p95_ms: float
    cpu_ms: float
    queries: int
    events: int
    """Of the audit log, added by one reading."""


def main() -> None:
    """Run the benchmark."""
    args = parse_args(__doc__ or "", questions=0, repeats=0)
    questions = args.questions or QUESTIONS[args.quick]
    repeats = args.repeats or REPEATS[args.quick]
    with scratch_database():
        begun = time.perf_counter()
        paths = world(questions)
        print(f"{questions:,} questions made in {time.perf_counter() - begun:.0f} s")
        exempt_loaded_code()  # as the platform's own web processes do
        measured = [measure(user, path, repeats) for user, path in paths]
        event_ms = cost_of_an_event(paths[0][0])
    show(measured)
    result(
        questions=questions,
        worst_page_ms=max(page.p95_ms for page in measured),
        worst_cpu_ms=max(page.cpu_ms for page in measured),
        worst_queries=max(page.queries for page in measured),
        worst_page=max(measured, key=lambda page: page.p95_ms).path,
        audit_us=1000 * event_ms,
        audit_share=max((event_ms / page.cpu_ms for page in measured if page.events), default=0.0),
        audited=sum(1 for page in measured if page.events),
    )


def world(questions: int) -> list[tuple[Any, str]]:
    """Make the rows; return who opens which address."""
    from collection.models import Question
    from tests.factories import UserFactory
    from validation.models import GoldQuestion
    from validation.runner import work_out
    from workers.models import User

    campaign = validated_questions(SLUG, questions)
    run, release = _selected(campaign)
    work_out(campaign)
    curator = UserFactory(curator=True)
    worker = User.objects.filter(validator_figures__isnull=False).first()
    valid = Question.objects.filter(twin__campaign=campaign, verdict__valid=True)
    GoldQuestion.objects.bulk_create(
        GoldQuestion(campaign=campaign, question=each, origin="grown") for each in valid[:500]
    )
    pages = [(curator, path) for path in _of_curators(campaign, run, release)]
    return pages + [(worker, path) for path in ("/", "/my-work/", "/my-pay/", "/my-work/appeals/")]


def _selected(campaign: Any) -> tuple[Any, Any]:
    """A snapshot of the valid questions, a run that keeps half of them, and a release of these."""
    import json

    from corpora.core.bundle.layout import INDEX
    from corpora.selectors import snapshot_items
    from tests.factories import (
        ArtifactFactory,
        FilterRunFactory,
        ReleaseFactory,
        ReleaseFileFactory,
        SnapshotFactory,
    )

    snapshot = SnapshotFactory(campaign=campaign, finished=True)
    items = list(snapshot_items(snapshot))
    lines = "".join(f"{item.to_line()}\n" for item in items).encode()
    snapshot.questions = ArtifactFactory(content=lines)
    snapshot.n_questions, snapshot.n_pairs = len(items), len(items) // 2
    snapshot.save()
    runs = []
    for seed in range(6):
        ids = [item.id for item in items[seed::2]]
        kept = ArtifactFactory(content="".join(f"{id}\n" for id in ids).encode())
        runs.append(
            FilterRunFactory(
                encoding__snapshot=snapshot, finished=True, seed=seed, kept=kept, n_kept=len(ids)
            )
        )
    release = ReleaseFactory(filter_run=runs[0], finished=True)
    index = "".join(json.dumps({"question": item.id}) + "\n" for item in items[::2])
    ReleaseFileFactory(
        release=release, name=INDEX, artifact=ArtifactFactory(content=index.encode())
    )
    return runs[0], release


def _of_curators(campaign: Any, run: Any, release: Any) -> Iterator[str]:
    from collection.models import Question
    from validation.models import Case

    here = f"/campaigns/{campaign.slug}/"
    question = Question.objects.filter(twin__campaign=campaign, verdict__valid=True).first()
    assert question is not None
    author, words = question.twin.author.public_id, question.sentence.split()
    yield from ("/", "/people/", "/appeals/", "/evaluations/", "/reference-sets/", here)
    yield from (f"/people/{author}/", f"{here}pay/", f"{here}pay/{author}/")
    parts = ("progress", "quality", "golds", "studies", "review")
    yield from (f"{here}{part}/" for part in parts)
    contested = Case.objects.filter(campaign=campaign).first()
    if contested is not None:
        yield f"{here}review/{contested.question.public_id}/"
    data = f"{here}data/"
    yield from (data, f"{data}{question.public_id}/")
    for asked in (
        f"q={words[1]}",
        f"q={words[1]}+or+{words[3]}&verdict=valid",
        f"like={question.public_id}",
        "verdict=invalid&verdict=awaiting_votes&reason=local",
        f"run={run.public_id}&domain=social",
        f"release={release.name}&agreement=2/3",
        f"writer={author}",
        "open=validator",
        "open=writer&reason=ambiguous",
        "open=anchor&twins=1",
        "sort=least_agreement",
        "sort=anchor&page=3000",
        "twins=1&verdict=invalid",
    ):
        yield f"{data}?{asked}"
    for asked in (f"campaign={campaign.slug}", f"campaign={campaign.slug}&q={words[1]}"):
        yield f"/api/v1/questions/?{asked}"
    yield from (f"/api/v1/campaigns/{campaign.slug}/{part}/" for part in ("funnel", "review"))


def measure(user: Any, path: str, repeats: int) -> Measured:
    """Open a page as *user*: once to read what a process reads once, then *repeats* times."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from workers.models import AuditEvent

    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(user)
    begun = time.perf_counter()
    answer = client.get(path)
    first = time.perf_counter() - begun
    if answer.status_code != 200:
        raise RuntimeError(f"{path} answered {answer.status_code}")
    seconds, busy = [], _busy()
    for _ in range(repeats):
        begun = time.perf_counter()
        client.get(path)
        seconds.append(time.perf_counter() - begun)
    busy = _busy() - busy
    events = AuditEvent.objects.count()
    with CaptureQueriesContext(connection) as captured:
        client.get(path)
    return Measured(
        path,
        1000 * first,
        1000 * percentile(seconds, 0.95),
        1000 * busy / repeats,
        len(captured),
        AuditEvent.objects.count() - events,
    )


def cost_of_an_event(reader: Any) -> float:
    """Return the processor milliseconds of adding one event in a transaction of its own."""
    from workers.services import audit

    def add(count: int) -> None:
        for _ in range(count):
            audit.record(audit.Kind.LABELS, by=reader, what="/campaigns/big/data/", status=200)

    add(EVENTS // 10)
    busy = _busy()
    add(EVENTS)
    return 1000 * (_busy() - busy) / EVENTS


def _busy() -> float:
    """Return the seconds of processor that this process and its database session have used."""
    from django.db import connection

    connection.ensure_connection()
    pid = connection.connection.info.backend_pid
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return time.process_time() + (int(fields[11]) + int(fields[12])) / 100


def show(measured: list[Measured]) -> None:
    """Print the pages, the slowest first."""
    rows = [
        [page.path[:90], f"{page.p95_ms:.0f}", f"{page.cpu_ms:.0f}", f"{page.first_ms:.0f}",
         page.queries]
        for page in sorted(measured, key=lambda page: -page.p95_ms)
    ]  # fmt: skip
    table(["page", "p95 ms", "cpu ms", "first ms", "queries"], rows)


if __name__ == "__main__":
    main()
