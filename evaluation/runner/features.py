"""An encoding's features of published questions."""

from collections.abc import Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from corpora.selectors import Origin
from filtering.models import Encoding
from filtering.selectors import encoded_questions
from winoplatform.artifacts import store


def features_of(encoding: Encoding, origins: Sequence[Origin]) -> NDArray[np.float32]:
    """Return the features (n, d) of questions, in the order of their options.

    With swapped options, a difference of vectors has the other sign, and two vectors in a row
    change places.
    """
    assert encoding.matrix is not None
    matrix = cast(NDArray[np.float32], store.load_array(encoding.matrix))
    place = {question.id: row for row, question in enumerate(encoded_questions(encoding))}
    features = matrix[[place[origin.id] for origin in origins]]  # (n, d)
    swapped = np.array([origin.swapped for origin in origins], dtype=bool)
    if encoding.features == Encoding.Features.DIFFERENCE:
        features[swapped] *= -1
    else:
        features[swapped] = np.roll(features[swapped], features.shape[1] // 2, axis=1)
    return features
