"""Requests for searches for artifacts."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Q

from corpora.core.bundle.layout import BLIND
from corpora.models import ReferenceSet, Release, Snapshot
from corpora.provenance import code_version
from corpora.services import refuse_unlabelled, usual_split
from evaluation.core.artifacts.results import EXCERPTS
from evaluation.methods import METHODS
from evaluation.methods.protocol import CODE
from evaluation.models import ArtifactDetection, Evaluation
from evaluation.selectors import encodings_for
from evaluation.services.evaluations import evaluate, first_variant
from filtering.models import Encoding
from winoplatform.errors import DomainError
from winoplatform.runs.models import RunStatus
from winoplatform.runs.start import start
from workers.models import User

# Each adds eight tests, of which every other test is corrected.
MOST_SCORERS = 6
FIELDS = ("method", "variant", "model")


@transaction.atomic
def detect(
    *,
    by: User | None,
    release: Release | None = None,
    reference_set: ReferenceSet | None = None,
    snapshot: Snapshot | None = None,
    split: str = "",
    encoding: Encoding | None = None,
    scorers: Sequence[Mapping[str, str]] = (),
    confirm_remote: bool = False,
    seed: int = 0,
) -> ArtifactDetection:
    """Request a search for artifacts in a release, a split of a reference set, or a snapshot.

    An empty *split* means train and dev of a release, of a reference set its only split or dev, and
    of a snapshot everything. With an *encoding*, its features are one more detector. Each of the
    *scorers* (``method``, ``variant`` and ``model``) is asked about each text that should not
    determine the answer; evaluations by the same code that are there are used, others requested.

    Raises
    ------
    DomainError
        When the split is unknown, blind or not labelled, the encoding does not have all questions,
        there are too many scorers or one that cannot look for artifacts, or as in `evaluate`.
    ValidationError
        When not exactly one set is named, or the same search is under way.
    """
    usual = ArtifactDetection.RELEASE_SPLITS[0] if release else usual_split(reference_set, snapshot)
    detection = ArtifactDetection(
        release=release,
        reference_set=reference_set,
        snapshot=snapshot,
        split=split or usual,
        encoding=encoding,
        scorers=_distinct(scorers),
        seed=seed,
        created_by=by,
    )
    _refuse_unexaminable(detection)
    _refuse_unsuitable(detection.scorers)
    # Before the search, so that a single worker has done them when it begins with the search.
    evaluations = [
        _same(arguments) or evaluate(**arguments, by=by, confirm_remote=confirm_remote)
        for arguments in _needed(detection)
    ]
    start(detection)
    detection.evaluations.set(evaluations)
    return detection


def _distinct(scorers: Sequence[Mapping[str, str]]) -> list[dict[str, str]]:
    """Return each scorer once, with its variant."""
    distinct = []
    for choice in scorers:
        scorer = {name: str(choice.get(name, "")).strip() for name in FIELDS}
        scorer["variant"] = scorer["variant"] or first_variant(scorer["method"])
        if scorer not in distinct:
            distinct.append(scorer)
    return distinct


def _refuse_unsuitable(scorers: Sequence[Mapping[str, str]]) -> None:
    if len(scorers) > MOST_SCORERS:
        raise DomainError("too_many_scorers", f"A search has at most {MOST_SCORERS} scorers.")
    for one in scorers:
        method = METHODS.get(one["method"])
        if method is None or not method.detects:
            names = ", ".join(name for name, facts in METHODS.items() if facts.detects)
            raise DomainError(
                "scorer_unsuitable",
                f"“{one['method']}” cannot look for artifacts: it learns from answers, has none of "
                f"its own, or asks about other items. Use one of: {names}.",
            )


def _needed(detection: ArtifactDetection) -> Iterator[dict[str, Any]]:
    """Yield what each evaluation that the scorers need is requested with."""
    data = {name: getattr(detection, name) for name in ("release", "reference_set", "snapshot")}
    for scorer in detection.scorers:
        for text in texts_of(scorer):
            for split in detection.parts:
                yield data | scorer | {"split": split, "transformation": text}


def texts_of(scorer: Mapping[str, str]) -> list[str]:
    """Return the texts that a scorer can be asked about."""
    needs_rest = scorer["variant"] in METHODS[scorer["method"]].reads_rest
    return [text for text in EXCERPTS if not (needs_rest and text == "candidates_only")]


def _same(arguments: Mapping[str, Any]) -> Evaluation | None:
    """Return the newest evaluation of the same, open or by the same code; None if there is none.

    A corpus or a server may have changed since an evaluation ended, so such a one is not used.
    """
    usable = Q(status__in=Evaluation.OPEN)
    if METHODS[arguments["method"]].reads is None:
        usable |= Q(status=RunStatus.DONE, code_version=code_version(*CODE))
    rows = Evaluation.objects.filter(usable, dtype=Evaluation.Dtypes.FLOAT32, seed=0, **arguments)
    return rows.order_by("-pk").first()


def _refuse_unexaminable(detection: ArtifactDetection) -> None:
    if detection.reference_set is not None:
        refuse_unlabelled(detection.reference_set, detection.split)
    elif detection.release is not None:
        if detection.split == BLIND:
            raise DomainError(
                "split_blind", "The labels of the test split are blind; train and dev are examined."
            )
        if detection.split not in detection.RELEASE_SPLITS:
            names = ", ".join(detection.RELEASE_SPLITS)
            raise DomainError("split_unknown", f"Of a release these can be examined: {names}.")
    elif detection.snapshot is not None and detection.split != detection.WHOLE:
        raise DomainError("split_unknown", "A snapshot is examined whole, as split “all”.")
    if detection.encoding not in (None, *encodings_for(detection)):
        raise DomainError(
            "encoding_incomplete",
            "This encoding does not have all questions. Choose one of the snapshot without a "
            "tuning, or the one that the release was filtered with.",
        )
