"""Ten minutes in which processes die: is anything lost, doubled or paid twice?

The whole platform runs as ``make run`` starts it, with ``--proxy`` behind the shipped proxy. A
hundred clients validate over HTTP (they beat, return, abandon, resend and amend), a curator pauses
and resumes and asks for snapshots, and every few seconds one of these is killed with SIGKILL: a web
process, the web server's main process, a Celery worker or a process of its pool, beat, Redis,
PostgreSQL. What the server acknowledged is noted by the clients and looked up in the database at
the end.
"""

import re
import sys
import time
from collections import Counter
from random import Random
from typing import Any

from benchmarks.clients import Log
from benchmarks.crowd_rows import fill, without_indexes_of_writing
from benchmarks.database import scratch_database
from benchmarks.report import parse_args, percentile, result, table
from benchmarks.soak_platform import Running, killing, platform
from benchmarks.soak_validators import Receipts, curating, validating
from benchmarks.spread import Spread

CLIENTS = 100
QUESTIONS_A_MINUTE = 1_500  # more than the clients validate
SETTLING_SECONDS = 30
SEED = 7


def main() -> None:
    """Run the soak."""
    args = parse_args(__doc__ or "", minutes=0.0, proxy=False)
    minutes = args.minutes or (0.5 if args.quick else 10.0)
    with scratch_database():
        campaign = prepared(int(QUESTIONS_A_MINUTE * minutes))
        with platform(behind_proxy=args.proxy) as running:
            killed, log, receipts = soak(campaign, running, seconds=60 * minutes)
            runs = settled_runs()
            said = running.log.read_text(errors="replace")
        show(log, killed, receipts, errors=re.findall(r"\| (?:\w+\.)+\w*(?:Error|\w+): .*", said))
        faults = check(campaign, receipts)
        result(
            minutes=minutes,
            clients=CLIENTS,
            kills=killed.total(),
            **{f"killed_{kind.replace(' ', '_')}": n for kind, n in sorted(killed.items())},
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


def soak(campaign: Any, running: Running, *, seconds: float) -> tuple[Counter[str], Log, Receipts]:
    """Let everybody work while processes die."""
    receipts, random = Receipts(), Random(SEED)
    crowd = [
        (token, validating(campaign.slug, Random(n), receipts))
        for n, token in enumerate(tokens(CLIENTS))
    ]
    crowd.append((curator_token(), curating(campaign.slug, random)))
    with killing(running, Random(SEED)) as killed:
        people = Spread(running.port, tls=running.tls, people=len(crowd))
        log = people.run(crowd, seconds=seconds)
    return killed, log, receipts


def tokens(count: int, prefix: str = "client-") -> list[str]:
    from tests.races.crowd import make_users
    from workers.services import create_token

    return [create_token(user=user, name="soak")[1] for user in make_users(prefix, count)]


def curator_token(**role: bool) -> str:
    """Return the token of a curator, or of somebody in another role."""
    from tests.factories import UserFactory
    from workers.services import create_token, scopes_of

    curator = UserFactory(**(role or {"curator": True}))
    return create_token(user=curator, name="soak", scopes=scopes_of(curator))[1]


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
