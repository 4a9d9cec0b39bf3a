"""The scores of a search's scorers: evaluations that are there, or are made here."""

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence

from corpora.core.items import Item
from evaluation.core.artifacts import EXCERPTS
from evaluation.core.artifacts.detection import TEXTS, ScoresByText
from evaluation.methods.protocol import Floats
from evaluation.models import ArtifactDetection, Evaluation
from evaluation.selectors.answers import scored_items, scores_of
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
    found: dict[tuple[str, ...], list[Evaluation]] = defaultdict(list)
    for evaluation in attempt.run.evaluations.order_by("pk"):
        end(attempt, evaluation)
        found[evaluation.method, evaluation.variant, evaluation.model].append(evaluation)
    needed = {text: {item.id for item in TEXTS[text](items).items} for text in EXCERPTS}
    names = distinct([of[0].system for of in found.values()])
    return {
        name: {text: _merged([one for one in of if one.transformation == text], needed[text])
               for text in EXCERPTS}
        for name, of in zip(names, found.values(), strict=True)
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
