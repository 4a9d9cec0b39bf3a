"""Searches for artifacts that are refused, or end without a result."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from corpora.models import ReferenceSet
from corpora.services import delete_reference_set
from evaluation import services
from evaluation.core.artifacts.results import results
from tests.corpora.sets import LINES, imported
from tests.evaluation.detection_sets import QUESTIONS, built
from tests.factories import DetectionFactory, EncodingFactory, SnapshotFactory, TuningFactory
from tests.filtering.stages import (
    carried,
    filtered,
    release_of,
)
from winoplatform.errors import DomainError
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import RunStatus


@pytest.mark.long
@pytest.mark.parametrize(
    ("split", "code"), [("test", "split_blind"), ("all", "split_unknown"), ("odd", "split_unknown")]
)
def test_other_splits_of_a_release_are_refused(split: str, code: str) -> None:
    with pytest.raises(DomainError) as refused:
        services.detect(release=built(), split=split, by=None)
    assert refused.value.code == code


@pytest.mark.parametrize(("split", "code"), [("dev", "split_unknown"), ("blind", "labels_unknown")])
def test_splits_without_labels_are_refused(split: str, code: str) -> None:
    blind = LINES[0].replace(', "answer": "1"', "")
    data = imported(splits={"test": LINES, "blind": [blind]})
    with pytest.raises(DomainError) as refused:
        services.detect(reference_set=data, split=split, by=None)
    assert refused.value.code == code


@pytest.mark.long
def test_an_encoding_without_all_questions_is_refused() -> None:
    release, snapshot = built(), SnapshotFactory(finished=True)
    own = release.snapshot.encodings.get()
    tuned = EncodingFactory(
        finished=True,
        snapshot=release.snapshot,
        tuning=TuningFactory(snapshot=release.snapshot, finished=True),
    )
    for encoding in (tuned, EncodingFactory(finished=True, snapshot=snapshot)):
        with pytest.raises(DomainError) as refused:
            services.detect(release=release, encoding=encoding, by=None)
        assert refused.value.code == "encoding_incomplete"
    assert services.detect(release=release, encoding=own, by=None).pk


def test_exactly_one_set_is_named_and_no_search_starts_twice() -> None:
    with pytest.raises(ValidationError, match="in a release, a reference set or a snapshot"):
        services.detect(by=None)
    data = imported()
    with pytest.raises(ValidationError, match="in a release, a reference set or a snapshot"):
        services.detect(
            reference_set=data, snapshot=SnapshotFactory(finished=True), split="test", by=None
        )
    services.detect(reference_set=data, by=None)
    with pytest.raises(ValidationError, match="under way already"):
        services.detect(reference_set=data, by=None)


def test_a_set_too_small_for_every_detector_says_so() -> None:
    run = carried(services.detect(reference_set=imported(), by=None))
    assert run.result["detected"] == []
    assert set(run.result["not_run"].values()) == {"fewer than 10 groups have such a text"}
    assert results(run.result).verdict.startswith("No leak could be found or excluded")


@pytest.mark.long
def test_a_split_without_questions_fails_with_a_sentence() -> None:
    release = release_of(filtered(QUESTIONS, dev_share="0", test_share="0.3"), "first")
    carried(release)
    run = services.detect(release=release, split="dev", by=None)
    execute_here(run)
    run.refresh_from_db()
    assert (run.status, run.failure) == (RunStatus.FAILED, "There are no items in dev.")


def set_of(**fields: Any) -> Callable[[], object]:
    return lambda: DetectionFactory(**fields)


@pytest.mark.parametrize(
    ("constraint", "break_it"),
    [
        ("is_of_one_set", set_of(release=None)),
        ("release_is_not_examined_blind", set_of(split="test")),
        ("done_has_its_results", set_of(status=RunStatus.DONE)),
    ],
)
def test_the_database_refuses(constraint: str, break_it: Callable[[], object]) -> None:
    name = f"evaluation_artifactdetection_{constraint}"
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        break_it()


def test_a_set_that_was_examined_stays() -> None:
    data = imported()
    services.detect(reference_set=data, by=None)
    with pytest.raises(DomainError, match="refer to this set"):
        delete_reference_set(reference_set=data)
    assert ReferenceSet.objects.exists()
