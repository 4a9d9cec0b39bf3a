"""Cues: the relation of trigger words to answers, counted over a campaign."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from collection.core.matching import best_place, fold
from collection.core.triggers import TriggerDiff, head_noun
from collection.core.words import BLANK, bare, is_function_word, local_window, words

Kind = Literal["place", "option"]

MOST_WORDS = 5  # of one side: a rewritten half sentence has no one trigger word
LONGEST_WORD = 30
LEAST_USES = 5  # of a word elsewhere in the campaign, before its counts say anything
SMOOTHING = 1.0


@dataclass(frozen=True, slots=True)
class Cue:
    """One trigger word with the answer that it had in one sentence.

    `kind` "place": whether the sentence's answer is the option that the sentences name first
    (`target` "") – the label of `pair_association`. `kind` "option": whether the answer is the
    option with the head noun `target` – for `local_association`. `hit` is whether that is so in
    this sentence.
    """

    kind: Kind
    word: str
    target: str
    hit: bool

    @property
    def name(self) -> str:
        """The cue as it is stored with a twin: ``large>`` + y or n, ``large=box`` + y or n."""
        return self.stem + ("+" if self.hit else "-")

    @property
    def opposite(self) -> str:
        """The name of the opposite cue."""
        return self.stem + ("-" if self.hit else "+")

    @property
    def stem(self) -> str:
        return f"{self.word}{'>' if self.kind == 'place' else '='}{self.target}"


@dataclass(frozen=True, slots=True)
class Association:
    """How strongly counts over a campaign predict a pair's answers, in bits (above 0: correctly).

    `strongest` is the most predictive cue, `seen` how often it occurs in other twins, and `right`
    how often it was right there.
    """

    bits: float
    strongest: Cue
    right: int
    seen: int


def cues(
    sentences: tuple[str, str],
    options: tuple[str, str],
    answers: tuple[int, int],
    trigger: TriggerDiff,
) -> tuple[Cue, ...]:
    """Return the distinct cues of a twin, sorted; none if its answers are not opposite.

    Words that both sentences share are left out: they occur once with each answer and carry no
    information (in the paper's f they cancel). A side of more than `MOST_WORDS` words has no cues.
    The place refers to the option that both sentences name first, as the stored order of options
    has no meaning here. An option's head noun counts unless it is capitalized (a name), and only
    with content words in the local window.
    """
    if answers not in {(1, 2), (2, 1)}:
        return ()
    cues_of_words: set[Cue] = set()
    first = _named_first(sentences, options)
    sides = trigger.first_words, trigger.second_words
    for sentence, side, answer in zip(sentences, sides, answers, strict=True):
        plain = _plain(side)
        if len(plain) > MOST_WORDS:
            continue
        if first is not None:
            cues_of_words |= {Cue("place", word, "", answer == first) for word in plain}
        near = plain & _window_words(sentence)
        for number, option in enumerate(options, start=1):
            head = _head(option)
            if head:
                cues_of_words |= {
                    Cue("option", word, head, answer == number)
                    for word in near
                    if not is_function_word(word)
                }
    return tuple(sorted(cues_of_words, key=lambda cue: cue.name))


def scoped(own: Iterable[Cue], campaign_id: int) -> list[str]:
    """Return the names of cues as stored, with the campaign in them.

    So one index finds the cues of one campaign efficiently.
    """
    return [f"{campaign_id}:{cue.name}" for cue in own]


def association(own: Iterable[Cue], counts: Mapping[str, int], *, kind: Kind) -> Association | None:
    """Return how strongly the trigger words predict the answers; None if too little is known.

    Parameters
    ----------
    own : iterable of Cue
        The twin's cues.
    counts : mapping
        How many *other* twins of the campaign have a cue, by its name.
    kind : "place" or "option"

    Returns
    -------
    Association or None
        ``bits`` is the sum over the twin's cues of ``log2((right + s) / (wrong + s))``, where
        `right` counts the other twins in which the word has the same relation as here, `wrong`
        those with the opposite, and s is `SMOOTHING`. Words used fewer than `LEAST_USES` times
        count as 0.

    Source: AAAI 2020, section 3: f(t1, t2) = Σ PMI(y=1; w) over t1 − the same over t2. With both
    answers equally frequent, as in twins, PMI(y=1; w) − PMI(y=2; w) is the log-odds of y = 1 given
    w. Departures: the difference of both labels' PMI instead of y = 1 only, so that neither label
    is special; add-one smoothing, as Gururangan et al. (2018) smooth (they add 100, for whole
    vocabularies); y is the option named first, or the option itself, in place of its stored
    number; the twin's own words are left out of the counts; the sign is chosen so that values above
    0 favour the twin's own answers.
    """
    rows = []
    for cue in own:
        right, wrong = counts.get(cue.name, 0), counts.get(cue.opposite, 0)
        if cue.kind == kind and right + wrong >= LEAST_USES:
            bits = math.log2((right + SMOOTHING) / (wrong + SMOOTHING))
            rows.append(Association(bits, cue, right, right + wrong))
    if not rows:
        return None
    best = max(rows, key=lambda row: (row.bits, row.strongest.name))
    total = math.fsum(row.bits for row in rows)
    return Association(total, best.strongest, best.right, best.seen)


def _plain(side: Iterable[str]) -> set[str]:
    plain = (bare(fold(word)) for word in side)
    return {word for word in plain if word and word != BLANK and len(word) <= LONGEST_WORD}


def _window_words(sentence: str) -> set[str]:
    if sentence.count(BLANK) != 1:
        return set()
    return _plain(words(local_window(sentence)))


def _named_first(sentences: tuple[str, str], options: tuple[str, str]) -> int | None:
    """Return the option that both sentences name first; None if they disagree."""
    numbers = set()
    for folded in map(fold, sentences):
        places = [best_place(option, folded) for option in options]
        if places[0] is None or places[1] is None or places[0].start == places[1].start:
            return None
        numbers.add(1 if places[0].start < places[1].start else 2)
    return numbers.pop() if len(numbers) == 1 else None


def _head(option: str) -> str:
    head = bare(head_noun(option))
    if not head or len(head) > LONGEST_WORD or head != fold(head):
        return ""
    return head
