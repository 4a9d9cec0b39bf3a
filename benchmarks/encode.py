"""Questions encoded per second: sorted by length, against a plain loop in the order given.

The plain loop is what one writes first: batches in input order, each padded to its longest text.
Both encode the same sentences with the same model and batch size, turn by turn in one run.
"""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from benchmarks.report import median, parse_args, peak_mb, result, table, timed
from filtering.core.encoders import DEFAULT_ENCODER, TINY_ENCODER, Encoder, load_encoder
from tests.winogrande_data import winogrande_path, winogrande_questions

BATCH_SIZE = 64


def plain_encode(encoder: Encoder, texts: Sequence[str]) -> NDArray[np.float32]:
    """Encode in input order with mean pooling over the tokens that are not padding."""
    rows = []
    for start in range(0, len(texts), BATCH_SIZE):
        batch = encoder.tokenizer(
            list(texts[start : start + BATCH_SIZE]), padding=True, return_tensors="pt"
        )
        with torch.inference_mode():
            hidden = encoder.model(**batch).last_hidden_state
        mask = batch["attention_mask"].unsqueeze(-1)
        rows.append(((hidden * mask).sum(1) / mask.sum(1)).numpy())
    return np.concatenate(rows)


def rates(ways: dict[str, Callable[[], object]], n_questions: int) -> dict[str, float]:
    """Questions per second of each way, timed turn by turn, the median of three."""
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(3):
        for name, way in ways.items():
            seconds[name] += timed(way, repeats=1)
    return {name: n_questions / median(runs) for name, runs in seconds.items()}


def main() -> None:
    args = parse_args(__doc__ or "")
    if not winogrande_path("train_l").is_file():
        raise SystemExit(
            "Needs WinoGrande's train_l; set WINO_DATA_DIR to the folder of real data."
        )
    questions = winogrande_questions("train_l", limit=500 if args.quick else 1500)
    texts = [text for question in questions for text in question.filled]
    encoder = load_encoder(TINY_ENCODER if args.quick else DEFAULT_ENCODER)
    print(f"{encoder.spec.text}, {len(questions)} questions, {torch.get_num_threads()} threads")
    compare(encoder, texts, n_questions=len(questions))


def compare(encoder: Encoder, texts: Sequence[str], *, n_questions: int) -> None:
    ways = {
        "sorted by length": lambda: encoder.encode(texts, batch_size=BATCH_SIZE),
        "plain loop": lambda: plain_encode(encoder, texts),
    }
    difference = float(np.abs(np.subtract(*(way() for way in ways.values()))).max())
    rate = rates(ways, n_questions)
    ours, plain = rate["sorted by length"], rate["plain loop"]
    table(
        ["way", "questions/s", "ratio"],
        [[name, f"{value:.1f}", f"{value / plain:.2f}"] for name, value in rate.items()],
    )
    result(
        questions_per_s=ours,
        plain_per_s=plain,
        ratio_plain=ours / plain,
        max_difference=difference,
        peak_mb=peak_mb(),
    )


if __name__ == "__main__":
    main()
