"""Latency of checks while writing, in a campaign of 100,000 twins.

Fifty writers type at the real server (two processes of eight threads) and have their twin checked
after every third word, one check every 1 to 2 seconds each: the promise is p95 ≤ 50 ms. What a
check costs is measured without pauses, in turn with as many clients' bare requests. Then the
look-up of near-duplicates by itself, beside the one that one would write first, which compares a
sentence with every stored one (the same query, no index): the promise is p95 ≤ 30 ms. Last, all
advice on one twin. Half of the sentences looked up are stored ones with a word changed.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from statistics import median
from typing import Any

from benchmarks.bare import CLIENTS, Cpu, bare_cpu, cpu
from benchmarks.database import scratch_database
from benchmarks.report import parse_args, peak_mb, percentile, result, table, timed
from benchmarks.twins import many_twins, store
from benchmarks.writers import Writer, hire, server, server_peak_mb, type_and_check
from collection.core.rules import TwinDraft

TWINS = {False: 100_000, True: 2_000}
WRITERS = {False: 50, True: CLIENTS}
SECONDS = {False: 40.0, True: 5.0}
WARM_UP = 5.0  # seconds in which the server's processes load what they need: not counted
LAPS = {False: 5, True: 2}  # bare requests and checks without a pause, in turn
LAP_SECONDS = 4.0
LOOKUPS = {False: 300, True: 20}
SLOW_LOOKUPS = {False: 10, True: 3}
TRAIN = 0.8
NEVER_STORED = 2_000  # twins kept out of the campaign, to be written by the writers


def main() -> None:
    """Run the benchmark."""
    args = parse_args(__doc__ or "")
    with scratch_database():
        run(quick=args.quick)


def run(*, quick: bool) -> None:
    """Fill a campaign, measure, print."""
    from tests.factories import CampaignFactory, UserFactory

    drafts = many_twins(TWINS[quick] + NEVER_STORED)
    new, old = drafts[-NEVER_STORED:], drafts[:-NEVER_STORED]
    campaign, author = CampaignFactory(), UserFactory()
    publish(store(campaign, author, old))
    checks, of_server = check_while_writing(campaign, new, quick=quick)
    asked = asked_for(old, new, LOOKUPS[quick])
    duplicates, naive, advice = lookups(campaign, UserFactory(), asked, slow=SLOW_LOOKUPS[quick])
    rows = {
        f"check, {WRITERS[quick]} writers": checks,
        "near-duplicate, by index": duplicates,
        "near-duplicate, no index": naive,
        "all advice": advice,
    }
    show(rows)
    result(
        twins=len(old),
        **of_server,
        index_times_faster=percentile(naive, 0.5) / percentile(duplicates, 0.5),
        advice_p95_ms=1e3 * percentile(advice, 0.95),
        peak_mb=round(peak_mb()),
        check_p95_ms=1e3 * percentile(checks, 0.95),
        duplicate_p95_ms=1e3 * percentile(duplicates, 0.95),
    )


def publish(twins: Sequence[Any]) -> None:
    """Publish the answers of four fifths of the twins, as a draw of their splits does."""
    from django.db import connection

    from collection.models import PublishedAnswer

    random = Random(5)
    PublishedAnswer.objects.bulk_create(
        PublishedAnswer(twin=twin) for twin in twins if random.random() < TRAIN
    )
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE collection_publishedanswer")  # as autovacuum does


def check_while_writing(
    campaign: Any, drafts: Sequence[TwinDraft], *, quick: bool
) -> tuple[list[float], dict[str, float]]:
    """Have writers type at the real server; return the seconds of each check, and the cost."""
    writers = hire(WRITERS[quick], campaign)
    with server() as (port, process):
        type_and_check(writers, drafts, port=port, seconds=WARM_UP)
        before = cpu(process)
        checks = type_and_check(writers, drafts, port=port, seconds=SECONDS[quick])
        paced = (cpu(process) - before) / len(checks)
        laps = [
            (
                check_cpu(writers[:CLIENTS], drafts, port, process),
                bare_cpu(port, process, seconds=LAP_SECONDS).sum,
            )
            for _ in range(LAPS[quick])
        ]
        server_mb = server_peak_mb(process)
    return checks, {
        "writers": len(writers),
        "checks_per_s": len(checks) / SECONDS[quick],
        "paced_cpu_ms": 1e3 * paced.sum,  # with all that the server and PostgreSQL do by themselves
        "check_cpu_ms": 1e3 * median(used.web for used, _ in laps),
        "check_database_cpu_ms": 1e3 * median(used.database for used, _ in laps),
        "bare_cpu_ms": 1e3 * median(bare for _, bare in laps),
        "ratio_bare": median(used.sum / bare for used, bare in laps),
        "server_peak_mb": round(server_mb),
    }


def check_cpu(writers: Sequence[Writer], drafts: Sequence[TwinDraft], port: int, web: Any) -> Cpu:
    """Return what one check costs, of writers who wait for nothing but its answer."""
    before = cpu(web)
    checks = type_and_check(writers, drafts, port=port, seconds=LAP_SECONDS, is_paced=False)
    return (cpu(web) - before) / len(checks)


def asked_for(old: Sequence[TwinDraft], new: Sequence[TwinDraft], count: int) -> list[TwinDraft]:
    """Return twins to search for: alternately stored ones with one word changed, and new ones."""
    random = Random(3)
    changed = [word_changed(draft, random) for draft in random.sample(old, count // 2)]
    unchanged = random.sample(new, count // 2)
    return [draft for pair in zip(changed, unchanged, strict=True) for draft in pair]


def word_changed(draft: TwinDraft, random: Random) -> TwinDraft:
    """Write another word in one place of the first sentence."""
    words = draft.sentences[0].split()
    place = random.choice([n for n, word in enumerate(words) if "_" not in word])
    words[place] = "quite"
    return replace(draft, sentences=(" ".join(words), draft.sentences[1]))


def lookups(
    campaign: Any, writer: Any, drafts: Sequence[TwinDraft], *, slow: int
) -> tuple[list[float], list[float], list[float]]:
    """Return the seconds of each search: with the index, without it, and of all advice."""
    from django.db import connection

    from collection import services
    from collection.selectors.advice import nearest_twin
    from validation.selectors.public_answers import with_public_answers

    def nearest(draft: TwinDraft) -> object:
        return nearest_twin(campaign=campaign, sentences=draft.sentences, author=writer)

    def advise(draft: TwinDraft) -> object:
        text = services.TwinText(draft.sentences, draft.options, draft.answers, "", "physical")
        public = with_public_answers()
        return services.advise(campaign=campaign, text=text, author=writer, public=public)

    fast = _each(nearest, drafts)
    advice = _each(advise, drafts)
    with connection.cursor() as cursor:
        cursor.execute("SET enable_bitmapscan = off; SET enable_indexscan = off")
        naive = _each(nearest, drafts[:slow])
        cursor.execute("RESET enable_bitmapscan; RESET enable_indexscan")
    return fast, naive, advice


def _each(call: Callable[[TwinDraft], object], drafts: Sequence[TwinDraft]) -> list[float]:
    call(drafts[0])  # excludes opening the connection and loading lexicons
    return [timed(lambda draft=draft: call(draft), repeats=1)[0] for draft in drafts]


def show(rows: dict[str, list[float]]) -> None:
    """Print a line for each measurement."""
    table(
        ("what", "times", "p50 ms", "p95 ms", "max ms"),
        [
            (name, len(took), *(f"{1e3 * percentile(took, q):.1f}" for q in (0.5, 0.95, 1.0)))
            for name, took in rows.items()
        ],
    )


if __name__ == "__main__":
    main()
