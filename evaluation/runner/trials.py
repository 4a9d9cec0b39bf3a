"""Executes trials: how long a method takes, measured on a sample of the questions."""

import time
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from corpora.core.items import Item
from evaluation.methods import METHODS, Block, Scorer
from evaluation.models import Evaluation, Trial
from evaluation.runner.questions import Questions, questions_of
from evaluation.runner.scorers import scorer_of
from winoplatform.runs.attempts import Attempt

# Questions of a block, about: in smaller blocks a model's batches are not full.
BLOCKS, BLOCK_SIZE = 3, 32
MOST = 2 * BLOCK_SIZE  # of a block with large groups
ENOUGH_SECONDS = 10  # of blocks; a slow model is measured on fewer


@dataclass(frozen=True)
class Trying:
    """Prepares an evaluation that is not stored: what it finds out is not recorded."""

    attempt: Attempt[Trial]
    run: Evaluation

    def pulse(self, activity: str) -> None:
        self.attempt.pulse(activity)

    def note(self, **facts: Any) -> None:
        for name, value in facts.items():
            setattr(self.run, name, value)


def trial(attempt: Attempt[Trial]) -> None:
    """Measure the seconds until the first block, and of each question; the scores are dropped."""
    attempt.report(0, activity="preparing")
    if METHODS[attempt.run.method].use is not None:
        # In a fresh worker this also imports libraries, which an evaluation after it does not.
        _prepare(attempt)
    begun = time.monotonic()
    blocks, scorer = _prepare(attempt)
    begin_seconds = time.monotonic() - begun
    attempt.report(0, total=sum(len(block.items) for block in blocks), activity="measuring")
    done, seconds = _measured(attempt, scorer, blocks)
    attempt.finish(
        begin_seconds=begin_seconds, seconds_per_question=seconds / done, done=done, total=done
    )


def _prepare(attempt: Attempt[Trial]) -> tuple[list[Block], Scorer]:
    """Return a sample of the questions, and the method as an evaluation would prepare it."""
    asked = {name: getattr(attempt.run, name) for name in Trial.ASKED}
    run = Evaluation(**asked, remote_confirmed=attempt.run.remote_confirmed)
    questions = questions_of(run)
    blocks = sample(questions)
    scorer = scorer_of(Trying(attempt, run), questions)
    # The first call of a model also does what is done once.
    _score(scorer, Block(1, blocks[0].items[:1]))
    return blocks, scorer


def sample(questions: Questions) -> list[Block]:
    """Return blocks of whole groups; each block has groups of all lengths in equal parts.

    Questions of a group stay together, as in an evaluation: what they share is computed once.
    """
    groups: dict[str, list[Item]] = {}
    for row in questions.order:
        item = replace(questions.items[row], answer=None)
        groups.setdefault(item.group, []).append(item)
    ordered = list(groups.values())
    n = round(BLOCKS * BLOCK_SIZE * len(ordered) / len(questions.items))
    n = min(max(n, 1), len(ordered))
    # The middles of n equal parts of the groups by length.
    chosen = [ordered[(2 * i + 1) * len(ordered) // (2 * n)] for i in range(n)]
    n_blocks = min(BLOCKS, n)
    parts = [list(chain.from_iterable(chosen[number::n_blocks])) for number in range(n_blocks)]
    return [Block(number, part[:MOST]) for number, part in enumerate(parts, 1)]


def _measured(attempt: Attempt[Trial], scorer: Scorer, blocks: list[Block]) -> tuple[int, float]:
    """Return how many questions were scored, and in how many seconds."""
    done, seconds = 0, 0.0
    for block in blocks:
        seconds += _score(scorer, block)
        done += len(block.items)
        attempt.report(done)
        if seconds > ENOUGH_SECONDS:
            break
    return done, seconds


def _score(scorer: Scorer, block: Block) -> float:
    start = time.monotonic()
    scorer(block, lambda _done, _n: None)
    return time.monotonic() - start
