"""The questions of an encoding."""

from corpora.core.items import TwinItem
from corpora.selectors import load_questions, question_groups
from filtering.models import Encoding
from winoplatform.artifacts import store


def encoded_questions(encoding: Encoding) -> list[TwinItem]:
    """Return the questions of an encoding, in the order of its rows.

    All questions of the snapshot, except those that fine-tuned the encoder.
    """
    questions = load_questions(encoding.snapshot)
    used = used_by_tuning(encoding)
    return [question for question in questions if question.id not in used]


def encoded_ids(encoding: Encoding) -> list[str]:
    """Return the ids of `encoded_questions`."""
    used = used_by_tuning(encoding)
    return [id for id in question_groups(encoding.snapshot) if id not in used]


def used_by_tuning(encoding: Encoding) -> set[str]:
    """Return the ids of the questions that tuned an encoding's encoder."""
    if encoding.tuning is None:
        return set()
    assert encoding.tuning.used is not None
    with store.open_artifact(encoding.tuning.used) as file:
        return set(file.read().decode().split())
