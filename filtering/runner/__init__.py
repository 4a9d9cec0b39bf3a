"""Executes the runs of this app, starting after their last recorded step."""

from filtering.models import Assessment, Encoding, FilterRun, SentenceEncoding, Tuning
from filtering.runner.assessments import assessment
from filtering.runner.encodings import encoding, shards_of_encoding, tuning
from filtering.runner.filter_runs import control, filter_run
from filtering.runner.sentences import encode_typed, sentence_encoding, shards_of_sentences
from winoplatform.runs import kinds
from winoplatform.runs.attempts import Attempt

__all__ = ["encode_typed"]


def _by_method(attempt: Attempt[FilterRun]) -> None:
    (filter_run if attempt.run.method == FilterRun.Method.AFLITE else control)(attempt)


kinds.register(Tuning, tuning)
kinds.register(Encoding, encoding, help=shards_of_encoding)
kinds.register(SentenceEncoding, sentence_encoding, help=shards_of_sentences)
kinds.register(FilterRun, _by_method)
kinds.register(Assessment, assessment)
