"""The same training by transformers' own Trainer, with its own grouping by length."""

import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from datasets import Dataset, disable_progress_bars
from numpy.typing import NDArray
from transformers import PrinterCallback, Trainer, TrainerCallback, TrainingArguments

from modeling.batches import Tokens
from modeling.finetuning import FineTuneSettings, Questions
from modeling.finetuning.heads import tokens_of
from modeling.loaded import LoadedModel


class Collator:
    """Pads the options of a batch of questions as our own rows are."""

    def __init__(self, model: LoadedModel) -> None:
        self.model = model

    def __call__(self, questions: list[dict[str, Any]]) -> dict[str, torch.Tensor]:
        rows = [
            Tokens(*of_row)
            for question in questions
            for of_row in zip(question["input_ids"], question["token_type_ids"], strict=True)
        ]
        laid = self.model.inputs(rows)
        n = len(questions)
        found = {name: tensor.view(n, -1, tensor.shape[-1]) for name, tensor in laid.items()}
        return found | {"labels": torch.tensor([question["labels"] for question in questions])}


class Clock(TrainerCallback):
    """Calls a function at the end of each step."""

    def __init__(self, tick: Callable[[], None]) -> None:
        self.tick = tick

    def on_step_end(self, *_: Any, **__: Any) -> None:
        self.tick()


def train(
    model: LoadedModel, train: Questions, settings: FineTuneSettings, *, tick: Callable[[], None]
) -> None:
    """Train a model for multiple choice in place."""
    disable_progress_bars()
    total = settings.epochs * -(-len(train) // settings.questions_per_update)
    with tempfile.TemporaryDirectory() as folder:
        asked = TrainingArguments(
            output_dir=folder,
            num_train_epochs=settings.epochs,
            per_device_train_batch_size=settings.batch_size,
            gradient_accumulation_steps=settings.accumulation,
            learning_rate=settings.learning_rate,
            weight_decay=settings.weight_decay,
            warmup_steps=max(1, round(settings.warm_up * total)),
            max_grad_norm=settings.largest_gradient,
            seed=settings.seed,
            train_sampling_strategy="group_by_length",
            bf16=settings.dtype == "bfloat16",
            fp16=settings.dtype == "float16",
            use_cpu=not torch.cuda.is_available(),
            dataloader_pin_memory=False,
            remove_unused_columns=False,
            save_strategy="no",
            logging_strategy="no",
            report_to=[],
            disable_tqdm=True,
        )
        trainer = Trainer(
            model.model,
            asked,
            data_collator=Collator(model),
            train_dataset=_dataset(model, train),
            callbacks=[Clock(tick)],
        )
        trainer.remove_callback(PrinterCallback)
        trainer.train()
    model.model.eval()


def _dataset(model: LoadedModel, questions: Questions) -> Dataset:
    rows = tokens_of(model, questions, cut=False)
    return Dataset.from_dict(
        {
            "input_ids": [[row.ids for row in options] for options in rows],
            "token_type_ids": [[row.segments for row in options] for options in rows],
            "labels": list(questions.answers),
            "length": [max(map(len, options)) for options in rows],
        }
    )


Ticks = list[tuple[float, float]]


def seconds_per_update(ticks: Ticks) -> NDArray[np.float64]:
    """Return the mean seconds between ticks, on the wall and of the CPU; the first ones warm up."""
    found: NDArray[np.float64] = np.diff(ticks[2:], axis=0).mean(axis=0)
    return found


def clock() -> tuple[Ticks, Callable[..., None]]:
    """Return a list, and a function that appends the seconds on the wall and of the CPU to it."""
    ticks: Ticks = []
    return ticks, lambda *_: ticks.append((time.perf_counter(), time.process_time()))
