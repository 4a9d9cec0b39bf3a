"""Sequences trained on per second, compared with transformers' own Trainer.

Both train the same model on the same questions of WinoGrande, with the same settings, seed and
number of threads, the Trainer with its own grouping by length; they take turns, and the first two
updates of each do not count. A sequence is the text of one option.

The share of the limit: operations of the model's layers, forward and twice as many backward,
divided by those of plain matrix products on the same machine in the same number format. At last, a
small training that is resumed after each update is compared with an unbroken one.

On a machine with other work, compare the seconds of the CPU instead, with ``--threads 1``: threads
that wait for each other count as busy.
"""

from collections.abc import Callable
from functools import partial as given

import numpy as np
import torch
from numpy.typing import NDArray

from benchmarks.encode import layer_flops, peak_flops
from benchmarks.report import parse_args, peak_mb, result, table, timed
from modeling.finetuning import FineTuneSettings, Questions, fine_tune, texts_of
from modeling.finetuning.heads import tokens_of
from modeling.loaded import LoadedModel
from modeling.loading import load_model
from modeling.specs import DEFAULT_ENCODER, TINY_ENCODER
from tests.modeling import plain_trainer
from tests.winogrande_data import winogrande_path, winogrande_questions

Seconds = NDArray[np.float64]
SIDE = 8192  # of the matrices that measure a GPU


def questions(n: int) -> Questions:
    found = winogrande_questions("train_m", limit=n)
    options = [texts_of(question.sentence, question.options) for question in found]
    return Questions(options, [question.answer - 1 for question in found])


def loaded(spec: str) -> LoadedModel:
    return load_model(spec, "choice", head_seed=0)


def ours(spec: str, train: Questions, settings: FineTuneSettings) -> Seconds:
    """Return the seconds of an update, on the wall and of the CPU."""
    ticks, tick = plain_trainer.clock()
    dev = Questions(train.options[:1], train.answers[:1])

    def counted(done: int, total: int) -> None:
        if len(ticks) < total:  # later calls are of the dev set
            tick()

    list(fine_tune(loaded(spec), train, dev, settings, progress=counted))
    return plain_trainer.seconds_per_update(ticks)


def trainers(spec: str, train: Questions, settings: FineTuneSettings) -> Seconds:
    """Return the seconds of an update, on the wall and of the CPU."""
    ticks, tick = plain_trainer.clock()
    plain_trainer.train(loaded(spec), train, settings, tick=tick)
    return plain_trainer.seconds_per_update(ticks)


def in_turns(ways: dict[str, Callable[[], Seconds]], repeats: int) -> dict[str, Seconds]:
    """Return the median of each way's seconds."""
    found: dict[str, list[Seconds]] = {name: [] for name in ways}
    for _ in range(repeats):
        for name, way in ways.items():
            found[name].append(way())
    return {name: np.median(each, axis=0) for name, each in found.items()}


def limit(dtype: str) -> float:
    """Return operations per second of matrix products."""
    if not torch.cuda.is_available():
        return peak_flops("float32")
    a, b = (torch.randn(SIDE, SIDE, device="cuda", dtype=getattr(torch, dtype)) for _ in range(2))

    def product() -> None:
        torch.mm(a, b)
        torch.cuda.synchronize()

    product()
    return 2 * SIDE**3 / min(timed(product, repeats=5))


def resumed_equals_unbroken() -> bool:
    train, settings = questions(24), FineTuneSettings(2, 8, 1e-3, 0, checkpoint_every=1)
    run = given(fine_tune, train=train, dev=questions(4), settings=settings)
    unbroken = list(run(loaded(TINY_ENCODER)))
    resumed = [next(run(loaded(TINY_ENCODER)))]
    while len(resumed) < len(unbroken):
        resumed.append(next(run(loaded(TINY_ENCODER), state=resumed[-1].state)))
    return all(
        one.loss == other.loss
        and one.state.keys() == other.state.keys()
        and all(one.state[name].numpy().tobytes() == t.numpy().tobytes() for name, t in o.items())
        for one, other in zip(unbroken, resumed, strict=True)
        for o in [other.state]
    )


def main() -> None:
    args = parse_args(__doc__ or "", threads=2, questions=320, batch=8, dtype="float32", model="")
    if not winogrande_path("train_m").is_file():
        raise SystemExit(
            "Needs WinoGrande's train_m; set WINO_DATA_DIR to the folder of real data."
        )
    torch.set_num_threads(args.threads)
    spec = args.model or (TINY_ENCODER if args.quick else DEFAULT_ENCODER)
    train = questions(64 if args.quick else args.questions)
    settings = FineTuneSettings(1, args.batch, 1e-5, 0, dtype=args.dtype)
    model = loaded(spec)
    lengths = [len(row) for options in tokens_of(model, train, cut=False) for row in options]
    print(f"{spec}, {len(train)} questions, batch {args.batch}, {args.threads} threads")
    print(f"{model.device}, {args.dtype}")
    ours(spec, train, settings)
    peak = peak_mb()  # before the Trainer has used more
    ways: dict[str, Callable[[], Seconds]] = {"ours": given(ours, spec, train, settings)}
    ways["Trainer"] = given(trainers, spec, train, settings)
    seconds = in_turns(ways, 1 if args.quick else 3)
    per_update = args.batch * len(lengths) / len(train)
    rates = {name: per_update / each for name, (each, _cpu) in seconds.items()}
    flops = 3 * layer_flops(model.model, lengths) / len(lengths)  # per sequence
    peak_rate = limit(args.dtype)
    share = {name: rate * flops / peak_rate for name, rate in rates.items()}
    cpu = {name: each / per_update for name, (_wall, each) in seconds.items()}
    rows = [
        [name, f"{rate:.1f}", f"{share[name]:.2f}", f"{1000 * cpu[name]:.2f}"]
        for name, rate in rates.items()
    ]
    table(["way", "sequences/s", "share of the limit", "CPU ms/sequence"], rows)
    result(
        sequences_per_s=rates["ours"],
        ratio_trainer=rates["ours"] / rates["Trainer"],
        ratio_cpu=cpu["Trainer"] / cpu["ours"],
        flop_share=share["ours"],
        peak_mb=peak,
        resume_equal=resumed_equals_unbroken(),
    )


if __name__ == "__main__":
    main()
