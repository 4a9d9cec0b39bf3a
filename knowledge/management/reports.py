"""What the command `run` prints of sweeps."""

from collections.abc import Iterator

from knowledge.core.reporting import from_dict, obligations, warnings
from knowledge.models import Sweep, SweepStep
from winoplatform.management.runs import reports


@reports(Sweep)
def sweep(run: Sweep) -> Iterator[str]:
    """Yield what each formalisation lacks, then how many are verified."""
    for step in run.steps.select_related("formalisation"):
        yield from _formalisation(step)
    yield f"{run.n_verified} of {run.done} verified, {run.n_undecided} not decided; {run.prover}"


def _formalisation(step: SweepStep) -> Iterator[str]:
    report = from_dict(step.report)
    verified = "verified" if step.verified else "not verified"
    ways = f" ({', '.join(report.ways)})" if report.ways else ""
    yield f"{step.formalisation}: {verified}{ways}"
    for obligation in obligations(report):
        if not obligation.met:
            yield f"  {obligation.sentence}"
    for warning in warnings(report):
        yield f"  {warning}"
