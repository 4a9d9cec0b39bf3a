"""Judging at speed: claim a seat, answer the local context, vote, with many judges at once.

Twenty-four judges in threads over a few processes, as a web server runs them, work without a
pause until every question has its three votes. Beside them works the queue one would write first:
it counts votes as it reads, without seats, locks or leases, and gives too many. Last, fifty judges
at a long queue, each with a vote every two seconds (ten times a person's pace), which is what the
platform's promise is about: p95 of at most 50 ms to claim and 80 ms to vote.
"""

import os
import time
from typing import Any

from benchmarks.database import scratch_database
from benchmarks.report import parse_args, peak_mb, percentile, result, table

JUDGES = 24
SIZES = {False: (1_000, 10_000), True: (200, 1_000)}
PACED_JUDGES = 50
PACED_QUESTIONS = {False: 50_000, True: 5_000}
PACED_CYCLES = {False: 20, True: 4}
PACE_SECONDS = 2.0
# Models are imported within functions: the processes that help read this module first.


def main() -> None:
    """Run the benchmark."""
    args = parse_args(__doc__ or "", processes=max(2, os.cpu_count() or 2))
    with scratch_database():
        runs = [crowd_at(size, processes=args.processes, naive=False) for size in SIZES[args.quick]]
        naive = crowd_at(SIZES[args.quick][0], processes=args.processes, naive=True)
        paced = paced_at(
            PACED_QUESTIONS[args.quick],
            cycles=PACED_CYCLES[args.quick],
            processes=args.processes,
        )
    show([*runs, naive, paced])
    last = runs[-1]
    result(
        cycles_per_s=last["per_s"],
        claim_p95_ms=last["claim"][1],
        vote_p95_ms=last["vote"][1],
        over=sum(run["over"] for run in runs),
        under=sum(run["under"] for run in runs),
        naive_over=naive["over"],
        naive_cycles_per_s=naive["per_s"],
        paced_claim_p95_ms=paced["claim"][1],
        paced_vote_p95_ms=paced["vote"][1],
        peak_mb=round(peak_mb()),
    )


def prepared(questions: int, judges: int) -> tuple[Any, list[Any]]:
    """Make a campaign with its questions and free seats, and the judges, who wrote them."""
    from django.db import connection

    from tests.factories import CampaignFactory
    from tests.races import crowd

    campaign = CampaignFactory()
    people = crowd.make_users(f"judge-{campaign.pk}-", judges)
    crowd.make_questions(campaign, questions, authors=people)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as autovacuum would have by the time such a queue has grown
    return campaign, people


def crowd_at(questions: int, *, processes: int, naive: bool) -> dict[str, Any]:
    """Let the judges work to the end of a queue of *questions* questions."""
    from tests.races import crowd
    from validation.models import Seat

    campaign, judges = prepared(questions, JUDGES)
    if naive:
        Seat.objects.filter(campaign=campaign).delete()
    start = time.perf_counter()
    timings = crowd.work_in_processes(
        judges,
        campaign,
        processes=processes,
        cycle=crowd.naive_vote if naive else crowd.judge_once,
    )
    name = "counting votes" if naive else "seats"
    return figures(name, campaign, timings, time.perf_counter() - start)


def paced_at(questions: int, *, cycles: int, processes: int) -> dict[str, Any]:
    """Let fifty judges give a vote every two seconds each at a queue that stays long."""
    from tests.races import crowd

    campaign, judges = prepared(questions, PACED_JUDGES)
    start = time.perf_counter()
    timings = crowd.work_in_processes(
        judges, campaign, processes=processes, cycles=cycles, pause=PACE_SECONDS
    )
    return figures("seats, paced", campaign, timings, time.perf_counter() - start)


def figures(name: str, campaign: Any, timings: Any, wall: float) -> dict[str, Any]:
    """Put together what the table and the result need; latencies in milliseconds."""
    from tests.races import crowd

    counts = crowd.tally(campaign)
    latencies = {
        step: tuple(1e3 * percentile(getattr(timings, step) or [0.0], q) for q in (0.5, 0.95))
        for step in ("claim", "local", "vote")
    }
    return {
        "name": name,
        "questions": counts.questions,
        "votes": counts.votes,
        "per_s": counts.votes / wall,
        "over": counts.over,
        "under": counts.under,
        **latencies,
    }


def show(runs: list[dict[str, Any]]) -> None:
    """Print a line for each run."""
    steps = ("claim", "local", "vote")
    headers = ("queue", "questions", "votes", "votes/s", *(f"{step} p50/p95 ms" for step in steps))
    rows = [
        (
            run["name"],
            f"{run['questions']:,}",
            f"{run['votes']:,}",
            f"{run['per_s']:.0f}",
            *("{:.1f} / {:.1f}".format(*run[step]) for step in steps),
            run["over"],
            "–" if run["name"].endswith("paced") else run["under"],
        )
        for run in runs
    ]
    table((*headers, "too many", "too few"), rows)


if __name__ == "__main__":
    main()
