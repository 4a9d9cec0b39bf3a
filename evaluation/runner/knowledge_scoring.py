"""The two ways in which an evaluation on knowledge is worked off, in steps that any worker does."""

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from evaluation import loading
from evaluation.core.knowledge import REASONS, Statement
from evaluation.methods.problems import margins
from evaluation.models import KnowledgeEvaluation, KnowledgeStep
from evaluation.runner.heads import head_check
from evaluation.selectors import knowledge_data_sha256, learned_from
from knowledge.core.published import EPOCHS, batch_size_of, rate_of
from knowledge.core.reasons import folds
from modeling.encoders import Encoder
from modeling.loaded import LoadedModel, Use
from modeling.specs import ModelSpec, revision
from winoplatform.runs.attempts import Attempt
from winoplatform.runs.sharing import SharedSteps

Floats = NDArray[np.float64]
FOLDS = 5
FOLD_SEED = 0


class Work(SharedSteps[KnowledgeEvaluation]):
    """The steps of an evaluation; what one records depends only on the run and its number."""

    STEP = KnowledgeStep
    folds: NDArray[np.int64] | None = None

    def __init__(
        self,
        attempt: Attempt[KnowledgeEvaluation],
        statements: Sequence[Statement],
        *,
        n_rows: int,
        step_size: int,
    ) -> None:
        super().__init__(attempt, n_rows=n_rows, step_size=step_size)
        self.statements = statements
        if any(one.variant == REASONS for one in statements):
            self.folds = folds([one.group for one in statements], seed=FOLD_SEED, n=FOLDS)

    @property
    def data_sha256(self) -> str:
        return knowledge_data_sha256(self.statements)

    @abstractmethod
    def compute(self, number: int) -> KnowledgeStep:
        """Return the step with this number."""

    @abstractmethod
    def margins(self) -> Floats:
        """Return what is recorded: (n_seeds, n), above 0 for "true"."""

    def load(self, use: Use) -> LoadedModel:
        """Load the model; record its identity, or refuse one that differs from the recorded."""
        self.attempt.pulse("loading the model")
        model = loading.load(self.run, use)
        self.attempt.note_same(
            weights_sha256=model.weights_sha256,
            config_sha256=model.config_sha256,
            revision=revision(ModelSpec.parse(self.run.model)),
        )
        return model

    def _step(self, number: int, found: Floats) -> KnowledgeStep:
        return KnowledgeStep(run=self.run, number=number, margins=found.tolist())

    def _recorded_margins(self) -> list[list[float]]:
        return list(self._steps().order_by("number").values_list("margins", flat=True))


class Scoring(Work):
    """Blocks of statements that a model scores without training.

    The statements of one question, which share a text, are in one block.
    """

    NOUN, ACTIVITY = "block", "scoring"

    def __init__(
        self, attempt: Attempt[KnowledgeEvaluation], statements: Sequence[Statement]
    ) -> None:
        size = attempt.run.block_size
        super().__init__(attempt, statements, n_rows=len(statements), step_size=size)
        texts = [one.problem.sentence for one in statements]
        self.order = sorted(range(len(texts)), key=lambda row: (len(texts[row]), texts[row], row))

    @cached_property
    def model(self) -> LoadedModel:
        model = self.load(cast(Use, self.run.method))
        if model.use in ("causal", "masked") and self.run.head_check is None:
            self.attempt.pulse("checking the model’s head on plain text")
            self.attempt.note(head_check=head_check(model))
        return model

    def compute(self, number: int) -> KnowledgeStep:
        rows = self.order[self.rows_of(number)]
        found = margins(
            self.model,
            [self.statements[row].problem for row in rows],
            lambda done, n: self.pulse(number, f"text {done} of {n}"),
        )
        return self._step(number, found)

    def margins(self) -> Floats:
        flat = np.concatenate(self._recorded_margins())
        found = np.empty((1, len(self.statements)))
        found[0, self.order] = flat
        return found


class Training(Work):
    """Classifiers, each trained from a seed; one for each fold of reasons that it learns from."""

    NOUN, ACTIVITY = "classifier", "training"

    def __init__(
        self, attempt: Attempt[KnowledgeEvaluation], statements: Sequence[Statement]
    ) -> None:
        held_out = range(FOLDS) if attempt.run.trained_on == attempt.run.reasons else (None,)
        self.trainings = [(seed, fold) for seed in attempt.run.seeds for fold in held_out]
        super().__init__(attempt, statements, n_rows=len(self.trainings), step_size=1)

    @cached_property
    def learned(self) -> Sequence[Statement]:
        same = self.run.trained_on == self.run.reasons
        return self.statements if same else learned_from(self.run.trained_on)

    @property
    def data_sha256(self) -> str:
        return knowledge_data_sha256(self.statements, self.learned)

    def compute(self, number: int) -> KnowledgeStep:
        seed, fold = self.trainings[number - 1]
        asked, train = self._asked(fold), self._train(fold)
        labels = [self.learned[row].label for row in train]
        settings = {
            "rate": rate_of(self.run.rates_of, seed),
            "batch_size": batch_size_of(self.run.rates_of),
            "epochs": EPOCHS,
            "seed": seed,
        }
        predict = self._frozen if self.run.is_frozen else self._trained
        return self._step(number, predict(number, train, labels, asked, settings))

    def margins(self) -> Floats:
        found = np.full((len(self.run.seeds), len(self.statements)), np.nan)
        pairs = zip(self.trainings, self._recorded_margins(), strict=True)
        for (seed, fold), of_step in pairs:
            found[self.run.seeds.index(seed), self._asked(fold)] = of_step
        return found

    def _asked(self, fold: int | None) -> NDArray[np.intp]:
        if self.folds is None or fold is None:
            return np.arange(len(self.statements))
        return np.flatnonzero(self.folds == fold)

    def _train(self, fold: int | None) -> NDArray[np.intp]:
        if self.folds is None or fold is None:
            return np.arange(len(self.learned))
        return np.flatnonzero(self.folds != fold)

    def _frozen(
        self,
        number: int,
        train: NDArray[np.intp],
        labels: list[bool],
        asked: NDArray[np.intp],
        settings: dict[str, Any],
    ) -> Floats:
        from modeling.finetuning.statements import StatementSettings, frozen_logits

        learned, scored = self._vectors
        return frozen_logits(
            learned[train],
            labels,
            scored[asked],
            StatementSettings(**settings),
            progress=lambda done, n: self.pulse(number, f"epoch {done} of {n}"),
        )

    def _trained(
        self,
        number: int,
        train: NDArray[np.intp],
        labels: list[bool],
        asked: NDArray[np.intp],
        settings: dict[str, Any],
    ) -> Floats:
        from modeling.finetuning.statements import StatementSettings, trained_logits

        return trained_logits(
            cast(Encoder, self.load("pooled")),  # a fresh copy, since training changes its weights
            [self.learned[row].problem.text for row in train],
            labels,
            [self.statements[row].problem.text for row in asked],
            StatementSettings(**settings),
            progress=lambda done, n: self.pulse(number, f"update {done} of {n} of an epoch"),
        )

    @cached_property
    def _vectors(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The vectors of the statements learned and of those scored."""
        encoder = cast(Encoder, self.load("pooled"))
        found = encoder.encode(
            [one.problem.text for one in (*self.learned, *self.statements)],
            progress=lambda done, n: self.attempt.pulse(f"encoding, text {done} of {n}"),
        )
        return found[: len(self.learned)], found[len(self.learned) :]
