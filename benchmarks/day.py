"""A day of many workers in a campaign of a million questions: is all exact, and does it stay fast?

The whole platform behind the shipped proxy. Questions are asked for at times that do not wait for
answers: 50,000 in half an hour, 20 a second and twice, for a tenth of the time, 60; seconds count
from the planned time. Meanwhile newcomers read the guidelines and write twins, curators open their
pages, files are exported, a snapshot and two filter runs are made, and beat's hourly tasks run
three times. ``--full`` is 500,000 answers in 24 hours. Every ten seconds dead rows, sessions,
memory, and the sizes of tables and Redis are recorded, in ``day.jsonl`` in the benchmarks' folder.
At the end SQL counts what is wrong. The baseline of the seconds is the first third of the day.
"""

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.clients import Client
from benchmarks.database import scratch_database
from benchmarks.day_people import (
    DayLog,
    People,
    Receipts,
    arrivals,
    arriving,
    curating,
    pages,
    running,
    validating,
)
from benchmarks.day_rows import World, make_world
from benchmarks.day_watch import Sample, exporting, memory_growth, watching
from benchmarks.report import parse_args, percentile, result, table
from benchmarks.soak_platform import Running, platform

QUESTIONS = {False: 1_000_000, True: 4_000}
ANSWERS = {False: 50_000, True: 1_000}
MINUTES = {False: 30.0, True: 2.0}
FULL_ANSWERS, FULL_MINUTES = 500_000, 24 * 60.0
PARTS = 3
# So many that somebody is free at the highest rate, and that each connection is used before the
# proxy closes it.
VALIDATORS = {False: 500, True: 60}
NEWCOMER_SECONDS, CURATOR_SECONDS = 6.0, 4.0
STAY_SECONDS = 60.0  # of a newcomer
SETTLING_SECONDS = 120
SEED = 11


def main() -> None:
    """Run the day."""
    args = parse_args(__doc__ or "", questions=0, answers=0, minutes=0.0, full=False)
    answers = args.answers or (FULL_ANSWERS if args.full else ANSWERS[args.quick])
    seconds = 60 * (args.minutes or (FULL_MINUTES if args.full else MINUTES[args.quick]))
    with scratch_database():
        from django.conf import settings

        world = make_world(
            questions=args.questions or QUESTIONS[args.quick],
            answers=answers,
            validators=VALIDATORS[args.quick],
            newcomers=int(seconds / NEWCOMER_SECONDS),
        )
        before = last_keys()
        file = Path(settings.VAR_DIR) / "day.jsonl"
        with platform(behind_proxy=True) as at:
            receipts = Receipts()
            people, log, samples, files = day(world, at, receipts, answers, seconds, file)
            runs = settled_runs()
            said = at.log.read_text(errors="replace")
        show(log, samples, files, runs, receipts, parts=PARTS)
        faults = check(world.campaign, receipts, before)
        own = samples[-1]["cpu"]["people"] - samples[0]["cpu"]["people"]
        wall = samples[-1]["at"] - samples[0]["at"]
        result(
            questions=args.questions or QUESTIONS[args.quick],
            minutes=seconds / 60,
            votes=len(receipts.votes),
            twins=len(receipts.twins),
            failed=sum(n for (_, s), n in log.statuses.items() if s == 0 or s >= 500),
            restarts=said.count("starting it again"),
            unanswered=people.unanswered,
            **faults,
            claim_ratio=ratio(log, "claim"),
            vote_ratio=ratio(log, "vote"),
            claim_p95_ms=p95_of(log, "claim"),
            vote_p95_ms=p95_of(log, "vote"),
            memory_growth=memory_growth(samples),
            generator_cores=own / wall,
            generator_late_p95_ms=1e3 * percentile(people.late, 0.95),
        )
    sys.exit(1 if any(faults.values()) else 0)


