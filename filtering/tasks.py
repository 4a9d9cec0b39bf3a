from celery import shared_task

from filtering import runner


@shared_task(name="filtering.carry_encoding")
def carry_encoding(pk: int) -> None:
    runner.carry_encoding(pk)


@shared_task(name="filtering.help_encoding")
def help_encoding(pk: int) -> None:
    runner.help_encoding(pk)


@shared_task(name="filtering.carry_tuning")
def carry_tuning(pk: int) -> None:
    runner.carry_tuning(pk)


@shared_task(name="filtering.carry_filter_run")
def carry_filter_run(pk: int) -> None:
    runner.carry_filter_run(pk)


@shared_task(name="filtering.carry_assessment")
def carry_assessment(pk: int) -> None:
    runner.carry_assessment(pk)
