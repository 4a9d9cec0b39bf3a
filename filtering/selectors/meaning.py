"""Questions near in meaning to another one, by a campaign's newest sentence encoding."""

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from collection.models import Campaign, Question
from filtering.core.neighbours import nearest_rows
from filtering.models import SentenceEncoding
from winoplatform.artifacts import store
from winoplatform.processes import shared_cache
from winoplatform.runs.models import RunStatus

MOST_NEAR = 200


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The questions nearest to one, itself included, or to a sentence, with cosines by primary key.

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


def typed_vector(encoding: SentenceEncoding, sentence: str) -> NDArray[np.float32] | None:
    """Return the vector (d,) of a typed sentence, if a worker has made it lately."""
    stored = shared_cache.get(_name(encoding, sentence))
    return None if stored is None else np.frombuffer(stored, dtype=np.float32)


def keep_typed_vector(
    encoding: SentenceEncoding, sentence: str, vector: NDArray[np.float32]
) -> None:
    """Store the vector (d,) of a typed sentence where all processes find it."""
    shared_cache.put(_name(encoding, sentence), vector.astype(np.float32).tobytes())


def _name(encoding: SentenceEncoding, sentence: str) -> str:
    """Name what the vector depends on: the encoder as it was loaded, and the sentence."""
    loaded = (encoding.weights_sha256, encoding.config_sha256, encoding.pooling_used)
    return f"typed sentence {' '.join(loaded)} {sentence}"


def neighbours(encoding: SentenceEncoding, question: int) -> Neighbours | None:
    """Return the `MOST_NEAR` nearest of a question by its primary key; None if it is newer."""
    keys, matrix = _arrays(encoding)
    row = int(np.searchsorted(keys, question))
    if row == len(keys) or keys[row] != question:
        return None
    return _neighbours_of(encoding, keys, nearest_rows(matrix, row=row, most=MOST_NEAR))


def neighbours_of_vector(encoding: SentenceEncoding, vector: NDArray[np.float32]) -> Neighbours:
    """Return the `MOST_NEAR` questions nearest to a vector (d,) of the same encoder."""
    keys, matrix = _arrays(encoding)
    return _neighbours_of(encoding, keys, nearest_rows(matrix, vector=vector, most=MOST_NEAR))


def _arrays(encoding: SentenceEncoding) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the keys of the questions (n,), ascending, and their vectors (n, d)."""
    assert encoding.questions is not None
    assert encoding.matrix is not None
    keys = cast(NDArray[np.int64], store.load_array(encoding.questions))
    return keys, cast(NDArray[np.float32], store.load_array(encoding.matrix))


def _neighbours_of(
    encoding: SentenceEncoding,
    keys: NDArray[np.int64],
    nearest: tuple[NDArray[np.intp], NDArray[np.float32]],
) -> Neighbours:
    rows, cosines = nearest
    all_now = Question.objects.filter(twin__campaign=encoding.campaign_id).count()
    by_key = dict(zip(keys[rows].tolist(), cosines.tolist(), strict=True))
    return Neighbours(encoding, by_key, max(all_now - len(keys), 0))
