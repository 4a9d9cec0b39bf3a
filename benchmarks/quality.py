"""The quality of 231,000 votes: what WinoGrande's own volume was, by 600 validators.

Own Dawid–Skene and one-coin beside crowd-kit's on the same votes; then the whole report of a
campaign (agreement, validators, human performance, speed) from the database to the stored rows, the
advice on a page of questions, a what-if report, and the export of all votes as JSONL and CSV. The
memory is what each step adds to the process while it runs, as the kernel counts it.
"""

import os
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.database import scratch_database
from benchmarks.report import parse_args, peak_mb, result, table

QUESTIONS = {False: 77_000, True: 2_000}
VALIDATORS = {False: 600, True: 40}
VOTES = 3
GUESSERS = 0.1
PAGE = 50
FILL = (
    """
    UPDATE validation_seat seat SET worker_id = given.worker, leased_until = now(),
        claimed_at = moment.at, local_at = moment.at + interval '6 s',
        answered_at = moment.at + interval '6 s' + 9 * exp(0.4 * moment.z) * interval '1 s',
        local_option = NULL
    FROM given CROSS JOIN LATERAL (
        SELECT now() - given.question % 100000 * interval '1 minute' AS at,
               (hashint8(given.question * 8 + given.number) % 1000) / 500.0 AS z
    ) moment
    WHERE seat.question_id = given.question AND seat.number = given.number
    """,
    """
    INSERT INTO validation_vote (public_id, seat_id, question_id, worker_id, option, ambiguous,
        comment, report, is_gold, created_at, exclusion_reason)
    SELECT gen_random_uuid(), seat.id, seat.question_id, seat.worker_id,
           CASE WHEN given.right_ THEN question.answer ELSE 3 - question.answer END,
           hashint8(seat.id) % 20 = 0, '', '', FALSE, seat.answered_at, ''
    FROM validation_seat seat
    JOIN given ON given.question = seat.question_id AND given.number = seat.number
    JOIN collection_question question ON question.id = seat.question_id
    ORDER BY seat.answered_at
    """,
    """
    INSERT INTO validation_verdict
        (question_id, policy, version, valid, reasons, counts, created_at)
    SELECT question, 'majority', 2, bool_and(ok), CASE WHEN bool_and(ok) THEN '[]'::jsonb
           ELSE '["wrong_answer"]'::jsonb END, '{"votes": 3}'::jsonb, now()
    FROM (SELECT question, count(*) FILTER (WHERE right_) >= 2 AS ok FROM given GROUP BY question) x
    GROUP BY question
    """,
    "ANALYZE",
)
# Models are imported within functions: Django is set up first.


def main() -> None:
    """Run the benchmark."""
    args = parse_args(__doc__ or "")
    columns = simulated(QUESTIONS[args.quick], VALIDATORS[args.quick])
    with scratch_database():
        campaign = stored(columns, QUESTIONS[args.quick], VALIDATORS[args.quick])
        # What takes least memory goes first: what one step has had is not asked for anew.
        rows = {
            "export as JSONL": measured(lambda: exported(campaign, "jsonl")),
            "export as CSV": measured(lambda: exported(campaign, "csv")),
            "report of a campaign": measured(lambda: report(campaign)),
            "advice on 50 questions": measured(lambda: advise(campaign)),
            "what if unanimous": measured(lambda: what_if(campaign)),
        }
    rows |= models(columns)
    show(rows)
    result(
        votes=len(columns[0]),
        dawid_skene_s=rows["Dawid–Skene"]["seconds"],
        dawid_skene_ratio=_ratio(rows, "Dawid–Skene"),
        one_coin_ratio=_ratio(rows, "one-coin"),
        right=rows["Dawid–Skene"]["right"],
        right_crowd_kit=rows["crowd-kit's Dawid–Skene"]["right"],
        report_s=rows["report of a campaign"]["seconds"],
        report_mb=rows["report of a campaign"]["mb"],
        advice_ms=1e3 * rows["advice on 50 questions"]["seconds"],
        what_if_s=rows["what if unanimous"]["seconds"],
        jsonl_s=rows["export as JSONL"]["seconds"],
        jsonl_mb=rows["export as JSONL"]["mb"],
        csv_s=rows["export as CSV"]["seconds"],
        peak_mb=round(peak_mb()),
    )


def _ratio(rows: dict[str, dict[str, Any]], model: str) -> float:
    """How many times as long crowd-kit's takes."""
    return float(rows[f"crowd-kit's {model}"]["seconds"] / rows[model]["seconds"])


