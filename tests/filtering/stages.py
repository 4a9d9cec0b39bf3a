"""Finished stages of the pipeline, made by hand, so that a test begins where it wants to."""

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from django.utils import timezone
from numpy.typing import NDArray

from collection.models import Campaign, Question, Twin
from corpora import services as corpora
from corpora.core.items import TwinItem
from corpora.models import Release, Snapshot
from filtering.models import Encoding, FilterRun
from tests.factories import (
    SENTENCES,
    CampaignFactory,
    EncodingFactory,
    FilterRunFactory,
    SnapshotFactory,
    TwinFactory,
)
from winoplatform.artifacts import store
from winoplatform.models import Artifact
from winoplatform.runs.attempts import Attempt
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import Run, RunStatus

TINY = "pkg:cognition/model"
# AFLite as the paper has it, which removes rows of any set, however small.
PUBLISHED = {"stop": "published", "partition": "individual", "removal": "individual"}


class Killed(BaseException):
    """The process dies here: nothing may catch this."""


def kill(*_: object, **__: object) -> None:
    raise Killed


def kill_after(monkeypatch: pytest.MonkeyPatch, records: int) -> None:
    """Let the process that carries a run die once it has recorded *records* steps."""
    record, left = Attempt.record, records

    def recording(self: Attempt[Any], *args: Any, **options: Any) -> None:
        nonlocal left
        if not left:
            raise Killed
        left -= 1
        record(self, *args, **options)

    monkeypatch.setattr(Attempt, "record", recording)


def killed_after(run: Run, records: int) -> None:
    """Execute a run until its worker dies after some steps; then let its lease end."""
    with pytest.MonkeyPatch.context() as patch:
        kill_after(patch, records)
        with pytest.raises(Killed):
            execute_here(run)
    lease_ends(run)
    run.refresh_from_db()


def carried(run: Run) -> Any:
    """Execute a run to its good end."""
    execute_here(run)
    assert_done(run)
    return run


def lease_ends(run: Run) -> None:
    """Let the time pass after which a run without a sign of life may be taken over."""
    type(run)._default_manager.filter(pk=run.pk).update(leased_until=timezone.now())


def twin_id(number: int) -> str:
    """The public id of a hand-made twin."""
    return str(UUID(int=number))


def frozen(*, pairs: int, unpaired: int = 0) -> list[TwinItem]:
    """Questions as a snapshot holds them; ids and order give the answer away, as in WinoGrande."""
    return [
        TwinItem(
            id=f"q{twin:04d}-{answer}",
            group=twin_id(twin),
            sentence=SENTENCES[answer - 1].replace("bed", f"bed number {twin}"),
            options=(f"trophy {twin}", f"suitcase {twin}"),
            answer=answer,
        )
        for twin in range(pairs + unpaired)
        for answer in ((1, 2) if twin < pairs else (1 + twin % 2,))
    ]


def stored(questions: Sequence[TwinItem], campaign: Campaign) -> None:
    """Put the twins of a hand-made snapshot into the tables, unless they are there.

    As withdrawn since: nothing but what the snapshot is made into finds them.
    """
    first = {question.group: question for question in questions}
    there = Twin.objects.filter(public_id__in=first).values_list("public_id", flat=True)
    Twin.objects.bulk_create(
        Twin(
            public_id=twin,
            campaign=campaign,
            origin=Twin.Origin.PUBLISHED,
            option1=o1,
            option2=o2,
            withdrawn_at=timezone.now(),
        )
        for twin, (o1, o2) in ((twin, first[twin].options) for twin in first)
        if UUID(twin) not in set(there)
    )
    pks = dict(Twin.objects.filter(public_id__in=first).values_list("public_id", "pk"))
    had = set(Question.objects.filter(twin__in=pks.values()).values_list("twin", "answer"))
    Question.objects.bulk_create(
        Question(
            public_id=question.id,
            twin_id=pks[UUID(question.group)],
            number=question.answer,
            sentence=question.sentence,
            answer=question.answer,
        )
        for question in questions
        if (pks[UUID(question.group)], question.answer) not in had
    )


def snapshot_of(questions: Sequence[TwinItem], **campaign: Any) -> Snapshot:
    """A snapshot that is done, of twins that are in the tables."""
    stands_for = CampaignFactory(**campaign)
    stored(questions, stands_for)
    lines = "".join(f"{question.to_line()}\n" for question in questions)
    twins = [question.group for question in questions]
    return SnapshotFactory(
        finished=True,
        campaign=stands_for,
        questions=store.put_bytes(lines.encode()),
        n_questions=len(questions),
        n_pairs=len(twins) - len(set(twins)),
    )


def encoding_of(
    questions: Sequence[TwinItem],
    matrix: NDArray[np.float32],
    *,
    campaign: Mapping[str, Any] = MappingProxyType({}),
    **fields: Any,
) -> Encoding:
    return EncodingFactory(
        finished=True,
        snapshot=snapshot_of(questions, **campaign),
        matrix=store.put_array(matrix),
        n_features=matrix.shape[1],
        **fields,
    )


def leaking(questions: Sequence[TwinItem], *, every: int = 3, d: int = 6) -> Any:
    """Features (n, d), float32: in every third question the first one tells the answer."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(len(questions), d)).astype(np.float32)
    signs = np.array([3 - 2 * question.answer for question in questions])
    x[::every, 0] += 6 * signs[::every]
    return x


def filtered(
    questions: Sequence[TwinItem],
    kept: Sequence[TwinItem] | None = None,
    **campaign: Any,
) -> FilterRun:
    """A filter run that is done and has kept *kept*, or everything."""
    ids = [question.id for question in (questions if kept is None else kept)]
    return FilterRunFactory(
        finished=True,
        encoding=encoding_of(questions, leaking(questions, every=1), campaign=campaign),
        kept=store.put_bytes("".join(f"{id}\n" for id in ids).encode()),
        n_kept=len(ids),
    )


def release_of(run: FilterRun, name: str) -> Release:
    """Ask for a release of what a filter run keeps."""
    return corpora.build_release(
        snapshot=run.encoding.snapshot, selection=run.selection, name=name, by=None
    )


def published_twins(count: int, **fields: Any) -> None:
    """Twins in the database that count as valid."""
    for number in range(count):
        sentences = [text.replace("bed", f"bed number {number}") for text in SENTENCES]
        TwinFactory(published=True, sentences=sentences, **fields)


def read(artifact: Artifact) -> str:
    with store.open_artifact(artifact) as file:
        return file.read().decode(errors="surrogateescape")  # Parquet and zip are bytes


def contents(release: Release) -> dict[str, str]:
    """Each file of a release by name, the restricted ones too."""
    return {file.name: read(file.artifact) for file in release.files.select_related("artifact")}


def rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def assert_done(run: Run) -> None:
    run.refresh_from_db()
    assert (run.status, run.failure) == (RunStatus.DONE, "")
