"""Proofs are stored once, and a sweep proves all again and ends with the same bytes."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import IntegrityError

from knowledge import proving, services
from knowledge.core.answers import Answer, Limit, Verdict
from knowledge.models import KnowledgeSet, Proof, Sweep
from knowledge.prover.process import Prover
from knowledge.prover.shared import PROVER
from knowledge.services import proofs
from tests.factories import (
    KnowledgeSetFactory,
    ProofFactory,
    SweepFactory,
    SweepStepFactory,
)
from tests.factories.knowledge import TOO_LARGE, TOO_SMALL
from tests.filtering.stages import carried, killed_after
from tests.knowledge.test_services import made, written
from winoplatform.artifacts import store
from winoplatform.errors import DomainError
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import RunStatus


@pytest.fixture(autouse=True)
def one_prover(prover: Prover, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (proving, proofs):
        monkeypatch.setattr(module, "shared", lambda: prover)


@pytest.fixture
def twins() -> KnowledgeSet:
    """Two formalised twins; only the first has the formula that it needs."""
    knowledge_set: KnowledgeSet = KnowledgeSetFactory(name="trophies")
    large = written(knowledge_set)
    made(knowledge_set, large)
    made(knowledge_set, large, content=TOO_SMALL, id="t-2")
    return knowledge_set


def swept(knowledge_set: KnowledgeSet) -> Sweep:
    sweep = services.start_sweep(knowledge_set=knowledge_set, by=None)
    execute_here(sweep)
    sweep.refresh_from_db()
    assert (sweep.status, sweep.failure) == (RunStatus.DONE, "")
    return sweep


def report(sweep: Sweep) -> bytes:
    assert sweep.report is not None
    with store.open_artifact(sweep.report) as file:
        return file.read()


def test_a_proof_is_made_once(twins: KnowledgeSet, monkeypatch: pytest.MonkeyPatch) -> None:
    first = twins.formalisations.get(question="t-1")
    proof = services.prove(formalisation=first)
    assert (proof.verified, proof.prover, proof.fingerprint) == (True, PROVER, first.fingerprint)
    assert proof.report["ways"] == ["explains"]
    assert {claim["verdict"] for claim in proof.claims} == {"proved", "refuted"}
    monkeypatch.setattr(proving, "prove_anew", lambda _: pytest.fail("it is proved already"))
    assert services.prove(formalisation=first) == proof


@pytest.mark.parametrize(("limit", "n"), [(Limit.TIME, 2), (Limit.DIED, 2), (Limit.STEPS, 1)])
def test_an_answer_that_depends_on_the_machine_is_asked_again(
    twins: KnowledgeSet, monkeypatch: pytest.MonkeyPatch, limit: Limit, n: int
) -> None:
    asked = 0

    def undecided(*_: object, **__: object) -> Answer:
        nonlocal asked
        asked += 1
        return Answer(Verdict.UNDECIDED, limit)

    monkeypatch.setattr(proving, "shared", lambda: undecided)
    first = twins.formalisations.get(question="t-1")
    for _ in range(2):
        assert not services.prove(formalisation=first).verified
    assert asked == n
    assert Proof.objects.count() == 1


@pytest.mark.long
def test_a_pair_is_resolved_by_the_formulas_of_both(twins: KnowledgeSet) -> None:
    first = twins.formalisations.get(question="t-1")
    bad = twins.formalisations.get(question="t-2")
    assert not services.prove_pair(first=first, second=bad).resolved
    small = written(twins, "small", "too_small(y) -> not Poss(fit_into(x, y), s)")
    good = made(twins, small, content=TOO_SMALL, id="t-2")
    assert services.prove_pair(first=first, second=good).resolved
    with pytest.raises(DomainError) as refused:
        services.prove_pair(first=first, second=first)
    assert refused.value.code == "not_twins"


def test_a_sweep_proves_the_newest_versions_and_reports_them(twins: KnowledgeSet) -> None:
    made(twins, twins.formulas.get(), written(twins, "other", "Aa"))
    sweep = swept(twins)
    assert (sweep.n_verified, sweep.n_undecided, sweep.done, sweep.prover) == (1, 0, 2, PROVER)
    rows = [(row.formalisation.number, row.verified) for row in sweep.steps.all()]
    assert rows == [(2, True), (1, False)]
    assert report(sweep).count(b"\n") == 2
    assert Proof.objects.count() == 2


def test_a_sweep_replaces_stored_answers(twins: KnowledgeSet) -> None:
    first = twins.formalisations.get(question="t-1")
    ProofFactory(fingerprint=first.fingerprint, prover=PROVER, verified=False, report={"limit": ""})
    swept(twins)
    assert services.prove(formalisation=first).verified


@pytest.mark.parametrize("steps", [0, 1])
def test_a_sweep_killed_anywhere_ends_with_the_same_bytes(twins: KnowledgeSet, steps: int) -> None:
    whole = report(swept(twins))
    sweep = services.start_sweep(knowledge_set=twins, by=None)
    killed_after(sweep, steps)
    assert sweep.steps.count() == steps
    # A version written meanwhile belongs to the next sweep.
    made(twins, content=TOO_LARGE)
    assert report(carried(sweep)) == whole


def test_a_sweep_does_not_mix_provers(twins: KnowledgeSet) -> None:
    sweep = services.start_sweep(knowledge_set=twins, by=None)
    Sweep.objects.update(prover="z3 4, obligations 0")
    execute_here(sweep)
    sweep.refresh_from_db()
    assert sweep.status == RunStatus.FAILED
    assert "Start a new sweep" in sweep.failure


def test_a_set_without_formalisations_has_nothing_to_prove() -> None:
    with pytest.raises(DomainError) as refused:
        services.start_sweep(knowledge_set=KnowledgeSetFactory(), by=None)
    assert refused.value.code == "nothing_to_prove"


def test_the_command_says_what_was_found(
    twins: KnowledgeSet, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("run", "sweep", "--knowledge-set", "trophies")
    said = capsys.readouterr().out
    assert "t-1, version 1: verified (explains)" in said
    assert "t-2, version 1: not verified\n  The knowledge does not pick the answer." in said
    assert f"1 of 2 verified, 0 not decided; {PROVER}" in said
    with pytest.raises(CommandError, match="no knowledge set “none”"):
        call_command("run", "sweep", "--knowledge-set", "none")
    KnowledgeSetFactory(name="empty")
    with pytest.raises(CommandError, match="formalised yet"):
        call_command("run", "sweep", "--knowledge-set", "empty")


def once_more() -> Iterator[tuple[str, Any]]:
    """Yield the name of each constraint with what breaks it."""
    yield (
        "knowledge_proof_is_stored_once",
        lambda: [ProofFactory(fingerprint="f", prover="p") for _ in range(2)],
    )
    yield (
        "knowledge_sweep_is_open_once_per_set",
        lambda: [SweepFactory(knowledge_set=KnowledgeSet.objects.get()) for _ in range(2)],
    )
    yield (
        "knowledge_sweepstep_is_recorded_once",
        lambda: [
            SweepStepFactory(run=Sweep.objects.get(), formalisation=row)
            for row in Sweep.objects.get().knowledge_set.formalisations.all()
        ],
    )
    yield "knowledge_sweep_done_has_its_results", lambda: Sweep.objects.update(status="done")
    yield (
        "knowledge_formalisation_version_is_unique",
        lambda: KnowledgeSet.objects.get().formalisations.update(question="t-1"),
    )
    yield (
        "knowledge_knowledgeset_is_over_one_set",
        lambda: KnowledgeSet.objects.update(reference_set=None),
    )


@pytest.mark.parametrize(("name", "break_it"), [*once_more()])
def test_the_tables_keep_their_rules(twins: KnowledgeSet, name: str, break_it: Any) -> None:
    if "open_once" not in name:
        services.start_sweep(knowledge_set=twins, by=None)
    with pytest.raises(IntegrityError, match=name):
        break_it()
