"""Knowledge problems scored per second, compared with a plain loop over single problems.

The plain loop runs the two texts of one problem at a time through the whole model, with the logits
of every token. Both score the same problems with the same weights in float32, after one warm-up
each. Problems are pairs about things that do not fit, as `benchmarks.scoring` makes them.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from benchmarks.report import median, parse_args, peak_mb, result, table, timed
from benchmarks.scoring import PLACES, THINGS, log_probabilities
from evaluation.methods.problems import margins
from knowledge.core.problems import Problem
from modeling.loaded import LoadedModel
from modeling.loading import load_model
from modeling.scoring.clozes import start_token
from modeling.specs import SMOLLM2

KNOWLEDGE = (
    "if the first object is {} large, then it is not possible to fit it into the second one."
)


def problems(n: int) -> list[Problem]:
    """Return *n* problems, in pairs of a true and a false knowledge sentence."""
    made = [
        Problem(
            f"Yesterday the {thing} did not fit into the old {place} because it was too large.",
            "it",
            f"the {thing}",
            f"the {place}",
            KNOWLEDGE.format(word),
        )
        for thing in THINGS
        for place in PLACES
        for word in ("too", "not too")
    ]
    return made[:n]


def plain(model: LoadedModel, asked: Sequence[Problem]) -> NDArray[np.float64]:
    """Score one problem at a time."""
    start = start_token(model.tokenizer)

    def said(problem: Problem, begin: int) -> float:
        encoded = model.tokenizer(
            problem.text, add_special_tokens=False, return_offsets_mapping=True
        )
        ids = [*start, *encoded["input_ids"]]
        first = len(start) + sum(a < begin for a, _ in encoded["offset_mapping"])
        found = log_probabilities(model, ids)
        each = [found[place - 1, ids[place]] for place in range(first, len(ids))]
        return float(torch.stack(each).double().sum())

    ends = [one.span[1] for one in asked]
    return np.array(
        [said(one, end) - said(one.swapped, end) for one, end in zip(asked, ends, strict=True)]
    )


def scoring(*, n: int = 100, repeats: int = 3, model: str = SMOLLM2) -> dict[str, Any]:
    """Return problems per second, the ratio to the plain loop, and the peak memory in MB."""
    loaded = load_model(model, "causal")
    asked = problems(n)
    ours = partial(margins, loaded, asked, lambda done, of: None)
    ours()
    peak = peak_mb()  # before the plain loop has used more
    plain(loaded, asked[:4])
    fast, slow = [], []
    for _ in range(repeats):
        fast += timed(ours, repeats=1)
        slow += timed(lambda: plain(loaded, asked), repeats=1)
    difference = float(np.abs(ours() - plain(loaded, asked)).max()) if n <= 10 else None
    found = {
        "problems_per_s": len(asked) / median(fast),
        "ratio_loop": median(slow) / median(fast),
        "peak_mb": peak,
    }
    return found | ({} if difference is None else {"max_difference": difference})


def main() -> None:
    args = parse_args(__doc__ or "", threads=2, problems=100)
    torch.set_num_threads(args.threads)
    found = scoring(n=8 if args.quick else args.problems, repeats=1 if args.quick else 3)
    print(f"{args.threads} threads, {torch.get_num_threads()} used, float32")
    table(list(found), [[f"{value:.2f}" for value in found.values()]])
    result(**found)


if __name__ == "__main__":
    main()
