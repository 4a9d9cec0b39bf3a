"""Executes sweeps, one formalisation after another."""

import json
from collections.abc import Sequence
from typing import cast

from django.db import transaction

from knowledge import paying, proving
from knowledge.models import Formalisation, Sweep, SweepStep
from knowledge.prover.shared import PROVER
from winoplatform.artifacts import store
from winoplatform.runs import attempts
from winoplatform.runs.attempts import Attempt


def sweep(attempt: Attempt[Sweep]) -> None:
    run = attempt.run
    _use_one_prover(attempt)
    total = len(run.formalisations)
    attempt.report(run.steps.count(), total=total, activity="proving")
    while (done := run.steps.count()) < total:
        _prove(attempt, done + 1)
    _finish(attempt)


def _use_one_prover(attempt: Attempt[Sweep]) -> None:
    if attempt.run.prover not in ("", PROVER):
        raise ValueError(
            f"This sweep began with the prover {attempt.run.prover}, and this worker has {PROVER}. "
            "Start a new sweep."
        )
    attempt.note(prover=PROVER)


def _prove(attempt: Attempt[Sweep], number: int) -> None:
    rows = Formalisation.objects.prefetch_related("formulas")
    formalisation = rows.get(pk=attempt.run.formalisations[number - 1])
    attempt.pulse(f"proving {formalisation}")
    proof = proving.prove_anew(formalisation)
    with transaction.atomic():
        paying.pay_if_verified(formalisation, proving.store(proof))
        step = SweepStep(
            run=attempt.run,
            number=number,
            seconds=proof.seconds,
            formalisation=formalisation,
            verified=proof.verified,
            report=proof.report,
        )
        attempt.record(step, done=number, activity=f"proved {formalisation}")


def _finish(attempt: Attempt[Sweep]) -> None:
    rows = attempt.run.steps.select_related("formalisation")
    steps = cast(list[SweepStep], attempts.steps_done(rows))
    attempt.finish(
        report=store.put_bytes(_lines(steps)),
        n_verified=sum(step.verified for step in steps),
        n_undecided=sum(bool(step.report["undecided"]) for step in steps),
    )


def _lines(steps: Sequence[SweepStep]) -> bytes:
    """Return one canonical JSON line a step, without times."""
    lines = (
        json.dumps(
            {
                "question": step.formalisation.question,
                "version": step.formalisation.number,
                "fingerprint": step.formalisation.fingerprint,
                **step.report,
            },
            ensure_ascii=False,
            sort_keys=True,
            separators=(",", ":"),
        )
        for step in steps
    )
    return "".join(f"{line}\n" for line in lines).encode()
