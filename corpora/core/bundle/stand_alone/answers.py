"""A task for Inspect: the dev split, answered with the number of an option.

    inspect eval inspect/answers.py --model MODEL

The question and the reading of answers are those of the harness's task in ../harness/utils.py.
A model of transformers chooses its most likely words with ``-M do_sample=false``. A model that
reasons before it answers needs more words: ``-T max_tokens=4096``.
"""

import importlib.util
import json
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import SampleScore, Score, accuracy, metric, scorer
from inspect_ai.solver import generate

RELEASE = Path(__file__).resolve().parent.parent


def loaded():
    spec = importlib.util.spec_from_file_location("utils", RELEASE / "harness" / "utils.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


utils = loaded()


@task
def answers(max_tokens: int = utils.MAX_TOKENS):
    """Return the task; its samples have the ids of the questions."""
    with open(RELEASE / "dev.jsonl", encoding="utf-8") as file:
        docs = [json.loads(line) for line in file]
    samples = [Sample(id=doc["qID"], input=utils.prompt(doc), target=doc["answer"]) for doc in docs]
    return Task(
        dataset=MemoryDataset(samples, name=RELEASE.name),
        solver=generate(),
        scorer=number(),
        config=GenerateConfig(temperature=0, max_tokens=max_tokens),
    )


@metric
def pair_accuracy():
    """Return the share of complete pairs with two right answers."""

    def share(scores: list[SampleScore]) -> float:  # by its types, it is given the samples' ids
        return utils.pair_accuracy(
            (one.sample_id.rpartition("-")[0], one.score.as_float()) for one in scores
        )

    return share


@scorer(metrics=[accuracy(), pair_accuracy()])
def number():
    """Return whether the first number of the answer is that of the right option."""

    async def score(state, target):
        said = utils.number_in(state.output.completion)
        return Score(value=float(said == target.text), answer=said)

    return score
