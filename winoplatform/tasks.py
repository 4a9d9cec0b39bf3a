from celery import shared_task

from winoplatform.runs import ring


@shared_task(name="winoplatform.ring_waiting_runs")
def ring_waiting_runs() -> None:
    ring.ring_waiting()
