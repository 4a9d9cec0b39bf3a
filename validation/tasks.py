from celery import shared_task

from validation import runner


@shared_task(name="validation.carry_report")
def carry_report(pk: int) -> None:
    runner.carry_report(pk)
