"""The real crowd's 12,083 twins, written and validated to the end through the platform's services.

Twenty-four simulated people write them (an article, a lease, the rules, the pay) and then validate
each other's: six votes for every twin. The ledger must tie to the cent. Beside it stands what the
answers themselves cost: the same rows written in bulk, by nobody and checked by nothing.
"""

import os
import time
from collections import Counter
from decimal import Decimal
from typing import Any

from benchmarks.database import scratch_database
from benchmarks.report import median, parse_args, peak_mb, percentile, result, table

QUICK_TWINS = 200
PEOPLE = 24
# Models are imported within functions: the processes that help read this module first.


def main() -> None:
    """Run the benchmark."""
    args = parse_args(__doc__ or "", processes=max(2, os.cpu_count() or 2))
    with scratch_database():
        figures = replay(quick=args.quick, processes=args.processes)
    result(**figures, peak_mb=round(peak_mb()))


def read_drafts(*, quick: bool) -> list[Any]:
    """Read the real twins, or an even sample of them."""
    from tests.authoring_data import AUTHORING_FILE, read_authoring
    from tests.data_dir import data_dir

    path = data_dir() / AUTHORING_FILE
    if not path.is_file():
        raise SystemExit(f"This benchmark needs {path}; set WINO_DATA_DIR to the folder of data.")
    drafts = list(read_authoring(path))
    return drafts[:: len(drafts) // QUICK_TWINS][:QUICK_TWINS] if quick else drafts


def replay(*, quick: bool, processes: int) -> dict[str, Any]:
    """Write, validator, add up; print tables on the way and return the figures."""
    from tests.factories import CampaignFactory
    from tests.races import crowd
    from tests.races import replay as replayed

    drafts, campaign = read_drafts(quick=quick), CampaignFactory()
    people = crowd.make_users("person", PEOPLE)
    bulk_seconds = bulk(drafts, people)
    tasks = replayed.make_articles(campaign, drafts)
    start = time.perf_counter()
    written = replayed.write_all(tasks, campaign, writers=people, processes=processes)
    write_seconds = time.perf_counter() - start
    show_refused(written.refused)
    start = time.perf_counter()
    timings = crowd.work_in_processes(people, campaign, processes=processes)
    validator_seconds = time.perf_counter() - start
    counts, paid, found = crowd.tally(campaign), replayed.books(campaign), replayed.verdicts()
    table(
        ("step", "done", "seconds", "per second", "median ms", "p95 ms"),
        [
            row("twins written", written.seconds, write_seconds),
            row("votes: claim", timings.claim, validator_seconds),
            row("votes: local context", timings.local, validator_seconds),
            row("votes: sentence", timings.vote, validator_seconds),
        ],
    )
    show_books(paid, found)
    questions_per_s = counts.questions / (write_seconds + validator_seconds)
    return {
        "twins": written.twins,
        "refused": written.refused.total(),
        "votes": counts.votes,
        "over": counts.over,
        "under": counts.under,
        "ledger": str(paid.owed),
        "ledger_ties": paid.tie,
        "valid": found["valid"],
        "twins_per_s": written.twins / write_seconds,
        "votes_per_s": counts.votes / validator_seconds,
        "questions_per_s": questions_per_s,
        "bulk_questions_per_s": 2 * len(drafts) / bulk_seconds,
    }


def row(name: str, seconds: list[float], wall: float) -> tuple[str, ...]:
    """One line of the table: throughput by the wall clock, latency by each call's own."""
    return (
        name,
        f"{len(seconds):,}",
        f"{wall:.1f}",
        f"{len(seconds) / wall:,.0f}",
        f"{1e3 * median(seconds):.1f}",
        f"{1e3 * percentile(seconds, 0.95):.1f}",
    )


def bulk(drafts: list[Any], people: list[Any]) -> float:
    """The baseline: seconds to store the same questions and votes without any service."""
    from tests.factories import CampaignFactory
    from tests.races import crowd
    from validation.models import Seat, Vote

    start = time.perf_counter()
    campaign = CampaignFactory()
    crowd.make_questions(campaign, 2 * len(drafts), authors=people)
    Vote.objects.bulk_create(
        (
            Vote(
                seat=seat,
                question_id=seat.question_id,
                worker=people[(seat.number + number) % len(people)],
                option=1,
                ambiguous=False,
            )
            for number, seat in enumerate(Seat.objects.filter(campaign=campaign))
        ),
        batch_size=5_000,
    )
    return time.perf_counter() - start


def show_refused(refused: Counter[str]) -> None:
    table(("refused because", "twins"), refused.most_common() or [("–", 0)])


def show_books(paid: Any, found: Counter[str]) -> None:
    """Print the ledger against the work done, and the verdicts."""
    table(
        ("units", "count", "at", "due"),
        [
            ("twins", f"{paid.twins:,}", "0.40", f"{paid.twins * Decimal('0.40'):,}"),
            ("votes", f"{paid.votes:,}", "0.03", f"{paid.votes * Decimal('0.03'):,}"),
            ("sum due", "", "", f"{paid.due:,}"),
            ("sum of the ledger", "", "", f"{paid.owed:,}"),
        ],
    )
    table(("verdict", "questions"), [(name, f"{n:,}") for name, n in found.most_common()])


if __name__ == "__main__":
    main()
