"""Questions near in meaning to another one, by a campaign's newest sentence encoding."""

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from collection.models import Campaign, Question
from filtering.core.neighbours import nearest_rows
from filtering.models import SentenceEncoding
from winoplatform.artifacts import store
from winoplatform.runs.models import RunStatus

MOST_NEAR = 200


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The questions nearest to one, itself included, with their cosines by primary key.

    ``n_later``: the questions of the campaign that the encoding does not have, because they are
    newer. Python keeps the order of ``cosines``: the nearest is first.
    """

    encoding: SentenceEncoding
    cosines: dict[int, float]
    n_later: int


def newest_sentences(campaign: Campaign) -> SentenceEncoding | None:
    """Return the newest sentence encoding of a campaign that is done."""
    rows = SentenceEncoding.objects.filter(campaign=campaign, status=RunStatus.DONE)
    return rows.select_related("questions", "matrix").order_by("-pk").first()


def neighbours(encoding: SentenceEncoding, question: int) -> Neighbours | None:
    """Return the `MOST_NEAR` nearest of a question by its primary key; None if it is newer."""
    assert encoding.questions is not None
    assert encoding.matrix is not None
    keys = cast(NDArray[np.int64], store.load_array(encoding.questions))  # (n,), ascending
    row = int(np.searchsorted(keys, question))
    if row == len(keys) or keys[row] != question:
        return None
    matrix = cast(NDArray[np.float32], store.load_array(encoding.matrix))  # (n, d)
    rows, cosines = nearest_rows(matrix, row=row, most=MOST_NEAR)
    all_now = Question.objects.filter(twin__campaign=encoding.campaign_id).count()
    by_key = dict(zip(keys[rows].tolist(), cosines.tolist(), strict=True))
    return Neighbours(encoding, by_key, max(all_now - len(keys), 0))
