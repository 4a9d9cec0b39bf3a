"""Throughput and latency of validating over HTTP: claim a question, answer its local context, vote.

The server is the one that ``make run`` starts. For each size of the queue, 24 validators first work
without pauses, which measures the cycles per second of server, database and clients on one machine.
Then 50 validators each vote every two seconds (ten times a person's pace), for the targets: p95 of
at most 50 ms to claim and 80 ms to vote. A short queue is worked to its end, which shows questions
with too many or too few votes. The baseline is a naive queue that counts votes when reading,
without seats, locks or leases, and collects too many; for this comparison the platform's queue is
also called without HTTP. ``ratio_bare`` is the processor time of a cycle divided by that of three
bare requests, each with one read and one insert.
"""

import os
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from benchmarks.bare import bare_cpu, cpu
from benchmarks.clients import Client, Crowd, Log, post, wait
from benchmarks.crowd_rows import fill, without_indexes_of_writing
from benchmarks.database import scratch_database
from benchmarks.report import parse_args, percentile, result, table
from benchmarks.writers import server, server_peak_mb

SIZES = {False: "10000,50000,1000000", True: "1000,5000"}
VALIDATORS, SECONDS = 24, {False: 20.0, True: 4.0}
PACED_VALIDATORS, PACED_SECONDS = 50, {False: 40.0, True: 6.0}
PACE_SECONDS = 2.0
WARM_UP_SECONDS = 3.0
BARE_SECONDS = 4.0
REQUESTS_A_CYCLE = 3  # claim, local answer, vote
DRAINED = {False: 400, True: 60}  # questions
NAIVE_QUESTIONS, NAIVE_CYCLES = {False: 10_000, True: 500}, {False: 12, True: 3}
API = "/api/v1/"
# Models are imported within functions: child processes import this module before Django is set up.


def main() -> None:
    """Run the benchmark."""
    args = parse_args(__doc__ or "", sizes="", seconds=0.0)
    sizes = [int(size) for size in (args.sizes or SIZES[args.quick]).split(",")]
    seconds = args.seconds or SECONDS[args.quick]
    with scratch_database():
        without_indexes_of_writing()
        runs, figures = [], {}
        with server() as (port, process):
            for size in sizes:
                runs += at_size(size, port, process, seconds=seconds, quick=args.quick)
            drained = drain(DRAINED[args.quick], port)
            figures["server_peak_mb"] = round(server_peak_mb(process))
        show(runs)
        figures |= baseline(quick=args.quick)
        report(sizes, runs, drained, figures)


def report(
    sizes: list[int], runs: list[dict[str, Any]], drained: Any, figures: dict[str, Any]
) -> None:
    """Print the result line; figures with a target are the worst over all sizes."""
    full = [run for run in runs if run["name"] == "full speed"]
    paced = [run for run in runs if run["name"] == "paced"]
    per_size = {}
    for size, one, other in zip(sizes, full, paced, strict=True):
        per_size[f"cycles_per_s_{size}"] = one["per_s"]
        per_size[f"ratio_bare_{size}"] = one["ratio_bare"]
        per_size[f"claim_p95_ms_{size}"] = other["claim"]
        per_size[f"submit_p95_ms_{size}"] = other["vote"]
    result(
        cycles_per_s=min(run["per_s"] for run in full),
        claim_p95_ms=max(run["claim"] for run in paced),
        submit_p95_ms=max(run["vote"] for run in paced),
        cycle_cpu_ms=max(run["server_cpu_ms"] + run["database_cpu_ms"] for run in full),
        ratio_bare=max(run["ratio_bare"] for run in full),
        **per_size,
        over=sum(run["over"] for run in runs) + drained.over,
        under=sum(run["under"] for run in runs) + drained.under,
        lost=sum(run["lost"] for run in runs),
        client_cpu_share=max(run["client_share"] for run in full),
        **figures,
    )


def hire(count: int, campaign: Any) -> list[str]:
    """Create validators who have not written anything; return their tokens."""
    from tests.races.crowd import make_users
    from workers.services import create_token

    people = make_users(f"validator-{campaign.pk}-{time.monotonic_ns()}-", count)
    return [create_token(user=user, name="bench")[1] for user in people]


def at_random(shown: Any, random: Random) -> int:
    """Return one of the two options, whatever the question."""
    return random.choice((1, 2))


def validating(
    slug: str,
    random: Random,
    receipts: list[str],
    *,
    pace: float = 0.0,
    choose: Callable[[Any, Random], int] = at_random,
) -> Client:
    """Simulate a validator: claim, answer and vote until the queue is empty.

    *choose* returns the option that it votes for, of the whole question as it is shown.
    """
    yield wait(pace * random.random())  # validators do not start at the same time
    while True:
        _, answer = yield post("claim", f"{API}campaigns/{slug}/seats/", {})
        if not answer or not answer.get("seat"):
            if not answer or answer.get("reason") != "all_leased":
                return
            yield wait(0.2)
            continue
        seat = f"{API}seats/{answer['seat']['id']}/"
        body = {"option": random.choice((1, 2, None))}
        _, shown = yield post("local", f"{seat}local/", body)
        ballot = {"option": choose(shown, random), "ambiguous": random.random() < 0.05}
        status, answer = yield post("vote", f"{seat}vote/", ballot)
        if status in (200, 201):
            receipts.append(answer["id"])
        yield wait(pace * (0.5 + random.random()))


