"""Time and memory of exporting a knowledge set, and of scoring its problems.

Export: from the request to the written zip file, of pairs that six people answered about. Baseline:
a bare JSON write of the same problems (three variants), read from the same tables. The peak is
that of a process of its own. With ``--quick``, the seconds are scaled to 10,000 pairs.
"""

import json
import multiprocessing
import tempfile
import time
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.database import close_connections, scratch_database
from benchmarks.report import parse_args, peak_mb, result, table

SET, QUESTIONS_PER_FORMULA = "bench", 2
QUESTION = "The trophy number {0} does not fit into the suitcase number {0} because _ is too large."
TRUE = (
    "If {{X:object is|are}} larger than {{Y:container}}, {{X}} does not fit in, as rule {0} says."
)
FALSE = (
    "If {{X:object is|are}} smaller than {{Y:container}}, {{X}} does not fit in, as rule {0} says."
)


def main() -> None:
    args = parse_args("Export of a knowledge set, and scoring of its problems.", pairs=10_000)
    pairs = 200 if args.quick else args.pairs
    with scratch_database():
        _fill(pairs)
        took, bare = _export(pairs), _bare()
        peak = _peak(pairs)
    table(
        ["what", "pairs", "s"],
        [("export", f"{pairs:,}", f"{took:.2f}"), ("bare JSON write", f"{pairs:,}", f"{bare:.2f}")],
    )
    figures: dict[str, Any] = {
        "export_10k_s": took * 10_000 / pairs,
        "ratio_bare_json": took / bare,
        "peak_export_mb": peak,
    }
    result(**figures, **_scoring(args.quick))


def _scoring(quick: bool) -> dict[str, Any]:
    """Return the figures of the other half, where it is installed."""
    if find_spec("benchmarks.knowledge_scoring") is None:
        return {}
    from benchmarks.knowledge_scoring import scoring

    return scoring(n=10, repeats=1) if quick else scoring()


def _fill(pairs: int) -> None:
    """Store a closed validation of *pairs* pairs, each about a question of its own."""
    from django.utils import timezone

    from knowledge import proving, services
    from knowledge.core.formalisation import Formalisation as Content
    from knowledge.core.formalisation import Thing
    from knowledge.models import Formalisation, Sentence
    from panels.models import PanelItem, PanelSeat
    from panels.services import change_panel_status
    from tests.factories import CampaignFactory
    from tests.races.crowd import make_users

    of = services.create_knowledge_set(
        name=SET, reference_set=_questions(pairs), by=None, campaign=CampaignFactory()
    )
    formula = services.add_formula(
        knowledge_set=of, name="large", text="too_large(x) -> not Poss(fit_into(x, y), s)", by=None
    )
    content = Content(
        (Thing("Trophy", "the trophy", "object"), Thing("Suitcase", "the suitcase", "object")),
        ("Trophy", "Suitcase"), "Trophy", "It", (), "too_large(It)",
        "not Poss(fit_into(Trophy, Suitcase), S0)",
    )  # fmt: skip
    first = services.formalise(
        knowledge_set=of, question="q-00000", formalisation=content, formulas=[formula], by=None
    )
    proving.store(proving.prove_anew(first))
    rows = Formalisation.objects.bulk_create(
        Formalisation(
            knowledge_set=of, question=f"q-{number:05d}", number=1, content=first.content,
            fingerprint=first.fingerprint,
        )
        for number in range(1, pairs)
    )  # fmt: skip
    through = Formalisation.formulas.through
    through._default_manager.bulk_create(
        through(formalisation_id=row.pk, formula_id=formula.pk) for row in rows
    )
    mentions = {
        "X": {"text": "the trophy", "plural": False},
        "Y": {"text": "the suitcase", "plural": False},
    }
    of_set = {"knowledge_set": of, "formula": formula, "mentions": mentions}
    trues = Sentence.objects.bulk_create(
        Sentence(formalisation=row, text=TRUE.format(number), **of_set)
        for number, row in enumerate([first, *rows])
    )
    Sentence.objects.bulk_create(
        Sentence(
            formalisation=true.formalisation, of=true, kind="changed", text=FALSE.format(number),
            **of_set,
        )
        for number, true in enumerate(trues)
    )  # fmt: skip
    workers, now = make_users("annotator-", 6), timezone.now()
    panel = services.begin_validation(knowledge_set=of, by=None, reward=1)
    labels = {row.pk: row.item.answer for row in PanelItem.objects.filter(panel=panel)}
    for number, worker in enumerate(workers, 1):
        seats = list(PanelSeat.objects.filter(panel=panel, number=number))
        for seat in seats:
            seat.worker, seat.reward, seat.option = worker, 1, labels[seat.item_id]
            seat.claimed_at, seat.leased_until = now - timedelta(seconds=30), now
            seat.answered_at = now
        fields = ["worker", "reward", "option", "claimed_at", "leased_until", "answered_at"]
        PanelSeat.objects.bulk_update(seats, fields, batch_size=5_000)
    change_panel_status(panel=panel, status="closed")


def _questions(pairs: int) -> Any:
    from corpora import services as corpora
    from corpora.core.items import Item

    items = (
        Item(
            id=f"q-{number:05d}",
            group=f"g-{number // QUESTIONS_PER_FORMULA:05d}",
            sentence=QUESTION.format(number),
            options=("the trophy", "the suitcase"),
            answer=1,
        ).to_line()
        for number in range(pairs)
    )
    return corpora.import_reference_set(name=SET, format="items", splits={"test": items}, by=None)


def _export(pairs: int) -> float:
    """Return the seconds from the request of a release to its written archive."""
    from corpora.exports import write_release
    from knowledge import services
    from knowledge.models import KnowledgeSet
    from winoplatform.runs.kinds import execute_here

    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        release = services.build_knowledge_release(
            knowledge_set=KnowledgeSet.objects.get(name=SET), name=f"r{time.time_ns()}", by=None
        )
        execute_here(release)
        release.refresh_from_db()
        assert release.n_pairs == release.n_valid == pairs, release.failure
        write_release(release=release, target=Path(folder, "out.zip"))
    return time.perf_counter() - start


def _bare() -> float:
    """Return the seconds of writing the same problems as JSON lines, and nothing else."""
    from knowledge.core.released import VARIANTS
    from knowledge.models import Sentence

    start = time.perf_counter()
    with tempfile.TemporaryFile("w", encoding="utf-8") as file:
        for row in Sentence.objects.select_related("formalisation"):
            for variant in VARIANTS:
                values = {
                    "id": str(row.public_id),
                    "question": row.formalisation.question,
                    "knowledge": row.shown(variant, inside=True),
                    "kind": row.kind,
                    "label": row.is_true,
                }
                file.write(json.dumps(values) + "\n")
    return time.perf_counter() - start


def _peak(pairs: int) -> float:
    """Return the peak memory of an export in a fresh process, in MB."""
    from django.db import connection

    name = connection.settings_dict["NAME"]
    close_connections()
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_peak_of, (name, pairs))


def _peak_of(database: str, pairs: int) -> float:
    import django

    django.setup()
    from django.conf import settings
    from django.db import connection

    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = database
    _export(pairs)
    return peak_mb()


if __name__ == "__main__":
    main()
