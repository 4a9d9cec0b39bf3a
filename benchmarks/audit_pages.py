"""Pages of an audit of keys: the 95th percentile and the queries of each, as `pages` measures them.

A set of `--questions` questions in pairs was evaluated by `--systems` systems; one key in fifty is
suspected. The curator who audited it opens each page `--repeats` times.
"""

from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import numpy as np

from benchmarks.database import scratch_database
from benchmarks.pages import measure, show
from benchmarks.report import parse_args, result
from winoplatform.processes.supervisor import exempt_loaded_code

EARLIER = 10
QUESTIONS, SYSTEMS = {False: 1_300, True: 100}, {False: 5_000, True: 50}


def main() -> None:
    """Run the benchmark."""
    args = parse_args(__doc__ or "", questions=0, systems=0, repeats=20)
    with scratch_database():
        from tests.factories import CampaignFactory, UserFactory

        curator = UserFactory(curator=True)
        CampaignFactory(slug="kitchen")
        audit = audited_keys(
            curator,
            n_questions=args.questions or QUESTIONS[args.quick],
            n_systems=args.systems or SYSTEMS[args.quick],
        )
        exempt_loaded_code()  # as the platform's own web processes do
        measured = [measure(curator, path, args.repeats) for path in addresses(audit)]
    show(measured)
    result(
        worst_page_ms=max(page.p95_ms for page in measured),
        worst_cpu_ms=max(page.cpu_ms for page in measured),
        worst_first_ms=max(page.first_ms for page in measured),
        worst_queries=max(page.queries for page in measured),
    )


def addresses(audit: Any) -> Iterator[str]:
    """Yield the audit with its suspects, its map, a question with its curve, and the rest."""
    page = f"/runs/key-audit/{audit.public_id}/"
    yield from (page, f"{page}map.json", f"{page}keys/{audit.done // 2}/", f"{page}people/")
    yield "/comparisons/reference-set/audited/test/keys/"
    yield f"/api/v1/key-audits/{audit.public_id}/"


def audited_keys(by: Any, *, n_questions: int, n_systems: int) -> Any:
    """Store a set of pairs, its evaluations and finished audits of *by*'s; return the first.

    One key in fifty is suspected, and people or systems are split on as many.
    """
    from evaluation.models import AuditedKey
    from tests.factories import KeyAuditFactory

    data = _set_of_pairs(by, n_questions)
    evaluations = _evaluations(data, n_systems)
    rng = np.random.default_rng(0)
    audit = KeyAuditFactory(
        release=None, reference_set=data, split="test", finished=True, created_by=by,
        done=n_questions, result=_result([one.public_id for one in evaluations], n_questions, rng),
    )  # fmt: skip
    through = type(audit).evaluations.through
    through.objects.bulk_create(
        through(keyaudit_id=audit.pk, evaluation_id=one.pk) for one in evaluations
    )
    for seed in range(1, EARLIER):  # a page lists ten
        KeyAuditFactory(
            release=None, reference_set=data, split="test", finished=True, created_by=by,
            result=audit.result, seed=seed,
        )  # fmt: skip
    keys = (_key(audit, number, n_systems, rng) for number in range(1, n_questions + 1))
    AuditedKey.objects.bulk_create(keys, batch_size=100)
    return audit


def _set_of_pairs(by: Any, n: int) -> Any:
    from corpora.core.items import Item
    from corpora.services import import_reference_set

    lines = [
        Item(
            id=f"q{place}",
            group=f"g{place // 2}",
            sentence=f"The trophy {place // 2} did not fit in the suitcase, as _ was too {end}.",
            options=("the trophy", "the suitcase"),
            answer=1 + place % 2,
        ).to_line()
        for place in range(n)
        for end in (("large", "small")[place % 2],)
    ]
    return import_reference_set(
        name="audited", format="items", splits={"test": lines}, is_public=True, by=by
    )


def _evaluations(data: Any, n: int) -> list[Any]:
    from evaluation.models import Evaluation
    from tests.factories import ArtifactFactory, EvaluationFactory

    of_set = {"release": None, "reference_set": data, "split": "test", "finished": True}
    first = EvaluationFactory(
        method="predictions", system_name="system 0", upload=ArtifactFactory(), report={}, **of_set
    )
    rows = [first]
    for number in range(1, n):
        row = Evaluation.objects.get(pk=first.pk) if number == 1 else _copy(rows[-1])
        row.pk, row.id, row.public_id = None, None, uuid4()
        row.system_name, row._state.adding = f"system {number}", True
        rows.append(row)
    Evaluation.objects.bulk_create(rows[1:], batch_size=500)
    return rows


def _copy(row: Any) -> Any:
    names = [field.attname for field in row._meta.concrete_fields]
    return type(row)(**{name: getattr(row, name) for name in names})


def _result(ids: list[UUID], n_questions: int, rng: np.random.Generator) -> dict[str, Any]:
    abilities = rng.normal(size=len(ids)).round(4)
    return {
        "n_questions": n_questions,
        "n_suspected": n_questions // 50,
        "share": 0.02,
        "power": 0.9,
        "can_tell": True,
        "needed": [],
        "systems": [
            {"evaluation": str(id), "name": f"system {number}", "ability": float(ability),
             "weight": 0.03, "accuracy": round(0.5 + float(ability) / 12, 4)}
            for number, (id, ability) in enumerate(zip(ids, abilities, strict=True))
        ],
        "information": {
            "ability": np.linspace(-3, 3, 61).round(2).tolist(),
            "information": np.linspace(2, 90, 61).round(4).tolist(),
        },
    }  # fmt: skip


def _key(audit: Any, number: int, n_systems: int, rng: np.random.Generator) -> Any:
    from evaluation.models import AuditedKey

    finding = {1: "key", 2: "people", 3: "models"}.get(number % 50, "nothing")
    return AuditedKey(
        run=audit,
        number=number,
        source_id=f"q{number - 1}",
        group=f"g{(number - 1) // 2}",
        probability=0.95 if finding == "key" else 0.01,
        evidence=float(rng.normal()),
        twin_evidence=float(rng.normal()),
        discrimination=float(np.exp(rng.normal(0, 0.4))),
        intercept=float(rng.normal(0.5, 1)),
        discrimination_se=0.1,
        intercept_se=0.1,
        misfit_p=float(rng.random()),
        answers=rng.integers(0, 2, n_systems).tolist(),
        only_best_miss=False,
        finding=finding,
    )


if __name__ == "__main__":
    main()
