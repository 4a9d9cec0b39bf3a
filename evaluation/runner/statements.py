"""Works off evaluations of statements: scored in blocks, learned by classifiers, or counted."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from corpora.provenance import code_version
from evaluation.core.knowledge.documents import answer_lines, answers_of, document_of
from evaluation.core.knowledge.statements import (
    ALL,
    REASONS,
    VALID,
    Statement,
    detected,
    subset,
    subsets_of,
)
from evaluation.methods.ensemble import ENSEMBLE
from evaluation.methods.problems import CLASSIFIER, margins
from evaluation.methods.protocol import CODE
from evaluation.models import Evaluation, EvaluationBlock
from evaluation.runner.blocks import Work
from evaluation.runner.inputs import load_model
from evaluation.selectors import (
    StatementSet,
    knowledge_data_sha256,
    learned_from,
    recorded_margins,
    statements_of,
)
from knowledge.core.reasons import folds
from knowledge.core.reporting import majority
from knowledge.core.statistics import EPOCHS, batch_size_of, rate_of
from modeling.encoders import Encoder
from modeling.loaded import LoadedModel, Use
from winoplatform.artifacts import store
from winoplatform.runs.attempts import Attempt

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]
FOLDS = 5
FOLD_SEED = 0


class Statements(Work):
    """Steps whose scores are margins of statements, above 0 for "true"."""

    folds: NDArray[np.int64] | None = None

    def __init__(
        self, attempt: Attempt[Evaluation], found: StatementSet, *, n_rows: int, step_size: int
    ) -> None:
        super().__init__(attempt, n_rows=n_rows, step_size=step_size)
        self.statements, self.left_out = found.statements, found.left_out
        if any(statement.variant == REASONS for statement in self.statements):
            self.folds = folds([row.group for row in self.statements], seed=FOLD_SEED, n=FOLDS)

    @property
    def data_sha256(self) -> str:
        return knowledge_data_sha256(self.statements)

    def prepared(self) -> Callable[[int], EvaluationBlock]:
        self.attempt.note_same(data_sha256=self.data_sha256, code_version=code_version(*CODE))
        return self._step

    @abstractmethod
    def compute(self, number: int) -> Floats:
        """Return the margins that the step with this number records."""

    @abstractmethod
    def margins(self) -> Floats:
        """Return what is recorded: (n_seeds, n), above 0 for "true"."""

    def results(self) -> dict[str, Any]:
        self.attempt.pulse("computing figures")
        margins = self.margins()
        of_pairs = VALID if VALID in subsets_of(self.statements) else ALL
        seen = [self.statements[row] for row in subset(self.statements, of_pairs)]
        figures = document_of(
            self.statements,
            answers_of(margins),
            seeds=self.run.seeds,
            folds=self.folds if self.run.method != ENSEMBLE else None,
            left_out=self.left_out,
            detectors=detected(seen),
        )
        lines = answer_lines(self.statements, margins)
        return {"predictions": store.put_bytes(lines.encode()), "figures": figures}

    def _step(self, number: int) -> EvaluationBlock:
        found = self.compute(number)
        return EvaluationBlock(run=self.run, number=number, scores=found.tolist())

    def _recorded_margins(self) -> list[list[float]]:
        return list(self._steps().order_by("number").values_list("scores", flat=True))


class ScoredStatements(Statements):
    """Blocks of statements that a model scores without training.

    The statements of one question, which share a text, are in one block.
    """

    def __init__(self, attempt: Attempt[Evaluation], found: StatementSet) -> None:
        n, size = len(found.statements), attempt.run.block_size
        super().__init__(attempt, found, n_rows=n, step_size=size)
        texts = [statement.problem.sentence for statement in found.statements]
        self.order = sorted(range(len(texts)), key=lambda row: (len(texts[row]), texts[row], row))

    @cached_property
    def model(self) -> LoadedModel:
        return load_model(self.attempt, cast(Use, self.run.method))

    def compute(self, number: int) -> Floats:
        rows = self.order[self.rows_of(number)]
        return margins(
            self.model,
            [self.statements[row].problem for row in rows],
            lambda done, n: self.pulse(number, f"text {done} of {n}"),
        )

    def margins(self) -> Floats:
        flat = np.concatenate(self._recorded_margins())
        values = np.empty((1, len(self.statements)))
        values[0, self.order] = flat
        return values


class Learned(Statements):
    """Classifiers, each trained from a seed; one for each fold of reasons that it learns from."""

    NOUN, ACTIVITY = "classifier", "training"

    def __init__(self, attempt: Attempt[Evaluation], found: StatementSet) -> None:
        held_out = range(FOLDS) if attempt.run.trained_on == attempt.run.reasons else (None,)
        self.trainings = [(seed, fold) for seed in attempt.run.seeds for fold in held_out]
        super().__init__(attempt, found, n_rows=len(self.trainings), step_size=1)

    @cached_property
    def learned(self) -> Sequence[Statement]:
        same = self.run.trained_on == self.run.reasons
        return self.statements if same else learned_from(self.run.trained_on)

    @property
    def data_sha256(self) -> str:
        return knowledge_data_sha256(self.statements, self.learned)

    def compute(self, number: int) -> Floats:
        from modeling.finetuning.statements import StatementSettings

        seed, fold = self.trainings[number - 1]
        of = self.run.rates_of
        settings = StatementSettings(
            rate=rate_of(of, seed), batch_size=batch_size_of(of), epochs=EPOCHS, seed=seed
        )
        predict = self._frozen if self.run.is_frozen else self._trained
        return predict(number, self._train(fold), self._rows_of_fold(fold), settings)

    def margins(self) -> Floats:
        values = np.full((len(self.run.seeds), len(self.statements)), np.nan)
        pairs = zip(self.trainings, self._recorded_margins(), strict=True)
        for (seed, fold), of_step in pairs:
            values[self.run.seeds.index(seed), self._rows_of_fold(fold)] = of_step
        return values

    def _rows_of_fold(self, fold: int | None) -> Rows:
        if self.folds is None or fold is None:
            return np.arange(len(self.statements))
        return np.flatnonzero(self.folds == fold)

    def _train(self, fold: int | None) -> Rows:
        if self.folds is None or fold is None:
            return np.arange(len(self.learned))
        return np.flatnonzero(self.folds != fold)

    def _frozen(self, number: int, train: Rows, rows: Rows, settings: Any) -> Floats:
        from modeling.finetuning.statements import frozen_logits

        learned, scored = self._vectors
        return frozen_logits(
            learned[train],
            [self.learned[row].label for row in train],
            scored[rows],
            settings,
            progress=lambda done, n: self.pulse(number, f"epoch {done} of {n}"),
        )

    def _trained(self, number: int, train: Rows, rows: Rows, settings: Any) -> Floats:
        from modeling.finetuning.statements import trained_logits

        return trained_logits(
            # A fresh copy, since training changes its weights.
            cast(Encoder, load_model(self.attempt, "pooled")),
            [self.learned[row].problem.text for row in train],
            [self.learned[row].label for row in train],
            [self.statements[row].problem.text for row in rows],
            settings,
            progress=lambda done, n: self.pulse(number, f"update {done} of {n} of an epoch"),
        )

    @cached_property
    def _vectors(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The vectors of the statements learned and of those scored."""
        encoder = cast(Encoder, load_model(self.attempt, "pooled"))
        vectors = encoder.encode(
            [statement.problem.text for statement in (*self.learned, *self.statements)],
            progress=lambda done, n: self.attempt.pulse(f"encoding, text {done} of {n}"),
        )
        return vectors[: len(self.learned)], vectors[len(self.learned) :]