def day(
    world: World, at: Running, receipts: Receipts, answers: int, seconds: float, file: Path
) -> tuple[People, DayLog, list[Sample], list[tuple[str, float, float]]]:
    """Let everybody come; return what was measured."""
    random = Random(SEED)
    people = People(at.port, tls=at.tls, people=0)
    start = time.perf_counter() + 5
    log = DayLog(start=start, stretch=seconds / PARTS, clock=time.perf_counter)
    people.log = log
    times = arrivals(answers, seconds, random)
    crowd: list[tuple[str, Client]] = [
        (login, validating(times, start, world, Random(number), receipts))
        for number, login in enumerate(world.validators)
    ]
    crowd += [
        (login, arriving(start + number * NEWCOMER_SECONDS, Random(-number), receipts))
        for number, login in enumerate(world.newcomers)
        if number * NEWCOMER_SECONDS + STAY_SECONDS < seconds
    ]
    crowd += [
        (login, curating(start + number, CURATOR_SECONDS, start + seconds, opened))
        for number, (login, opened) in enumerate(zip(world.curators, halves(world), strict=True))
    ]
    crowd.append((world.curators[0], running(start, seconds, world, receipts)))
    with watching(at, start, file) as samples, exporting(at, world, start, seconds) as files:
        people.run(crowd, seconds=seconds + STAY_SECONDS)
    return people, log, samples, files


def halves(world: World) -> Sequence[Sequence[tuple[str, str]]]:
    named = list(pages(world).items())
    return named[::2], named[1::2]


def last_keys() -> dict[str, int]:
    """Return the last keys of votes, entries and twins: all later ones are of the day."""
    from collection.models import Twin
    from validation.models import Vote
    from workers.models import LedgerEntry

    models = {"vote": Vote, "entry": LedgerEntry, "twin": Twin}
    return {
        name: model.objects.order_by("-pk").values_list("pk", flat=True)[0]
        for name, model in models.items()
    }


def settled_runs() -> list[tuple[str, str, float]]:
    """Wait for the runs of the day; return kind, status and seconds of each."""
    from corpora.models import Snapshot
    from filtering.models import FilterRun

    end = time.monotonic() + SETTLING_SECONDS
    while time.monotonic() < end:
        runs = [
            run for kind in (Snapshot, FilterRun) for run in kind.objects.exclude(started_at=None)
        ]
        if all(run.has_ended for run in runs):
            break
        time.sleep(2)
    return [
        (
            type(run).__name__,
            run.status,
            (run.ended_at - run.started_at).total_seconds() if run.ended_at else float("nan"),
        )
        for run in runs
    ]


FAULTS = {
    # A question with more votes than it has numbered seats, or than it may get.
    "over": """
        SELECT coalesce(sum(greatest(0, n_votes - least(n_seats, %(most)s))), 0) FROM (
            SELECT s.question_id, count(*) AS n_seats, count(v.id) AS n_votes
            FROM validation_seat s LEFT JOIN validation_vote v ON v.seat_id = s.id
            WHERE s.campaign_id = %(campaign)s AND s.gold_id IS NULL GROUP BY 1) counted""",
    # A question with a verdict whose numbered seats lack votes.
    "under": """
        SELECT count(*) FROM validation_seat s
            JOIN validation_verdict d ON d.question_id = s.question_id
            LEFT JOIN validation_vote v ON v.seat_id = s.id
        WHERE s.campaign_id = %(campaign)s AND s.gold_id IS NULL AND v.id IS NULL
            AND d.decided_by_id IS NULL""",
    # Receipts without their vote in that seat.
    "lost": """
        SELECT count(*) FROM unnest(%(votes)s::uuid[], %(seats)s::uuid[]) r (vote, seat)
            LEFT JOIN validation_vote v ON v.public_id = r.vote
            LEFT JOIN validation_seat s ON s.id = v.seat_id
        WHERE s.public_id IS DISTINCT FROM r.seat""",
    # Votes of the day that nobody was told of, and more than one of a person on a twin.
    "doubled": """
        SELECT (SELECT count(*) FROM validation_vote WHERE id > %(vote)s) - %(known)s
            + (SELECT count(*) FROM (
                SELECT FROM validation_vote v JOIN validation_seat s ON s.id = v.seat_id
                WHERE v.id > %(vote)s GROUP BY v.worker_id, s.twin_id HAVING count(*) > 1
            ) twice)""",
    # Cents by which the entries of the day differ from what its votes and twins earn.
    "cents_off": """
        SELECT 100 * abs(
            (SELECT coalesce(sum(amount), 0) FROM workers_ledgerentry WHERE id > %(entry)s)
            - (SELECT coalesce(sum(s.reward), 0) FROM validation_vote v
                JOIN validation_seat s ON s.id = v.seat_id WHERE v.id > %(vote)s)
            - (SELECT coalesce(sum(a.reward), 0) FROM collection_twin t
                JOIN collection_assignment a ON a.id = t.assignment_id
                WHERE t.id > %(twin)s))""",
    # Seats with an answer but no vote, or the reverse.
    "half_voted": """
        SELECT count(*) FROM validation_seat s LEFT JOIN validation_vote v ON v.seat_id = s.id
        WHERE s.campaign_id = %(campaign)s AND (s.answered_at IS NULL) <> (v.id IS NULL)""",
    "twins_lost": """
        SELECT count(*) FROM unnest(%(twins)s::uuid[]) r (twin)
            LEFT JOIN collection_twin t ON t.public_id = r.twin WHERE t.id IS NULL""",
}


