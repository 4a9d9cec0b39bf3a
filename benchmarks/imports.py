"""Time and memory of importing published questions.

Baseline "row by row": the same checks, then one ``get_or_create`` of the twin and one ``create`` of
the question per line with Django's ORM, in one transaction (which favours it). It imports a sample;
the comparison is in questions per second.
"""

import gzip
import json
import sys
import tempfile
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

from benchmarks.database import scratch_database
from benchmarks.report import median, parse_args, peak_mb, result, table, timed


def main() -> None:
    args = parse_args("Import of published questions.", repeats=3)
    with scratch_database(), tempfile.TemporaryDirectory() as folder:
        from django.conf import settings

        source = settings.DATA_DIR / "winogrande" / "train_l.jsonl.gz"
        if not source.is_file():
            sys.exit(f"The benchmark needs {source}; set WINO_DATA_DIR to the folder of the data.")
        if args.quick:
            source = _many(source, Path(folder) / "sample.jsonl", 2_000)
        big = _many(source, Path(folder) / "big.jsonl", 5_000 if args.quick else 50_000)
        _measure(source, big, sample=200 if args.quick else 2_000, repeats=args.repeats)


def _measure(source: Path, big: Path, *, sample: int, repeats: int) -> None:
    from collection.imports.winogrande import import_winogrande

    n = import_winogrande(path=source, slug="first").imported
    slugs = (f"again-{number}" for number in count())
    first = median(timed(lambda: import_winogrande(path=source, slug=next(slugs)), repeats=repeats))
    again = median(timed(lambda: import_winogrande(path=source, slug="first"), repeats=repeats))
    rows = median(timed(lambda: _row_by_row(source, next(slugs), sample), repeats=repeats))
    before = peak_mb()
    whole = import_winogrande(path=big, slug="big")
    ratio = (n / first) / (sample / rows)
    table(
        ["what", "questions", "median s", "questions/s"],
        [
            _row("import (COPY, as sets)", n, first),
            _row("import again: nothing new", n, again),
            _row("row by row (sample)", sample, rows),
            _row("import, large file", whole.imported, whole.seconds),
        ],
    )
    print(
        f"{ratio:.1f} × row by row; peak {peak_mb():.0f} MB, of which {peak_mb() - before:.1f} MB"
    )
    print(f"were added by the large file of {big.stat().st_size / 2**20:.1f} MB.")
    result(
        import_s=first,
        questions=n,
        ratio_row_by_row=ratio,
        again_s=again,
        import50k_s=whole.seconds,
        questions50k=whole.imported,
        peak_mb=peak_mb(),
        grown_mb=peak_mb() - before,
    )


def _row(what: str, questions: int, seconds: float) -> tuple[str, str, str, str]:
    return what, f"{questions:,}", f"{seconds:.2f}", f"{questions / seconds:,.0f}"


def _lines(path: Path) -> Iterator[str]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        yield from lines


def _many(source: Path, target: Path, n_lines: int) -> Path:
    """Write repeated copies of *source* with new qIDs, up to *n_lines*."""
    copies = (
        json.dumps(row | {"qID": f"{copy}-{row['qID']}"})
        for copy in count()
        for row in map(json.loads, _lines(source))
    )
    with target.open("w", encoding="utf-8") as out:
        out.writelines(f"{line}\n" for line in islice(copies, n_lines))
    return target


def _row_by_row(source: Path, slug: str, n_lines: int) -> None:
    from django.db import transaction

    from collection.core.rules import Thresholds
    from collection.imports.questions import Half, PublishedQuestion, check_pair, decide
    from collection.models import Campaign, Question, Twin
    from tabular import Record

    with transaction.atomic():
        campaign = Campaign.objects.create(slug=slug, name=slug, status=Campaign.Status.CLOSED)
        for number, line in enumerate(islice(_lines(source), n_lines), start=1):
            good = decide(Record(number, json.loads(line)), thresholds=Thresholds())
            assert isinstance(good, PublishedQuestion)
            options = {"option1": good.option1, "option2": good.option2}
            twin, is_new = Twin.objects.get_or_create(
                campaign=campaign,
                source_id=good.source_id,
                defaults=options | {"origin": Twin.Origin.PUBLISHED},
            )
            question = Question.objects.create(
                twin=twin, number=2 - is_new, sentence=good.sentence, answer=good.answer
            )
            if is_new:
                continue
            one = twin.questions.get(number=1)
            halves = Half(one.sentence, one.answer), Half(question.sentence, question.answer)
            check = check_pair((twin.option1, twin.option2), halves, thresholds=Thresholds())
            assert check.report is not None
            twin.trigger, twin.warnings = (
                check.report.trigger.as_dict(),
                list(check.warnings),
            )
            twin.save(update_fields=["trigger", "warnings"])


if __name__ == "__main__":
    main()
