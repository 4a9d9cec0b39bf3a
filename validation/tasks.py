from celery import shared_task

from validation import runner
from validation.services.ledger_checks import keep_ledger_check
from validation.services.verdicts.closing import settle_all_closed


@shared_task(name="validation.execute_report")
def execute_report(pk: int) -> None:
    runner.execute_report(pk)


@shared_task(name="validation.check_ledger")
def check_ledger() -> None:
    keep_ledger_check()


@shared_task(name="validation.settle_all_closed")
def settle_what_is_left() -> None:
    settle_all_closed()
