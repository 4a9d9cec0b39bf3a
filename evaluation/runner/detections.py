"""Executes searches for artifacts with the scores of their scorers."""

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from corpora.core.items import Item
from corpora.provenance import code_version, data_sha256
from corpora.selectors import Labelled, Origin
from evaluation.core.artifacts.detection import TEXTS, ScoresByText, detect_artifacts
from evaluation.core.artifacts.examples import examples_of
from evaluation.core.artifacts.results import EXCERPTS, document
from evaluation.methods.protocol import CODE, Floats
from evaluation.models import ArtifactDetection, Evaluation
from evaluation.runner.inputs import features_of
from evaluation.selectors import to_examine
from evaluation.selectors.answers import scored_items, scores_of
from filtering.models import Encoding
from modeling.specs import ModelSpec
from stats.keys import priorities
from winoplatform.runs.attempts import Attempt
from winoplatform.runs.kinds import execute_here, help_run
from winoplatform.runs.models import RunStatus
from winoplatform.runs.sharing import LOOK_AGAIN_SECONDS

NO_REST = "it scores the text after the option, and nothing follows the option"


def scores_by_scorer(
    attempt: Attempt[ArtifactDetection], items: Sequence[Item]
) -> dict[str, ScoresByText]:
    """Return the scores of each scorer of a search for some of its items, by its name in words.

    Evaluations that have not ended are executed here, or helped with if another worker executes
    them: so a search ends even if this is the only worker.
    """
    by_scorer: dict[tuple[str, ...], list[Evaluation]] = defaultdict(list)
    for evaluation in attempt.run.evaluations.order_by("pk"):
        end(attempt, evaluation)
        by_scorer[evaluation.method, evaluation.variant, evaluation.model].append(evaluation)
    needed = {text: {item.id for item in TEXTS[text](items).items} for text in EXCERPTS}
    names = distinct([of[0].system for of in by_scorer.values()])
    return {
        name: {text: _merged([one for one in of if one.transformation == text], needed[text])
               for text in EXCERPTS}
        for name, of in zip(names, by_scorer.values(), strict=True)
    }  # fmt: skip


def distinct(names: Sequence[str]) -> list[str]:
    """Return names, equal ones with a number: models in different folders may have one name."""
    return [
        f"{name} ({names[:place].count(name) + 1})" if names.count(name) > 1 else name
        for place, name in enumerate(names)
    ]


def end(attempt: Attempt[ArtifactDetection], evaluation: Evaluation) -> None:
    """Bring an evaluation to its end; raises as ``report`` does if the search must stop."""
    while not evaluation.has_ended:
        activity = f"scoring {evaluation.data_name} by {evaluation.system}"
        # An evaluation records what it has done, so the attempt has not stalled.
        attempt.note(activity=activity[:200], stalled_attempts=0)
        execute_here(evaluation)
        evaluation.refresh_from_db()
        if not evaluation.has_ended:
            help_run(evaluation._meta.label_lower, evaluation.pk)
            time.sleep(LOOK_AGAIN_SECONDS)
            evaluation.refresh_from_db()


def _merged(evaluations: Sequence[Evaluation], needed: set[str]) -> Mapping[str, Floats] | str:
    """Return the scores of all items that are needed, from all splits; or why there are none."""
    if not evaluations:
        return NO_REST
    done = [one for one in evaluations if one.status == RunStatus.DONE]
    scores = {id: scores for one in done for id, scores in _scores(one).items()}
    if needed <= scores.keys():
        return scores
    others = [one.failure or f"its evaluation {one.ending}" for one in evaluations
              if one.status != RunStatus.DONE]  # fmt: skip
    return others[0] if others else "its evaluations have scores of other questions"


def _scores(evaluation: Evaluation) -> dict[str, Floats]:
    items = scored_items(evaluation).items
    pairs = zip(items, scores_of(evaluation, items), strict=True)
    return {item.id: scores for item, scores in pairs if scores is not None and len(scores)}


# Time grows with the cube of the number of items: 2,558 items take three minutes.
MOST_ITEMS = 3000


def detection(attempt: Attempt[ArtifactDetection]) -> None:
    run = attempt.run
    attempt.report(0, activity="reading the items")
    examined = to_examine(run)
    if not examined.items:
        raise ValueError(f"There are no items in {run.split}.")
    items = sample(examined.items, most=MOST_ITEMS, seed=run.seed)
    attempt.note(
        data_sha256=data_sha256([replace(item, answer=None) for item in items]),
        code_version=code_version(*CODE),
    )
    scorers = scores_by_scorer(attempt, items)
    encodings = {}
    if run.encoding is not None:
        encodings[ModelSpec.parse(run.encoding.encoder).public_name] = _features(
            run.encoding, examined, items
        )

    def report(done: int, total: int) -> None:
        attempt.report(done, total=total, activity="training models")

    artifacts = detect_artifacts(
        items,
        seed=run.seed,
        encodings=encodings,
        scorers=scorers,
        whole=examined.items,
        progress=report,
    )
    sizes = {"n_items": len(examined.items), "n_examined": len(items)}
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
    encoding: Encoding, labelled_set: Labelled, items: Sequence[Item]
) -> Sequence[NDArray[np.float32]]:
    """Return the features of each item's two options (2, d), in the order of its options.

    Of a difference of vectors, one half is the feature of one option and the negative half that of
    the other: a linear model sees only the difference.
    """
    origins = [labelled_set.origins.get(item.id, Origin(item.id, swapped=False)) for item in items]
    features = features_of(encoding, origins)  # (n, d)
    if encoding.features == Encoding.Features.DIFFERENCE:
        return list(np.stack([features / 2, -features / 2], axis=1))
    return list(features.reshape(len(features), 2, -1))
