from celery import shared_task

from evaluation import runner


@shared_task(name="evaluation.carry_evaluation")
def carry_evaluation(pk: int) -> None:
    runner.carry_evaluation(pk)


@shared_task(name="evaluation.carry_starter_load")
def carry_starter_load(pk: int) -> None:
    runner.carry_starter_load(pk)