def check(campaign: Any, receipts: Receipts, before: dict[str, int]) -> dict[str, int]:
    """Count every fault that the database shows, and problems of the ledger."""
    from django.db import connection

    from validation.selectors.reconciliation import check_ledger

    facts = {
        "campaign": campaign.pk,
        "most": campaign.votes_per_question + campaign.extra_votes_max,
        "votes": list(receipts.votes),
        "seats": list(receipts.votes.values()),
        "known": len(receipts.votes) + receipts.unknown,
        "twins": receipts.twins,
        **before,
    }
    with connection.cursor() as cursor:
        found = {}
        for name, statement in FAULTS.items():
            cursor.execute(statement, facts)
            found[name] = int(cursor.fetchone()[0])
    found["doubled"] = max(0, found["doubled"]) + receipts.repeated
    return found | {"ledger_problems": sum(one.count for one in check_ledger().problems)}


def p95_of(log: DayLog, kind: str) -> float:
    return 1e3 * percentile(log.seconds.get(kind) or [float("nan")], 0.95)


def ratio(log: DayLog, kind: str) -> float:
    """Return the worst p95 of the later parts of the day, divided by that of the first."""
    p95 = {part: percentile(took, 0.95) for part, took in log.parts.get(kind, {}).items()}
    return max(each for part, each in p95.items() if part > 0) / p95[0]


def show(
    log: DayLog,
    samples: list[Sample],
    files: list[tuple[str, float, float]],
    runs: list[tuple[str, str, float]],
    receipts: Receipts,
    *,
    parts: int,
) -> None:
    """Print requests by part of the day, and what was recorded."""
    rows = []
    for kind in sorted(log.seconds, key=lambda kind: -p95_of(log, kind)):
        by_part = [log.parts[kind].get(part) for part in range(parts)]
        failed = sum(n for (name, s), n in log.statuses.items() if name == kind and not ok(s))
        rows.append(
            (
                kind,
                len(log.seconds[kind]),
                failed,
                f"{1e3 * percentile(log.seconds[kind], 0.5):.0f}",
                *(f"{1e3 * percentile(took, 0.95):.0f}" if took else "–" for took in by_part),
                f"{1e3 * max(log.seconds[kind]):.0f}",
            )
        )
    headers = (f"p95 part {part}" for part in range(1, parts + 1))
    table(("request", "times", "not 2xx", "p50 ms", *headers, "max ms"), rows)
    print("refused:", receipts.refused)
    for name, seconds, megabytes in files:
        print(f"export {name}: {seconds:.0f} s, {megabytes:.0f} MB")
    for kind, status, seconds in runs:
        print(f"run {kind}: {status}, {seconds:.0f} s")
    kinds = list(samples[0]["memory"])
    ten = samples[:: max(1, len(samples) // 10)]
    table(
        ("at s", "load", "sessions", "active", "lock", "database MB", "Redis MB", *kinds),
        [
            (
                *(round(sample[key]) for key in ("at", "load")),
                *(sample[key] for key in ("connections", "active", "waiting", "database_mb")),
                f"{sample['redis_mb']:.1f}",
                *(sample["memory"].get(kind, "–") for kind in kinds),
            )
            for sample in ten
        ],
    )
    names = list(samples[-1]["tables"])[:8]
    table(
        ("at s", *(f"{name.partition('_')[2]}: dead, MB" for name in names)),
        [
            (
                round(sample["at"]),
                *(
                    "{0[0]:,} {0[2]}".format(sample["tables"].get(name, [0, 0, 0]))
                    for name in names
                ),
            )
            for sample in ten
        ],
    )
    used = {
        kind: (n - samples[0]["cpu"].get(kind, 0.0)) / (samples[-1]["at"] - samples[0]["at"])
        for kind, n in samples[-1]["cpu"].items()
    }
    print("cores:", ", ".join(f"{kind} {n:.2f}" for kind, n in used.items()))


def ok(status: int) -> bool:
    return 200 <= status < 300


if __name__ == "__main__":
    main()