class MajorityStatements(Statements):
    """The majority of other evaluations' answers; a step counts those of one seed."""

    NOUN, ACTIVITY = "seed", "counting"

    def __init__(self, attempt: Attempt[Evaluation], found: StatementSet) -> None:
        super().__init__(attempt, found, n_rows=max(1, len(attempt.run.seeds)), step_size=1)

    @cached_property
    def answers(self) -> Floats:
        """What each member answered: (n_members, n_seeds, n)."""
        members = self.run.members.order_by("pk")
        answers = np.stack([answers_of(recorded_margins(member)) for member in members])
        if answers.shape[2] != len(self.statements):
            raise ValueError("The members have scored other statements.")
        return answers

    def compute(self, number: int) -> Floats:
        """Return 1, -1 or 0 (a tie) where most members say true, false, or neither."""
        values: Floats = 2 * majority(self.answers[:, number - 1]) - 1
        return values

    def margins(self) -> Floats:
        return np.array(self._recorded_margins())


WAYS: dict[str, type[ScoredStatements | Learned | MajorityStatements]] = {
    CLASSIFIER: Learned,
    ENSEMBLE: MajorityStatements,
}


def statements_work(attempt: Attempt[Evaluation]) -> Statements:
    way = WAYS.get(attempt.run.method, ScoredStatements)
    return way(attempt, statements_of(attempt.run))
