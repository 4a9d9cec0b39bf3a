from celery import shared_task


@shared_task(name="filtering.encode_typed")
def encode_typed(pk: int, sentence: str) -> None:
    # All workers and beat import the tasks, and only those that execute runs need its libraries.
    from filtering import runner

    runner.encode_typed(pk, sentence)