def crowd(
    campaign: Any, count: int, port: int, *, seconds: float, pace: float = 0.0
) -> tuple[Log, list[str]]:
    receipts: list[str] = []
    validators = (
        (token, validating(campaign.slug, Random(number), receipts, pace=pace))
        for number, token in enumerate(hire(count, campaign))
    )
    return Crowd(port).run(validators, seconds=seconds), receipts


def at_size(
    size: int, port: int, process: Any, *, seconds: float, quick: bool
) -> Iterator[dict[str, Any]]:
    """Measure both crowds at a queue of *size* open questions."""
    from tests.factories import CampaignFactory

    campaign = CampaignFactory()
    start = time.perf_counter()
    fill(campaign, size)
    print(f"{size:,} questions made in {time.perf_counter() - start:.0f} s", flush=True)
    crowd(campaign, VALIDATORS, port, seconds=WARM_UP_SECONDS)
    for name, validators, duration, pace in (
        ("full speed", VALIDATORS, seconds, 0.0),
        ("paced", PACED_VALIDATORS, PACED_SECONDS[quick], PACE_SECONDS),
    ):
        bare = bare_cpu(port, process, seconds=BARE_SECONDS)
        used, own, begun = cpu(process), time.process_time(), time.perf_counter()
        log, receipts = crowd(campaign, validators, port, seconds=duration, pace=pace)
        wall = time.perf_counter() - begun
        own, used = time.process_time() - own, (cpu(process) - used) / max(1, len(receipts))
        yield {
            "name": name,
            "questions": size,
            "votes": len(receipts),
            "per_s": len(receipts) / wall,
            "server_cpu_ms": 1e3 * used.web,
            "database_cpu_ms": 1e3 * used.database,
            "ratio_bare": used.sum / (REQUESTS_A_CYCLE * bare.sum),
            "client_cpu_ms": 1e3 * own / max(1, len(receipts)),
            "client_share": own / (wall * (os.cpu_count() or 1)),
            **{
                kind: 1e3 * percentile(log.seconds.get(kind) or [0.0], 0.95)
                for kind in ("claim", "local", "vote")
            },
            **exactness(campaign, receipts),
        }


def exactness(campaign: Any, receipts: list[str]) -> dict[str, int]:
    """Count surplus votes, votes missing from questions with a verdict, and lost receipts."""
    from django.db.models import Count

    from collection.models import Question
    from validation.models import Vote

    due = campaign.votes_per_question
    begun = Question.objects.in_campaign(campaign).filter(votes__isnull=False)
    counts = begun.annotate(n=Count("votes")).values_list("n", "verdict")
    stored = Vote.objects.filter(seat__campaign=campaign, public_id__in=receipts).count()
    return {
        "over": sum(max(0, n - due) for n, _ in counts),
        "under": sum(due - n for n, verdict in counts if verdict and n < due),
        "lost": len(set(receipts)) - stored,
    }


def drain(questions: int, port: int) -> Any:
    """Let validators work on a short queue until it is empty."""
    from tests.factories import CampaignFactory
    from tests.races.crowd import tally

    campaign = CampaignFactory()
    fill(campaign, questions)
    crowd(campaign, VALIDATORS, port, seconds=120)
    return tally(campaign)


def baseline(*, quick: bool) -> dict[str, Any]:
    """Compare with a queue that counts votes when reading, both without HTTP."""
    from tests.factories import CampaignFactory
    from tests.races import crowd as services

    found = {}
    for name, cycle in (("naive", services.naive_vote), ("seats", services.validate_once)):
        campaign = CampaignFactory()
        fill(campaign, NAIVE_QUESTIONS[quick])
        validators = services.make_users(f"{name}-{campaign.pk}-", VALIDATORS)
        timings = services.work_in_processes(
            validators, campaign, processes=2, cycle=cycle, cycles=NAIVE_CYCLES[quick]
        )
        # Only the time of requests counts, not the start of the processes.
        busy = sum(map(sum, (timings.claim, timings.local, timings.vote))) / VALIDATORS
        found[name] = len(timings.vote) / busy, services.tally(campaign).over
    return {
        "naive_cycles_per_s": found["naive"][0],
        "naive_over": found["naive"][1],
        "times_naive": found["seats"][0] / found["naive"][0],
    }


def show(runs: list[dict[str, Any]]) -> None:
    """Print a line for each run."""
    headers = ("crowd", "questions", "votes", "votes/s", "claim p95 ms", "local p95 ms")
    more = ("vote p95 ms", "server CPU ms", "database CPU ms", "client CPU ms", "times bare")
    rows = [
        (
            run["name"],
            f"{run['questions']:,}",
            f"{run['votes']:,}",
            *(f"{run[key]:.1f}" for key in ("per_s", "claim", "local", "vote")),
            *(f"{run[key]:.2f}" for key in ("server_cpu_ms", "database_cpu_ms")),
            *(f"{run[key]:.2f}" for key in ("client_cpu_ms", "ratio_bare")),
            *(run[key] for key in ("over", "under", "lost")),
        )
        for run in runs
    ]
    table((*headers, *more, "too many", "too few", "lost"), rows)


if __name__ == "__main__":
    main()
