"""How long it takes to bring in a folder of articles, and to choose the next one for a writer.

Baseline "count per article": the same choice by a correlated count for every article, as an ORM
annotation with two subqueries writes it. Half of the articles have been used, some of them often.
"""

import random
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Any

from benchmarks.database import scratch_database
from benchmarks.report import median, parse_args, peak_mb, percentile, result, table, timed

WORDS = ("suitcase", "shirt", "shelf", "garden", "kettle", "ladder", "bucket", "carpet")


def main() -> None:
    args = parse_args("Priming: import of a folder, choice of an article.", repeats=60)
    articles = 2_000 if args.quick else 30_000
    with scratch_database(), tempfile.TemporaryDirectory() as folder:
        _write(Path(folder), articles)
        _measure(Path(folder), articles=articles, repeats=args.repeats)


def _write(folder: Path, n: int) -> None:
    draw = random.Random(1)
    for number in range(n):
        below = folder / f"{number % 50:02}"
        below.mkdir(exist_ok=True)
        lines = (f"Put the {draw.choice(WORDS)} near the {draw.choice(WORDS)}." for _ in range(12))
        (below / f"{number}.txt").write_text(f"How to do thing {number}\n" + "\n".join(lines))


def _measure(folder: Path, *, articles: int, repeats: int) -> None:
    from collection.imports.articles import import_article_files
    from collection.models import Campaign
    from workers.models import User

    campaign = Campaign.objects.create(slug="bench", name="Bench", status="open")
    before = peak_mb()
    first = import_article_files(campaign=campaign, path=folder)
    grown = peak_mb() - before
    again = import_article_files(campaign=campaign, path=folder)
    workers = User.objects.bulk_create(User(username=f"w{n}") for n in range(500))
    _use(campaign, workers, uses=2 * articles)
    choose, naive = _choices(campaign, workers[0], repeats)
    _show(first, again, choose, naive)
    print(f"The import grew the process by {grown:.1f} MB.")
    result(
        import_s=first.seconds,
        articles=first.imported,
        again_s=again.seconds,
        choose_p95_ms=1000 * percentile(choose, 0.95),
        ratio_count_per_article=median(naive) / median(choose),
        grown_mb=grown,
        peak_mb=peak_mb(),
    )


def _choices(campaign: Any, asker: Any, repeats: int) -> tuple[list[float], list[float]]:
    """Return the seconds of each choice: ours, and by a count for every article."""
    from django.utils import timezone

    from collection.selectors.priming import next_article_id

    now = timezone.now()
    ours = timed(lambda: next_article_id(campaign=campaign, worker=asker, now=now), repeats=repeats)
    return ours, timed(lambda: _count_per_article(campaign, now), repeats=5)


def _show(first: Any, again: Any, choose: list[float], naive: list[float]) -> None:
    articles = f"{first.imported:,}"
    table(
        ["what", "n", "median", "p95"],
        [
            ["import", articles, f"{first.seconds:.1f} s", ""],
            ["import again", f"{again.already_there:,}", f"{again.seconds:.1f} s", ""],
            ["choose an article", articles, _ms(median(choose)), _ms(percentile(choose, 0.95))],
            ["count per article", articles, _ms(median(naive)), _ms(percentile(naive, 0.95))],
        ],
    )


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.1f} ms"


def _use(campaign: Any, workers: list[Any], *, uses: int) -> None:
    """Have half of the articles written for."""
    from django.db import connection
    from django.utils import timezone

    from collection.models import Assignment

    draw, now = random.Random(2), timezone.now() - timedelta(days=1)
    ids = list(campaign.articles.values_list("pk", flat=True))
    used = draw.sample(ids, len(ids) // 2)
    Assignment.objects.bulk_create(
        Assignment(
            campaign=campaign,
            article_id=draw.choice(used),
            worker=draw.choice(workers),
            status="submitted",
            leased_until=now,
        )
        for _ in range(uses)
    )
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def _count_per_article(campaign: Any, now: Any) -> int | None:
    from django.db.models import Count, OuterRef, Q, Subquery
    from django.db.models.functions import Coalesce

    from collection.models import Article, Assignment

    uses = (
        Assignment.objects.filter(
            Q(status="submitted") | Q(status="open", leased_until__gt=now), article=OuterRef("pk")
        )
        .order_by()
        .values("article")
        .annotate(n=Count("pk"))
        .values("n")
    )
    ordered = Article.objects.filter(campaign=campaign).annotate(uses=Coalesce(Subquery(uses), 0))
    return ordered.order_by("uses", "?").values_list("pk", flat=True).first()


if __name__ == "__main__":
    main()
