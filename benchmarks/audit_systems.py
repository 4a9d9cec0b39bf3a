"""Answers of systems that run on a laptop to sets that were not chosen for discrimination.

The sets are WSC273, DPR's test and WinoGrande's dev questions. The systems are scorers by a causal
and a masked model, association, co-occurrence and retrieval, a linear model, encoders fine-tuned
for minutes, and for dev two published files of predictions. Each system's answers are computed once
and kept in a folder.
"""

import gzip
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpora.core.forms import clozes
from corpora.core.items import BLANK, Item
from corpora.core.metrics import credits
from corpora.core.readers import READERS
from evaluation.core.key_model import MISSING
from evaluation.core.predictions import Predictions, read_table
from evaluation.methods import METHODS, Answer, Block, Job
from evaluation.methods.fine_tuned import scores as fine_tuned_scores
from modeling.encoders import load_encoder
from modeling.finetuning import FineTuneSettings, fine_tune
from modeling.loaded import LoadedModel
from modeling.loading import load_model
from modeling.specs import DEFAULT_ENCODER, SMOLLM2, TINY_ENCODER
from tests.data_dir import data_dir
from training.core.drawing import questions, sample

Right = NDArray[np.int8]
Scores = list[NDArray[np.float64] | None]
System = Callable[[Sequence[Item]], Scores]

FILES = {
    "WSC273": ("wsc273", "wsc/wsc273.txt"),
    "DPR test": ("dpr", "dpr/test.c.txt"),
    "WinoGrande dev": ("winogrande", "winogrande/dev.jsonl"),
}
DPR, WINOGRANDE = (
    ("dpr", "dpr/train.c.wsc-overlap-removed.txt"),
    ("winogrande", "winogrande/train_m.jsonl"),
)
CORPUS = "wikihow/annotated_step_goal.json.gz"
PUBLISHED = {
    "RoBERTa (published)": ("cuichenx_roberta_dev_preds.csv", {}),
    "ChatGPT (published)": ("ugorsahin_chatgpt_results.csv", {"prediction_column": "chatgpt"}),
}
TASK = "authors", "multiple_choice"
"""The form of the texts and the loss."""
TRAININGS = (
    # encoder, training set, questions, epochs, learning rate, seed
    (TINY_ENCODER, DPR, 1316, 5, 3e-4, 0),
    (TINY_ENCODER, DPR, 660, 5, 3e-4, 1),
    (TINY_ENCODER, WINOGRANDE, 2558, 3, 3e-4, 0),
    (TINY_ENCODER, WINOGRANDE, 1280, 3, 3e-4, 1),
    (DEFAULT_ENCODER, DPR, 660, 1, 1e-4, 0),
)
SCORERS = (
    ("masked", "", TINY_ENCODER),
    ("association", "whole", TINY_ENCODER),
    ("association", "local", TINY_ENCODER),
    ("cooccurrence", "whole", ""),
    ("cooccurrence", "local", ""),
    ("retrieval", "", ""),
    ("causal", "partial", SMOLLM2),
    ("causal", "full", SMOLLM2),
)


def items_of(name: str, file: str) -> list[Item]:
    """Read a set, with pronouns as blanks."""
    with (data_dir() / file).open(encoding="utf-8") as lines:
        return [one for one in READERS[name](lines) if isinstance(one, Item)]


@cache
def corpus() -> tuple[str, ...]:
    """Return sentences about everyday life, and those of WinoGrande's train_l, right options in."""
    with gzip.open(data_dir() / CORPUS, "rt", encoding="utf-8") as stream:
        steps = list(json.load(stream))
    with gzip.open(data_dir() / "winogrande" / "train_l.jsonl.gz", "rt", encoding="utf-8") as rows:
        train = [json.loads(row) for row in rows]
    return *steps, *(row["sentence"].replace(BLANK, row[f"option{row['answer']}"]) for row in train)


@cache
def model(spec: str, use: Any) -> LoadedModel:
    return load_encoder(spec) if use == "pooled" else load_model(spec, use)


