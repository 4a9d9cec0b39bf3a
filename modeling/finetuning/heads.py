"""What scores the options of a question during training: three heads of one form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from modeling.batches import Text, Tokens
from modeling.encoders import Encoder
from modeling.finetuning.questions import Questions
from modeling.loaded import LoadedModel
from modeling.scoring.choice import choice_scores
from modeling.scoring.clozes import Cloze, Floats, Progress, by_question
from modeling.scoring.logits import reader
from modeling.scoring.masked import masked_scores, span_rows
from modeling.scoring.rows import Row

if TYPE_CHECKING:
    import torch


class Head(Protocol):
    """Scores options, with gradients for training and without."""

    modules: dict[str, Any]  # all that is trained, by name

    @property
    def model(self) -> LoadedModel:
        """The model that is trained."""

    def rows(self, questions: Questions) -> list[list[Any]]:
        """Return the tokens of each option of each question."""

    def scores(self, rows: Sequence[Any]) -> torch.Tensor:
        """Return the scores of some options, with gradients: float32 (n_rows,)."""

    def scores_of(self, questions: Questions, *, progress: Progress) -> list[Floats]:
        """Return the scores of each question's options, without gradients: float64 (k,) each."""


def head_of(model: LoadedModel, *, loss: str, seed: int) -> Head:
    """Return the head for a model and a loss.

    Raises
    ------
    ValueError
        When the model was loaded for a use that the loss does not train, or not in float32.
    """
    if model.dtype != "float32":
        raise ValueError(f"model must be loaded in float32 to be fine-tuned, got {model.dtype!r}")
    if loss == "mc_mlm" and model.use == "masked":
        return MaskedHead(model)
    if loss == "multiple_choice" and model.use == "choice":
        return ChoiceHead(model)
    if loss == "multiple_choice" and isinstance(model, Encoder):
        return PooledHead(model, seed=seed)
    raise ValueError(f"the loss {loss!r} does not train a model loaded for {model.use!r}")


class ChoiceHead:
    """The multiple-choice head of the model's architecture."""

    def __init__(self, model: LoadedModel) -> None:
        self.model, self.modules = model, {"model": model.model}

    def rows(self, questions: Questions) -> list[list[Tokens]]:
        return tokens_of(self.model, questions, cut=False)

    def scores(self, rows: Sequence[Tokens]) -> torch.Tensor:
        # Each option is a separate question, so questions may have different numbers of options.
        inputs = {name: tensor.unsqueeze(1) for name, tensor in self.model.inputs(rows).items()}
        logits: torch.Tensor = self.model.model(**inputs).logits  # (n_rows, 1)
        return logits.squeeze(1).float()

    def scores_of(self, questions: Questions, *, progress: Progress) -> list[Floats]:
        return choice_scores(self.model, _texts(questions), progress=progress)


class PooledHead:
    """A linear layer without bias on an encoder's pooled rows; a text too long is truncated."""

    def __init__(self, encoder: Encoder, *, seed: int) -> None:
        import torch

        self.model: LoadedModel = encoder
        self.encoder = encoder
        drawn = np.random.default_rng([seed, 0]).normal(0, 0.02, (1, encoder.dimension))
        self.scorer = torch.nn.utils.skip_init(  # type: ignore[no-untyped-call]
            torch.nn.Linear, encoder.dimension, 1, bias=False, device=encoder.device
        )
        with torch.no_grad():
            self.scorer.weight.copy_(torch.from_numpy(drawn))
        self.modules = {"model": encoder.model, "scorer": self.scorer}

    def rows(self, questions: Questions) -> list[list[Tokens]]:
        return tokens_of(self.encoder, questions, cut=True)

    def scores(self, rows: Sequence[Tokens]) -> torch.Tensor:
        scores: torch.Tensor = self.scorer(self.encoder.pooled(rows))  # (n_rows, 1)
        return scores.squeeze(1).float()

    def scores_of(self, questions: Questions, *, progress: Progress) -> list[Floats]:
        rows = [row for options in self.rows(questions) for row in options]
        scores = np.empty(len(rows), dtype=np.float32)
        self.encoder.run(
            lambda batch: cast(NDArray[np.float32], self.scores(batch).cpu().numpy()),
            rows,
            into=scores,
            ties=[row.ids for row in rows],
            progress=progress,
        )
        return by_question(scores.astype(np.float64), questions.counts)


class MaskedHead:
    """The masked-language-model head: the mean log-probability of an option's masked tokens."""

    def __init__(self, model: LoadedModel) -> None:
        self.model, self.modules = model, {"model": model.model}
        self.reader = reader(model)

    def rows(self, questions: Questions) -> list[list[Row]]:
        rows = iter(span_rows(self.model, _clozes(questions)))
        return [[next(rows) for _ in range(count)] for count in questions.counts]

    def scores(self, rows: Sequence[Row]) -> torch.Tensor:
        import torch

        log_probabilities = self.reader.log_probabilities(rows)  # (n_picks,)
        of_row = torch.split(log_probabilities, [len(row.picks) for row in rows])
        return torch.stack([each.mean() for each in of_row])

    def scores_of(self, questions: Questions, *, progress: Progress) -> list[Floats]:
        clozes = _clozes(questions)
        return masked_scores(self.model, clozes, method="span", mean=True, progress=progress)


def tokens_of(model: LoadedModel, questions: Questions, *, cut: bool) -> list[list[Tokens]]:
    texts = [text for options in _texts(questions) for text in options]
    rows = iter(model.tokens(texts, cut=cut))
    return [[next(rows) for _ in range(count)] for count in questions.counts]


def _texts(questions: Questions) -> Sequence[Sequence[Text]]:
    if isinstance(questions.options[0], Cloze):
        raise ValueError("the loss 'multiple_choice' needs texts for each option, not a Cloze")
    return cast("Sequence[Sequence[Text]]", questions.options)


def _clozes(questions: Questions) -> Sequence[Cloze]:
    if not isinstance(questions.options[0], Cloze):
        raise ValueError("the loss 'mc_mlm' needs a Cloze for each question, not texts")
    return cast("Sequence[Cloze]", questions.options)
