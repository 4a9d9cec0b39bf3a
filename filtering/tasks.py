from celery import shared_task

from filtering import runner


@shared_task(name="filtering.encode_typed")
def encode_typed(pk: int, sentence: str) -> None:
    runner.encode_typed(pk, sentence)
