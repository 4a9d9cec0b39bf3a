"""Pay workers for verified formalisations."""

from knowledge.models import Formalisation, FormalisingTask, Proof
from winoplatform import clock
from workers import services as workers
from workers.models import LedgerEntry


def pay_if_verified(formalisation: Formalisation, proof: Proof) -> FormalisingTask | None:
    """Pay the author who has taken the question, if its newest version is verified.

    Runs in a transaction, and twice is the same as once.

    Returns
    -------
    FormalisingTask
        What is paid now; None if nothing is, or if it was paid before.
    """
    if not proof.verified or formalisation.author_id is None:
        return None
    task = _locked(formalisation)
    if task is None or not _is_newest(formalisation):
        return None
    task.formalisation, task.verified_at = formalisation, clock.now()
    task.save(update_fields=["formalisation", "verified_at"])
    _accrue(task)
    return task


def _locked(formalisation: Formalisation) -> FormalisingTask | None:
    tasks = FormalisingTask.objects.waiting().select_related("knowledge_set__campaign", "worker")
    mine = tasks.filter(
        knowledge_set=formalisation.knowledge_set_id,
        question=formalisation.question,
        worker=formalisation.author_id,
    )
    return mine.select_for_update(of=("self",), no_key=True).first()


def _is_newest(formalisation: Formalisation) -> bool:
    later = Formalisation.objects.filter(
        knowledge_set=formalisation.knowledge_set_id,
        question=formalisation.question,
        number__gt=formalisation.number,
    )
    return not later.exists()


def _accrue(task: FormalisingTask) -> None:
    campaign = task.knowledge_set.campaign
    assert campaign is not None  # a set that pays names it
    workers.accrue(
        worker=task.worker,
        kind=LedgerEntry.Kind.FORMALISATION,
        unit=str(task.public_id),
        amount=task.reward,
        currency=campaign.currency,
        budget=campaign.public_id,
    )
