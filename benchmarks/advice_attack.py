"""What a worker learns of blind answers by asking for advice, beside what ``train.jsonl`` says.

WinoGrande's 5,117 whole twins of ``train_l`` are one campaign, a tenth of it dev and a tenth test,
whose answers are blind. The attacker holds one assignment and every public file. They only hear
whether `pair_association` warns. Words in no blind question are weights: their counts are known
from train, so a trigger of such words and one other is a balance that weighs the other's count over
the whole campaign, and what train does not explain of it are blind answers.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from typing import Any

from benchmarks.database import scratch_database
from benchmarks.report import parse_args, result, table
from benchmarks.twins import published_twins, store
from collection.core.advice.campaign import LEAST_BITS
from collection.core.advice.cues import LEAST_USES, Cue, cues
from collection.core.rules import TwinDraft
from collection.core.triggers import trigger_diff

TWINS = {False: 10_000, True: 1_000}
SHARES = {"train": 0.8, "dev": 0.1, "test": 0.1}
WEIGHTS = 40  # words used as weights, and pairs of them
LIMIT = LEAST_BITS["place"]
SENTENCE = "The zqa stood beside the zqb for three hours in the rain, since the _ was {}."


@dataclass
class Public:
    """What the public files say: train's counts, and how often a word stands in blind twins."""

    train: Counter[str] = field(default_factory=Counter)
    blind: Counter[str] = field(default_factory=Counter)

    def bits(self, word: str, more: int = 0) -> float:
        """The bits of a word of which *more* blind twins agree with the option named first."""
        right = self.train[f"{word}>+"] + more
        wrong = self.train[f"{word}>-"] + self.blind[word] - more
        return math.log2((right + 1) / (wrong + 1))

    def uses(self, word: str) -> int:
        return self.train[f"{word}>+"] + self.train[f"{word}>-"] + self.blind[word]


class Attacker:
    """A worker who asks for advice on sentences made up for it."""

    def __init__(self, campaign: Any, worker: Any, public: Public) -> None:
        self.campaign, self.worker, self.public = campaign, worker, public
        self.asked = self.unexplained = 0
        known = [word for word in _words(public.train) if not public.blind[word]]
        known = sorted((w for w in known if public.uses(w) >= LEAST_USES), key=public.uses)
        groups = [(), *((w,) for w in known), *combinations(known[-WEIGHTS:], 2)]
        self.weights = {sum(map(public.bits, group)): group for group in groups}

    def asks(self, words: Sequence[str]) -> bool:
        """Whether advice says that these words go with the option named first."""
        from collection import services

        self.asked += 1
        sides = SENTENCE.format(" ".join(words)), SENTENCE.format("zqc")
        text = services.TwinText(sides, ("zqa", "zqb"), (1, 2), "", "physical")
        found = services.advise(campaign=self.campaign, text=text, author=self.worker)
        return "pair_association" in {finding.code for finding in found}

    def weigh(self, word: str) -> list[int]:
        """Return how many of the word's blind twins may agree with the option named first."""
        may_be = list(range(self.public.blind[word] + 1))
        while len(may_be) > 1 and self.public.uses(word) >= LEAST_USES:
            bits = [self.public.bits(word, more) for more in may_be]
            middle = len(bits) // 2
            low, high = LIMIT - bits[middle], LIMIT - bits[middle - 1]
            weight = next((w for w in self.weights if low + 1e-9 < w < high - 1e-9), None)
            if weight is None:
                break
            says = self.asks([*self.weights[weight], word])
            may_be = may_be[middle:] if says else may_be[:middle]
            by_train = self.public.train[f"{word}>+"], self.public.train[f"{word}>-"]
            expected = weight + (
                math.log2((by_train[0] + 1) / (by_train[1] + 1))
                if sum(by_train) >= LEAST_USES
                else 0.0
            )
            self.unexplained += says != (expected >= LIMIT)
        return may_be


def main() -> None:
    args = parse_args(__doc__ or "")
    with scratch_database():
        run(quick=args.quick)


def run(*, quick: bool) -> None:
    """Store the campaign, draw it, attack it, print."""
    from corpora.models import Draw
    from tests.factories import CampaignFactory, UserFactory

    drafts = [draft for draft in published_twins() if place_cues(draft)][: TWINS[quick]]
    splits = Random(5).choices(list(SHARES), list(SHARES.values()), k=len(drafts))
    campaign = CampaignFactory()
    twins = store(campaign, UserFactory(), drafts)
    Draw.objects.bulk_create(
        Draw(twin=twin, split=split, origin="linked", is_pair=True)
        for twin, split in zip(twins, splits, strict=True)
    )
    blind = [draft for draft, split in zip(drafts, splits, strict=True) if split != "train"]
    public = Public()
    for draft, split in zip(drafts, splits, strict=True):
        if split == "train":
            public.train.update(cue.name for cue in cues_of(draft) if cue.kind == "place")
        else:
            public.blind.update(cue.word for cue in place_cues(draft))
    attacker = Attacker(campaign, UserFactory(), public)
    weighed = {word: attacker.weigh(word) for word in sorted(public.blind)}
    # Where train explains every answer, nothing was learned: the attacker keeps to train.
    if not attacker.unexplained:
        weighed = {}
    show(attacker, blind, share_right(blind, public, {}), share_right(blind, public, weighed))


def cues_of(draft: TwinDraft) -> tuple[Cue, ...]:
    return cues(draft.sentences, draft.options, draft.answers, trigger_diff(*draft.sentences))


def place_cues(draft: TwinDraft) -> tuple[Cue, ...]:
    """Return the cues of `pair_association`, but for words on both sides: they say nothing."""
    own = [cue for cue in cues_of(draft) if cue.kind == "place"]
    sides = Counter(cue.word for cue in own)
    return tuple(cue for cue in own if sides[cue.word] == 1)


def _words(counts: Iterable[str]) -> set[str]:
    return {name.rpartition(">")[0] for name in counts}


def share_right(blind: Sequence[TwinDraft], public: Public, weighed: dict[str, list[int]]) -> float:
    """Return the share of blind pairs whose answers are read rightly; no opinion is one half."""
    right = 0.0
    for draft in blind:
        score = 0.0
        for cue in place_cues(draft):
            towards = _opinion(cue.word, public, weighed)
            score += towards if cue.hit else -towards
        right += 0.5 if score == 0 else float(score > 0)
    return right / len(blind)


def _opinion(word: str, public: Public, weighed: dict[str, list[int]]) -> float:
    """Log-odds that a blind twin with the word agrees with the option named first."""
    right, wrong = public.train[f"{word}>+"], public.train[f"{word}>-"]
    opinion = math.log2((right + 1) / (wrong + 1))
    if word in weighed:
        share = sum(weighed[word]) / len(weighed[word]) / public.blind[word]
        opinion += 5 * math.log2((share + 0.01) / (1.01 - share))
    return opinion


def show(attacker: Attacker, blind: Sequence[TwinDraft], by_train: float, by_advice: float) -> None:
    """Print both shares and what the advice cost to ask."""
    rows = [("train.jsonl alone", f"{by_train:.3f}"), ("with advice", f"{by_advice:.3f}")]
    table(("attacker", f"right on {len(blind):,} blind pairs"), rows)
    result(
        blind_pairs=len(blind),
        asked=attacker.asked,
        unexplained_by_train=attacker.unexplained,
        right_by_train=by_train,
        right_with_advice=by_advice,
    )


if __name__ == "__main__":
    main()
