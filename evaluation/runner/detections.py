"""Executes searches for artifacts."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from corpora.core.items import Item
from corpora.provenance import data_sha256
from corpora.selectors import Labelled, Origin
from evaluation.core.artifacts import document
from evaluation.core.artifacts.detection import detect_artifacts
from evaluation.core.artifacts.examples import examples_of
from evaluation.loading import code_version
from evaluation.models import ArtifactDetection
from evaluation.runner.detection_scores import scores_by_scorer
from evaluation.runner.features import features_of
from evaluation.selectors import to_examine
from filtering.models import Encoding
from modeling.specs import ModelSpec
from stats.keys import priorities
from winoplatform.runs.attempts import Attempt

# Time grows with the cube of the number of items: 2,558 items take three minutes.
MOST_ITEMS = 3000


def detection(attempt: Attempt[ArtifactDetection]) -> None:
    run = attempt.run
    attempt.report(0, activity="reading the items")
    found = to_examine(run)
    if not found.items:
        raise ValueError(f"There are no items in {run.split}.")
    items = sample(found.items, most=MOST_ITEMS, seed=run.seed)
    attempt.note(
        data_sha256=data_sha256([replace(item, answer=None) for item in items]),
        code_version=code_version(),
    )
    scorers = scores_by_scorer(attempt, items)
    encodings = {}
    if run.encoding is not None:
        encodings[ModelSpec.parse(run.encoding.encoder).public_name] = _features(
            run.encoding, found, items
        )

    def report(done: int, total: int) -> None:
        attempt.report(done, total=total, activity="training models")

    artifacts = detect_artifacts(
        items,
        seed=run.seed,
        encodings=encodings,
        scorers=scorers,
        whole=found.items,
        progress=report,
    )
    sizes = {"n_items": len(found.items), "n_examined": len(items)}
    attempt.finish(result=document(artifacts, examples_of(items)) | sizes)


def sample(items: Sequence[Item], *, most: int, seed: int) -> list[Item]:
    """Return the items, or of more than *most* a random sample of whole groups, in order."""
    if len(items) <= most:
        return list(items)
    groups, sizes = np.unique([item.group for item in items], return_counts=True)
    order = np.argsort(priorities(groups.tolist(), seed=seed, purpose="artifact detection"))
    chosen = set(groups[order][np.cumsum(sizes[order]) <= most].tolist())
    return [item for item in items if item.group in chosen]


def _features(
    encoding: Encoding, found: Labelled, items: Sequence[Item]
) -> Sequence[NDArray[np.float32]]:
    """Return the features of each item's two options (2, d), in the order of its options.

    Of a difference of vectors, one half is the feature of one option and the negative half that of
    the other: a linear model sees only the difference.
    """
    origins = [found.origins.get(item.id, Origin(item.id, swapped=False)) for item in items]
    features = features_of(encoding, origins)  # (n, d)
    if encoding.features == Encoding.Features.DIFFERENCE:
        return list(np.stack([features / 2, -features / 2], axis=1))
    return list(features.reshape(len(features), 2, -1))
