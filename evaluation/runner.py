"""Carries an evaluation, or the load of the starter campaign, to its end."""

import json
from dataclasses import asdict
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from corpora import publishing
from evaluation.core.baselines import linear_predict, majority_predict
from evaluation.core.metrics import accuracy, group_score
from evaluation.models import Evaluation, StarterLoad
from evaluation.signals import starter_loaded
from filtering import selectors
from filtering.models import Encoding
from validation import starter
from winoplatform.artifacts import store
from winoplatform.progress import at_most_every
from winoplatform.runs import kinds
from winoplatform.runs.frame import Carrier

Rows = list[dict[str, Any]]
REPORT_SECONDS = 0.5


def _evaluation(carrier: Carrier[Evaluation]) -> None:
    run = carrier.run
    index = publishing.read_index(run.release)
    train = [row for row in index if row["split"] == "train"]
    rows = [row for row in index if row["split"] == run.split]
    carrier.report(0, total=len(rows), activity=f"answering {run.split}")
    if not train or not rows:
        raise ValueError(f"The release has no questions in train or {run.split}.")
    predicted = _predict(run, train, rows)
    correct = predicted == _labels(rows)
    twins = [row["qID"].rpartition("-")[0] for row in rows]
    lines = [
        json.dumps({"qID": row["qID"], "prediction": int(option)}) + "\n"
        for row, option in zip(rows, predicted, strict=True)
    ]
    carrier.finish(
        predictions=store.put_bytes("".join(lines).encode()),
        metrics={
            "accuracy": asdict(accuracy(correct, twins)),
            "pair_accuracy": asdict(group_score(correct, twins)),
        },
        done=len(rows),
    )


def _predict(run: Evaluation, train: Rows, rows: Rows) -> NDArray[np.int64]:
    y = _labels(train)
    if run.model == Evaluation.Model.MAJORITY:
        return majority_predict(y, len(rows))
    assert run.encoding is not None
    return linear_predict(_features(run.encoding, train), y, _features(run.encoding, rows))


def _labels(rows: Rows) -> NDArray[np.int64]:
    return np.array([row["answer"] for row in rows], dtype=np.int64)


def _features(encoding: Encoding, rows: Rows) -> NDArray[np.float32]:
    """Features of published rows: those of the encoding, with the options in published order."""
    assert encoding.matrix is not None
    matrix = cast(NDArray[np.float32], store.load_array(encoding.matrix))
    position = {q.id: i for i, q in enumerate(selectors.encoded_questions(encoding))}
    features = matrix[[position[row["question"]] for row in rows]]  # (n_rows, d)
    swapped = np.array([row["swapped"] for row in rows])
    if encoding.features == Encoding.Features.DIFFERENCE:
        features[swapped] *= -1
    else:
        features[swapped] = np.roll(features[swapped], features.shape[1] // 2, axis=1)
    return features


def _starter_load(carrier: Carrier[StarterLoad]) -> None:
    def report(done: int, total: int, said: str) -> None:
        carrier.report(done, total=total, activity=said)

    campaign = starter.load(progress=at_most_every(REPORT_SECONDS, report))
    if campaign is None:
        raise ValueError("There is a campaign already, so the starter campaign is not loaded.")
    starter_loaded.send(sender=StarterLoad, campaign=campaign)
    carrier.finish(campaign=campaign, done=carrier.run.total or 0)


kinds.register(Evaluation, _evaluation)
kinds.register(StarterLoad, _starter_load)
