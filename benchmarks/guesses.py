"""The machine's guess, on real twins that the filter run has not seen.

Four of five of WinoGrande's whole twins (``train_l``) are the filter run's questions, with the
settings that the platform suggests for so many; the fifth is written afterwards and guessed. Said
of the published answers, the warning is its noise; said of the same twins with their answers
exchanged, it is what chance and habit alone would give. The baseline is one classifier in place of
the run's n. Last, the seconds that one guess takes a worker which has its encoder loaded.
"""

import time
from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.aflite import encoded
from benchmarks.report import parse_args, peak_mb, percentile, result, table, timed
from filtering.core.aflite import AFLite
from filtering.core.encoders import DEFAULT_ENCODER, load_encoder
from filtering.core.features import option_features
from filtering.core.guess_rules import guesses_pair
from filtering.core.guessers import count_right, first_members
from filtering.core.presets import settings
from filtering.core.questions import FrozenQuestion
from tests.winogrande_data import winogrande_questions

TAU = 0.75
QUESTIONS = {False: None, True: 400}
TIMED = {False: 200, True: 10}

Floats = NDArray[np.float32]


def main() -> None:
    """Encode, train, guess, print."""
    args = parse_args(__doc__ or "", encoder=DEFAULT_ENCODER)
    questions = winogrande_questions("train_l", limit=QUESTIONS[args.quick])
    features = encoded(questions, args.encoder)
    seen, new = _parted(questions)
    start = time.perf_counter()
    members = _trained(features[seen], [questions[i] for i in seen])
    training = time.perf_counter() - start
    unseen = [questions[i] for i in new]
    rows = {
        "n classifiers": _shares(members, features[new], unseen),
        "one classifier": _shares(members[:1], features[new], unseen),
    }
    table(
        ("guessed by", "published answers", "answers exchanged"),
        [(name, *(f"{share:.2%}" for share in shares)) for name, shares in rows.items()],
    )
    seconds = _seconds(members, unseen, args.encoder, times=TIMED[args.quick])
    published, exchanged = rows["n classifiers"]
    result(
        twins_seen=len(seen) // 2,
        twins_new=len(new) // 2,
        classifiers=len(members),
        guessed=published,
        guessed_exchanged=exchanged,
        training_s=training,
        guess_p50_ms=1e3 * percentile(seconds, 0.5),
        guess_p95_ms=1e3 * percentile(seconds, 0.95),
        peak_mb=round(peak_mb()),
    )


def _parted(questions: Sequence[FrozenQuestion]) -> tuple[list[int], list[int]]:
    """Return the places of four of five twins, and of the fifth; twins are adjacent."""
    firsts = list(range(0, len(questions), 2))
    Random(5).shuffle(firsts)
    cut = len(firsts) * 4 // 5
    seen, new = firsts[:cut], firsts[cut:]
    return [i + n for i in seen for n in (0, 1)], [i + n for i in new for n in (0, 1)]


def _trained(features: Floats, questions: Sequence[FrozenQuestion]) -> Floats:
    return first_members(
        AFLite(**_settings(len(questions))),
        features,
        np.array([question.answer for question in questions]),
        groups=[question.twin for question in questions],
        ids=[question.id for question in questions],
    )


def _settings(n_questions: int) -> dict[str, Any]:
    return settings("published", n_questions) | {"tau": TAU}


def _shares(
    members: Floats, features: Floats, questions: Sequence[FrozenQuestion]
) -> tuple[float, float]:
    """Return the share of twins guessed, with their own answers and with exchanged ones."""
    answers = np.array([question.answer for question in questions])
    guessed = []
    for said in (answers, 3 - answers):
        right = count_right(members, features, said.tolist()).reshape(-1, 2)
        pairs = [guesses_pair((int(a), int(b)), n=len(members), tau=TAU) for a, b in right]
        guessed.append(sum(pairs) / len(pairs))
    return guessed[0], guessed[1]


def _seconds(
    members: Floats, questions: Sequence[FrozenQuestion], spec: str, *, times: int
) -> list[float]:
    """Return the seconds of each of *times* guesses, as a worker makes them."""
    encoder = load_encoder(spec)

    def guess(first: FrozenQuestion, second: FrozenQuestion) -> None:
        vectors = encoder.encode([*first.filled, *second.filled]).reshape(2, 2, -1)
        features = option_features(vectors[:, 0], vectors[:, 1])
        count_right(members, features, [first.answer, second.answer])

    pairs = list(zip(questions[::2], questions[1::2], strict=True))[:times]
    guess(*pairs[0])
    return [timed(lambda pair=pair: guess(*pair), repeats=1)[0] for pair in pairs]


if __name__ == "__main__":
    main()
