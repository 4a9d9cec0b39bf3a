"""Time and memory of exporting a campaign's questions, and of continuing a download.

Baseline: the same rows and columns from a bare server-side cursor of psycopg, each row fetched and
thrown away. The export is what a client receives: the response's bytes, with its ETag. A million
questions are measured with ``--million``, in a process of their own, so that the peak is theirs.
"""

import hashlib
import multiprocessing
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from benchmarks.crowd_rows import QUESTIONS, TWINS, without_indexes_of_writing
from benchmarks.database import close_connections, scratch_database
from benchmarks.report import median, parse_args, peak_mb, result, table, timed

FORMS = ("jsonl", "csv", "parquet")
VERDICTS = """
INSERT INTO validation_verdict (question_id, policy, version, valid, reasons, counts, created_at)
SELECT q.id, 'majority', 2, true, '[]',
    '{"votes": 3, "correct": 3, "unambiguous": 3, "local": 0}', now()
FROM collection_question q JOIN collection_twin t ON t.id = q.twin_id
WHERE t.campaign_id = %(campaign)s
"""


def main() -> None:
    args = parse_args("Export of a campaign's questions.", repeats=3, million=False)
    small, large = (1_000, 5_000) if args.quick else (50_000, 1_000_000)
    sizes = [small, large] if args.million or args.quick else [small]
    with scratch_database():
        without_indexes_of_writing()
        for size in sizes:
            _fill(f"q{size}", size)
        first = _measure(f"q{small}", small, args.repeats)
        figures = {
            "export_50k_s": max(first[form] for form in FORMS),
            "ratio_cursor": max(first[form] / first["cursor"] for form in FORMS),
            "resume_equal": _continued(f"q{small}"),
            "peak_50k_mb": _peak(f"q{small}"),
        }
        if len(sizes) == 2:
            many = _measure(f"q{large}", large, 1)
            figures["export_1m_s"] = max(many[form] for form in FORMS)
            figures["peak_mb"] = _peak(f"q{large}")
    result(**figures)


def _fill(slug: str, questions: int) -> None:
    from django.db import connection

    from collection.models import Campaign
    from tests.factories import OPTIONS, SENTENCES
    from tests.races.crowd import make_users

    campaign = Campaign.objects.create(slug=slug, name=slug)
    authors = make_users(f"author-{slug}-", 100)
    facts = {
        "campaign": campaign.pk,
        "first": min(author.pk for author in authors),
        "authors": len(authors),
        "twins": questions // 2,
        "one": OPTIONS[0],
        "two": OPTIONS[1],
    }
    texts = {"campaign": campaign.pk, "first": SENTENCES[0], "second": SENTENCES[1]}
    with connection.cursor() as cursor:
        cursor.execute(TWINS, facts)
        cursor.execute(QUESTIONS, texts)
        cursor.execute(VERDICTS, facts)
        cursor.execute("VACUUM ANALYZE collection_twin, collection_question, validation_verdict")


def _measure(slug: str, questions: int, repeats: int) -> dict[str, float]:
    """Return the median seconds of the bare cursor and of each form."""
    _bare(slug)  # so that all read the same pages from memory
    seconds = {"cursor": median(timed(lambda: _bare(slug), repeats=repeats))}
    for form in FORMS:
        seconds[form] = median(timed(lambda form=form: _size(slug, form), repeats=repeats))  # type: ignore[misc]
    rows = [
        (name, f"{questions:,}", f"{took:.2f}", f"{took / seconds['cursor']:.2f}")
        for name, took in seconds.items()
    ]
    table(["what", "questions", "median s", "× bare cursor"], rows)
    return seconds


def _bare(slug: str) -> None:
    from django.db import connection, transaction

    from collection.models import Campaign
    from validation.selectors.tables import TABLES
    from winoplatform.db.copying import text_of

    campaign, table = Campaign.objects.get(slug=slug), TABLES["questions"]
    columns = [column.value for column in table.columns(campaign).values()]
    statement = text_of(table.rows(campaign).values_list(*columns))
    connection.ensure_connection()
    # Django's transaction and no Django cursor: what psycopg costs by itself.
    with transaction.atomic(), connection.connection.cursor(name="bare") as cursor:
        # Planned for all rows, as the export is: a cursor's plan is for its first tenth.
        connection.connection.execute("SET LOCAL cursor_tuple_fraction = 1")
        cursor.itersize = 2_000
        cursor.execute(statement)
        for _ in cursor:
            pass


def _response(slug: str, form: str, **headers: str) -> Any:
    from django.test import RequestFactory

    from collection.models import Campaign
    from validation.exports.campaigns import export_response

    request = RequestFactory().get("/", headers=headers)
    return export_response(request, Campaign.objects.get(slug=slug), "questions", form)


def _size(slug: str, form: str) -> int:
    with closing(_response(slug, form)) as response:
        return sum(len(block) for block in response.streaming_content)


def _continued(slug: str) -> int:
    """Break off a download halfway in each form, continue it, and compare it with a whole one."""
    equal = 0
    for form in FORMS:
        with closing(_response(slug, form)) as response:
            whole = b"".join(response.streaming_content)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "part"
            with closing(_response(slug, form)) as response, path.open("wb") as part:
                for block in response.streaming_content:
                    part.write(block)
                    if part.tell() > len(whole) // 2:
                        break
            size, etag = path.stat().st_size, response["ETag"]
            headers = {"Range": f"bytes={size}-", "If-Range": etag}
            with closing(_response(slug, form, **headers)) as rest, path.open("ab") as part:
                part.writelines(rest.streaming_content)
            found = hashlib.sha256(path.read_bytes()).digest()
            equal += found == hashlib.sha256(whole).digest()
    return equal


def _peak(slug: str) -> float:
    """Return the peak memory of a process that exports all three forms."""
    close_connections()
    context = multiprocessing.get_context("fork")
    reader, writer = context.Pipe(duplex=False)
    process = context.Process(target=_report_peak, args=(slug, writer))
    process.start()
    peak: float = reader.recv()
    process.join()
    return peak


def _report_peak(slug: str, writer: Any) -> None:
    for form in FORMS:
        _size(slug, form)
    writer.send(peak_mb())


if __name__ == "__main__":
    main()
