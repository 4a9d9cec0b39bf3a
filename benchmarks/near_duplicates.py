"""Near-duplicates of blind questions by the prefix filter, against the look-up of each by itself.

Baseline (plain): `tests.corpora.plain_near_duplicates`, which asks the index of content words for
each blind sentence. Its time is proportional to the number of blind twins, so it is measured on
some of them (``--sample``) and multiplied; the pairs of these must be the same. One twin in ten is
blind. ``--sizes`` are numbers of questions.
"""

import random
import time

from benchmarks.crowd_rows import with_index, without_indexes_of_writing
from benchmarks.database import scratch_database
from benchmarks.release import in_a_process, named
from benchmarks.report import parse_args, result, table
from benchmarks.synthetic_questions import valid_questions

SHARE = 10  # one in so many
THRESHOLD = 0.6


def main() -> None:
    args = parse_args("Near-duplicates of blind questions.", sizes="52000,500000", sample=100)
    sizes = [2_000, 6_000] if args.quick else [int(size) for size in args.sizes.split(",")]
    rows, figures = [], dict[str, float]()
    with scratch_database():
        for size in sizes:
            in_a_process(_fill, size)
            seconds, peak = in_a_process(_find, size)
            plain = _plain_seconds(args.sample)
            rows.append([f"{size:,}", f"{seconds:.0f}", f"{plain:.0f}", f"{peak:.0f}"])
            figures |= {
                f"near_{named(size)}_s": seconds,
                f"ratio_plain_{named(size)}": plain / seconds,
                f"peak_{named(size)}_mb": peak,
            }
            table(["questions", "prefix filter s", "plain s", "MB"], rows)
    result(**figures)


def _fill(size: int) -> None:
    """Replace the campaigns before, with copies of some sentences with two words exchanged."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE collection_twin, collection_campaign CASCADE")
    without_indexes_of_writing()
    valid_questions(f"q{size}", size, seed=size, alike=100)
    with_index("collection_question_trigram")


def _find(_: int) -> None:
    """Store the pairs in a table of the database."""
    from corpora.building.tables import execute, insert, planning
    from corpora.building.trigrams import all_trigrams, similar_questions

    execute("DROP TABLE IF EXISTS found")
    execute("CREATE TABLE found (blind bigint, question bigint)")
    with planning():
        execute(f"INSERT INTO planned_secret SELECT id FROM collection_twin WHERE id % {SHARE} = 0")
        with all_trigrams(progress=lambda _: None) as stored:
            for pair in similar_questions(stored, threshold=THRESHOLD, progress=lambda _: None):
                both = zip(*(part.tolist() for part in pair), strict=True)
                insert("found", both, columns=("blind", "question"))


def _plain_seconds(sample: int) -> float:
    """Return the seconds that the plain way would need for all blind twins."""
    from corpora.building.tables import fetch
    from tests.corpora.plain_near_duplicates import plain_near_duplicates

    blind = [pk for (pk,) in fetch(f"SELECT id FROM collection_twin WHERE id % {SHARE} = 0")]
    near = [pk for (pk,) in fetch("SELECT DISTINCT blind FROM found ORDER BY blind LIMIT 20")]
    chosen = random.Random(0).sample(blind, min(sample, len(blind)))
    start = time.perf_counter()
    plain = plain_near_duplicates(chosen, threshold=THRESHOLD)
    seconds = time.perf_counter() - start
    plain |= plain_near_duplicates(near, threshold=THRESHOLD)
    found = fetch("SELECT DISTINCT * FROM found WHERE blind = ANY(%s)", [chosen + near])
    assert set(found) == plain, (len(found), len(plain))
    assert len(plain) >= len(near) > 0
    return seconds * len(blind) / len(chosen)


if __name__ == "__main__":
    main()
