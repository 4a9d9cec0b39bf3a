from celery import shared_task
from django.utils import timezone

from workers.services.erasure import keep_periods


@shared_task(name="workers.keep_periods")
def keep_periods_of_data() -> None:
    keep_periods(now=timezone.now())