def simulated(n_questions: int, n_validators: int) -> tuple[Any, Any, Any, Any]:
    """Return items, workers, labels and truths; a tenth of the validators guess."""
    rng = np.random.default_rng(5)
    skills = np.where(rng.random(n_validators) < GUESSERS, 0.5, rng.beta(18, 2, n_validators))
    items = np.repeat(np.arange(n_questions), VOTES)
    # Six different validators for the two questions of a twin: one, and five at distances behind.
    shape = n_questions // 2, 2 * VOTES
    steps = rng.integers(1, n_validators // (2 * VOTES), shape).cumsum(axis=1)
    workers = (rng.integers(0, n_validators, (n_questions // 2, 1)) + steps).ravel() % n_validators
    truths = rng.integers(0, 2, n_questions)
    right = rng.random(len(items)) < skills[workers]
    return items, workers, np.where(right, truths[items], 1 - truths[items]), truths


def models(columns: tuple[Any, Any, Any, Any]) -> dict[str, dict[str, float]]:
    """Weigh the same votes with our models and with crowd-kit's."""
    import pandas as pd
    from crowdkit.aggregation import DawidSkene, OneCoinDawidSkene

    from validation.core.posteriors import dawid_skene, one_coin

    items, workers, labels, truths = columns
    frame = pd.DataFrame({"task": items, "worker": workers, "label": labels})

    def ours(model: Any) -> Callable[[], Any]:
        return lambda: model(items, workers, labels).posteriors.argmax(axis=1)

    def theirs(model: Any) -> Callable[[], Any]:
        return lambda: model.fit_predict(frame).sort_index().to_numpy()

    runs = {
        "Dawid–Skene": ours(dawid_skene),
        "crowd-kit's Dawid–Skene": theirs(DawidSkene()),
        "one-coin": ours(one_coin),
        "crowd-kit's one-coin": theirs(OneCoinDawidSkene()),
    }
    found = {}
    for name, run in runs.items():
        row = measured(run)
        found[name] = row | {"right": float((row.pop("answer") == truths).mean())}
    return found


class Memory(threading.Thread):
    """Looks every few milliseconds how much memory this process holds."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        import psutil

        self.process, self.done = psutil.Process(), threading.Event()
        self.first = self.most = self.process.memory_info().rss

    def run(self) -> None:
        while not self.done.wait(0.005):
            self.most = max(self.most, self.process.memory_info().rss)

    @property
    def added_mb(self) -> float:
        return (self.most - self.first) / 2**20


def measured(run: Callable[[], Any]) -> dict[str, Any]:
    """Return what *run* gives, the seconds and the memory that it takes."""
    memory = Memory()
    memory.start()
    start = time.perf_counter()
    answer = run()
    seconds = time.perf_counter() - start
    memory.done.set()
    memory.join()
    return {"seconds": seconds, "mb": memory.added_mb, "answer": answer}


def stored(columns: tuple[Any, Any, Any, Any], n_questions: int, n_validators: int) -> Any:
    """Store the votes as the platform does: a row for each seat, vote and verdict."""
    from django.db import connection

    from collection.models import Question
    from tests.factories import CampaignFactory
    from tests.races import crowd

    items, workers, labels, truths = columns
    campaign = CampaignFactory()
    people = crowd.make_users("validator-", n_validators)
    crowd.make_questions(campaign, n_questions, authors=crowd.make_users("author-", 20))
    keys = np.array(
        Question.objects.in_campaign(campaign).order_by("pk").values_list("pk", flat=True)
    )
    names = np.array([person.pk for person in people])
    right = labels == truths[items]
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TEMPORARY TABLE given (question int8, number int2, worker int8, right_ bool)"
        )
        with cursor.copy("COPY given FROM STDIN") as copy:
            for k, (question, worker) in enumerate(zip(keys[items], names[workers], strict=True)):
                copy.write_row((int(question), k % VOTES + 1, int(worker), bool(right[k])))
        for statement in FILL:
            cursor.execute(statement)
    return campaign


def report(campaign: Any) -> None:
    from validation.runner import work_out

    work_out(campaign)


def advise(campaign: Any) -> None:
    from collection.models import Question
    from validation.selectors.quality import advice, stored_report

    questions = Question.objects.in_campaign(campaign).order_by("-pk")[:PAGE]
    advice(questions, report=stored_report(campaign))


def what_if(campaign: Any) -> None:
    from validation.selectors.quality import what_if

    what_if(campaign, policy="unanimous")


def exported(campaign: Any, kind: str) -> None:
    from validation.exports.votes import blocks

    with open(os.devnull, "wb") as sink:
        for block in blocks(campaign, kind):
            sink.write(block)


def show(rows: dict[str, dict[str, Any]]) -> None:
    """Print a line for each step."""
    table(
        ("step", "seconds", "MB added", "right"),
        [
            (
                name,
                f"{row['seconds']:.3f}",
                f"{row['mb']:.0f}",
                f"{row['right']:.4f}" if "right" in row else "",
            )
            for name, row in rows.items()
        ],
    )


if __name__ == "__main__":
    main()
