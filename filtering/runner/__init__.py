"""Carries the runs of this room from their last recorded step to their end."""

from filtering.models import Assessment, Encoding, FilterRun, Tuning
from filtering.runner.assessments import assessment
from filtering.runner.controls import control
from filtering.runner.encodings import encoding, shards_of_encoding
from filtering.runner.filter_runs import filter_run
from filtering.runner.tunings import tuning
from winoplatform.runs import frame, helping
from winoplatform.runs.frame import Carrier


def carry_encoding(pk: int) -> None:
    frame.carry(Encoding, pk, encoding)


def help_encoding(pk: int) -> None:
    helping.lend_a_hand(Encoding, pk, shards_of_encoding)


def carry_tuning(pk: int) -> None:
    frame.carry(Tuning, pk, tuning)


def carry_filter_run(pk: int) -> None:
    frame.carry(FilterRun, pk, _by_method)


def carry_assessment(pk: int) -> None:
    frame.carry(Assessment, pk, assessment)


def _by_method(carrier: Carrier[FilterRun]) -> None:
    (filter_run if carrier.run.method == FilterRun.Method.AFLITE else control)(carrier)
