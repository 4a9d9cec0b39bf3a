"""The questions of an encoding."""

from corpora.core.items import TwinItem
from corpora.selectors import load_questions
from filtering.models import Encoding
from winoplatform.artifacts import store


def encoded_questions(encoding: Encoding) -> list[TwinItem]:
    """Return the questions of an encoding, in the order of its rows.

    All questions of the snapshot, except those that fine-tuned the encoder.
    """
    questions = load_questions(encoding.snapshot)
    if encoding.tuning is None:
        return questions
    assert encoding.tuning.used is not None
    with store.open_artifact(encoding.tuning.used) as file:
        used = set(file.read().decode().split())
    return [question for question in questions if question.id not in used]
