"""Questions encoded per second, compared with naive loops.

A run computes in float32, or in bfloat16 on request; both are timed. Naive loops, in float32 and in
the given order: batches of 64 sentences padded to their longest (the baseline of the ratio), and
the two sentences of each question separately. All encode the same sentences with the same weights,
in alternation. Our float32 vectors agree with those of the loops up to rounding.

The share of the limit: operations per second of the model (two for each weight of its layers and
token, plus attention), divided by those of plain matrix products on the same cores with the same
number format, measured in the same run.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from benchmarks.report import median, parse_args, peak_mb, result, table, timed
from filtering.core.leaks import option_features
from modeling.encoders import Encoder, load_encoder
from modeling.loaded import Dtype
from modeling.specs import DEFAULT_ENCODER, TINY_ENCODER
from tests.winogrande_data import winogrande_path, winogrande_questions

BATCH_SIZE = 64
SHARD = 2048  # sentences: 1,024 questions, as in an encoding
SIDE = 1024  # size of the matrices used to measure the machine's limit


def ours(encoder: Encoder, texts: Sequence[str]) -> NDArray[np.float32]:
    """Encode shard by shard, as a run does."""
    return np.concatenate([encoder.encode(part) for part in _parts(texts, SHARD)])


def plain_encode(encoder: Encoder, texts: Sequence[str], size: int) -> NDArray[np.float32]:
    """Encode in input order with mean pooling over the tokens that are not padding."""
    rows = []
    for part in _parts(texts, size):
        batch = encoder.tokenizer(list(part), padding=True, return_tensors="pt")
        with torch.inference_mode():
            hidden = encoder.model(**batch).last_hidden_state
        mask = batch["attention_mask"].unsqueeze(-1)
        rows.append(((hidden * mask).sum(1) / mask.sum(1)).numpy())
    return np.concatenate(rows)


def _parts(texts: Sequence[str], size: int) -> list[Sequence[str]]:
    return [texts[start : start + size] for start in range(0, len(texts), size)]


def rates(ways: dict[str, Callable[[], object]], n_questions: int) -> dict[str, float]:
    """Return questions per second of each function: the median of three alternating runs."""
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(3):
        for name, way in ways.items():
            seconds[name] += timed(way, repeats=1)
    return {name: n_questions / median(runs) for name, runs in seconds.items()}


def model_flops(encoder: Encoder, texts: Sequence[str]) -> float:
    """Return the operations of the layers for these texts, without padding."""
    return layer_flops(encoder.model, [len(tokens) for tokens in encoder.tokens(texts)])


def layer_flops(model: Any, lengths: Sequence[int]) -> float:
    """Return the operations of a model's layers for texts of so many tokens."""
    tokens = np.array(lengths, dtype=float)
    in_layers = sum(
        weight.numel()
        for name, weight in model.named_parameters()
        if weight.dim() == 2 and not {"embeddings", "pooler", "classifier"} & set(name.split("."))
    )
    # Scores and their sum over values: two products of (length, d) and (d, length) per layer.
    attention = 4 * model.config.hidden_size * model.config.num_hidden_layers
    return float(2 * in_layers * tokens.sum() + attention * (tokens**2).sum())


def peak_flops(dtype: Dtype) -> float:
    """Return operations per second of matrix products, one per thread; the best of five."""
    threads = torch.get_num_threads()
    kind = getattr(torch, dtype)
    a, b = (torch.randn(SIDE, SIDE).to(kind) for _ in range(2))
    with ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,)) as pool:

        def products() -> None:
            list(pool.map(lambda _: torch.mm(a, b), range(8 * threads)))

        products()
        seconds = min(timed(products, repeats=5))
    torch.set_num_threads(threads)
    return 8 * threads * 2 * SIDE**3 / seconds


def difference_error(exact: NDArray[np.float32], rough: NDArray[np.float32]) -> float:
    """Return the norm of the features' error divided by the norm of the features."""
    true, found = (option_features(rows[::2], rows[1::2]) for rows in (exact, rough))
    return float(np.linalg.norm(found - true) / np.linalg.norm(true))


def main() -> None:
    args = parse_args(__doc__ or "")
    if not winogrande_path("train_l").is_file():
        raise SystemExit(
            "Needs WinoGrande's train_l; set WINO_DATA_DIR to the folder of real data."
        )
    questions = winogrande_questions("train_l", limit=500 if args.quick else 1024)
    texts = [text for question in questions for text in question.filled]
    spec = TINY_ENCODER if args.quick else DEFAULT_ENCODER
    exact, rounded = load_encoder(spec), load_encoder(spec, dtype="bfloat16")
    print(f"{spec}, {len(questions)} questions, {torch.get_num_threads()} threads")
    compare(exact, rounded, texts)


def compare(exact: Encoder, rounded: Encoder, texts: Sequence[str]) -> None:
    ways: dict[str, Callable[[], NDArray[np.float32]]] = {
        "as a run does (float32)": lambda: ours(exact, texts),
        "as a run does (bfloat16)": lambda: ours(rounded, texts),
        "plain loop": lambda: plain_encode(exact, texts, BATCH_SIZE),
        "plain, one question at a time": lambda: plain_encode(exact, texts, 2),
    }
    first, second, plain, _ = (way() for way in ways.values())
    rate = rates(dict(ways), len(texts) // 2)
    limits = {dtype: peak_flops(dtype) for dtype in (rounded.dtype, exact.dtype)}
    operations = model_flops(exact, texts) / (len(texts) // 2)  # per question
    share = {
        name: value * operations / limits[rounded.dtype if rounded.dtype in name else exact.dtype]
        for name, value in rate.items()
    }
    show(rate, share)
    in_float32, in_bfloat16, *_ = rate
    result(
        questions_per_s=rate[in_float32],
        questions_per_s_bfloat16=rate[in_bfloat16],
        plain_per_s=rate["plain loop"],
        ratio_plain=rate[in_float32] / rate["plain loop"],
        ratio_plain_bfloat16=rate[in_bfloat16] / rate["plain loop"],
        flop_share=share[in_float32],
        flop_share_bfloat16=share[in_bfloat16],
        peak_gflops=limits[exact.dtype] / 1e9,
        peak_gflops_bfloat16=limits[rounded.dtype] / 1e9,
        max_difference=float(np.abs(first - plain).max()),
        feature_error_bfloat16=difference_error(first, second),
        peak_mb=peak_mb(),
    )


def show(rate: dict[str, float], share: dict[str, float]) -> None:
    plain = rate["plain loop"]
    rows = [
        [name, f"{value:.1f}", f"{value / plain:.2f}", f"{share[name]:.2f}"]
        for name, value in rate.items()
    ]
    table(["way", "questions/s", "ratio", "share of the limit"], rows)


if __name__ == "__main__":
    main()