def by_method(name: str, variant: str, spec: str, items: Sequence[Item]) -> Scores:
    method = METHODS[name]
    job = Job(
        items=items,
        variant=variant,
        model=model(spec, method.use) if spec else None,
        corpus=corpus() if method.reads == "corpus" else (),
    )
    scored = method.begin(job)(Block(1, items), lambda done, total: None)
    return [one.scores if isinstance(one, Answer) else one for one in scored]


def linear(items: Sequence[Item]) -> Scores:
    """Answer by a linear model of the encodings of whole sentences."""
    encoder = load_encoder(TINY_ENCODER)

    def features(asked: Sequence[Item]) -> NDArray[np.float32]:
        return encoder.encode([one.before + BLANK + one.after for one in clozes(asked)])

    job = Job(items=items, learned_from=items_of(*WINOGRANDE), features=features)
    scored = METHODS["linear"].begin(job)(Block(1, items), lambda done, total: None)
    return [one.scores if isinstance(one, Answer) else one for one in scored]


@cache
def trained(training: tuple[Any, ...]) -> LoadedModel:
    spec, source, size, epochs, rate, seed = training
    train = sample(items_of(*source), size=size, seed=seed)
    settings = FineTuneSettings(epochs, 16, rate, seed, keep="final")
    loaded = load_model(spec, "choice", head_seed=seed)
    for _ in fine_tune(loaded, questions(train, *TASK), questions(train[:2], *TASK), settings):
        pass
    return loaded


def by_training(training: tuple[Any, ...], items: Sequence[Item]) -> Scores:
    return [*fine_tuned_scores(trained(training), *TASK, items, lambda done, total: None)]


def systems() -> Iterator[tuple[str, System]]:
    """Yield the name of each system and what scores the options of items."""
    for name, variant, spec in SCORERS:
        yield f"{name} {variant}".strip(), partial(by_method, name, variant, spec)
    yield "linear", linear
    for training in TRAININGS:
        spec, source, size, epochs, rate, seed = training
        encoder = "MiniLM" if spec == DEFAULT_ENCODER else "BERT 2x128"
        name = f"{encoder}, {source[0]} {size} x {epochs}, {rate:g}, seed {seed}"
        yield name, partial(by_training, training)


def right_of(items: Sequence[Item], scores: Scores) -> Right:
    """Return 1 for the key, 0 for another option, -1 for a tie or no score (n,)."""
    right = np.full(len(items), MISSING, dtype=np.int8)
    for row, (item, one) in enumerate(zip(items, scores, strict=True)):
        if one is not None:
            credit = credits([one], [item.answer or 0])[0]
            right[row] = credit if credit in (0, 1) else MISSING
    return right


def published(items: Sequence[Item]) -> Iterator[tuple[str, Right]]:
    """Yield the answers to dev of the files of predictions."""
    for name, (file, columns) in PUBLISHED.items():
        with (data_dir() / "winogrande_predictions" / file).open("rb") as rows:
            read: Predictions = read_table(rows, items, **columns)
        right = [
            MISSING if read.predictions[one.id] is None else read.predictions[one.id] == one.answer
            for one in items
        ]
        yield name, np.array(right, dtype=np.int8)


def answers(folder: Path) -> dict[str, tuple[list[Item], list[str], Right]]:
    """Return the items of each set, the systems, and what each has right (m, n).

    What the folder has is read, the rest computed and kept there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    sets = {title: items_of(*source) for title, source in FILES.items()}
    rows: dict[str, dict[str, Right]] = {title: {} for title in sets}
    for name, score in systems():
        for title, items in sets.items():
            file = folder / f"{title}, {name}.npy"
            if not file.is_file():
                blind = [replace(item, answer=None) for item in items]
                np.save(file, right_of(items, score(blind)))
                right = np.load(file)
                print(f"{title}, {name}: {right[right >= 0].mean():.3f}", flush=True)
            rows[title][name] = np.load(file)
    rows["WinoGrande dev"].update(published(sets["WinoGrande dev"]))
    return {
        title: (sets[title], list(of_set), np.array(list(of_set.values())))
        for title, of_set in rows.items()
    }


if __name__ == "__main__":
    import sys

    for title, (_items, names, right) in answers(Path(sys.argv[1])).items():
        for name, row in zip(names, right, strict=True):
            print(f"{title}\t{name}\t{row[row >= 0].mean():.3f}\t{(row < 0).sum()}")
