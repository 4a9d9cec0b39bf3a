from celery import shared_task

from corpora import runner


@shared_task(name="corpora.carry_snapshot")
def carry_snapshot(pk: int) -> None:
    runner.carry_snapshot(pk)


@shared_task(name="corpora.carry_release")
def carry_release(pk: int) -> None:
    runner.carry_release(pk)
